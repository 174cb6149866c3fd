// SPDX-License-Identifier: Apache-2.0
// Keys of the KELF descriptor (CON-019 to CON-026) and of neff.json (IO).
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/adopt.h"
#include "harness/mutate/models/key_rules.h"
#include "harness/mutate/models/structure.h"
#include "harness/reduce/reduce.h"
#include "oracle/dtype/dtype.h"

namespace assay::harness::mutating {
namespace rules {
namespace {

using models::any_text;
using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::number_of;

Json* neff(Spot& s) { return reduce::document(s.edit.model, "neff.json"); }
// The second element of attrs.dltype or attrs.shape, or nullptr.
Json* entries(Json* attrs, std::string_view key) {
  Json* pair = array_at(attrs, key);
  return pair == nullptr || pair->size() < 2 || !(*pair)[1].is_array() ? nullptr : &(*pair)[1];
}

Json shape(Choices& c) {
  Json out = Json::array();
  for (auto n = models::few(c, 0, 6); n > 0; --n) out.push_back(1 + c.below(64));
  return out;
}
Json io_dtype(Choices& c) {
  return rarely(c, 10) ? Json(any_text(c, 16)) : Json(c.pick(matcher("neff_io_dtype")).text);
}

bool change_shape(Choices& c, Json& dims) {
  if (!dims.is_array()) return false;
  if (dims.size() < 8 && c.chance(40)) {
    dims.push_back(c.chance(10) ? 0 : 1 + c.below(8));
    return true;
  }
  if (dims.empty() || c.chance(40)) return edit_list(c, dims, 0, 8);
  dims[c.below(dims.size())] = c.chance(10) ? 0 : 1 + c.below(64);
  return true;
}

// One more node without an input, its entry behind the others, and now and then an argument.
bool add_node(Spot& s) {
  Json* doc = neff(s);
  Json *nodes = array_at(doc, "nodes"), *rows = array_at(doc, "node_row_ptr"), *args = array_at(doc, "arg_nodes");
  Json *dtypes = entries(at(doc, "attrs"), "dltype"), *shapes = entries(at(doc, "attrs"), "shape");
  if (nodes == nullptr || rows == nullptr || dtypes == nullptr || shapes == nullptr ||
      dtypes->size() != shapes->size() || rows->size() < nodes->size() || nodes->size() > 64)
    return false;
  const std::size_t node = nodes->size();
  if (rows->size() > node) (*rows)[node] = dtypes->size();
  else rows->push_back(dtypes->size());
  Json fresh = Json::object();
  fresh["name"] = any_text(s.c(), 24);
  nodes->push_back(std::move(fresh));
  dtypes->push_back(io_dtype(s.c()));
  shapes->push_back(shape(s.c()));
  if (args != nullptr && s.c().chance(80)) args->push_back(node);
  return true;
}

}  // namespace

bool kelf_version(Spot& s, const KeyRule&) {
  if (!idle(s.c())) return false;
  static constexpr std::string_view kVersions[] = {"1.0", ".", "0.9.1", "version 2.x", "..", "1.", "a\tb.\"c\""};
  return s.put(s.c().pick(kVersions));
}

bool kelf_target(Spot& s, const KeyRule&) {
  Options& options = s.edit.model.options;
  const ArchType was = target_of(s.edit.model);
  if (options.arch == was && s.c().chance(20)) return s.put("*");
  const MatcherEntry& to = s.c().pick(matcher("target"));
  const auto arch = static_cast<ArchType>(to.code);
  if (arch != was && s.c().chance(50)) return false;  // the same in other words more often
  if (!s.put(to.text)) return false;
  if (options.arch && !options.allow_legacy && s.c().chance(97)) options.arch = arch;
  for (Json* def : s.edit.places.definitions) suit_target(s.edit.model, *def);
  return true;
}

bool kelf_graphs(Spot& s, const KeyRule&) {
  Json* graphs = array_at(&s.object(), "graphs");
  if (graphs == nullptr || graphs->empty()) return false;
  switch (s.c().below(4)) {
    case 0: return drop_graph(s.edit);
    case 1: return twice_graph(s.edit);
    default: return edit_list(s.c(), *graphs, graphs->size(), graphs->size());  // another order
  }
}

bool graph_definition(Spot& s, const KeyRule&) {
  const auto& graphs = s.edit.places.graphs;
  return !graphs.empty() && s.put(graphs[s.c().below(graphs.size())].path);
}

bool neff_nodes(Spot& s, const KeyRule&) {
  Json* nodes = array_at(&s.object(), "nodes");
  if (nodes == nullptr || nodes->empty()) return false;
  if (s.c().chance(50)) return add_node(s);
  const std::size_t node = s.c().below(nodes->size());
  const std::string* func = reduce::text_at(at(&(*nodes)[node], "attrs"), "func_name");
  if (func != nullptr && *func == "__kelf" && s.c().chance(95)) return false;
  ModelEdit edit;
  edit.member = "neff.json";
  edit.pointer = "/nodes";
  edit.first = node;
  edit.count = 1;
  return apply(edit, s.edit.model);
}

bool neff_args(Spot& s, const KeyRule&) {
  Json *args = array_at(&s.object(), "arg_nodes"), *nodes = array_at(&s.object(), "nodes");
  if (args == nullptr || nodes == nullptr) return false;
  if (!args->empty() && s.c().chance(60)) return edit_list(s.c(), *args, 0, 64);
  if (nodes->empty()) return false;
  args->push_back(s.c().below(nodes->size()));
  return true;
}

bool neff_heads(Spot& s, const KeyRule&) {
  Json *heads = array_at(&s.object(), "heads"), *nodes = array_at(&s.object(), "nodes");
  if (heads == nullptr || heads->empty() || nodes == nullptr || nodes->empty()) return false;
  Json& head = (*heads)[s.c().below(heads->size())];
  if (!head.is_array() || head.size() < 2 || s.c().chance(60)) return edit_list(s.c(), *heads, 0, 64);
  if (!idle(s.c())) return false;
  if (head.size() > 2) head[2] = models::any_value(s.c());
  else head.push_back(0);
  return true;
}

bool neff_rows(Spot& s, const KeyRule&) {
  Json *rows = array_at(&s.object(), "node_row_ptr"), *nodes = array_at(&s.object(), "nodes");
  if (rows == nullptr || nodes == nullptr || nodes->empty()) return false;
  if (!rows->empty() && s.c().chance(20)) {
    (*rows)[s.c().below(rows->size())] = s.c().below(4);
    return true;
  }
  if (!idle(s.c())) return false;
  if (rows->size() > nodes->size()) rows->erase(rows->size() - 1);
  else rows->push_back(models::any_value(s.c()));  // of no node
  return true;
}

bool neff_list(Spot& s, const KeyRule&) {
  Json* list = entries(&s.object(), s.key);
  if (list == nullptr || list->empty()) return false;
  Json& entry = (*list)[s.c().below(list->size())];
  if (s.key == "shape") return change_shape(s.c(), entry);
  Json to = io_dtype(s.c());
  if (entry == to) return false;
  entry = std::move(to);
  return true;
}

bool neff_attrs(Spot& s, const KeyRule&) {
  Json* attrs = at(&s.object(), "attrs");
  if (attrs == nullptr && s.place.object == Object::NeffNode) return idle(s.c()) && s.put(Json::object());
  if (attrs == nullptr || !attrs->is_object() || !idle(s.c())) return false;
  (*attrs)["comment"] = models::any_value(s.c());
  return true;
}

bool output_names(Spot& s, const KeyRule&) {
  if (rarely(s.c(), 10)) return s.put("no array");
  Json names = Json::array();
  for (auto n = s.c().below(4); n > 0; --n) names.push_back(any_text(s.c(), 24));
  return s.put(std::move(names));
}

bool kelf_member(Spot& s, const KeyRule&) {
  if (!s.is("func_name", "__kelf")) return s.unread();
  const std::string* name = reduce::text_at(&s.object(), "kelf");
  return name != nullptr && rename_member(s.edit, *name);
}

}  // namespace rules

void suit_target(const Model& model, Json& def) {
  if (!def.is_object()) return;
  const ArchType target = target_of(model);
  const bool legacy = model.options.allow_legacy;
  if (target == ArchType::CAYMAN && !legacy && !def.contains("runtime_statebuffer_reservation"))
    def["runtime_statebuffer_reservation"] = Json::array();  // SBC-002
  if (target == ArchType::MARIANA && def.contains("ext_isa_ucode_lib_def")) {  // UCL-010
    const Json* functions = reduce::array_at(&def["ext_isa_ucode_lib_def"], "functions");
    if (functions == nullptr || functions->size() > 18) def.erase("ext_isa_ucode_lib_def");
  }
  Json* queues = reduce::at(&def, "dma_queue");
  if (queues == nullptr || !queues->is_object()) return;
  auto counting = counting_queues(def);
  for (Json& q : *queues) {
    if (counting <= max_hw_dge_count(code(target))) return;
    if (!q.is_object()) continue;
    q.erase("dge");
    const std::string* type = reduce::text_at(&q, "type");
    if (type != nullptr && *type == "dynamic" && !q.contains("dynamic_dma")) q["dynamic_dma"] = Json::object();
    counting = counting_queues(def);
  }
}

}  // namespace assay::harness::mutating
