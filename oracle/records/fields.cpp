// SPDX-License-Identifier: Apache-2.0
#include "oracle/records/fields.h"

#include <cstddef>

#include "oracle/records/kbin.h"

namespace assay {
namespace {

// Sizes and offsets are the spec's literals; the compiler's layout must agree with every one.
#define RECORD_BEGIN(record, bytes, grade) static_assert(sizeof(record) == (bytes));
#define RECORD_END(record)
#define FIELD(record, member, name, offset, ...) static_assert(offsetof(record, member) == (offset));
#define INLINE(record, member, name, offset, ...) static_assert(offsetof(record, member) == (offset));
#define POINTER(record, member, name, offset, ...) static_assert(offsetof(record, member) == (offset));
#define TAIL_BYTES(record, name, offset) static_assert(sizeof(record) == (offset));
#define TAIL_POINTERS(record, name, offset, ...) static_assert(sizeof(record) == (offset));
#define TAIL_RECORDS(record, name, offset, ...) static_assert(sizeof(record) == (offset));
#define PADDING(...)
#include "oracle/records/records.def"
#include "oracle/records/undef.h"

// Each array ends with a sentinel row, because a record may have no field, tail or padding.
#define RECORD_BEGIN(record, bytes, grade) constexpr Field kFields_##record[] = {
#define RECORD_END(record)                                                                    \
  {"", 0, FieldType::u8, 0, EnumId::none, Grade::high, Grade::high, RecordId::none,           \
   Kind::none, Nullability::none, "", "", When::always}                                       \
  }                                                                                           \
  ;
#define FIELD(rec, member, name, offset, type, count, en, layout, value, used, when)          \
  {name, offset, FieldType::type, count, EnumId::en, Grade::layout, Grade::value,             \
   RecordId::none, Kind::none, Nullability::none, used, "", When::when},
#define INLINE(rec, member, name, offset, element, count, grade, used, when)                  \
  {name, offset, FieldType::record, count, EnumId::none, Grade::grade, Grade::grade,          \
   RecordId::element, Kind::none, Nullability::none, used, "", When::when},
#define POINTER(rec, member, name, offset, count, kind, counter, null, grade, when)           \
  {name, offset, FieldType::pointer, count, EnumId::none, Grade::grade, Grade::grade,         \
   RecordId::none, Kind::kind, Nullability::null, "", counter, When::when},
#define TAIL_BYTES(...)
#define TAIL_POINTERS(...)
#define TAIL_RECORDS(...)
#define PADDING(...)
#include "oracle/records/records.def"
#include "oracle/records/undef.h"

#define RECORD_BEGIN(record, bytes, grade) constexpr Tail kTail_##record[] = {
#define RECORD_END(record) \
  Tail{}                   \
  }                        \
  ;
#define FIELD(...)
#define INLINE(...)
#define POINTER(...)
#define TAIL_BYTES(rec, name, offset) {TailType::bytes, name, offset, RecordId::none, Kind::none, ""},
#define TAIL_POINTERS(rec, name, offset, kind, counter) \
  {TailType::pointers, name, offset, RecordId::none, Kind::kind, counter},
#define TAIL_RECORDS(rec, name, offset, element, counter) \
  {TailType::records, name, offset, RecordId::element, Kind::none, counter},
#define PADDING(...)
#include "oracle/records/records.def"
#include "oracle/records/undef.h"

#define RECORD_BEGIN(record, bytes, grade) constexpr Padding kPadding_##record[] = {
#define RECORD_END(record) \
  Padding{0, 0}            \
  }                        \
  ;
#define FIELD(...)
#define INLINE(...)
#define POINTER(...)
#define TAIL_BYTES(...)
#define TAIL_POINTERS(...)
#define TAIL_RECORDS(...)
#define PADDING(rec, begin, end) {begin, end},
#include "oracle/records/records.def"
#include "oracle/records/undef.h"

template <class T, std::size_t N>
constexpr std::span<const T> without_sentinel(const T (&rows)[N]) {
  return {rows, N - 1};
}

constexpr Record kRecords[] = {
#define RECORD_BEGIN(rec, bytes, grade)                                                 \
  {RecordId::rec, #rec, bytes, Grade::grade, without_sentinel(kFields_##rec),           \
   kTail_##rec[0], without_sentinel(kPadding_##rec)},
#define RECORD_END(rec)
#define FIELD(...)
#define INLINE(...)
#define POINTER(...)
#define TAIL_BYTES(...)
#define TAIL_POINTERS(...)
#define TAIL_RECORDS(...)
#define PADDING(...)
#include "oracle/records/records.def"
#include "oracle/records/undef.h"
};

constexpr KindRow kKinds[] = {
#define KIND(code, e, record, bytes, nullable, title) \
  {Kind::e, RecordId::record, bytes, nullable, title},
#include "oracle/records/kinds.def"
#undef KIND
};

#define KIND(code, e, record, bytes, nullable, title) static_assert((code) <= kMaxKind);
#include "oracle/records/kinds.def"
#undef KIND

}  // namespace

const KindRow& kind_row(Kind kind) { return kKinds[static_cast<std::uint32_t>(kind) - 1]; }
std::span<const KindRow> kind_rows() { return kKinds; }

std::uint32_t width_of(FieldType t) {
  switch (t) {
    case FieldType::u8:
    case FieldType::boolean:
    case FieldType::chars: return 1;
    case FieldType::u16: return 2;
    case FieldType::u32:
    case FieldType::i32:
    case FieldType::f32: return 4;
    case FieldType::u64:
    case FieldType::i64:
    case FieldType::pointer: return 8;
    case FieldType::record: return 0;
  }
  return 0;
}

const Field* Record::find(std::string_view wanted) const {
  for (const Field& f : fields)
    if (f.name == wanted) return &f;
  return nullptr;
}

const Record& record(RecordId id) { return kRecords[static_cast<std::size_t>(id)]; }
std::span<const Record> records() { return kRecords; }

}  // namespace assay
