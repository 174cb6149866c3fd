// SPDX-License-Identifier: Apache-2.0
// Defects of the manifests above the sub-graphs: neff.json and the KELF descriptor.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;
constexpr const char* kNeff = "neff.json";

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}

// neff.json, plain where the model has none: one input, one output.
At neff(Ground& g) {
  if (g.model.members.count(kNeff) == 0)
    g.model.put(kNeff, {{"nodes", Json::array({{{"name", "x"}},
                                               {{"name", "y"}, {"attrs", {{"func_name", "__kelf"}, {"kelf", g.kelf().member}}}}})},
                        {"arg_nodes", {0}},
                        {"heads", Json::array({Json::array({1, 0, 0})})},
                        {"node_row_ptr", {0, 1, 2}},
                        {"attrs", {{"dltype", Json::array({"list_str", {"float32", "int8"}})},
                                   {"shape", Json::array({"list_shape", Json::array({Json::array({2}), Json::array({3})})})}}}});
  Json& doc = g.model.json(kNeff);
  // Something to break in each list.
  if (doc["arg_nodes"].empty()) doc["arg_nodes"].push_back(0);
  if (doc["heads"].empty()) doc["heads"].push_back({0, 0, 0});
  return {kNeff, {}};
}
At kelf_node(Ground& g) {
  neff(g);
  const Json& nodes = g.model.json(kNeff)["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].contains("attrs") && nodes[i]["attrs"].value("func_name", Json()) == "__kelf")
      return At{kNeff, {}} / "nodes" / i;
  return {kNeff, {}};
}
At first_head(Ground& g) { return neff(g) / "heads" / std::size_t{0}; }
// The shape of the first input's entry.
At first_shape(Ground& g) {
  neff(g);
  const Json& doc = g.model.json(kNeff);
  const std::size_t entry = doc["node_row_ptr"][doc["arg_nodes"][0].get<std::size_t>()].get<std::size_t>();
  return At{kNeff, {}} / "attrs" / "shape" / std::size_t{1} / entry;
}
At kelf(Ground& g) { return g.kelf(); }
At first_graph(Ground& g) { return g.kelf() / "graphs" / std::size_t{0}; }

const Kind kKinds[] = {
    {{"io-key-absent", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"};
       g.at(at).erase(g.c.pick(kKeys));
     }},
    {{"io-list-absent", Reason::io_key_missing}, kAny, neff,
     [](Ground& g, At& at) {
       at = at / "attrs" / (g.c.chance(50) ? "dltype" : "shape");
       g.at(at) = Json::array({"list"});
     }},
    {{"io-head-node", Reason::io_head_node}, kAny, first_head,
     [](Ground& g, At& at) {
       g.at(at)[0] = g.model.json(kNeff)["nodes"].size() + g.c.below(2);
       at = at / std::size_t{0};
     }},
    {{"io-entry-id", Reason::io_entry_id}, kAny, first_head,
     [](Ground& g, At& at) { g.at(at)[1] = 1000 + g.c.below(10); }},
    {{"io-rank-33", Reason::io_rank}, kAny, first_shape,
     [](Ground& g, At& at) { g.at(at) = Json(std::vector<int>(33, 1)); }},
    {{"io-size-overflow", Reason::io_size_overflow}, kAny, first_shape,
     [](Ground& g, At& at) { g.at(at) = {std::uint64_t{1} << 32, std::uint64_t{1} << 32}; }},
    {{"io-value-type", Reason::io_value}, kAny, first_shape,
     [](Ground& g, At& at) { g.at(at) = "4"; }},
    {{"kelf-node-absent", Reason::kelf_node_missing}, kAny, kelf_node,
     [](Ground& g, At& at) {
       g.at(at)["attrs"]["func_name"] = "kelf";
       at = {kNeff, "/nodes"};
     }},
    {{"kelf-no-string", Reason::kelf_name}, kAny, kelf_node,
     [](Ground& g, At& at) {
       at = at / "attrs";
       if (g.c.chance(50)) g.at(at).erase("kelf");
       else g.at(at)["kelf"] = 0;
     }},
    {{"kelf-member-absent", Reason::kelf_member_missing}, kAny, kelf_node,
     [](Ground& g, At& at) {
       at = at / "attrs";
       set(g, at, "kelf", "no such member");
     }},
    {{"kelf-absent", Reason::kelf_missing}, kAny, kelf,
     [](Ground& g, At& at) {
       g.model.members.erase(kNeff);
       g.model.members.erase("kelf-0.json");
       g.model.members.erase("kelf-a.json");
       at = {};
     }},
    {{"kelf-key-absent", Reason::kelf_key_missing}, kAny, kelf,
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"version", "target", "graphs"};
       g.at(at).erase(g.c.pick(kKeys));
     }},
    {{"graph-key-absent", Reason::kelf_key_missing}, kAny, first_graph,
     [](Ground& g, At& at) { g.at(at).erase(g.c.chance(50) ? "name" : "definition"); }},
    {{"kelf-version", Reason::kelf_version}, kAny, kelf,
     [](Ground& g, At& at) { set(g, at, "version", g.c.chance(50) ? "" : "05"); }},
    {{"definition-absent", Reason::definition_missing}, kAny, first_graph,
     [](Ground& g, At& at) { set(g, at, "definition", "no such member"); }},
    {{"graphs-none", Reason::no_graphs}, kAny, kelf,
     [](Ground& g, At& at) { set(g, at, "graphs", Json::array()); }},
    {{"graph-name-twice", Reason::graph_name_twice}, kAny, first_graph,
     [](Ground& g, At& at) {
       Json& graphs = g.at(g.kelf())["graphs"];
       graphs.push_back(g.at(at));
       at = g.kelf() / "graphs" / (graphs.size() - 1) / "name";
     }},
    {{"target-unknown", Reason::target_unknown}, kAny, kelf,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"Sunda", "trn2", "v5", "* ", "cayman "};
       set(g, at, "target", g.c.pick(kWrong));
     }},
    {{"target-open", Reason::target_open}, kAny, kelf,
     [](Ground& g, At& at) {
       set(g, at, "target", "*");
       g.model.options.arch.reset();
     }},
    {{"target-differs", Reason::target_differs}, kAny,
     [](Ground& g) {
       // The instance is the target's own, and a carveout keeps cayman's rule out of it.
       static constexpr const char* kNames[] = {"sunda", "cayman", "mariana"};
       g.at(g.kelf())["target"] = kNames[code(g.target) - code(ArchType::SUNDA)];
       g.model.options.arch = g.target;
       g.model.options.allow_legacy = true;
       return g.kelf() / "target";
     },
     [](Ground& g, At&) {
       g.model.options.arch = g.target == ArchType::SUNDA ? ArchType::CAYMAN : ArchType::SUNDA;
       g.model.options.allow_legacy = false;
     }},
};

}  // namespace

std::span<const Kind> file_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
