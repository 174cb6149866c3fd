// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/models/adopt.h"

#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/structure.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::mutating {
namespace {

using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::document;
using reduce::text_at;

constexpr std::string_view kTables[] = {"opcode_table", "control_fast_table", "control_slow_table", "datapath_table",
                                        "control_table"};

// One sub-graph of a donor on its way into one of the model's.
struct Way {
  Edit& e;
  Donor& donor;
  std::size_t from, to;

  Choices& c() { return e.c; }
  Json& def() { return *e.places.definitions[to]; }
  Json& source() { return *donor.places.definitions[from]; }
  const std::string& dir() { return e.places.graphs[to].directory; }

  const ModelMember* member(const std::string* name) {
    if (name == nullptr) return nullptr;
    const auto it = donor.model.members.find(donor.places.graphs[from].directory + *name);
    return it == donor.model.members.end() ? nullptr : &it->second;
  }
  std::string free_name(std::string name) {
    // The ending means something, so the number comes before it.
    const std::size_t dot = name.find('.', name.rfind('/') == std::string::npos ? 0 : name.rfind('/'));
    const std::string stem = name.substr(0, dot), ending = dot == std::string::npos ? "" : name.substr(dot);
    for (std::size_t n = e.model.members.size(); e.model.members.count(dir() + name) != 0; ++n)
      name = stem + std::to_string(n) + ending;
    return name;
  }
  // The raw member that holder[key] names, and the name it has now; false where there is none.
  bool blob(Json& holder, std::string_view key, bool alone = false) {
    const std::string* name = text_at(&holder, key);
    const ModelMember* m = member(name);
    if (m == nullptr || m->is_json()) return false;
    const auto here = e.model.members.find(dir() + *name);
    if (!alone && here != e.model.members.end() && !here->second.is_json() &&
        here->second.bytes == m->bytes)
      return true;
    std::string to_name = free_name(*name);
    e.model.put_bytes(dir() + to_name, m->bytes);
    holder[std::string(key)] = std::move(to_name);
    return true;
  }
  // The same for a JSON member; `doc` replaces what the donor has.
  void put_document(Json& holder, std::string_view key, Json doc) {
    const std::string* name = text_at(&holder, key);
    std::string to_name = free_name(name == nullptr ? "x.json" : *name);
    e.model.put(dir() + to_name, std::move(doc));
    holder[std::string(key)] = std::move(to_name);
  }
};

std::string any_variable(Way& w) {
  const std::string* name = any_key(w.c(), at(&w.def(), "var"));
  return name == nullptr ? std::string() : *name;
}

void settle_descriptor(Way& w, Json& d) {
  if (!d.is_object()) return;
  const Json* var = at(&w.def(), "var");
  const auto settle = [&](Json& holder, const char* key) {
    const std::string* name = text_at(&holder, key);
    if (name != nullptr && at(var, *name) == nullptr) holder[key] = any_variable(w);
  };
  settle(d, "from");
  settle(d, "to");
  Json* sources = array_at(&d, "from_arr");
  if (sources == nullptr) return;
  for (Json& s : *sources) settle(s, "from");
  const std::string* op = text_at(&d, "op");
  auto& list = sources->get_ref<Json::array_t&>();
  const std::size_t most = max_fma_sources(code(target_of(w.e.model)));
  if (op != nullptr && *op == "fma" && list.size() > most) list.resize(std::max<std::size_t>(most, 1));
}

// False where there is no queue that it could go to.
bool settle_block(Way& w, Json& block) {
  if (!block.is_object()) return false;
  const std::string* queue = any_key(w.c(), at(&w.def(), "dma_queue"));
  if (queue == nullptr || queue->empty()) return false;
  block["queue"] = *queue;
  const std::string* instance = text_at(&block, "instance_name");
  if (instance == nullptr || !is_listed(&w.def(), *instance)) block.erase("instance_name");
  Json* section = at(&block, "section_start_desc");
  if (section != nullptr && !section->is_boolean()) block.erase("section_start_desc");
  if (Json* descriptors = array_at(&block, "desc"))
    for (Json& d : *descriptors) settle_descriptor(w, d);
  return true;
}

bool adopt_variable(Way& w) {
  Json *var = at(&w.def(), "var"), *theirs = at(&w.source(), "var");
  const std::string* name = any_key(w.c(), theirs);
  if (name == nullptr || var == nullptr || !var->is_object() || var->size() > 4095) return false;
  Json v = (*theirs)[*name];
  const std::string* type = text_at(&v, "type");
  if (type == nullptr) return false;
  const std::size_t id = var->size(), count = id + 1;
  if (*type == "file" && !w.blob(v, "file_name")) return false;
  const auto settle = [&](Json& reference) {
    if (const auto n = reduce::number_of(&reference)) reference = *n % count;
  };
  if (Json* reference = *type == "pointer" ? at(&v, "referenced_var_id") : nullptr) settle(*reference);
  if (Json* list = *type == "dge-table" ? array_at(&v, "list") : nullptr)
    for (Json& n : *list) settle(n);
  v["var_id"] = id;
  (*var)[var->contains(*name) ? new_key(w.c(), *name, *var) : *name] = std::move(v);
  return true;
}

bool adopt_queue(Way& w) {
  Json* theirs = at(&w.source(), "dma_queue");
  const std::string* name = any_key(w.c(), theirs);
  const Json* ours = at(&w.def(), "dma_queue");
  if (name == nullptr || (ours != nullptr && (!ours->is_object() || ours->size() >= KBIN_MAX_DMA))) return false;
  Json q = (*theirs)[*name];
  const std::string* type = text_at(&q, "type");
  if (type == nullptr) return false;
  if (*type == "act_load" && ours != nullptr)
    for (const Json& other : *ours)
      if (const std::string* t = text_at(&other, "type"); t != nullptr && *t == "act_load") return false;
  Json& queues = w.def()["dma_queue"];
  if (queues.is_null()) queues = Json::object();
  if (Json* list = array_at(&q, "queue_instances"))
    for (Json& instance : *list) {
      if (!instance.is_string()) continue;
      std::string to = instance.get<std::string>();
      while (is_listed(&w.def(), to) || (!queues.empty() && at(&queues, to) != nullptr)) to += '\'';
      instance = std::move(to);
    }
  std::string to = queues.contains(*name) ? new_key(w.c(), *name, queues) : *name;
  queues[to] = std::move(q);
  if (counting_queues(w.def()) > max_hw_dge_count(code(target_of(w.e.model)))) suit_target(w.e.model, w.def());
  return true;
}

bool adopt_block(Way& w) {
  std::vector<const Json*> blocks;
  for (const Place& p : w.donor.places.all)
    if (p.object == Object::Block) blocks.push_back(p.value);
  if (blocks.empty()) return false;
  Json block = *blocks[w.c().below(blocks.size())];
  const auto& documents = w.e.places.graphs[w.to].documents;
  Json* holder = document(w.e.model, documents[w.c().below(documents.size())]);
  if (holder == nullptr || !holder->is_object() || !settle_block(w, block)) return false;
  Json& list = (*holder)["dma"];
  if (list.is_null()) list = Json::array();
  if (!list.is_array()) return false;
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(w.c().below(list.size() + 1)), std::move(block));
  return true;
}

// ---- sections with members ----

void adopt_tables(Way& w, Json& engine) {
  Json* tables = at(&engine, "dve_tables");
  if (tables == nullptr) return;
  if (tables->is_array() && !tables->empty()) tables = &tables->front();
  if (!tables->is_object()) return;
  for (const std::string_view key : kTables)
    if (tables->contains(key) && !w.blob(*tables, key)) tables->erase(std::string(key));
}

bool adopt_sets(Way& w, Json& engine) {
  const Json* listed = array_at(&engine, "activation_function_sets");
  if (listed == nullptr || listed->empty()) return true;  // ACT-003
  const ModelMember* info = w.member(text_at(&engine, "act_info"));
  if (info == nullptr || !info->is_json()) return false;
  Json doc = info->doc;
  Json* sets = array_at(&doc, "act_func_sets");
  if (sets == nullptr) return false;
  for (Json& set : *sets) {
    if (!set.is_object()) continue;
    w.blob(set, "bkt_bin");
    w.blob(set, "ctrl_bin");
    const ModelMember* profile = w.member(text_at(&set, "profile_json"));
    if (profile != nullptr && profile->is_json()) w.put_document(set, "profile_json", profile->doc);
  }
  w.put_document(engine, "act_info", std::move(doc));
  return true;
}

bool adopt_engine(Way& w, std::string_view key) {
  const std::string* name = text_at(&w.source(), key);
  const ModelMember* m = w.member(name);
  if (m == nullptr || !m->is_json() || !m->doc.is_object()) return w.def().erase(std::string(key)) != 0;
  Json doc = m->doc;
  if (doc.contains("instr") && !w.blob(doc, "instr")) doc.erase("instr");
  if (key == "dve") adopt_tables(w, doc);
  if (key == "act" && !adopt_sets(w, doc)) doc.erase("activation_function_sets");
  if (Json* blocks = array_at(&doc, "dma")) {
    auto& list = blocks->get_ref<Json::array_t&>();
    std::erase_if(list, [&](Json& block) { return !settle_block(w, block); });
  }
  Json holder = Json::object();
  holder["name"] = *name;
  w.put_document(holder, "name", std::move(doc));
  w.def()[std::string(key)] = std::move(holder["name"]);
  return true;
}

bool adopt_libraries(Way& w) {
  const Json* list = array_at(&w.source(), "ucode_lib");
  const ModelMember* m = w.member(text_at(&w.source(), "ucode_lib"));
  if (m != nullptr && m->is_json() && m->doc.is_array()) list = &m->doc;
  if (list == nullptr) return w.def().erase("ucode_lib") != 0;
  Json libs = *list;
  for (const Json& lib : libs)
    if (const std::string* name = text_at(&lib, "library"); name != nullptr && *name == "all") return false;  // UCL-009
  for (Json& lib : libs)
    if (lib.is_object()) w.blob(lib, "library", true);
  if (w.c().chance(60)) {
    w.def()["ucode_lib"] = std::move(libs);
    return true;
  }
  Json holder = Json::object();
  w.put_document(holder, "name", std::move(libs));
  w.def()["ucode_lib"] = std::move(holder["name"]);
  return true;
}

bool adopt_plain(Way& w, const std::string& key) {
  const Json* theirs = at(&w.source(), key);
  if (theirs == nullptr) {
    if (w.def().erase(key) == 0) return false;
  } else {
    Json& slot = w.def()[key];
    if (slot == *theirs) return false;
    slot = *theirs;
  }
  // num_streams is read where cc_streams is not.
  const Json* n = at(&w.def(), "num_streams");
  if (n != nullptr && !n->is_number_unsigned() && !w.def().contains("cc_streams")) w.def().erase("num_streams");
  suit_target(w.e.model, w.def());
  return true;
}

}  // namespace

// Places has pointers to what it found, and a donor's are only read.
Donor::Donor(const Model& of) : model(of), places(const_cast<Model&>(of)) {}

Model fresh_model(Choices& c, const Model& like) {
  GenOptions options;
  options.target = target_of(like);
  options.size = {.graphs = 1, .variables = 6, .queues = 3, .instances = 2, .blocks = 3, .descriptors = 2, .groups = 3,
                  .ucode_libs = 2, .functions = 3, .act_sets = 2, .blob_bytes = 130, .text_bytes = 16};
  return gen_model(c, options);
}

bool adopt_section(Edit& e, Donor& donor, std::size_t graph, std::string_view key) {
  const auto& from = donor.places.definitions;
  if (graph == kNoGraph || from.empty() || !e.places.definitions[graph]->is_object()) return false;
  Way w{e, donor, e.c.below(from.size()), graph};
  if (!w.source().is_object()) return false;
  e.much = true;
  if (key == "var") return adopt_variable(w);
  if (key == "dma_queue") return adopt_queue(w);
  if (key == "dma") return adopt_block(w);
  if (key == "ucode_lib") return adopt_libraries(w);
  if (std::find(std::begin(kEngineKeys), std::end(kEngineKeys), key) != std::end(kEngineKeys)) return adopt_engine(w, key);
  return adopt_plain(w, std::string(key));
}

bool adopt_descriptor(Edit& e, Donor& donor) {
  std::vector<const Json*> theirs;
  std::vector<const Place*> blocks;
  for (const Place& p : donor.places.all)
    if (p.object == Object::Desc) theirs.push_back(p.value);
  for (const Place& p : e.places.all)
    if (p.object == Object::Block && array_at(p.value, "desc") != nullptr) blocks.push_back(&p);
  if (theirs.empty() || blocks.empty()) return false;
  const Place& block = *blocks[e.c.below(blocks.size())];
  Way w{e, donor, 0, block.graph};
  e.much = true;
  Json d = *theirs[e.c.below(theirs.size())];
  settle_descriptor(w, d);
  Json& list = *array_at(block.value, "desc");
  if (!list.empty() && e.c.chance(40)) list[e.c.below(list.size())] = std::move(d);
  else list.insert(list.begin() + static_cast<std::ptrdiff_t>(e.c.below(list.size() + 1)), std::move(d));
  return true;
}

bool adopt_graph(Edit& e, Donor& donor) {
  Json* graphs = array_at(document(e.model, kelf_path(e.model)), "graphs");
  const auto theirs = graphs_of(donor.model);
  if (graphs == nullptr || graphs->size() > 4 || theirs.empty()) return false;
  const GraphPaths& g = theirs[e.c.below(theirs.size())];
  const std::string kelf = kelf_path(donor.model);
  if (document(donor.model, g.definition) == nullptr || g.definition == kelf ||
      g.definition == "neff.json")
    return false;
  e.much = true;
  std::string dir;
  for (std::size_t n = graphs->size();; ++n) {
    dir = "sg" + std::to_string(n) + "/";
    const auto it = e.model.members.lower_bound(dir);
    if (it == e.model.members.end() || !it->first.starts_with(dir)) break;
  }
  for (const auto& [path, m] : donor.model.members)
    if (path.starts_with(g.directory) && path != kelf && path != "neff.json")
      e.model.members[dir + path.substr(g.directory.size())] = m;
  const std::string definition = dir + g.definition.substr(g.directory.size());
  suit_target(e.model, e.model.json(definition));
  std::string name = g.name;
  const auto taken = [&] {
    return std::any_of(graphs->begin(), graphs->end(), [&](const Json& other) {
      const std::string* n = text_at(&other, "name");
      return n != nullptr && *n == name;
    });
  };
  while (taken()) name += static_cast<char>('0' + e.c.below(10));
  Json entry = Json::object();
  entry["name"] = name;
  entry["definition"] = definition;
  graphs->push_back(std::move(entry));
  return true;
}

bool adopt_any(Edit& e, Donor& donor) {
  static constexpr std::string_view kKeys[] = {
      "var", "var", "dma_queue", "dma", "dma", "desc", "desc", "replica_groups", "src_target_pairs",
      "ext_isa_ucode_lib_def", "ucode_lib", "runtime_statebuffer_reservation", "cc_streams", "num_streams",
      "fp8_conversion_config", "pe", "act", "pool", "dve", "sp", "graph"};
  const std::string_view key = e.c.pick(kKeys);
  if (key == "desc") return adopt_descriptor(e, donor);
  if (key == "graph") return adopt_graph(e, donor);
  return adopt_section(e, donor, any_graph(e), key);
}

}  // namespace assay::harness::mutating
