// SPDX-License-Identifier: Apache-2.0
// What can be left out of a model, from graphs down to single keys and bytes.
#include <algorithm>

#include "harness/reduce/edits.h"
#include "harness/reduce/passes.h"

namespace assay::harness::reduce {
namespace {

// Keys without which their object is refused, or is nothing: tried last.
constexpr std::string_view kNeeded[] = {
    "var", "runtime_statebuffer_reservation",                                    // def.json
    "type", "var_id", "size", "referenced_var_id", "list", "file_name", "backing_variable_off",
    "owner", "id", "desc", "queue", "instance_name", "function_start",           // queues, blocks
    "op", "from", "to", "from_arr", "from_sizes", "from_steps", "to_sizes", "to_steps", "from_dtype", "to_dtype",
    "offset", "base_partition", "partitions",                                    // carveouts
    "library", "ulib_to_ucode_version", "opcode", "name",                        // ucode
    "activation_function_sets", "act_info", "act_func_sets", "bkt_bin", "ctrl_bin", "profile_json", "profile_meta_data",
    "definition", "version", "target", "graphs",                                 // manifests
    "nodes", "arg_nodes", "heads", "node_row_ptr", "attrs", "func_name", "kelf", "dltype", "shape"};

bool is_needed(const std::string& key) {
  return std::find(std::begin(kNeeded), std::end(kNeeded), key) != std::end(kNeeded);
}

bool is_steps(const std::string& key) { return key == "from_steps" || key == "to_steps"; }

// An object's keys, the needed ones first.
Group keys_of(const std::string& member, std::string pointer, const Json& object) {
  Group g{member, std::move(pointer), {}, object.size()};
  for (const bool needed : {true, false})
    for (auto it = object.begin(); it != object.end(); ++it)
      if (is_needed(it.key()) == needed) {
        g.names.push_back(it.key());
        g.needed += needed ? 1 : 0;
      }
  return g;
}

Group named(const std::string& member, std::vector<std::string> names, std::uint64_t needed = 0) {
  Group g{member, {}, std::move(names)};
  g.parts = g.names.size();
  g.needed = needed;
  return g;
}

Group members_if(const Model& model, bool reached) {
  const auto seen = reachable(model, references_of(model));
  std::vector<std::string> names;
  for (const auto& member : model.members)
    if ((seen.count(member.first) != 0) == reached) names.push_back(member.first);
  return named({}, std::move(names));
}

// The index-th definition, with its document.
std::optional<Definition> definition_at(const Model& model, std::uint64_t index) {
  auto all = definitions_of(model);
  if (index >= all.size()) return std::nullopt;
  return std::move(all[index]);
}

}  // namespace

std::optional<Group> graphs(const Model& model, std::uint64_t index) {
  if (index > 0) return std::nullopt;
  std::vector<std::string> names;
  if (const Json* list = array_at(document(model, kelf_path(model)), "graphs"))
    for (const Json& graph : *list)
      if (const std::string* name = text_at(&graph, "name"))
        if (std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  return named({}, std::move(names), 1);
}

std::optional<Group> unreached_members(const Model& model, std::uint64_t index) {
  if (index > 0) return std::nullopt;
  return members_if(model, false);
}

// One at a time: two that can both go, go one after the other.
std::optional<Group> reached_members(const Model& model, std::uint64_t index) {
  if (index > 0) return std::nullopt;
  Group g = members_if(model, true);
  g.needed = g.parts == 0 ? 0 : g.parts - 1;
  return g;
}

std::optional<Group> sections(const Model& model, std::uint64_t index) {
  const auto d = definition_at(model, index);
  if (!d) return std::nullopt;
  const Json& def = *document(model, d->path);
  return def.is_object() ? keys_of(d->path, "", def) : Group{};
}

std::optional<Group> variables(const Model& model, std::uint64_t index) {
  const auto d = definition_at(model, index);
  if (!d) return std::nullopt;
  std::vector<std::string> names;
  for (Variable& v : variables_of(*document(model, d->path))) names.push_back(std::move(v.name));
  return named(d->path, std::move(names), 1);
}

std::optional<Group> other_variables(const Model& model, std::uint64_t index) {
  auto g = variables(model, index);
  if (!g || g->names.empty()) return g;
  const std::string first = g->names[0];
  g->names.erase(g->names.begin());
  g->to.assign(g->names.size(), first);
  g->parts = g->names.size();
  g->needed = 0;
  return g;
}

std::optional<Group> queues(const Model& model, std::uint64_t index) {
  const auto d = definition_at(model, index);
  if (!d) return std::nullopt;
  return named(d->path, queues_of(*document(model, d->path)));
}

std::optional<Group> containers(const Model& model, std::uint64_t index) {
  std::set<std::string> definitions;
  for (const Definition& d : definitions_of(model)) definitions.insert(d.path);
  for (const auto& [path, member] : model.members) {
    if (!member.is_json()) continue;
    const bool definition = definitions.count(path) != 0;
    const auto nodes = nodes_of(member.doc);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Json& value = *nodes[i].value;
      if (!value.is_structured() || value.empty()) continue;
      const std::string* key = nodes[i].key;
      // A definition's keys, variables and queues have passes of their own.
      if (definition && value.is_object() && nodes[i].parent == 0 &&
          (i == 0 || (key != nullptr && (*key == "var" || *key == "dma_queue"))))
        continue;
      if (index-- > 0) continue;
      if (value.is_object()) return keys_of(path, pointer_of(nodes, i), value);
      Group g{path, pointer_of(nodes, i), {}, value.size()};
      // Steps go with their sizes.
      if (key != nullptr && is_steps(*key) && !companion_of(member.doc, g.pointer).empty()) g.parts = 0;
      return g;
    }
  }
  return std::nullopt;
}

std::optional<Group> raw_chunks(const Model& model, std::uint64_t index) {
  constexpr std::uint64_t kFine = 1024, kSlot = 64;
  for (const auto& [path, member] : model.members) {
    if (member.is_json() || index-- > 0) continue;
    Group g{path, {}, {}, member.bytes.size()};
    // Of code and weights whole slots; of what should have been a document, single bytes.
    bool blob = false;
    for (const Reference& r : references_of(model))
      blob |= r.path == path && (r.use == Reference::Use::blob || r.use == Reference::Use::payload);
    g.least = std::max<std::uint64_t>(blob ? kSlot : 1, member.bytes.size() / kFine);
    return g;
  }
  return std::nullopt;
}

}  // namespace assay::harness::reduce
