// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/models/structure.h"

#include <algorithm>
#include <functional>

#include "harness/gen/models/parts.h"
#include "harness/reduce/edits.h"

namespace assay::harness::mutating {

using models::any_text;
using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::document;
using reduce::text_at;

namespace {

constexpr std::size_t kMostVariables = 4096, kMaxQueues = 32;

Json* section(Edit& e, std::size_t graph, std::string_view key) {
  Json* s = graph == kNoGraph ? nullptr : at(e.places.definitions[graph], key);
  return s == nullptr || !s->is_object() || s->empty() ? nullptr : s;
}

bool is_output(const Json& v) {
  const std::string* type = text_at(&v, "type");
  return type != nullptr && *type == "output";
}

// A place of one kind, or nullptr.
const Place* any_place(Edit& e, Object object) {
  const auto n = e.places.count[static_cast<std::size_t>(object)];
  if (n == 0) return nullptr;
  auto k = e.c.below(n);
  for (const Place& p : e.places.all)
    if (p.object == object && k-- == 0) return &p;
  return nullptr;
}


}  // namespace

std::size_t any_graph(Edit& e) { return e.places.graphs.empty() ? kNoGraph : e.c.below(e.places.graphs.size()); }

std::string new_key(Choices& c, const std::string& old, const Json& taken) {
  std::string name = c.below(2) == 0 ? old : any_text(c, 24);
  if (rarely(c, 1)) name = models::text_of(c, 254 + static_cast<std::uint32_t>(c.below(4)));
  while (name.empty() || taken.contains(name)) name += static_cast<char>('0' + c.below(10));
  return name;
}

bool drop_variable(Edit& e, std::size_t graph) {
  Json* var = section(e, graph, "var");
  if (var == nullptr || var->size() < 2) return false;
  const std::string name = *any_key(e.c, var);
  const auto outputs = std::count_if(var->begin(), var->end(), is_output);
  if (is_output((*var)[name]) && outputs < 2) return false;
  return reduce::drop_variables(e.model, e.places.graphs[graph].path, {name});
}

bool twice_variable(Edit& e, std::size_t graph) {
  Json* var = section(e, graph, "var");
  if (var == nullptr || var->size() >= kMostVariables) return false;
  const std::string name = *any_key(e.c, var);
  Json copy = (*var)[name];
  if (!copy.is_object()) return false;
  copy["var_id"] = var->size();
  (*var)[new_key(e.c, name, *var)] = std::move(copy);
  return true;
}

bool drop_queue(Edit& e, std::size_t graph) {
  Json* queues = section(e, graph, "dma_queue");
  if (queues == nullptr) return false;
  return reduce::drop_queues(e.model, e.places.graphs[graph].path, {*any_key(e.c, queues)});
}

bool twice_queue(Edit& e, std::size_t graph) {
  Json* queues = section(e, graph, "dma_queue");
  if (queues == nullptr || queues->size() >= kMaxQueues) return false;
  const std::string name = *any_key(e.c, queues);
  Json copy = (*queues)[name];
  const std::string* type = text_at(&copy, "type");
  if (type == nullptr || *type == "act_load") return false;
  copy.erase("queue_instances");  // each instance is listed once (DMQ-021)
  copy.erase("dge");
  if (*type == "dynamic" && !copy.contains("dynamic_dma")) copy["dynamic_dma"] = Json::object();
  (*queues)[new_key(e.c, name, *queues)] = std::move(copy);
  return true;
}

bool drop_graph(Edit& e) {
  const auto graphs = graphs_of(e.model);
  if (graphs.size() < 2) return false;
  return reduce::drop_graphs(e.model, {graphs[e.c.below(graphs.size())].name});
}

bool twice_graph(Edit& e) {
  Json* graphs = array_at(document(e.model, kelf_path(e.model)), "graphs");
  if (graphs == nullptr || graphs->empty() || graphs->size() > 4) return false;
  Json copy = (*graphs)[e.c.below(graphs->size())];
  if (!copy.is_object()) return false;
  std::string name = any_text(e.c, 24);
  for (const Json& g : *graphs)
    if (const std::string* taken = text_at(&g, "name"); taken != nullptr && *taken == name) return false;
  copy["name"] = std::move(name);
  graphs->push_back(std::move(copy));
  return true;
}

bool twice_block(Edit& e) {
  const Place* from = any_place(e, Object::Block);
  if (from == nullptr) return false;
  const auto& documents = e.places.graphs[from->graph].documents;
  Json* holder = document(e.model, documents[e.c.below(documents.size())]);
  if (holder == nullptr || !holder->is_object()) return false;
  Json copy = *from->value;
  Json& list = (*holder)["dma"];
  if (list.is_null()) list = Json::array();
  if (!list.is_array()) return false;
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(e.c.below(list.size() + 1)), std::move(copy));
  return true;
}

bool twice_descriptor(Edit& e) {
  const Place *from = any_place(e, Object::Desc), *to = any_place(e, Object::Block);
  if (from == nullptr || to == nullptr || from->graph != to->graph) return false;
  Json* list = array_at(to->value, "desc");
  if (list == nullptr) return false;
  Json copy = *from->value;
  list->insert(list->begin() + static_cast<std::ptrdiff_t>(e.c.below(list->size() + 1)), std::move(copy));
  return true;
}

bool rename_member(Edit& e, const std::string& path) {
  const bool by_name = e.model.members.count("neff.json") == 0 && path == kelf_path(e.model);  // CON-018
  if (path == "neff.json" || by_name || e.model.members.count(path) == 0) return false;
  static constexpr std::string_view kStems[] = {"n", "b.bin", "deep/er/n", "with space", "\xC3\xBC", "q\"", "x.json"};
  // Within its directory: names are relative to it. What a name ends in has a meaning for .npy.
  std::string to, own(directory_of(path));
  bool definition = path == kelf_path(e.model);
  for (const reduce::Definition& d : e.places.graphs) {
    definition |= path == d.path;
    if (path.starts_with(d.directory) && d.directory.size() > to.size()) to = d.directory;
  }
  if (definition) to = std::move(own);  // a definition's directory is the sub-graph's
  to += e.c.pick(kStems);
  to += std::to_string(e.c.below(1000));
  if (path.ends_with(".npy")) to += ".npy";
  if (e.model.members.count(to) != 0) return false;
  return reduce::rename_members(e.model, {path, to});
}

bool rename_any(Edit& e) {
  const std::size_t graph = any_graph(e);
  if (graph == kNoGraph) return false;
  const reduce::Definition& d = e.places.graphs[graph];
  switch (e.c.below(4)) {
    case 0: {
      Json* var = section(e, graph, "var");
      if (var == nullptr) return false;
      const std::string old = *any_key(e.c, var);
      return reduce::rename_variables(e.model, d.path, {old, new_key(e.c, old, *var)});
    }
    case 1: {
      Json* queues = section(e, graph, "dma_queue");
      if (queues == nullptr) return false;
      const std::string old = *any_key(e.c, queues);
      std::string to = new_key(e.c, old, *queues);
      while (is_listed(e.places.definitions[graph], to)) to += '_';
      return reduce::rename_queues(e.model, d.path, {old, to});
    }
    case 2: {
      const Place* set = any_place(e, Object::ActSet);
      const std::string* old = set == nullptr ? nullptr : text_at(set->value, "name");
      if (old == nullptr) return false;
      std::string to = any_text(e.c, 24);
      for (const Place& p : e.places.all)
        if (const std::string* taken = text_at(p.value, "name"); p.object == Object::ActSet && taken && *taken == to)
          return false;
      return reduce::rename_act_sets(e.model, e.places.graphs[set->graph].path, {*old, to});
    }
    default: {
      auto it = e.model.members.begin();
      if (it == e.model.members.end()) return false;
      std::advance(it, static_cast<std::ptrdiff_t>(e.c.below(e.model.members.size())));
      const std::string path = it->first;
      return rename_member(e, path);
    }
  }
}

bool drop_unreached(Edit& e) {
  const auto reached = reduce::reachable(e.model, reduce::references_of(e.model));
  const std::size_t before = e.model.members.size();
  std::erase_if(e.model.members, [&](const auto& m) { return reached.count(m.first) == 0; });
  return e.model.members.size() != before;
}

// The header of a .npy, of `head` bytes, gets another length, on both sides of what a byte counts; the
// payload stays.
void change_npy_header(Choices& c, std::string& bytes, std::size_t head) {
  static constexpr std::size_t kPrefix = 10, kLengthAt = 8;
  static constexpr std::uint16_t kLengths[] = {0, 118, 127, 128, 255, 256, 257, 1014};
  const std::uint16_t to = c.pick(kLengths);
  bytes.replace(kPrefix, head - kPrefix, to, ' ');
  bytes[kLengthAt] = static_cast<char>(to & 0xFF);
  bytes[kLengthAt + 1] = static_cast<char>(to >> 8);
}

bool change_blob(Edit& e) {
  std::vector<const std::string*> raw;
  for (const auto& [path, member] : e.model.members)
    if (!member.is_json()) raw.push_back(&path);
  // A .npy much more often than its share: it has a form of its own.
  const auto is_npy = [](const std::string* p) { return p->ends_with(".npy"); };
  if (e.c.chance(50) && std::any_of(raw.begin(), raw.end(), is_npy)) std::erase_if(raw, std::not_fn(is_npy));
  if (raw.empty()) return false;
  const std::string path = *raw[e.c.below(raw.size())];
  std::string bytes = e.model.members.at(path).bytes;
  const auto payload = payload_of(path, as_bytes(bytes));
  // Before the payload of a .npy stands its header, which is mostly left alone.
  const std::size_t head = payload && e.c.chance(97) ? bytes.size() - payload->size() : 0;
  const std::size_t size = bytes.size() - head;
  static constexpr std::size_t kSizes[] = {0, 1, 63, 64, 65, 127, 128, 129, 256, 4096};
  switch (e.c.below(head == 0 ? 6 : 12)) {
    case 0: bytes.resize(head + e.c.pick(kSizes), '\x5a'); break;
    case 1: bytes.resize(head + size + 1 + e.c.below(64), '\0'); break;
    case 2: bytes.resize(head + e.c.below(size + 1)); break;
    case 3:
      if (size < 2) return false;
      bytes.resize(head + size / 64 * 64);  // whole slots
      break;
    case 4:
      if (size == 0) return false;
      bytes.erase(head + e.c.below(size), 1 + e.c.below(8));
      break;
    case 5:
      if (size == 0) return false;
      bytes[head + e.c.below(size)] = static_cast<char>(e.c.below(256));
      break;
    default: change_npy_header(e.c, bytes, head);
  }
  if (bytes == e.model.members.at(path).bytes) return false;
  return reduce::replace_bytes(e.model, path, std::move(bytes));
}

bool change_options(Edit& e) {
  Options& o = e.model.options;
  Fp8Overrides& f = o.fp8;
  const auto flip = [&](std::optional<bool>& v) { v = v ? std::nullopt : std::optional<bool>(e.c.below(2) == 1); };
  const auto number = [&](std::optional<std::uint32_t>& v) {
    v = v && e.c.chance(30) ? std::nullopt : std::optional(models::any_u32(e.c));
  };
  static constexpr ArchType kTargets[] = {ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};
  switch (e.c.below(10)) {
    case 0: flip(f.fp8_range_extension); return true;
    case 1: number(f.emax_fp8_e4m3); return true;
    case 2: number(f.emax_fp8_e5m2); return true;
    case 3: flip(f.ocp_sat); return true;
    case 4: flip(f.fp8_sis); return true;
    case 5: flip(f.fp8_sns); return true;
    case 6: o.verify_digest = !o.verify_digest; return true;
    case 7:
      if (o.allow_legacy && e.c.chance(90)) return false;  // what needs it may be there
      o.allow_legacy = !o.allow_legacy;
      return true;
    case 8: {
      const std::string* target = text_at(document(e.model, kelf_path(e.model)), "target");
      if (target == nullptr || *target == "*") return false;
      o.arch = o.arch && e.c.chance(50) ? std::nullopt : std::optional(target_of(e.model));
      return true;
    }
    default:
      if (!o.allow_legacy && e.c.chance(95)) return false;
      o.arch = e.c.pick(kTargets);
      return true;
  }
}

bool add_noise(Edit& e) {
  if (e.places.all.empty()) return false;
  static constexpr std::string_view kKeys[] = {
      "#comment", "ops", "comment", "Type", "debug_info", "", "a/b~c", "\xC3\xA9"};
  Json& object = *e.places.all[e.c.below(e.places.all.size())].value;
  Json& slot = object[std::string(e.c.pick(kKeys))];
  Json to = models::any_value(e.c);
  if (slot == to && !to.is_null()) return false;
  slot = std::move(to);
  return true;
}

}  // namespace assay::harness::mutating
