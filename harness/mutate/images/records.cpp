// SPDX-License-Identifier: Apache-2.0
// Edits of an image taken apart: records that come, go, change places or size, and pointers.
#include <algorithm>
#include <optional>

#include "harness/mutate/raw_edit.h"
#include "harness/mutate/record_mutator.h"
#include "oracle/image/plan.h"

namespace assay::harness {
namespace {

using namespace image;
using Pointer = RawRecord::Pointer;

constexpr std::size_t kMostRecords = 1 << 16;

bool is_known(Kind kind) { return kind != Kind::none && static_cast<std::uint32_t>(kind) <= kMaxKind; }

RawRecord* any_record(Choices& c, RawImage& raw) {
  return raw.records.empty() ? nullptr : &raw.records[c.below(raw.records.size())];
}
// A record of an image and one of its pointers.
struct Link {
  std::size_t owner, index;
};
std::optional<Link> any_pointer(Choices& c, const RawImage& raw) {
  std::size_t n = 0;
  for (const RawRecord& r : raw.records) n += r.pointers.size();
  if (n == 0) return std::nullopt;
  auto k = c.below(n);
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    if (k < raw.records[i].pointers.size()) return Link{i, k};
    k -= raw.records[i].pointers.size();
  }
  return std::nullopt;
}

void add_to(RawRecord& r, std::uint64_t at, std::uint32_t width, std::uint64_t delta) {
  if (width == 0 || at > r.bytes.size() || width > r.bytes.size() - at) return;
  const std::uint64_t v = load_uint(width, r.bytes.data() + at) + delta;
  for (std::uint32_t i = 0; i < width; ++i) r.bytes[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
}

// The counter beside the pointer in a slot, if it has one: offset in the record, and width.
std::optional<std::pair<std::uint64_t, std::uint32_t>> counter_of(const RawRecord& r, std::uint64_t slot) {
  std::optional<std::pair<std::uint64_t, std::uint32_t>> found;
  if (!is_known(r.kind)) return found;
  for_each_pointer(r.bytes, r.kind, 0, r.bytes.size(),
                   [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
                     if (base + s.offset == slot && s.counter)
                       found = {base + s.counter.offset, s.counter.width};
                   });
  return found;
}
// The first pointer to a record.
std::optional<Link> owner_of(const RawImage& raw, std::size_t record) {
  for (std::size_t i = 0; i < raw.records.size(); ++i)
    for (std::size_t k = 0; k < raw.records[i].pointers.size(); ++k)
      if (raw.records[i].pointers[k].to == record) return Link{i, k};
  return std::nullopt;
}

// Puts copies of records [begin, end) of `from` in before index `at`; their pointers to each other hold.
void insert_range(RawImage& raw, std::size_t at, const std::vector<RawRecord>& from,
                  std::size_t begin, std::size_t end) {
  const std::size_t n = end - begin;
  for (RawRecord& r : raw.records)
    for (Pointer& p : r.pointers)
      if (p.to >= at && p.to != RawRecord::kNull) p.to += n;
  std::vector<RawRecord> copies(from.begin() + static_cast<std::ptrdiff_t>(begin),
                                from.begin() + static_cast<std::ptrdiff_t>(end));
  for (RawRecord& r : copies) {
    std::erase_if(r.pointers, [&](const Pointer& p) {
      return p.to != RawRecord::kNull && (p.to < begin || p.to >= end);
    });
    for (Pointer& p : r.pointers)
      if (p.to != RawRecord::kNull) p.to = p.to - begin + at;
  }
  raw.records.insert(raw.records.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(copies.begin()),
                     std::make_move_iterator(copies.end()));
}

void add_pointer(RawRecord& r, std::uint64_t slot, std::size_t to) {
  r.pointers.push_back({slot, to});
  std::sort(r.pointers.begin(), r.pointers.end(), [](const Pointer& a, const Pointer& b) { return a.slot < b.slot; });
}

// The elements of an array or tail at the end of a record: their size, and how many there are.
struct Elements {
  std::uint64_t begin, bytes, count;
  Counter counter;  // of a tail; an array's stands beside the pointer to it
};
std::optional<Elements> elements_of(const RawRecord& r) {
  if (!is_known(r.kind)) return std::nullopt;
  const KindRow& row = kind_row(r.kind);
  if (row.null_when_empty) return Elements{0, row.bytes, r.bytes.size() / row.bytes, {}};
  if (row.record == RecordId::none || r.bytes.size() < row.bytes) return std::nullopt;
  const RecordPlan& plan = plan_of(row.record);
  std::uint64_t bytes = 0;
  if (plan.record->tail.type == TailType::records) bytes = record(plan.record->tail.record).bytes;
  if (plan.record->tail.type == TailType::pointers) bytes = 8;
  if (bytes == 0) return std::nullopt;
  return Elements{row.bytes, bytes, (r.bytes.size() - row.bytes) / bytes, plan.tail_count};
}

// Counters follow when an array gets longer or shorter by one, nine times in ten.
void count_along(Choices& c, RawImage& raw, std::size_t i, const Elements& e, std::uint64_t delta) {
  if (c.chance(10)) return;
  raw.records[i].count += static_cast<std::uint32_t>(kind_row(raw.records[i].kind).null_when_empty ? delta : 0);
  if (e.counter) return add_to(raw.records[i], e.counter.offset, e.counter.width, delta);
  const auto owner = owner_of(raw, i);
  if (!owner) return;
  RawRecord& holder = raw.records[owner->owner];
  if (const auto counter = counter_of(holder, holder.pointers[owner->index].slot))
    add_to(holder, counter->first, counter->second, delta);
}

// ---- edits ----

// One more element, like the last one, with copies of all that hangs on it.
bool grow(Choices& c, RawImage& raw) {
  if (raw.records.empty() || raw.records.size() > kMostRecords) return false;
  const std::size_t i = c.below(raw.records.size());
  const auto e = elements_of(raw.records[i]);
  if (!e || e->count == 0) return false;
  const std::uint64_t last = e->begin + (e->count - 1) * e->bytes, next = last + e->bytes;
  RawRecord& r = raw.records[i];
  std::vector<std::uint8_t> element(r.bytes.begin() + static_cast<std::ptrdiff_t>(last),
                                    r.bytes.begin() + static_cast<std::ptrdiff_t>(next));
  r.bytes.insert(r.bytes.begin() + static_cast<std::ptrdiff_t>(next), element.begin(), element.end());
  std::vector<Pointer> theirs;
  for (const Pointer& p : r.pointers)
    if (p.slot >= last && p.slot < next && p.to != RawRecord::kNull) theirs.push_back(p);
  if (r.kind == Kind::mem_ref_set)  // ids count up (IMG-023)
    add_to(r, next + record(RecordId::kbin_mem_ref).find("var_id")->offset, 4, 1);
  for (const Pointer& p : theirs) {
    const std::size_t at = subtree_end(raw, i), end = subtree_end(raw, p.to);
    if (end > at || p.to >= end) continue;  // not in the usual order
    const std::vector<RawRecord> copy(raw.records.begin() + static_cast<std::ptrdiff_t>(p.to),
                                      raw.records.begin() + static_cast<std::ptrdiff_t>(end));
    RawImage part;
    part.records = copy;
    for (RawRecord& q : part.records) {
      std::erase_if(q.pointers, [&](const Pointer& x) { return x.to < p.to || x.to >= end; });
      for (Pointer& x : q.pointers) x.to -= p.to;
    }
    insert_range(raw, at, part.records, 0, part.records.size());
    add_pointer(raw.records[i], p.slot + e->bytes, at);
  }
  count_along(c, raw, i, *e, 1);
  return true;
}

bool shrink(Choices& c, RawImage& raw) {
  if (raw.records.empty()) return false;
  const std::size_t i = c.below(raw.records.size());
  const auto e = elements_of(raw.records[i]);
  if (!e || e->count == 0) return false;
  const std::uint64_t at = e->begin + (e->count - 1) * e->bytes;
  std::vector<bool> gone(raw.records.size(), false);
  for (const Pointer& p : raw.records[i].pointers)
    if (p.slot >= at && p.slot < at + e->bytes && p.to < gone.size() && p.to > i)
      std::fill(gone.begin() + static_cast<std::ptrdiff_t>(p.to),
                gone.begin() + static_cast<std::ptrdiff_t>(std::max(p.to, subtree_end(raw, p.to))), true);
  count_along(c, raw, i, *e, ~std::uint64_t{0});
  erase_bytes(raw.records[i], at, e->bytes);
  if (raw.records[i].bytes.empty() && i != 0) gone[i] = true;  // an empty array is NULL
  erase_records(raw, gone);
  return true;
}

// A record and what hangs on it go; a counter beside the pointer becomes 0.
bool drop(Choices& c, RawImage& raw) {
  const auto link = any_pointer(c, raw);
  if (!link) return false;
  RawRecord& owner = raw.records[link->owner];
  const Pointer p = owner.pointers[link->index];
  if (p.to >= raw.records.size() || p.to == 0) return false;
  const auto counter = counter_of(owner, p.slot);
  if (counter && c.chance(80))
    add_to(owner, counter->first, counter->second, 0 - load_uint(counter->second, owner.bytes.data() + counter->first));
  std::vector<bool> gone(raw.records.size(), false);
  const std::size_t end = c.chance(85) ? subtree_end(raw, p.to) : p.to + 1;
  std::fill(gone.begin() + static_cast<std::ptrdiff_t>(p.to), gone.begin() + static_cast<std::ptrdiff_t>(end), true);
  erase_records(raw, gone);
  return true;
}

bool twice(Choices& c, RawImage& raw) {
  if (raw.records.empty() || raw.records.size() > kMostRecords) return false;
  const std::size_t i = c.below(raw.records.size());
  const RawRecord copy = raw.records[i];
  insert_record(raw, i + 1, copy);
  return true;
}

bool swap_records(Choices& c, RawImage& raw) {
  if (raw.records.size() < 3) return false;
  const std::size_t i = 1 + c.below(raw.records.size() - 1), j = 1 + c.below(raw.records.size() - 1);
  if (i == j) return false;
  std::swap(raw.records[i], raw.records[j]);
  if (c.chance(70))  // and the pointers to them
    for (RawRecord& r : raw.records)
      for (Pointer& p : r.pointers) p.to = p.to == i ? j : p.to == j ? i : p.to;
  return true;
}

bool size_off(Choices& c, RawImage& raw) {
  RawRecord* r = any_record(c, raw);
  if (r == nullptr) return false;
  static constexpr std::int64_t kBy[] = {1, -1, 4, -4, 8, -8, 16, -16};
  const std::int64_t to = static_cast<std::int64_t>(r->bytes.size()) + c.pick(kBy);
  if (to < 0) return false;
  r->bytes.resize(static_cast<std::size_t>(to));
  return true;
}

bool count_off(Choices& c, RawImage& raw) {
  RawRecord* r = any_record(c, raw);
  if (r == nullptr) return false;
  const std::uint32_t to[] = {r->count + 1, r->count - 1, 0, static_cast<std::uint32_t>(c.edge(0, 0xFFFFFFFF))};
  const std::uint32_t was = r->count;
  r->count = c.pick(to);
  return r->count != was;
}

bool kind_off(Choices& c, RawImage& raw) {
  RawRecord* r = any_record(c, raw);
  if (r == nullptr) return false;
  const auto to = static_cast<Kind>(c.below(kMaxKind + 2));
  if (r->kind == to) return false;
  r->kind = to;
  return true;
}

bool behind(Choices& c, RawImage& raw) {
  RawRecord* r = any_record(c, raw);
  if (r == nullptr) return false;
  r->behind.resize(r->behind.size() + 1 + c.below(24), static_cast<std::uint8_t>(c.below(2)));
  return true;
}

bool retarget(Choices& c, RawImage& raw) {
  const auto link = any_pointer(c, raw);
  if (!link) return false;
  Pointer& p = raw.records[link->owner].pointers[link->index];
  const Kind kind = p.to < raw.records.size() ? raw.records[p.to].kind : Kind::none;
  const std::size_t to = c.below(raw.records.size());
  if (to == p.to || (c.chance(70) && raw.records[to].kind != kind)) return false;
  p.to = to;
  return true;
}

bool listing(Choices& c, RawImage& raw) {
  const auto link = any_pointer(c, raw);
  if (!link) return false;
  Pointer& p = raw.records[link->owner].pointers[link->index];
  switch (c.below(4)) {
    case 0: p.listed = p.listed == 0 ? 1 : 0; break;
    case 1: p.listed = p.listed % 3 + 1; break;
    case 2: p.into += 1 + c.below(16); break;
    default: p.to = RawRecord::kNull;
  }
  return true;
}

bool null_pointer(Choices& c, RawImage& raw) {
  const auto link = any_pointer(c, raw);
  if (!link) return false;
  auto& pointers = raw.records[link->owner].pointers;
  pointers.erase(pointers.begin() + static_cast<std::ptrdiff_t>(link->index));
  return true;
}

// Text and blobs by a few bytes longer, where nothing counts them but the pointer's owner.
bool longer(Choices& c, RawImage& raw) {
  if (raw.records.empty()) return false;
  const std::size_t i = c.below(raw.records.size());
  RawRecord& r = raw.records[i];
  const std::uint64_t n = 1 + c.below(64);
  if (r.kind == Kind::string) {
    r.bytes.insert(r.bytes.begin(), n, static_cast<std::uint8_t>(c.between(1, 255)));
    r.count += static_cast<std::uint32_t>(r.count != 1 ? n : 0);
    return true;
  }
  if (r.kind == Kind::engine) {
    const std::uint64_t slots = 1 + c.below(2);
    r.bytes.resize(r.bytes.size() + 64 * slots);
    if (c.chance(80)) add_to(r, record(RecordId::kbin_engine_t).find("ninstr")->offset, 4, slots);
    return true;
  }
  if (r.kind != Kind::bytes) return false;
  r.bytes.resize(r.bytes.size() + n);
  count_along(c, raw, i, {0, 1, 0, {}}, n);
  return true;
}

constexpr RecordEdit kEdits[] = {
    {"grow", grow},         {"grow", grow},           {"shrink", shrink},     {"shrink", shrink},
    {"drop", drop},         {"twice", twice},         {"swap", swap_records}, {"size-off", size_off},
    {"count-off", count_off}, {"kind-off", kind_off}, {"behind", behind},     {"retarget", retarget},
    {"listing", listing},   {"null-pointer", null_pointer}, {"longer", longer},
};

}  // namespace

std::span<const RecordEdit> record_edits() { return kEdits; }

bool graft(Choices& c, RawImage& raw, const RawImage& donor) {
  const auto link = any_pointer(c, raw);
  if (!link || donor.records.empty()) return false;
  const Pointer p = raw.records[link->owner].pointers[link->index];
  if (p.to >= raw.records.size() || p.to <= link->owner) return false;
  // A record of the same kind: the first from a drawn one on.
  const std::size_t from = c.below(donor.records.size());
  std::optional<std::size_t> theirs;
  for (std::size_t k = 0; k < donor.records.size() && !theirs; ++k)
    if (const std::size_t j = (from + k) % donor.records.size();
        donor.records[j].kind == raw.records[p.to].kind)
      theirs = j;
  const std::size_t end = subtree_end(raw, p.to);
  if (!theirs || end <= p.to) return false;
  const std::size_t n = std::max(subtree_end(donor, *theirs), *theirs + 1) - *theirs;
  if (raw.records.size() + n > kMostRecords) return false;
  std::vector<bool> gone(raw.records.size(), false);
  std::fill(gone.begin() + static_cast<std::ptrdiff_t>(p.to), gone.begin() + static_cast<std::ptrdiff_t>(end), true);
  erase_records(raw, gone);
  insert_range(raw, p.to, donor.records, *theirs, *theirs + n);
  RawRecord& owner = raw.records[link->owner];
  add_pointer(owner, p.slot, p.to);
  const auto counter = counter_of(owner, p.slot);
  if (counter && c.chance(90)) {
    const std::uint64_t now = load_uint(counter->second, owner.bytes.data() + counter->first);
    const RawRecord& r = raw.records[p.to];
    add_to(owner, counter->first, counter->second, r.bytes.size() / kind_row(r.kind).bytes - now);
  }
  return true;
}

}  // namespace assay::harness
