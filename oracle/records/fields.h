// SPDX-License-Identifier: Apache-2.0
// Reflection over the records: every field by name, offset, type and grade, from records.def.
// What walks, prints, compares or verifies records reads this table and knows no struct.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/dtype/enums.h"

namespace assay {

enum class RecordId : std::uint8_t {
#define RECORD_BEGIN(record, bytes, grade) record,
#define RECORD_END(record)
#define FIELD(...)
#define INLINE(...)
#define POINTER(...)
#define TAIL_BYTES(...)
#define TAIL_POINTERS(...)
#define TAIL_RECORDS(...)
#define PADDING(...)
#include "oracle/records/records.def"
#include "oracle/records/undef.h"
  none,
};

// Kinds of records in an image; the codes are the directory's (image.md).
enum class Kind : std::uint32_t {
  none = 0,
#define KIND(code, e, record, bytes, nullable, title) e = code,
#include "oracle/records/kinds.def"
#undef KIND
};
inline constexpr std::uint32_t kMaxKind = 19;

struct KindRow {
  Kind kind;
  RecordId record;       // element record, or none for strings, bytes and u32[]
  std::uint32_t bytes;   // of one element, or of the record without its tail
  bool null_when_empty;  // an empty one is NULL, never a record of no elements
  std::string_view title;
};
const KindRow& kind_row(Kind kind);  // kind is 1..19
std::span<const KindRow> kind_rows();

enum class FieldType : std::uint8_t { u8, u16, u32, u64, i32, i64, f32, boolean, chars, pointer, record };
std::uint32_t width_of(FieldType t);  // bytes of one element; pointer 8, record 0

// Evidence of a fact (high: a must, medium: a should, ruling: information).
enum class Grade : std::uint8_t { high, medium, ruling };

// When a field is the active one of its union.
enum class When : std::uint8_t { always, fma, min_max, mr_ptr, mr_virtual, mr_list, mr_remote };

// What a NULL in a pointer slot means.
enum class Nullability : std::uint8_t {
  none,            // not a pointer
  required,        // always a record (IMG-014)
  optional,        // NULL or a record
  counted,         // NULL exactly when its count is 0 (IMG-015)
  counted_buffer,  // as counted, the count being size for MR_BUFFER and 0 otherwise
};

struct Field {
  std::string_view name;  // as in layout.json, "u.fma.scale"
  std::uint32_t offset;   // bytes from the start of the record
  FieldType type;
  std::uint32_t count;    // array slots; 1 for a scalar
  EnumId enumeration;     // or none
  Grade layout, value;
  RecordId record;        // of an inline record, else none
  Kind to;                // of a pointer, else none
  Nullability null;
  std::string_view used_by;      // field that says how many slots are in use, or ""
  std::string_view count_field;  // field that counts the elements pointed to, or ""
  When when;
};

enum class TailType : std::uint8_t { none, bytes, pointers, records };
struct Tail {
  TailType type = TailType::none;
  std::string_view name;
  std::uint32_t offset = 0;      // equals the record's size
  RecordId record = RecordId::none;
  Kind to = Kind::none;
  std::string_view count_field;  // "" for bytes: their number is the allocation's
};

struct Padding {
  std::uint32_t begin, end;  // bytes, half open
};

struct Record {
  RecordId id;
  std::string_view name;
  std::uint32_t bytes;  // without tail
  Grade grade;
  std::span<const Field> fields;  // ascending offset, union members in table order
  Tail tail;
  std::span<const Padding> padding;

  const Field* find(std::string_view name) const;  // nullptr when there is none
};

const Record& record(RecordId id);  // id is not none
std::span<const Record> records();

}  // namespace assay
