// SPDX-License-Identifier: Apache-2.0
#include "harness/reduce/edits.h"

#include <algorithm>
#include <functional>

namespace assay::harness::reduce {
namespace {

using Names = std::set<std::string>;

bool holds(const Names& names, const std::string* name) { return name != nullptr && names.count(*name) != 0; }

// Leaves out the elements that `gone` says; whether there were any.
bool erase_if(Json& array, const std::function<bool(const Json&)>& gone) {
  auto& elements = array.get_ref<Json::array_t&>();
  const auto end = std::remove_if(elements.begin(), elements.end(), gone);
  const bool any = end != elements.end();
  elements.erase(end, elements.end());
  return any;
}

// Ids of variables that go, and what becomes of the others: order, gaps and doubles are kept.
class Ids {
 public:
  Ids(std::vector<std::uint64_t> gone, std::uint64_t most) : gone_(std::move(gone)), most_(most) {
    std::sort(gone_.begin(), gone_.end());
    gone_.erase(std::unique(gone_.begin(), gone_.end()), gone_.end());
  }
  bool gone(std::uint64_t id) const { return std::binary_search(gone_.begin(), gone_.end(), id); }
  bool gone(const Json* id) const {
    const auto n = number_of(id);
    return n && gone(*n);
  }
  void renumber(Json* id) const {
    const auto n = number_of(id);
    if (!n || *n > most_) return;
    const auto before = std::lower_bound(gone_.begin(), gone_.end(), *n) - gone_.begin();
    if (before != 0) *id = *n - static_cast<std::uint64_t>(before);
  }

 private:
  std::vector<std::uint64_t> gone_;
  std::uint64_t most_;
};

// The names given and the pointers to them, to pointers, and so on; and the ids that no other
// variable has.
Ids close_over(const Json& var, Names& names) {
  for (;;) {
    std::set<std::uint64_t> gone, kept;
    for (auto it = var.begin(); it != var.end(); ++it)
      if (const auto id = number_at(&*it, "var_id")) (names.count(it.key()) != 0 ? gone : kept).insert(*id);
    const std::uint64_t most = std::max(gone.empty() ? 0 : *gone.rbegin(), kept.empty() ? 0 : *kept.rbegin());
    for (const std::uint64_t id : kept) gone.erase(id);
    const std::size_t before = names.size();
    for (auto it = var.begin(); it != var.end(); ++it)
      if (const auto to = number_at(&*it, "referenced_var_id"); to && gone.count(*to) != 0) {
        const std::string* type = text_at(&*it, "type");
        if (type != nullptr && *type == "pointer") names.insert(it.key());
      }
    if (names.size() == before) return {{gone.begin(), gone.end()}, most};
  }
}

}  // namespace

bool drop_members(Model& model, const std::vector<std::string>& names) {
  bool found = false;
  for (const std::string& name : names) found |= model.members.erase(name) != 0;
  return found;
}

bool drop_graphs(Model& model, const std::vector<std::string>& names) {
  Json* graphs = array_at(document(model, kelf_path(model)), "graphs");
  if (graphs == nullptr) return false;
  const Names gone(names.begin(), names.end());
  const auto before = reachable(model, references_of(model));
  if (!erase_if(*graphs, [&](const Json& g) { return holds(gone, text_at(&g, "name")); })) return false;
  // A definition that no graph names is found all the same, but nothing leads to it.
  const auto after = reachable(model, references_of(model));
  for (const std::string& path : before)
    if (after.count(path) == 0) model.members.erase(path);
  return true;
}

bool drop_variables(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  Json* var = !d ? nullptr : at(document(model, definition), "var");
  if (var == nullptr || !var->is_object()) return false;
  Names gone;
  for (const std::string& name : names)
    if (var->count(name) != 0) gone.insert(name);
  if (gone.empty()) return false;

  const Ids ids = close_over(*var, gone);
  for (const std::string& name : gone) var->erase(name);
  for (Json& v : *var) {
    ids.renumber(at(&v, "var_id"));
    const std::string* type = text_at(&v, "type");
    if (type == nullptr) continue;
    if (*type == "pointer") ids.renumber(at(&v, "referenced_var_id"));
    Json* list = *type == "list" || *type == "dge-table" ? array_at(&v, "list") : nullptr;
    if (list == nullptr) continue;
    erase_if(*list, [&](const Json& id) { return ids.gone(&id); });
    for (Json& id : *list) ids.renumber(&id);
  }
  const auto names_gone = [&](const Json& descriptor) {
    for (const Json* name : variable_names_in(descriptor))
      if (holds(gone, name->get_ptr<const std::string*>())) return true;
    return false;
  };
  for_each_blocks(model, *d, [&](Json& blocks) {
    for (Json& block : blocks)
      if (Json* descriptors = array_at(&block, "desc")) erase_if(*descriptors, names_gone);
  });
  return true;
}

bool drop_queues(Model& model, const std::string& definition, const std::vector<std::string>& names) {
  const auto d = definition_at(model, definition);
  Json* queues = !d ? nullptr : at(document(model, definition), "dma_queue");
  if (queues == nullptr || !queues->is_object()) return false;
  Names gone, gone_instances, kept_instances;
  for (const std::string& name : names)
    if (queues->count(name) != 0) gone.insert(name);
  if (gone.empty()) return false;
  for (auto it = queues->begin(); it != queues->end(); ++it)
    if (const Json* list = array_at(&*it, "queue_instances"))
      for (const Json& name : *list)
        if (const auto* text = name.get_ptr<const std::string*>())
          (gone.count(it.key()) != 0 ? gone_instances : kept_instances).insert(*text);
  for (const std::string& name : gone) queues->erase(name);
  for_each_blocks(model, *d, [&](Json& blocks) {
    erase_if(blocks, [&](const Json& block) {
      // An instance that some queue lists is the one meant, whatever the queue.
      const std::string* instance = text_at(&block, "instance_name");
      if (holds(kept_instances, instance)) return false;
      return holds(gone_instances, instance) || holds(gone, text_at(&block, "queue"));
    });
  });
  return true;
}

}  // namespace assay::harness::reduce
