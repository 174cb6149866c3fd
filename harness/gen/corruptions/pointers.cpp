// SPDX-License-Identifier: Apache-2.0
// Corruptions of pointers, emission order, relocations and dma slots (IMG-013, IMG-016, IMG-017,
// IMG-024). None of them has other findings, save "orphan-cut": every record of the subtree that
// was cut off is one of IMG-013.
#include <algorithm>
#include <numeric>

#include "harness/gen/corruptions/corruptions.h"

namespace assay::harness::corruptions {
namespace {

using namespace assay::image;
using Out = std::optional<Hurt>;

// ---- IMG-013: the refusal stands at the pointer, or at the record nobody points to ----
Hurt redirected(Patient& p, const Slot& s, std::uint64_t to) { return with(p, s.at, 8, to); }
Slot any_pointer(Patient& p) {  // the five engines' are always there
  const std::vector<Slot> slots = slots_of(p.view, false);
  return *pick_one(p.c, slots);
}

Out into_record(Patient& p, const Row&) {
  std::size_t i = p.c.below(p.view.records());
  if (p.view.record_at(i).size == 1) i = 0;
  const DirEntry& e = p.view.record_at(i);
  return redirected(p, any_pointer(p), e.offset + p.c.edge(1, e.size - 1));
}
Out into_own_record(Patient& p, const Row&) {  // past the start of what it should lead to
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [&](const Slot& s) { return p.view.record_at(s.to).size == 1; });
  const Slot& s = *pick_one(p.c, slots);
  const DirEntry& e = p.view.record_at(s.to);
  return redirected(p, s, e.offset + p.c.edge(1, e.size - 1));
}
Out outside(Patient& p, const Row&) {
  const ImageHeader& h = p.view.header();
  const std::uint64_t places[] = {1, 16, 64, h.dir_offset, h.reloc_offset, h.image_size, h.image_size + 16,
                                  std::uint64_t{1} << 31, std::uint64_t{1} << 32, std::uint64_t{1} << 63,
                                  ~std::uint64_t{0}, ~std::uint64_t{15}};
  return redirected(p, any_pointer(p), p.c.pick(places));
}
Out other_kind(Patient& p, const Row&) {
  const Slot s = any_pointer(p);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < p.view.records(); ++i)
    if (p.view.record_at(i).kind != s.slot->to) others.push_back(i);
  return redirected(p, s, p.view.record_at(*pick_one(p.c, others)).offset);
}
// To a record that its own pointer reached before: the later one of the two is refused.
Out shared(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, false);
  std::erase_if(slots, [&](const Slot& s) {
    for (std::size_t i = 0; i < s.to; ++i)
      if (p.view.record_at(i).kind == s.slot->to) return false;
    return true;
  });
  const Slot& s = *pick_one(p.c, slots);
  std::vector<std::size_t> before;
  for (std::size_t i = 0; i < s.to; ++i)
    if (p.view.record_at(i).kind == s.slot->to) before.push_back(i);
  return redirected(p, s, p.view.record_at(*pick_one(p.c, before)).offset);
}
Out kind_field(Patient& p, const Row&) {
  const Slot s = any_pointer(p);
  const auto now = static_cast<std::uint32_t>(s.slot->to);
  const std::uint64_t kind = p.c.chance(60) ? other(p.c, now, 1, kMaxKind) : other(p.c, now, kMaxKind + 1, most(4));
  return with(p, entry_at(p.view, s.to) + 16, 4, kind, s.at);
}
Out orphan_added(Patient& p, const Row&) {
  RawImage raw = *read_raw(p.valid);
  const Kind kinds[] = {Kind::bytes, Kind::string, Kind::u32s, Kind::none, static_cast<Kind>(kMaxKind + 1)};
  RawRecord r;
  r.kind = p.c.pick(kinds);
  r.bytes.assign(4 * (1 + p.c.below(8)), r.kind == Kind::string ? 'a' : 0);
  r.bytes.back() = 0;
  r.count = static_cast<std::uint32_t>(r.kind == Kind::u32s ? r.bytes.size() / 4 : r.bytes.size());
  const std::size_t at = p.c.between(1, raw.records.size());
  insert_record(raw, at, std::move(r));
  return Hurt{raw.write(), offset_of(raw, at)};
}
Out orphan_cut(Patient& p, const Row&) {
  std::vector<Slot> slots = slots_of(p.view, false);
  // A queue but the last would leave a hole among the slots, too.
  std::erase_if(slots, [&](const Slot& s) {
    const std::uint64_t next = s.at + 8;
    return s.slot->null != Nullability::optional ||
           (s.slot->to == Kind::dma && s.slot->name != "dma[31]" && load<std::uint64_t>(p.valid.data() + next) != 0);
  });
  const Slot* s = pick_one(p.c, slots);
  if (s == nullptr) return std::nullopt;
  RawImage raw = *read_raw(p.valid);
  std::erase_if(raw.records[s->owner].pointers, [&](const RawRecord::Pointer& q) { return q.to == s->to; });
  return Hurt{raw.write(), p.view.record_at(s->to).offset};
}

// ---- IMG-016: the refusal stands at the first record met out of turn ----
// `order` holds the old index of each new record. Where the walk, which goes by the old indices,
// first meets a record that is not behind the one before.
Hurt reordered(Patient& p, const std::vector<std::size_t>& order) {
  RawImage raw = *read_raw(p.valid);
  std::vector<std::size_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) now[order[i]] = i;
  RawImage out{raw.target, raw.subgraph, {}};
  for (const std::size_t i : order) {
    out.records.push_back(std::move(raw.records[i]));
    for (RawRecord::Pointer& q : out.records.back().pointers) q.to = now[q.to];
  }
  std::size_t k = 1;
  while (k + 1 < now.size() && now[k] == now[k - 1] + 1) ++k;
  return {out.write(), offset_of(out, now[k])};
}
std::vector<std::size_t> as_it_is(const View& view) {
  std::vector<std::size_t> order(view.records());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}
Out swapped(Patient& p, const Row&) {
  std::vector<std::size_t> order = as_it_is(p.view);
  const std::size_t i = p.c.between(1, order.size() - 2);
  std::swap(order[i], order[i + 1]);
  return reordered(p, order);
}
Out moved_last(Patient& p, const Row&) {
  std::vector<std::size_t> order = as_it_is(p.view);
  const auto i = static_cast<std::ptrdiff_t>(p.c.between(1, order.size() - 2));
  std::rotate(order.begin() + i, order.begin() + i + 1, order.end());
  return reordered(p, order);
}
Out breadth_first(Patient& p, const Row&) {
  std::vector<std::size_t> depth(p.view.records(), 0), order = as_it_is(p.view);
  for (const Slot& s : slots_of(p.view, false)) depth[s.to] = depth[s.owner] + 1;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] < depth[b]; });
  if (order == as_it_is(p.view)) return std::nullopt;
  return reordered(p, order);
}

// ---- IMG-017: the refusal stands at the entry ----
struct Relocs {
  std::vector<std::uint64_t> list;
  explicit Relocs(const View& view) {
    for (std::uint64_t i = 0; i < view.header().reloc_count; ++i)
      list.push_back(load<std::uint64_t>(view.bytes().data() + view.header().reloc_offset + i * kRelocBytes));
  }
};
Hurt with_relocs(Patient& p, const std::vector<std::uint64_t>& list, std::size_t place) {
  const std::uint64_t at = p.view.header().reloc_offset;
  Hurt h{Buffer(at + list.size() * kRelocBytes), at + place * kRelocBytes};
  std::memcpy(h.image.data(), p.valid.data(), at);
  std::memcpy(h.image.data() + at, list.data(), list.size() * kRelocBytes);
  put(h.image, kRelocCountAt, 4, list.size());
  put(h.image, kImageSizeAt, 8, h.image.size());
  return h;
}
// One entry too many, at `k`: behind the last it is the end of the list that is wrong.
Hurt with_extra(Patient& p, Relocs r, std::size_t k, std::uint64_t slot) {
  r.list.insert(r.list.begin() + static_cast<std::ptrdiff_t>(k), slot);
  return with_relocs(p, r.list, k + 1 == r.list.size() ? k + 1 : k);
}
Out reloc_missing(Patient& p, const Row&) {
  Relocs r(p.view);
  const std::size_t k = p.c.edge(0, r.list.size() - 1);
  r.list.erase(r.list.begin() + static_cast<std::ptrdiff_t>(k));
  return with_relocs(p, r.list, k);
}
Out reloc_of_null(Patient& p, const Row&) {
  const std::vector<Slot> nulls = slots_of(p.view, true);
  const Relocs r(p.view);
  const Slot* s = pick_one(p.c, nulls);
  if (s == nullptr) return std::nullopt;
  const auto k = std::lower_bound(r.list.begin(), r.list.end(), s->at) - r.list.begin();
  return with_extra(p, r, static_cast<std::size_t>(k), s->at);
}
Out reloc_twice(Patient& p, const Row&) {
  const Relocs r(p.view);
  const std::size_t k = p.c.below(r.list.size());
  return with_extra(p, r, k + 1, r.list[k]);
}
Out relocs_swapped(Patient& p, const Row&) {
  Relocs r(p.view);
  const std::size_t k = p.c.below(r.list.size() - 1);
  std::swap(r.list[k], r.list[k + 1]);
  return with_relocs(p, r.list, k);
}
Out reloc_other(Patient& p, const Row&) {
  Relocs r(p.view);
  const std::size_t k = p.c.below(r.list.size());
  r.list[k] = p.c.chance(50) ? r.list[k] + 1 + p.c.below(8) : other(p.c, r.list[k], 0, most(8));
  return with_relocs(p, r.list, k);
}

// ---- IMG-024: the refusal stands at the first filled slot after an empty one ----
std::uint64_t dma_slot(std::size_t i) { return kRoot + offsetof(kbin_t, dma) + 8 * i; }
std::size_t queues_of(const View& view) {
  std::size_t n = 0;
  while (n < KBIN_MAX_DMA && view.follow(dma_slot(n)) != nullptr) ++n;
  return n;
}
Out slot_skipped(Patient& p, const Row&) {
  const std::size_t n = queues_of(p.view);
  if (n == 0 || n == KBIN_MAX_DMA) return std::nullopt;
  RawImage raw = *read_raw(p.valid);
  RawRecord::Pointer* q = pointer_at(raw.records[0], dma_slot(n - 1) - kRoot);
  q->slot += 8 * p.c.between(1, KBIN_MAX_DMA - n);
  return Hurt{raw.write(), kRoot + q->slot};
}
Out slot_emptied(Patient& p, const Row&) {
  const std::size_t n = queues_of(p.view);
  if (n < 2) return std::nullopt;
  const std::size_t k = p.c.below(n - 1);
  RawImage raw = *read_raw(p.valid);
  const std::size_t to = pointer_at(raw.records[0], dma_slot(k) - kRoot)->to;
  std::vector<bool> gone(raw.records.size(), false);
  for (std::size_t i = to; i < subtree_end(raw, to); ++i) gone[i] = true;
  erase_records(raw, gone);
  return Hurt{raw.write(), dma_slot(k + 1)};
}

constexpr std::uint64_t kDeep = images::kInstances | images::kVariables;
constexpr Row kRows[] = {
    {{"pointer-into-record", Reason::image_pointer}, kDeep, into_record},
    {{"pointer-past-start", Reason::image_pointer}, kDeep, into_own_record},
    {{"pointer-outside", Reason::image_pointer}, kDeep, outside},
    {{"pointer-other-kind", Reason::image_pointer}, kDeep, other_kind},
    {{"pointer-shared", Reason::image_pointer}, kDeep, shared},
    {{"record-kind-field", Reason::image_pointer}, kDeep, kind_field},
    {{"orphan-added", Reason::image_pointer}, 0, orphan_added},
    {{"orphan-cut", Reason::image_pointer}, images::kDve, orphan_cut},
    {{"order-swapped", Reason::image_order}, kDeep, swapped},
    {{"order-moved-last", Reason::image_order}, kDeep, moved_last},
    {{"order-breadth-first", Reason::image_order}, kDeep, breadth_first},
    {{"reloc-missing", Reason::image_relocs}, 0, reloc_missing},
    {{"reloc-of-null", Reason::image_relocs}, images::kDve, reloc_of_null},
    {{"reloc-twice", Reason::image_relocs}, 0, reloc_twice},
    {{"relocs-swapped", Reason::image_relocs}, 0, relocs_swapped},
    {{"reloc-other", Reason::image_relocs}, 0, reloc_other},
    {{"dma-slot-skipped", Reason::image_dma_slot}, images::kQueues, slot_skipped},
    {{"dma-slot-emptied", Reason::image_dma_slot}, images::kQueues, slot_emptied},
};

}  // namespace

std::span<const Row> pointer_rows() { return kRows; }

}  // namespace assay::harness::corruptions
