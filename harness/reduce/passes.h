// SPDX-License-Identifier: Apache-2.0
// The ways of making a model smaller, each a list of places in the model as it is now. Some leave
// parts out, chunk by chunk; others have alternatives for one value. They make edits and apply none.
#pragma once

#include <optional>
#include <vector>

#include "harness/reduce/reduce.h"
#include "harness/reduce/references.h"

namespace assay::harness::reduce {

// Parts of one kind in one place, of which any range may be left out (or renamed) at once.
struct Group {
  std::string member, pointer;
  std::vector<std::string> names;  // of the parts; empty where they are elements
  std::uint64_t parts = 0;
  std::uint64_t needed = 0;        // how many of the first ones are probably needed
  std::uint64_t least = 1;         // the smallest chunk worth a try
  std::vector<std::string> to = {};  // new names, beside `names`
};

// The index-th group of a pass, or none past the last.
using GroupAt = std::optional<Group> (*)(const Model&, std::uint64_t index);

// One value or raw member, which stands for all its alternatives. Borrows from the model.
struct Site {
  const std::string* member;
  const Json* value;            // nullptr: the bytes of a raw member
  const std::string* key;       // nearest above it, or nullptr
  std::size_t node;             // of nodes_of() the member's document
  std::vector<std::string> others = {};  // what else a name could be, the first of its kind first

  std::string pointer(const Model& model) const;
};
struct SimplerPass {
  std::vector<Site> (*sites)(const Model&);
  std::uint64_t first, end;  // which alternatives, of each site
  // The k-th alternative, or none where it would not be simpler.
  std::optional<ModelEdit> (*edit)(const Model&, const Site&, std::uint64_t k);
};

// ---- leaving out (drops.cpp) ----
std::optional<Group> graphs(const Model& model, std::uint64_t index);
std::optional<Group> unreached_members(const Model& model, std::uint64_t index);
std::optional<Group> reached_members(const Model& model, std::uint64_t index);
std::optional<Group> sections(const Model& model, std::uint64_t index);    // keys of each definition
std::optional<Group> variables(const Model& model, std::uint64_t index);
std::optional<Group> other_variables(const Model& model, std::uint64_t index);  // to be merged into the first
std::optional<Group> queues(const Model& model, std::uint64_t index);
std::optional<Group> containers(const Model& model, std::uint64_t index);  // the others, outermost first
std::optional<Group> raw_chunks(const Model& model, std::uint64_t index);

// ---- plain names (names.cpp) ----
std::optional<Group> variable_names(const Model& model, std::uint64_t index);
std::optional<Group> queue_names(const Model& model, std::uint64_t index);
std::optional<Group> act_set_names(const Model& model, std::uint64_t index);
std::optional<Group> member_names(const Model& model, std::uint64_t index);

// ---- simpler values (simpler.cpp) ----
std::vector<Site> scalars(const Model& model);
std::vector<Site> name_sites(const Model& model);  // of strings that name something
std::vector<Site> raw_members(const Model& model);
std::optional<ModelEdit> simpler_scalar(const Model& model, const Site& site, std::uint64_t k);
std::optional<ModelEdit> other_name(const Model& model, const Site& site, std::uint64_t k);
std::optional<ModelEdit> shorter_bytes(const Model& model, const Site& site, std::uint64_t k);

}  // namespace assay::harness::reduce
