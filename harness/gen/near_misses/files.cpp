// SPDX-License-Identifier: Apache-2.0
// Defects of the manifests above the sub-graphs: the KELF descriptor, and the way to it.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;
constexpr const char* kNeff = "neff.json";

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}

At kelf_node(Ground& g) {
  g.neff();
  const Json& nodes = g.model.json(kNeff)["nodes"];
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].contains("attrs") && nodes[i]["attrs"].value("func_name", Json()) == "__kelf")
      return At{kNeff, {}} / "nodes" / i;
  return {kNeff, {}};
}
// The same, nothing odd behind it: no one looks there until the node meant is gone.
At last_kelf_node(Ground& g) {
  const At at = kelf_node(g);
  Json& nodes = g.model.json(kNeff)["nodes"];
  for (std::size_t i = nodes.size(); i-- > 0 && (At{kNeff, {}} / "nodes" / i).pointer != at.pointer;)
    nodes[i] = {{"name", "z"}};
  return at;
}
At kelf(Ground& g) { return g.kelf(); }
At first_graph(Ground& g) { return g.kelf() / "graphs" / std::size_t{0}; }

const Kind kKinds[] = {
    {{"kelf-node-absent", Reason::kelf_node_missing}, kAny,
     last_kelf_node,
     [](Ground& g, At& at) {
       g.at(at)["attrs"]["func_name"] = "kelf";
       at = {kNeff, "/nodes"};
     }},
    {{"node-before-kelf-no-object", Reason::io_value}, kAny,
     [](Ground& g) {
       // Moved behind one that nothing names; where it was, its outputs stay.
       Json& was = g.at(last_kelf_node(g));
       const Json meant = {{"attrs", {{"func_name", "__kelf"}, {"kelf", was["attrs"]["kelf"]}}}};
       was["attrs"]["func_name"] = "other";
       Json& nodes = g.model.json(kNeff)["nodes"];
       nodes.push_back({{"name", "between"}});
       nodes.push_back(meant);
       return At{kNeff, {}} / "nodes" / (nodes.size() - 2);
     },
     [](Ground& g, At& at) { g.at(at) = g.c.chance(50) ? Json(5) : Json::array({"__kelf"}); }},
    {{"kelf-node-attrs-no-object", Reason::io_value}, kAny, kelf_node,
     [](Ground& g, At& at) { set(g, at, "attrs", g.c.chance(50) ? Json("__kelf") : Json::array()); }},
    {{"func-name-no-string", Reason::io_value}, kAny, kelf_node,
     [](Ground& g, At& at) {
       at = at / "attrs";
       set(g, at, "func_name", g.c.chance(50) ? Json(0) : Json(nullptr));
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
