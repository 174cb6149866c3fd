// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/near_misses/ground.h"

#include "oracle/dtype/enums.h"

namespace assay::harness::near_misses {
namespace {

ArchType target_of(const Model& model, const std::string& kelf) {
  const std::string text = model.members.at(kelf).doc.at("target").get<std::string>();
  if (text == "*") return *model.options.arch;
  return *match_TargetName(text);
}

std::string kelf_of(const Model& model) {
  const auto neff = model.members.find("neff.json");
  if (neff == model.members.end())
    return model.members.count("kelf-0.json") != 0 ? "kelf-0.json" : "kelf-a.json";
  for (const Json& node : neff->second.doc.at("nodes"))
    if (node.contains("attrs") && node["attrs"].value("func_name", Json()) == "__kelf")
      return node["attrs"]["kelf"].get<std::string>();
  return {};
}

// A variable of each type at its plainest.
Json plain_variable(Ground& g, const std::string& type, std::size_t id) {
  Json v{{"type", type}, {"var_id", id}};
  if (type == "input" || type == "output" || type == "tmp-buf" || type == "virtual") v["size"] = 64;
  if (type == "virtual") v["backing_variable_off"] = 16;
  if (type == "pointer") {
    v["size"] = 8;
    v["referenced_var_id"] = 0;
  }
  if (type == "list" || type == "dge-table") v["list"] = Json::array({0});
  if (type == "file") v["file_name"] = g.blob("near-miss-weights");
  return v;
}

}  // namespace

At At::operator/(std::string_view key) const {
  At out{member, pointer + "/"};
  for (const char ch : key) {
    if (ch == '~') out.pointer += "~0";
    else if (ch == '/') out.pointer += "~1";
    else out.pointer += ch;
  }
  return out;
}

Ground::Ground(Choices& choices, Model& on, std::size_t graph)
    : c(choices), model(on), kelf_(kelf_of(on)) {
  target = target_of(model, kelf_);
  const auto graphs = graphs_of(model);
  definition = graphs[graph % graphs.size()].definition;
  dir = graphs[graph % graphs.size()].directory;
}

std::string Ground::variable_name(const char* type) {
  Json& vars = def()["var"];
  for (const auto& [name, v] : vars.items())
    if (v.at("type") == type) return name;
  const std::string name = std::string("near-miss ") + type;
  const std::size_t id = vars.size();
  vars[name] = plain_variable(*this, type, id);
  return name;
}

At Ground::variable(const char* type) { return root() / "var" / variable_name(type); }

std::string Ground::queue_name(const char* type) {
  Json& queues = def()["dma_queue"];
  if (queues.is_null()) queues = Json::object();
  for (const auto& [name, q] : queues.items())
    if (!name.empty() && q.at("type") == type) return name;
  // No block can name one of no name, and of some types there may be no second: it gets a name.
  if (const auto it = queues.find(""); it != queues.end() && it->at("type") == type) {
    const std::string name = std::string("near-miss ") + type;
    Json q = std::move(*it);
    queues.erase(it);
    queues[name] = std::move(q);
    return name;
  }
  // A full set of queues makes room in place: the least surprising edit that keeps 32.
  const std::string name = queues.size() < 32 ? std::string("near-miss ") + type : std::prev(queues.end()).key();
  Json q{{"type", type}, {"owner", "pe"}};
  if (std::string_view(type) == "embedding_update") q["embedding_update_sync_semaphore"] = 1;
  if (std::string_view(type) == "dynamic") q["dynamic_dma"] = Json::object();
  if (queues.contains(name) && queues[name].contains("queue_instances") && q["type"] != "in" &&
      q["type"] != "out" && q["type"] != "embedding_update")
    q["queue_instances"] = queues[name]["queue_instances"];
  queues[name] = std::move(q);
  return name;
}

At Ground::queue(const char* type) { return root() / "dma_queue" / queue_name(type); }

At Ground::section(const char* key, Json otherwise) {
  if (!def().contains(key)) def()[key] = std::move(otherwise);
  return root() / key;
}

std::string Ground::blob(const char* name) {
  if (model.members.count(dir + name) == 0) model.put_bytes(dir + name, "12345678");
  return name;
}

At Ground::engine(const char* name) {
  if (!def().contains(name)) {
    const std::string member = std::string("near-miss-") + name + ".json";
    model.put(dir + member, Json::object());
    def()[name] = member;
  }
  return {dir + def()[name].get<std::string>(), {}};
}

// Plain where the model has none: one input, one output.
At Ground::neff() {
  if (model.members.count("neff.json") == 0)
    model.put("neff.json",
              {{"nodes", Json::array({{{"name", "x"}},
                                      {{"name", "y"}, {"attrs", {{"func_name", "__kelf"}, {"kelf", kelf_}}}}})},
               {"arg_nodes", {0}},
               {"heads", Json::array({Json::array({1, 0, 0})})},
               {"node_row_ptr", {0, 1, 2}},
               {"attrs", {{"dltype", Json::array({"list_str", {"float32", "int8"}})},
                          {"shape", Json::array({"list_shape", Json::array({Json::array({2}), Json::array({3})})})}}}});
  Json& doc = model.json("neff.json");
  if (doc["arg_nodes"].empty()) doc["arg_nodes"].push_back(0);
  if (doc["heads"].empty()) doc["heads"].push_back({0, 0, 0});
  return {"neff.json", {}};
}

At Ground::block() {
  section("dma", Json::array());
  Json& dma = def()["dma"];
  dma.push_back({{"id", 1}, {"queue", queue_name("data")}, {"desc", Json::array()}});
  return root() / "dma" / (dma.size() - 1);
}

At Ground::descriptor(const char* op) {
  const At in = block();
  const std::string to = variable_name("output");
  const std::string_view o = op;
  Json d{{"op", op}, {"to", to}, {"to_off", 0}, {"to_sizes", {4, 2}}, {"to_steps", {1, 4}}};
  if (o == "copy" || o == "transpose") {
    d["from"] = to;
    d["from_off"] = 0;
    d["from_sizes"] = {4, 2};
    d["from_steps"] = {1, -4};
  } else {
    d["to_dtype"] = "float32";
    d["from_arr"] = Json::array({{{"from", to}, {"from_off", 0}, {"from_sizes", {4}},
                                  {"from_steps", {1}}, {"from_dtype", "int32"}}});
  }
  at(in / "desc").push_back(std::move(d));
  return in / "desc" / std::size_t{0};
}

At Ground::ucode() {
  const Json plain{{"library", blob("near-miss-lib")}, {"ulib_to_ucode_version", "1.0"}, {"opcode", 1}};
  Json& list = def()["ucode_lib"];
  if (!list.is_array()) list = Json::array();  // absent, or the name of a member
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].at("library") == plain["library"]) return root() / "ucode_lib" / i;
  list.push_back(plain);
  return root() / "ucode_lib" / (list.size() - 1);
}

At Ground::ucode_function() {
  const At lib = ucode();
  at(lib)["functions"] = Json::array({{{"name", "f"}, {"opcode", 1}}});
  return lib / "functions" / std::size_t{0};
}

At Ground::carveout() {
  const At list = section("runtime_statebuffer_reservation", Json::array());
  if (at(list).empty())
    at(list).push_back({{"type", "evtaccel"}, {"offset", 229368}, {"size", 8},
                        {"base_partition", 0}, {"partitions", 128}});
  return list / std::size_t{0};
}

At Ground::act_set_entry() {
  const At act = engine("act");
  model.put(dir + "near-miss-profile.json", {{"profile_meta_data", Json::array({{{"func_id", 1}}})}});
  model.put(dir + "near-miss-info.json",
            {{"act_func_sets", Json::array({{{"name", "set"}, {"bkt_bin", blob("near-miss-bkt")},
                                             {"ctrl_bin", blob("near-miss-ctrl")},
                                             {"profile_json", "near-miss-profile.json"}}})}});
  at(act)["act_info"] = "near-miss-info.json";
  at(act)["activation_function_sets"] = Json::array({"set"});
  return At{dir + "near-miss-info.json", {}} / "act_func_sets" / std::size_t{0};
}

At Ground::profile_file() {
  act_set_entry();
  return {dir + "near-miss-profile.json", {}};
}

At Ground::dve_tables() {
  const At dve = engine("dve");
  at(dve)["dve_tables"] = Json::array({{{"opcode_table", blob("near-miss-op")},
                                        {"control_fast_table", blob("near-miss-fast")},
                                        {"control_slow_table", blob("near-miss-slow")},
                                        {"datapath_table", blob("near-miss-path")}}});
  return dve / "dve_tables" / std::size_t{0};
}

}  // namespace assay::harness::near_misses
