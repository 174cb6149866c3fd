// SPDX-License-Identifier: Apache-2.0
// What each key of keys.def may hold, and how to change it so that a model that lowers mostly still
// does: one row per key. Values lie at the edges of their ranges. A key that an object does not read
// (JSN-013) gets any value at all.
#pragma once

#include <span>
#include <string_view>

#include "harness/choice/choices.h"
#include "harness/mutate/models/places.h"

namespace assay::harness::mutating {

// An edit under way.
struct Edit {
  Choices& c;
  Model& model;
  Places& places;
  bool much = false;  // what was added may be of any size
};

// A key of one object.
struct Spot {
  Edit& edit;
  const Place& place;
  std::string_view key;

  Choices& c() { return edit.c; }
  Json& object() { return *place.value; }
  Json* def() { return place.graph == kNoGraph ? nullptr : edit.places.definitions[place.graph]; }
  const std::string& directory() { return edit.places.graphs[place.graph].directory; }
  const Json* value(std::string_view of) { return reduce::at(place.value, of); }
  bool has(std::string_view of) { return value(of) != nullptr; }
  bool is(std::string_view of, std::string_view text);
  // Gives the key a value; false where it had it.
  bool put(Json v) { return put(key, std::move(v)); }
  bool put(std::string_view of, Json v);
  bool erase(std::string_view of) { return object().erase(std::string(of)) != 0; }
  bool unread();  // mostly false, else any value at all
};

struct KeyRule {
  Object object;
  std::string_view key;
  bool optional;  // may be absent, whatever else is there
  bool (*change)(Spot&, const KeyRule&);  // false, and nothing changed, where it cannot
  std::uint64_t lo = 0, hi = 0;
  std::string_view words = {};            // a matcher's name in the spec
};
std::span<const KeyRule> key_rules();   // in the order of keys.def
std::span<const KeyRule> rules_of(Object object);
bool change(Edit& edit, const Place& place, const KeyRule& rule);
// A field of a profile, by the record table.
bool change_profile(Edit& edit, const Place& profile);

// ---- rules with a file of their own ----
namespace rules {
using Rule = bool(Spot&, const KeyRule&);
// variables.cpp
Rule var_type, var_id, var_size, var_alignment, var_dtype, var_shape, var_reference, var_list, var_file, var_offset,
    var_backing, var_debug;
// queues.cpp
Rule queue_type, queue_count, queue_semaphore, queue_instances, queue_for_type, queue_dge, block_queue, block_instance,
    seldom;  // what mostly makes a refusal, or no answer at all
// descriptors.cpp
Rule desc_op, desc_side, desc_pattern, desc_size, desc_sources, desc_dtype, desc_scale, desc_constant, desc_transpose;
// manifests.cpp
Rule kelf_version, kelf_target, kelf_graphs, graph_definition, neff_nodes, neff_args, neff_heads, neff_rows, neff_list,
    neff_attrs, output_names, kelf_member;
// sections.cpp
Rule any_section, numbers, list, blob, library, total_cpus, ucode_version, engine_member, engine_tables, act_number,
    act_list, act_info, set_name, profile_member;
}  // namespace rules

// ---- what rules share ----
// Whether to change what nothing comes of: it is to be seen that nothing does, but not often.
inline bool idle(Choices& c) { return c.chance(20); }
enum class Move : std::uint8_t { drop, twice, swap, move, count_ };
// Drops, doubles, swaps or moves elements of an array so that it keeps lo..hi of them.
bool edit_list(Choices& c, Json& array, std::size_t lo, std::size_t hi);
std::span<const MatcherEntry> matcher(std::string_view spec_name);
// A key of an object, or nullptr where it has none.
const std::string* any_key(Choices& c, const Json* object);
// Names of raw members below a directory, without it.
std::vector<std::string> blobs_in(const Model& model, std::string_view directory);
// Where a queue lists this instance.
bool is_listed(const Json* def, std::string_view instance);
ArchType target_of(const Model& model);
// Queues that count for the target's limit (DMQ-018).
std::uint32_t counting_queues(const Json& def);

}  // namespace assay::harness::mutating
