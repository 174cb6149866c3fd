// SPDX-License-Identifier: Apache-2.0
// The properties themselves, one function each, and the generators of their cases. The catalogue
// (catalogue.cpp) gives them names, requirements and shares; internal to this room.
#pragma once

#include "harness/properties/property.h"

namespace assay::harness::checks {

// Generators.
Case model(Choices& c);
Case near_miss(Choices& c);
Case respelled(Choices& c);
Case misspelt(Choices& c);
Case image(Choices& c);
Case corruption(Choices& c);
Case neff(Choices& c);
Case dtypes(Choices& c);

// models.cpp: what each lowered image must hold, read off the model itself.
Verdict lowering_agrees(const Subject& s, const Case& c);
Verdict engines_by_name(const Subject& s, const Case& c);
Verdict ninstr_and_blob(const Subject& s, const Case& c);
Verdict ids_and_counts(const Subject& s, const Case& c);
Verdict allocations(const Subject& s, const Case& c);
Verdict dtype_and_shape(const Subject& s, const Case& c);
Verdict queues_by_name(const Subject& s, const Case& c);
Verdict io_sizes(const Subject& s, const Case& c);
Verdict targets_beyond(const Subject& s, const Case& c);

// written.cpp: variables and queues against the document alone.
Verdict variables_as_written(const Subject& s, const Case& c);
Verdict queues_as_written(const Subject& s, const Case& c);

// descriptors.cpp
Verdict blocks_as_written(const Subject& s, const Case& c);
Verdict descriptor_round_trip(const Subject& s, const Case& c);

// metamorphic.cpp: what must change nothing, or one thing alone.
Verdict deterministic(const Subject& s, const Case& c);
Verdict unread_members(const Subject& s, const Case& c);
Verdict renamed_variable(const Subject& s, const Case& c);
Verdict containers_agree(const Subject& s, const Case& c);
Verdict directory_agrees(const Subject& s, const Case& c);
Verdict memory_limit(const Subject& s, const Case& c);
Verdict respelled_means_the_same(const Subject& s, const Case& c);

// refusals.cpp
Verdict near_miss_refused(const Subject& s, const Case& c);
Verdict misspelt_refused(const Subject& s, const Case& c);
Verdict corruption_refused(const Subject& s, const Case& c);
Verdict neff_as_told(const Subject& s, const Case& c);

// images.cpp
Verdict image_round_trip(const Subject& s, const Case& c);
Verdict decoded_fields(const Subject& s, const Case& c);
Verdict dump_is_whole(const Subject& s, const Case& c);
Verdict diff_finds_the_edit(const Subject& s, const Case& c);
Verdict diff_of_two(const Subject& s, const Case& c);
Verdict damaged_can_be_shown(const Subject& s, const Case& c);

// dtypes.cpp
Verdict dtype_maps(const Subject& s, const Case& c);
Verdict sizes_by_name(const Subject& s, const Case& c);
Verdict x4_containers(const Subject& s, const Case& c);

}  // namespace assay::harness::checks
