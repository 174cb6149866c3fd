// SPDX-License-Identifier: Apache-2.0
// One edit on one model: values of documents, and raw bytes.
#include <algorithm>

#include "harness/reduce/edits.h"

namespace assay::harness {
namespace reduce {
namespace {

// Keys of one object: without the first, the second means nothing or is refused.
struct Together {
  std::string_view key, with;
};
constexpr Together kTogether[] = {{"from_sizes", "from_steps"}, {"from_steps", "from_sizes"}, {"to_sizes", "to_steps"},
                                  {"to_steps", "to_sizes"},     {"constant", "constant_dtype"}};

void erase_range(Json& array, std::size_t first, std::size_t count) {
  const auto begin = array.begin() + static_cast<Json::difference_type>(first);
  array.erase(begin, begin + static_cast<Json::difference_type>(count));
}

// neff.json describes node i in five places; the others follow the list of nodes. What is not of
// the usual form stays as it is.
void forget_node(Json& neff, std::size_t node) {
  Json* rows = array_at(&neff, "node_row_ptr");
  if (rows != nullptr && node < rows->size()) {
    Json* attrs = at(&neff, "attrs");
    Json* lists[2] = {array_at(attrs, "dltype"), array_at(attrs, "shape")};
    const auto begin = number_of(&(*rows)[node]);
    std::uint64_t entries = 0;
    for (Json*& list : lists) {
      list = list == nullptr || list->size() < 2 || !(*list)[1].is_array() ? nullptr : &(*list)[1];
      if (list != nullptr) entries = std::max<std::uint64_t>(entries, list->size());
    }
    const auto next = node + 1 < rows->size() ? number_of(&(*rows)[node + 1]) : entries;
    if (begin && next && *begin <= *next) {
      const std::uint64_t gone = *next - *begin;
      for (Json* list : lists)
        if (list != nullptr && *begin < list->size())
          erase_range(*list, *begin, std::min<std::uint64_t>(gone, list->size() - *begin));
      for (std::size_t i = node + 1; i < rows->size(); ++i)
        if (const auto row = number_of(&(*rows)[i]); row && *row >= gone) (*rows)[i] = *row - gone;
    }
    erase_range(*rows, node, 1);
  }
  // Indices of nodes, in heads at [0]: those of this one go, later ones move up.
  for (const bool heads : {false, true})
    if (Json* list = array_at(&neff, heads ? "heads" : "arg_nodes"))
      for (std::size_t i = list->size(); i-- > 0;) {
        Json* index = &(*list)[i];
        if (heads) index = index->is_array() && !index->empty() ? &(*index)[0] : nullptr;
        const auto n = number_of(index);
        if (n && *n == node) erase_range(*list, i, 1);
        else if (n && *n > node) *index = *n - 1;
      }
}

bool drop_elements(Json& doc, const ModelEdit& edit, Json& array) {
  if (edit.count == 0 || edit.first >= array.size()) return false;
  const std::size_t first = edit.first, count = std::min<std::uint64_t>(edit.count, array.size() - first);
  if (edit.member == "neff.json" && edit.pointer == "/nodes")
    for (std::size_t i = first + count; i-- > first;) forget_node(doc, i);
  if (const std::string with = companion_of(doc, edit.pointer); !with.empty())
    erase_range(*find(doc, with), first, count);
  erase_range(array, first, count);
  return true;
}

bool drop_keys(Json& object, const std::vector<std::string>& names) {
  bool found = false;
  for (const std::string& name : names) {
    if (object.erase(name) == 0) continue;
    found = true;
    for (const Together& t : kTogether)
      if (t.key == name) object.erase(std::string(t.with));
  }
  return found;
}

bool drop_value(Model& model, const ModelEdit& edit) {
  Json* doc = document(model, edit.member);
  Json* value = doc == nullptr ? nullptr : find(*doc, edit.pointer);
  if (value == nullptr) return false;
  if (value->is_object()) return drop_keys(*value, edit.names);
  return value->is_array() && edit.names.empty() && drop_elements(*doc, edit, *value);
}

bool replace_value(Model& model, const ModelEdit& edit) {
  if (Json* doc = document(model, edit.member)) {
    Json* value = find(*doc, edit.pointer);
    if (value != nullptr) *value = edit.value;
    return value != nullptr;
  }
  const std::string* bytes = edit.value.get_ptr<const std::string*>();
  return bytes != nullptr && edit.pointer.empty() && replace_bytes(model, edit.member, *bytes);
}

bool drop_bytes(Model& model, const std::string& member, std::uint64_t first, std::uint64_t count) {
  const auto it = model.members.find(member);
  if (it == model.members.end() || it->second.is_json() || first >= it->second.bytes.size() || count == 0) return false;
  std::string bytes = it->second.bytes;
  bytes.erase(first, count);
  return replace_bytes(model, member, std::move(bytes));
}

}  // namespace

std::string companion_of(const Json& document, std::string_view pointer) {
  const std::size_t slash = pointer.rfind('/');
  if (slash == std::string_view::npos) return {};
  for (const Together& t : kTogether) {
    if (t.key != pointer.substr(slash + 1) || t.key == "constant") continue;
    std::string with = below(pointer.substr(0, slash), t.with);
    const Json *a = find(document, pointer), *b = find(document, with);
    if (a != nullptr && b != nullptr && a->is_array() && b->is_array() && a->size() == b->size()) return with;
  }
  return {};
}

bool replace_bytes(Model& model, const std::string& member, std::string bytes) {
  const auto it = model.members.find(member);
  if (it == model.members.end() || it->second.is_json()) return false;
  const auto was = payload_of(member, as_bytes(it->second.bytes));
  const auto is = payload_of(member, as_bytes(bytes));
  if (was && is && was->size() != is->size())
    for (const Reference& r : references_of(model)) {
      if (r.use != Reference::Use::payload || r.path != member) continue;
      Json* variable = find(*document(model, r.member), std::string_view(r.pointer).substr(0, r.pointer.rfind('/')));
      if (const auto size = number_at(variable, "size"); size && *size == was->size())
        (*variable)["size"] = is->size();
    }
  it->second.bytes = std::move(bytes);
  return true;
}

}  // namespace reduce

bool apply(const ModelEdit& edit, Model& model) {
  using Kind = ModelEdit::Kind;
  switch (edit.kind) {
    case Kind::drop_members: return reduce::drop_members(model, edit.names);
    case Kind::drop_graphs: return reduce::drop_graphs(model, edit.names);
    case Kind::drop_variables: return reduce::drop_variables(model, edit.member, edit.names);
    case Kind::merge_variables: return reduce::merge_variables(model, edit.member, edit.names);
    case Kind::drop_queues: return reduce::drop_queues(model, edit.member, edit.names);
    case Kind::drop_value: return reduce::drop_value(model, edit);
    case Kind::replace_value: return reduce::replace_value(model, edit);
    case Kind::shorten_bytes: return reduce::drop_bytes(model, edit.member, edit.count, ~std::uint64_t{0});
    case Kind::drop_bytes: return reduce::drop_bytes(model, edit.member, edit.first, edit.count);
    case Kind::rename_members: return reduce::rename_members(model, edit.names);
    case Kind::rename_variables: return reduce::rename_variables(model, edit.member, edit.names);
    case Kind::rename_queues: return reduce::rename_queues(model, edit.member, edit.names);
    case Kind::rename_act_sets: return reduce::rename_act_sets(model, edit.member, edit.names);
  }
  return false;
}

}  // namespace assay::harness
