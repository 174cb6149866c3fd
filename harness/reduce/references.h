// SPDX-License-Identifier: Apache-2.0
// Who names whom in a model, valid or not: members by paths, variables, queues and instances by
// names. References that lead nowhere are left out. Nothing here changes a model.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/reduce/document.h"

namespace assay::harness::reduce {

// A string of one member that names another.
struct Reference {
  enum class Use : std::uint8_t { kelf, definition, json, blob, payload };  // payload: a variable's file
  Use use;
  std::string member, pointer;  // where it stands
  std::string directory;        // what is put before the string; with its slash
  std::string path;             // of the member named, which exists
};
std::vector<Reference> references_of(const Model& model);
// The members that manifests and their references lead to; neff.json and the KELF descriptor too.
std::set<std::string> reachable(const Model& model, const std::vector<Reference>& references);

// A def.json with the engine members that belong to it.
struct Definition {
  std::string path, directory;
  std::vector<std::string> documents;  // JSON members that hold blocks: itself first
};
// Each once, whether or not a manifest leads to it.
std::vector<Definition> definitions_of(const Model& model);
std::optional<Definition> definition_at(const Model& model, const std::string& path);
// The lists of blocks of a sub-graph: one per document that has one.
void for_each_blocks(Model& model, const Definition& definition, const std::function<void(Json&)>& f);

struct Variable {
  std::string name;
  std::uint64_t id = 0;  // ~0 where there is none
};
// By var_id; but the first output, which a sub-graph cannot do without, comes first.
std::vector<Variable> variables_of(const Json& definition);
// Queues in byte order; instances in the order of the queues that list them, then of the blocks that make them.
std::vector<std::string> queues_of(const Json& definition);
std::vector<std::string> instances_of(const Model& model, const Definition& definition);

// The strings of a descriptor that name variables: from, to, and from of each source.
std::vector<const Json*> variable_names_in(const Json& descriptor);
// The strings that name activation function sets: what engines list, and the sets' own names.
std::vector<const Json*> set_names_in(const Model& model, const Definition& definition);

}  // namespace assay::harness::reduce
