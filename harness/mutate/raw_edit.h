// SPDX-License-Identifier: Apache-2.0
// Edits of an image in records that keep its pointers leading where they led: records taken out or
// put in, bytes taken out of a record or put in. Nothing here knows which records must be there.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/mutate/raw_image.h"

namespace assay::harness {

// One past the last record of the subtree that hangs on record `i`, in emission order. For an
// image in another order: one past the last record reached from it.
std::size_t subtree_end(const RawImage& raw, std::size_t i);

// Takes out the records marked in `gone` (as long as raw.records) with the pointers to them.
void erase_records(RawImage& raw, const std::vector<bool>& gone);

// Puts a record in before index `at` (at most the number of records).
void insert_record(RawImage& raw, std::size_t at, RawRecord record);

// Takes n bytes out of a record from `at` on, with the pointers in them; what follows moves up.
void erase_bytes(RawRecord& record, std::uint64_t at, std::uint64_t n);

// The pointer in a record's slot, or nullptr.
RawRecord::Pointer* pointer_at(RawRecord& record, std::uint64_t slot);

// Where write() puts record `i`.
std::uint64_t offset_of(const RawImage& raw, std::size_t i);

}  // namespace assay::harness
