// SPDX-License-Identifier: Apache-2.0
// Edits that leave every part where it is and give it another name; or one variable for another.
#include <map>

#include "harness/reduce/edits.h"

namespace assay::harness::reduce {
namespace {

using Names = std::set<std::string>;
using NewNames = std::map<std::string, std::string>;

// Pairs to a map; false where `taken` would end with two of one name. `taken` is what is there.
bool read_pairs(const std::vector<std::string>& pairs, const Names& taken, NewNames& out) {
  Names after;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (taken.count(pairs[i]) != 0) out.emplace(pairs[i], pairs[i + 1]);
  for (const std::string& name : taken) {
    const auto it = out.find(name);
    if (!after.insert(it == out.end() ? name : it->second).second) return false;
  }
  return !out.empty();
}

void rename_text(Json* value, const NewNames& names) {
  const std::string* text = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
  if (text == nullptr) return;
  if (const auto it = names.find(*text); it != names.end()) *value = it->second;
}

void rename_keys(Json& object, const NewNames& names) {
  Json renamed = Json::object();
  for (auto it = object.begin(); it != object.end(); ++it) {
    const auto to = names.find(it.key());
    renamed[to == names.end() ? it.key() : to->second] = std::move(*it);
  }
  object = std::move(renamed);
}

// The strings by which descriptors name variables.
void rename_in_descriptors(Model& model, const Definition& d, const NewNames& to) {
  for_each_blocks(model, d, [&](Json& blocks) {
    for (Json& block : blocks)
      if (Json* descriptors = array_at(&block, "desc"))
        for (Json& descriptor : *descriptors)
          for (const Json* name : variable_names_in(descriptor)) rename_text(const_cast<Json*>(name), to);
  });
}

}  // namespace

bool merge_variables(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  Json* var = !d ? nullptr : at(document(model, definition), "var");
  if (var == nullptr || !var->is_object()) return false;
  NewNames to;
  std::map<std::uint64_t, Json> ids;
  std::vector<std::string> gone;
  for (std::size_t i = 0; i + 1 < names.size(); i += 2) {
    const auto from = number_at(at(var, names[i]), "var_id"), into = number_at(at(var, names[i + 1]), "var_id");
    if (!from || !into || !to.emplace(names[i], names[i + 1]).second) continue;
    ids[*from] = *into;
    gone.push_back(names[i]);
  }
  if (gone.empty()) return false;
  const auto move = [&](Json* id) {
    const auto n = number_of(id);
    if (!n) return;
    if (const auto it = ids.find(*n); it != ids.end()) *id = it->second;
  };
  for (Json& v : *var) {
    const std::string* type = text_at(&v, "type");
    if (type == nullptr) continue;
    if (*type == "pointer") move(at(&v, "referenced_var_id"));
    if (Json* list = *type == "list" || *type == "dge-table" ? array_at(&v, "list") : nullptr)
      for (Json& id : *list) move(&id);
  }
  rename_in_descriptors(model, *d, to);
  return drop_variables(model, definition, gone);
}

bool rename_members(Model& model, const std::vector<std::string>& names) {
  Names taken;
  for (const auto& member : model.members) taken.insert(member.first);
  NewNames to;
  if (!read_pairs(names, taken, to)) return false;
  const auto references = references_of(model);
  for (const Reference& r : references)  // a member two directories up cannot be named from below
    if (const auto it = to.find(r.path); it != to.end() && it->second.compare(0, r.directory.size(), r.directory) != 0)
      return false;
  for (const Reference& r : references)
    if (const auto it = to.find(r.path); it != to.end())
      *find(*document(model, r.member), r.pointer) = it->second.substr(r.directory.size());
  std::map<std::string, ModelMember> renamed;
  for (auto& [path, member] : model.members) {
    const auto it = to.find(path);
    renamed.emplace(it == to.end() ? path : it->second, std::move(member));
  }
  model.members = std::move(renamed);
  return true;
}

bool rename_variables(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  Json* var = !d ? nullptr : at(document(model, definition), "var");
  if (var == nullptr || !var->is_object()) return false;
  Names taken;
  for (auto it = var->begin(); it != var->end(); ++it) taken.insert(it.key());
  NewNames to;
  if (!read_pairs(names, taken, to)) return false;
  rename_keys(*var, to);
  rename_in_descriptors(model, *d, to);
  return true;
}

bool rename_queues(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  if (!d) return false;
  Json* queues = at(document(model, definition), "dma_queue");
  Names taken;
  for (const std::string& name : queues_of(*document(model, definition))) taken.insert(name);
  for (const std::string& name : instances_of(model, *d)) taken.insert(name);
  NewNames to;
  if (!read_pairs(names, taken, to)) return false;
  if (queues != nullptr && queues->is_object()) {
    rename_keys(*queues, to);
    for (Json& queue : *queues)
      if (Json* list = array_at(&queue, "queue_instances"))
        for (Json& name : *list) rename_text(&name, to);
  }
  for_each_blocks(model, *d, [&](Json& blocks) {
    for (Json& block : blocks) {
      rename_text(at(&block, "queue"), to);
      rename_text(at(&block, "instance_name"), to);
    }
  });
  return true;
}

bool rename_act_sets(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  if (!d) return false;
  const auto strings = set_names_in(model, *d);
  Names taken;
  for (const Json* name : strings) taken.insert(*name->get_ptr<const std::string*>());
  NewNames to;
  if (!read_pairs(names, taken, to)) return false;
  for (const Json* name : strings) rename_text(const_cast<Json*>(name), to);
  return true;
}

}  // namespace assay::harness::reduce
