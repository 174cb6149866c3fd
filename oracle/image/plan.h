// SPDX-License-Identifier: Apache-2.0
// What the decoding side reads out of the record table, prepared once per record type: pointer
// slots, bytes that must be zero, which slots and union members are in use. The few rules the
// table cannot say (which op uses which sources) are here and nowhere else. Not for the encoder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/records/fields.h"

namespace assay::image {

// A field that counts slots or elements. Reads from a record's first byte.
struct Counter {
  std::uint32_t offset = 0;
  std::uint32_t width = 0;  // bytes; 0: there is none
  explicit operator bool() const { return width != 0; }
  std::uint64_t read(const std::uint8_t* record) const;
};

struct PointerSlot {
  std::string name;      // inside its record: "engine[2]", "opcode_table.buffer"
  std::uint32_t offset;  // in its record
  Kind to;
  Nullability null;
  When when;
  Counter counter;       // elements pointed to
  bool follows = false;  // a later slot of an optional array: NULL once an earlier one is (IMG-024)
};

struct Range {
  std::uint32_t begin, end;  // bytes in the record, half open
};

// Checks that the table has no column for.
enum class Rule : std::uint8_t {
  none,
  target,     // IMG-008 speaks for it
  selector,   // mr_type: checked before the pointers that hang on it
  ninstr,     // IMG-022
  var_id,     // IMG-023
  desc_type,  // IMG-025
  sources,    // u.from: in use as op and num_sources say (IMG-021)
  info,       // u.info: the record that op selects
};

struct FieldPlan {
  const Field* field = nullptr;
  Counter used;                // of slots in use; none: all of them
  std::uint32_t used_min = 0;  // lower bound of that counter (IMG-021)
  bool bounds_here = false;    // the first array of its counter checks the bound
  Rule rule = Rule::none;
};

struct RecordPlan {
  const Record* record = nullptr;
  std::vector<FieldPlan> fields;      // as in record->fields
  std::vector<std::size_t> checked;   // indices of the fields a verifier has to look at
  std::vector<PointerSlot> pointers;  // ascending offsets, inline records flattened, tail apart
  std::array<std::vector<Range>, 7> unused;  // by active When: bytes no active field covers
  const Field* selector = nullptr;    // field that picks the union member, here or in u.info
  PointerSlot tail_pointer;           // for a tail of pointers
  Counter tail_count;
};

const RecordPlan& plan_of(RecordId id);

// The union member that a selector's value (mr_type, op) makes active.
When variant_of(RecordId id, std::int64_t selector);
inline bool is_active(When when, When variant) { return when == When::always || when == variant; }

// The record that u.info holds for an op, or none (all zero).
RecordId info_of(std::int64_t op);
// Offset of num_sources from the start of a descriptor, and the sources an op without a cce_info
// uses.
std::uint32_t num_sources_offset();
inline constexpr std::uint64_t kPlainSources = 1;

bool is_enumerator(EnumId id, std::int64_t value);

// An integer field's value; u64 values above 2^63-1 wrap, so ask load_uint for those.
std::int64_t load_int(FieldType type, const std::uint8_t* p);
std::uint64_t load_uint(std::uint32_t width, const std::uint8_t* p);

// Slots of a field in use, never above its count. `record` is its record's first byte, `op` the
// descriptor's when the record is one.
std::uint64_t slots_in_use(const FieldPlan& f, const std::uint8_t* record);

// Calls f(plan, base offset, index in array or tail, in_tail) for every record of a directory
// entry's extent: itself, or each array element, then each record of its tail. Counts come from
// `size`, so nothing outside the entry is reached.
template <class F>
void for_each_element(Kind kind, std::uint64_t offset, std::uint64_t size, F&& f) {
  const KindRow& row = kind_row(kind);
  if (row.record == RecordId::none) return;
  const RecordPlan& p = plan_of(row.record);
  if (row.null_when_empty) {
    const std::uint64_t n = size / row.bytes;
    for (std::uint64_t i = 0; i < n; ++i) f(p, offset + i * row.bytes, i, false);
    return;
  }
  if (size < row.bytes) return;
  f(p, offset, std::uint64_t{0}, false);
  if (p.record->tail.type != TailType::records) return;
  const RecordPlan& t = plan_of(p.record->tail.record);
  const std::uint64_t n = (size - row.bytes) / t.record->bytes;
  for (std::uint64_t i = 0; i < n; ++i) f(t, offset + row.bytes + i * t.record->bytes, i, true);
}

// Calls f(slot, plan, base) for every active pointer slot of an entry in ascending order: slot is
// a PointerSlot, base the offset of the record that holds it; slots of a tail of pointers come
// with base moved so that base + slot.offset is the slot.
template <class F>
void for_each_pointer(ByteView bytes, Kind kind, std::uint64_t offset, std::uint64_t size, F&& f) {
  for_each_element(kind, offset, size,
                   [&](const RecordPlan& p, std::uint64_t base, std::uint64_t, bool) {
    When variant = When::always;
    if (p.selector != nullptr)
      variant = variant_of(p.record->id,
                           load_int(p.selector->type, bytes.data() + base + p.selector->offset));
    for (const PointerSlot& s : p.pointers)
      if (is_active(s.when, variant)) f(s, p, base);
    if (p.record->tail.type != TailType::pointers) return;
    const std::uint64_t n = (size - p.record->bytes) / 8;
    for (std::uint64_t i = 0; i < n; ++i) f(p.tail_pointer, p, base + 8 * i);
  });
}

}  // namespace assay::image
