// SPDX-License-Identifier: Apache-2.0
// Corruptions of sizes, counts, NULLs and strings (IMG-011, IMG-012, IMG-014, IMG-015, IMG-018).
// None of them has other findings.
#include <algorithm>

#include "harness/gen/corruptions/corruptions.h"

namespace assay::harness::corruptions {
namespace {

using namespace assay::image;
using Out = std::optional<Hurt>;

std::vector<std::size_t> records_where(const View& view, bool (*fits)(const DirEntry&)) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < view.records(); ++i)
    if (fits(view.record_at(i))) out.push_back(i);
  return out;
}
// Records whose size is one number: a string has any (IMG-018 speaks for its end), and so has an
// engine's blob (IMG-022).
bool has_one_size(const DirEntry& e) { return e.kind != Kind::string && e.kind != Kind::engine; }

// ---- IMG-011: the refusal stands at the record ----
Out record_longer(Patient& p, const Row&) {
  const auto fit = records_where(p.view, has_one_size);
  RawImage raw = *read_raw(p.valid);
  const std::size_t i = *pick_one(p.c, fit);
  raw.records[i].bytes.resize(raw.records[i].bytes.size() + p.c.edge(1, 48), 0);
  return Hurt{raw.write(), offset_of(raw, i)};
}
Out record_shorter(Patient& p, const Row&) {
  const auto fit = records_where(p.view, [](const DirEntry& e) { return e.kind != Kind::string && e.size > 1; });
  RawImage raw = *read_raw(p.valid);
  const std::size_t i = *pick_one(p.c, fit);
  std::vector<std::uint8_t>& bytes = raw.records[i].bytes;
  const bool engine = raw.records[i].kind == Kind::engine;
  bytes.resize(p.c.edge(1, engine ? sizeof(kbin_engine_t) - 1 : bytes.size() - 1));
  return Hurt{raw.write(), offset_of(raw, i)};
}
// The directory alone says more, of zero bytes that lie between the records.
Out size_field(Patient& p, const Row&) {
  const auto fit = records_where(p.view, [](const DirEntry& e) { return has_one_size(e) && e.size % 16 != 0; });
  const std::size_t i = *pick_one(p.c, fit);  // kbin_t is always there
  const DirEntry& e = p.view.record_at(i);
  return with(p, entry_at(p.view, i) + 8, 8, e.size + p.c.between(1, 16 - e.size % 16), e.offset);
}

// A number that a record's size follows from.
struct Sized {
  std::uint64_t at, value, place;  // place: of the record
  std::uint32_t width;
  std::uint64_t least;             // below it another rule speaks
  std::uint32_t stride;
};
std::vector<Sized> counts_of(const View& view) {
  std::vector<Sized> out;
  for (const Slot& s : slots_of(view, false)) {
    const Counter& n = s.slot->counter;
    if (!n) continue;
    const DirEntry& to = view.record_at(s.to);
    out.push_back({s.base + n.offset, n.read(view.bytes().data() + s.base), to.offset, n.width, 1,
                   kind_row(to.kind).bytes});
  }
  for (std::size_t i = 0; i < view.records(); ++i) {
    const DirEntry& e = view.record_at(i);
    if (kind_row(e.kind).record == RecordId::none) continue;
    const RecordPlan& plan = plan_of(kind_row(e.kind).record);
    if (!plan.tail_count) continue;
    const Tail& tail = plan.record->tail;
    out.push_back({e.offset + plan.tail_count.offset, plan.tail_count.read(view.bytes().data() + e.offset),
                   e.offset, plan.tail_count.width, 0,
                   tail.type == TailType::pointers ? 8 : record(tail.record).bytes});
  }
  return out;
}
Out count_field(Patient& p, const Row&) {
  const auto counts = counts_of(p.view);
  const Sized& s = *pick_one(p.c, counts);  // nmem is always there
  const bool next = p.c.chance(50) && s.value < most(s.width);
  return with(p, s.at, s.width, next ? s.value + 1 : other(p.c, s.value, s.least, most(s.width)), s.place);
}
// A count whose product with the element's size comes out right in `bits` bits.
Out wrapping_count(Patient& p, std::uint32_t bits) {
  std::vector<Sized> counts = counts_of(p.view);
  std::erase_if(counts, [&](const Sized& s) { return s.width != bits / 8 || s.stride % 2 != 0; });
  const Sized* s = pick_one(p.c, counts);
  if (s == nullptr) return std::nullopt;
  const std::uint64_t even = s->stride & (0 - s->stride);  // the power of two in the stride
  const std::uint64_t period = (bits == 64 ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31) / even * 2;
  return with(p, s->at, s->width, s->value + period * p.c.between(1, even - 1), s->place);
}
Out count_wraps_32(Patient& p, const Row&) { return wrapping_count(p, 32); }
Out count_wraps_64(Patient& p, const Row&) { return wrapping_count(p, 64); }

// ---- IMG-012: the refusal stands at the count ----
Out dir_count(Patient& p, bool (*fits)(const DirEntry&)) {
  const auto fit = records_where(p.view, fits);
  const std::size_t* i = pick_one(p.c, fit);
  if (i == nullptr) return std::nullopt;
  const std::uint64_t now = p.view.record_at(*i).count;
  const std::uint64_t count = p.c.chance(50) ? other(p.c, now, now - (now > 0), now + 1) : other(p.c, now, 0, most(4));
  return with(p, entry_at(p.view, *i) + 20, 4, count);
}
Out count_of_array(Patient& p, const Row&) {
  return dir_count(p, [](const DirEntry& e) { return kind_row(e.kind).null_when_empty; });
}
Out count_of_string(Patient& p, const Row&) {
  return dir_count(p, [](const DirEntry& e) { return e.kind == Kind::string; });
}
Out count_of_one(Patient& p, const Row&) {
  return dir_count(p, [](const DirEntry& e) { return !kind_row(e.kind).null_when_empty && e.kind != Kind::string; });
}

// ---- IMG-014, IMG-015: the refusal stands at the pointer ----
// The pointer becomes NULL; what it led to goes as well.
Hurt without(Patient& p, const Slot& s) {
  RawImage raw = *read_raw(p.valid);
  const std::uint64_t slot = s.at - p.view.record_at(s.owner).offset;
  std::vector<bool> gone(raw.records.size(), false);
  std::fill(gone.begin() + static_cast<std::ptrdiff_t>(s.to),
            gone.begin() + static_cast<std::ptrdiff_t>(subtree_end(raw, s.to)), true);
  erase_records(raw, gone);
  return {raw.write(), offset_of(raw, s.owner) + slot};  // the owner comes first and stays where it is
}
bool is_counted(const Slot& s) { return static_cast<bool>(s.slot->counter); }

Out null_where_required(Patient& p, const Row& row) {
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [&](const Slot& s) {
    return s.slot->null != Nullability::required || !std::string_view(s.slot->name).starts_with(row.field);
  });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  return without(p, *s);
}
Out null_beside_count(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [](const Slot& s) { return !is_counted(s); });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  return without(p, *s);
}
Out count_beside_null(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, true);
  std::erase_if(slots, [&](const Slot& s) {  // a variable without buffer has any size
    return !is_counted(s) || s.slot->counter.read(p.valid.data() + s.base) != 0 ||
           (s.slot->null == Nullability::counted_buffer &&
            load<std::uint32_t>(p.valid.data() + s.base) != static_cast<std::uint32_t>(code(MrType::MR_BUFFER)));
  });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  const Counter& n = s->slot->counter;
  return with(p, s->base + n.offset, n.width, p.c.edge(1, most(n.width)), s->at);
}
Out pointer_beside_zero(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [](const Slot& s) { return !is_counted(s); });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  return with(p, s->base + s->slot->counter.offset, s->slot->counter.width, 0, s->at);
}
Out buffer_of_other_type(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [](const Slot& s) { return s.slot->null != Nullability::counted_buffer; });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  const auto type = other(p.c, static_cast<std::uint64_t>(code(MrType::MR_BUFFER)), 0,
                          static_cast<std::uint64_t>(code(MrType::MR_REMOTE)));
  return with(p, s->base, 4, type, s->at);
}
Out buffer_missing(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, true);
  std::erase_if(slots, [&](const Slot& s) {  // of the types whose union is empty
    if (s.slot->null != Nullability::counted_buffer) return true;
    const auto type = load<std::uint32_t>(p.valid.data() + s.base);
    return variant_of(RecordId::kbin_mem_ref, type) != When::always ||
           type == static_cast<std::uint32_t>(code(MrType::MR_BUFFER)) ||
           s.slot->counter.read(p.valid.data() + s.base) == 0;
  });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  return with(p, s->base, 4, static_cast<std::uint64_t>(code(MrType::MR_BUFFER)), s->at);
}

// ---- IMG-018: the refusal stands at the start of the string or array ----
Out string_unended(Patient& p, const Row&) {
  const auto fit = records_where(p.view, [](const DirEntry& e) { return e.kind == Kind::string; });
  const std::size_t* i = pick_one(p.c, fit);
  if (i == nullptr) return std::nullopt;
  const DirEntry& e = p.view.record_at(*i);
  return with(p, e.offset + e.size - 1, 1, p.c.edge(1, 255), e.offset);
}
Out string_cut(Patient& p, const Row&) {
  const auto fit = records_where(p.view, [](const DirEntry& e) { return e.kind == Kind::string && e.size > 1; });
  const std::size_t* i = pick_one(p.c, fit);
  if (i == nullptr) return std::nullopt;
  RawImage raw = *read_raw(p.valid);
  raw.records[*i].bytes.pop_back();
  --raw.records[*i].count;
  return Hurt{raw.write(), offset_of(raw, *i)};
}
Out nul_inside(Patient& p, const Row&) {
  const auto fit = records_where(p.view, [](const DirEntry& e) { return e.kind == Kind::string && e.size > 1; });
  const std::size_t* i = pick_one(p.c, fit);
  if (i == nullptr) return std::nullopt;
  const DirEntry& e = p.view.record_at(*i);
  return with(p, e.offset + p.c.edge(0, e.size - 2), 1, 0, e.offset);
}
Out chars_unended(Patient& p, const Row&) {
  struct Chars {
    std::uint64_t at, count;
  };
  std::vector<Chars> all;
  for (const Site& s : sites_of(p.view, RecordId::none))
    for (const Field& f : record(s.id).fields)
      if (f.type == FieldType::chars) all.push_back({s.base + f.offset, f.count});
  const Chars& a = *pick_one(p.c, all);  // every engine has a name
  Hurt h{Buffer(p.valid), a.at};
  for (std::uint64_t i = a.at; i < a.at + a.count; ++i)
    if (h.image.data()[i] == 0) put(h.image, i, 1, 1 + p.c.below(255));
  return h;
}

constexpr std::uint64_t kArrays = images::kActSets | images::kDve | images::kGroups | images::kPairs | images::kLibs;
constexpr Row kRows[] = {
    {{"record-longer", Reason::image_record_size}, kArrays, record_longer},
    {{"record-shorter", Reason::image_record_size}, kArrays, record_shorter},
    {{"record-size-field", Reason::image_record_size}, 0, size_field},
    {{"count-field", Reason::image_record_size}, kArrays, count_field},
    {{"count-wraps-32", Reason::image_record_size}, images::kList, count_wraps_32},
    {{"count-wraps-64", Reason::image_record_size}, images::kGroups, count_wraps_64},
    {{"dir-count-of-array", Reason::image_dir_count}, kArrays, count_of_array},
    {{"dir-count-of-string", Reason::image_dir_count}, images::kVariables, count_of_string},
    {{"dir-count-of-one", Reason::image_dir_count}, 0, count_of_one},
    {{"null-engine", Reason::image_null}, 0, null_where_required, RecordId::none, "engine["},
    {{"null-mem-ref-set", Reason::image_null}, 0, null_where_required, RecordId::none, "mem_ref_set"},
    {{"null-name", Reason::image_null}, images::kVariables, null_where_required, RecordId::none, "name"},
    {{"null-ring-instance", Reason::image_null}, images::kInstances, null_where_required, RecordId::none,
     "ring_instances"},
    {{"null-beside-count", Reason::image_count_pointer}, kArrays, null_beside_count},
    {{"count-beside-null", Reason::image_count_pointer}, images::kDve, count_beside_null},
    {{"pointer-beside-zero", Reason::image_count_pointer}, kArrays, pointer_beside_zero},
    {{"buffer-of-other-type", Reason::image_count_pointer}, images::kBuffer, buffer_of_other_type},
    {{"buffer-missing", Reason::image_count_pointer}, images::kVariables, buffer_missing},
    {{"string-unended", Reason::image_string}, images::kVariables, string_unended},
    {{"string-cut", Reason::image_string}, images::kVariables, string_cut},
    {{"string-nul-inside", Reason::image_string}, images::kVariables, nul_inside},
    {{"chars-unended", Reason::image_string}, 0, chars_unended},
};

}  // namespace

std::span<const Row> record_rows() { return kRows; }

}  // namespace assay::harness::corruptions
