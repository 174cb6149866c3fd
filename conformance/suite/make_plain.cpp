// SPDX-License-Identifier: Apache-2.0
// The edits behind make_plain: each takes one kind of leaning out of a document, and nothing where the value
// is not of the type it would have.
#include <algorithm>
#include <set>

#include "conformance/suite/leanings.h"
#include "oracle/dtype/dtype.h"

namespace assay::conformance {
namespace {

using harness::Json;
using harness::Model;

Json* find(Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}
std::string text_at(Json& object, const char* key) {
  Json* v = find(object, key);
  return v != nullptr && v->is_string() ? v->get<std::string>() : std::string();
}
template <class... Keys>
void erase(Json& object, Keys... keys) {
  (object.erase(keys), ...);
}
bool in(const std::string& text, std::initializer_list<const char*> of) {
  return std::any_of(of.begin(), of.end(), [&](const char* t) { return text == t; });
}

void variable(Json& v) {
  if (!v.is_object()) return;
  std::string type = text_at(v, "type");
  if (type == "remote") {
    Json id = v.contains("var_id") ? v["var_id"] : Json(0);
    v = {{"type", "tmp-buf"}, {"size", 64}, {"var_id", std::move(id)}};
    type = "tmp-buf";
  }
  const bool debug = in(type, {"file", "tmp-buf", "virtual"}), aligned = debug || in(type, {"input", "output"});
  erase(v, "prefix", "pipe");
  if (Json* a = find(v, "alignment"); a != nullptr && (!aligned || type == "virtual" || *a == 0)) erase(v, "alignment");
  if (in(type, {"pointer", "list", "dge-table"})) erase(v, "dtype", "shape");
}

struct Queues {
  std::map<std::string, std::string> first_instance;  // of queues that list some
  std::set<std::string> listed;
};

Queues queues(Json& def, std::uint32_t target) {
  Queues out;
  Json* all = find(def, "dma_queue");
  if (all == nullptr || !all->is_object()) return out;
  std::uint64_t wide = 0;
  for (Json& q : *all) {
    if (!q.is_object()) continue;
    const std::string type = text_at(q, "type");
    if (Json* n = find(q, "num_queues"); n != nullptr && *n == 0) *n = 1;
    if (q.contains("semaphore_set")) erase(q, "semaphore");
    if (type != "data") erase(q, "indirect_memcpy");
    if (type != "dynamic") erase(q, "dynamic_dma");
    wide += type == "dynamic" || q.contains("dge") ? 1 : 0;
  }
  for (auto& [name, q] : all->items()) {
    if (!q.is_object()) continue;
    if (wide > max_hw_dge_count(target)) {
      erase(q, "dge", "dynamic_dma");
      if (text_at(q, "type") == "dynamic") q["type"] = "data";
    }
    Json* list = find(q, "queue_instances");
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& i : *list)
      if (i.is_string()) {
        out.listed.insert(i.get<std::string>());
        out.first_instance.emplace(name, i.get<std::string>());
      }
  }
  return out;
}

void side(Json& j, const std::string& prefix, const Json& size) {
  const std::string off = prefix + "_off", sizes = prefix + "_sizes", steps = prefix + "_steps";
  if (!j.contains(off)) j[off] = 0;
  if (!j.contains(sizes) && !j.contains(steps)) {
    j[sizes] = Json::array({size.is_null() ? Json(4) : size});
    j[steps] = Json::array({1});
  }
  if (!j.contains(sizes) || !j.contains(steps)) return;
  Json &a = j[sizes], &b = j[steps];
  if (!a.is_array() || !b.is_array() || a.size() != b.size() || a.size() > 8) return;
  while (a.size() > 4) {
    a.erase(a.size() - 1);
    b.erase(b.size() - 1);
  }
}

void descriptor(Json& j) {
  if (!j.is_object()) return;
  if (text_at(j, "op") == "cast") j["op"] = "copy";
  const std::string op = text_at(j, "op");
  const Json size = j.contains("size") ? j["size"] : Json();
  const bool compute = in(op, {"fma", "add", "min", "max"});
  side(j, "to", size);
  if (compute) {
    erase(j, "from", "from_off", "from_sizes", "from_steps", "from_dtype");
    Json* list = find(j, "from_arr");
    if (list != nullptr && list->is_array()) {
      while (op != "fma" && list->size() > 16 && list->size() <= 32) list->erase(list->size() - 1);
      for (Json& s : *list) {
        if (!s.is_object()) continue;
        side(s, "from", size);
        erase(s, "size");
        if (op != "fma") erase(s, "scale", "scale_dtype");
      }
    }
  } else {
    erase(j, "from_arr");
    side(j, "from", size);
  }
  erase(j, "size", "scale", "scale_dtype");
  if (!in(op, {"min", "max"})) erase(j, "constant", "constant_dtype");
  if (op != "transpose") erase(j, "transpose_op", "transpose_element_size", "transpose_shape");
}

void blocks(Json& from, const Queues& queues) {
  Json* dma = find(from, "dma");
  if (dma == nullptr || !dma->is_array()) return;
  for (Json& b : *dma) {
    if (!b.is_object()) continue;
    const std::string queue = text_at(b, "queue"), instance = text_at(b, "instance_name");
    if (!queue.empty() && !instance.empty()) erase(b, queues.listed.count(instance) != 0 ? "queue" : "instance_name");
    const auto first = queues.first_instance.find(text_at(b, "queue"));
    if (text_at(b, "instance_name").empty() && first != queues.first_instance.end()) {
      b["instance_name"] = first->second;
      erase(b, "queue");
    }
    if (Json* f = find(b, "function_start"); f != nullptr && f->is_string()) {
      const std::string name = f->get<std::string>();
      if (name.empty())
        erase(b, "function_start");
      else if (name.size() > 256)
        *f = "function";
    }
    if (Json* list = find(b, "desc"); list != nullptr && list->is_array())
      for (Json& d : *list) descriptor(d);
  }
}

void sections(Json& def) {
  erase(def, "ext_isa_ucode_lib_def");
  if (def.contains("cc_streams")) erase(def, "num_streams");
  Json* fp8 = find(def, "fp8_conversion_config");
  if (fp8 == nullptr || !fp8->is_object()) return;
  for (const char* key : {"emax_fp8_e4m3", "emax_fp8_e5m2"})
    if (!fp8->contains(key)) (*fp8)[key] = 0;
  for (const char* key : {"fp8_range_extension", "ocp_sat", "fp8_sis", "fp8_sns"})
    if (!fp8->contains(key)) (*fp8)[key] = false;
}

void engine(const std::string& name, Json& m) {
  if (name != "act") erase(m, "act_semaphore", "activation_function_sets", "act_info");
  if (Json* sets = find(m, "activation_function_sets"); sets != nullptr && sets->is_array()) {
    Json once = Json::array();
    for (const Json& s : *sets)
      if (std::find(once.begin(), once.end(), s) == once.end()) once.push_back(s);
    *sets = std::move(once);
  }
  if (name != "dve") erase(m, "dve_tables");
  Json* dve = find(m, "dve_tables");
  if (dve == nullptr) return;
  if (dve->is_object()) *dve = Json::array({std::move(*dve)});
  if (dve->is_array() && dve->size() == 1 && dve->front().is_object() && dve->front().contains("control_fast_table"))
    erase(dve->front(), "control_table");
}

// Entries that no set names, and later ones of a name: whether they are looked at is a lower row's.
void act_info(Json& info, const Json& sets) {
  Json* entries = find(info, "act_func_sets");
  if (entries == nullptr || !entries->is_array()) return;
  Json kept = Json::array();
  std::set<std::string> seen;
  for (Json& e : *entries) {
    const std::string name = text_at(e, "name");
    if (std::find(sets.begin(), sets.end(), Json(name)) != sets.end() && seen.insert(name).second)
      kept.push_back(std::move(e));
  }
  *entries = std::move(kept);
}

}  // namespace

void make_plain(Model& model) {
  const auto manifest = read_manifest(to_members(model), model.options);
  const auto target = manifest ? static_cast<std::uint32_t>(code(manifest->target)) : 0;
  for (const harness::GraphPaths& g : graphs_of(model)) {
    const auto it = model.members.find(g.definition);
    if (it == model.members.end() || !it->second.is_json() || !it->second.doc.is_object()) continue;
    Json& def = it->second.doc;
    sections(def);
    if (Json* var = find(def, "var"); var != nullptr && var->is_object())
      for (Json& v : *var) variable(v);
    const Queues q = queues(def, target);
    blocks(def, q);
    for (const auto& [name, path] : g.engines) {
      Json& m = model.json(path);
      if (!m.is_object()) continue;
      engine(name, m);
      const std::string info = std::string(directory_of(g.definition)) + text_at(m, "act_info");
      if (const Json* sets = find(m, "activation_function_sets"); name == "act" && sets != nullptr && !sets->empty())
        if (const auto member = model.members.find(info); member != model.members.end() && member->second.is_json())
          act_info(member->second.doc, *sets);
      blocks(m, q);
    }
  }
}

}  // namespace assay::conformance
