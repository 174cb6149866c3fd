// SPDX-License-Identifier: Apache-2.0
// Corruptions of values and of bytes that nothing uses (IMG-019 to IMG-023, IMG-025). None of them
// has other findings, save "var-ids-swapped": two of IMG-023. The refusal stands at the field, or
// at the byte where none is in use.
#include <algorithm>

#include "harness/gen/corruptions/corruptions.h"

namespace assay::harness::corruptions {
namespace {

using namespace assay::image;
using Out = std::optional<Hurt>;

struct Range64 {
  std::uint64_t begin, end;
};
Out not_zero(Patient& p, const std::vector<Range64>& unused) {
  const Range64* r = pick_one(p.c, unused);
  if (r == nullptr) return std::nullopt;
  return with(p, r->begin + p.c.edge(0, r->end - r->begin - 1), 1, p.c.edge(1, 255));
}
const FieldPlan& plan_of(const Row& row) {
  const std::vector<FieldPlan>& fields = image::plan_of(row.record).fields;
  return *std::find_if(fields.begin(), fields.end(), [&](const FieldPlan& f) { return f.field->name == row.field; });
}
// The sites where the row's field is there: its union member is the active one.
std::vector<Site> sites_with(Patient& p, const Row& row) {
  std::vector<Site> sites = sites_of(p.view, row.record);
  const When when = plan_of(row).field->when;
  std::erase_if(sites, [&](const Site& s) { return !is_active(when, s.variant); });
  return sites;
}

// ---- IMG-019 ----
Out no_enumerator(Patient& p, const Row& row) {
  const Field& f = *plan_of(row).field;
  std::vector<Site> sites = sites_with(p, row);
  if (row.record == RecordId::kbin_mem_ref && row.field == "mr_type")
    std::erase_if(sites, [&](const Site& s) {  // what hangs on the type would be lost with it
      const auto* m = p.valid.data() + s.base;
      return load<std::uint64_t>(m + offsetof(kbin_mem_ref, buffer)) != 0 || s.variant == When::mr_list;
    });
  const Site* s = pick_one(p.c, sites);
  if (s == nullptr) return std::nullopt;
  std::int64_t last = 0;
  for (const Enumerator& e : enum_row(f.enumeration).values) last = std::max<std::int64_t>(last, e.code);
  // -2 and not -1, which is an operation.
  const std::uint64_t values[] = {static_cast<std::uint64_t>(last) + 1, 0xfffffffe, 0x80000000, 0x7fffffff,
                                  0x100, 0x10000, p.c.between(static_cast<std::uint64_t>(last) + 1, 0xfffffffe)};
  return with(p, s->base + f.offset, 4, p.c.pick(values));
}
Out no_bool(Patient& p, const Row&) {
  std::vector<std::uint64_t> at;
  for (const Site& s : sites_of(p.view, RecordId::none))
    for (const Field& f : record(s.id).fields)
      if (f.type == FieldType::boolean && is_active(f.when, s.variant)) at.push_back(s.base + f.offset);
  return with(p, *pick_one(p.c, at), 1, p.c.edge(2, 255));  // fp8_conv_cfg has four
}

// ---- IMG-020 ----
Out padding(Patient& p, const Row&) {
  std::vector<Range64> out;
  for (const Site& s : sites_of(p.view, RecordId::none))
    for (const Padding& r : record(s.id).padding) out.push_back({s.base + r.begin, s.base + r.end});
  return not_zero(p, out);
}
Out unused_slots(Patient& p, const Row& row) {
  const FieldPlan& f = plan_of(row);
  const std::uint32_t width =
      f.field->type == FieldType::record ? record(f.field->record).bytes : width_of(f.field->type);
  std::vector<Range64> out;
  for (const Site& s : sites_with(p, row)) {
    const std::uint64_t n = slots_in_use(f, p.valid.data() + s.base), at = s.base + f.field->offset;
    if (n < f.field->count) out.push_back({at + n * width, at + std::uint64_t{f.field->count} * width});
  }
  return not_zero(p, out);
}
Out after_nul(Patient& p, const Row&) {
  std::vector<Range64> out;
  for (const Site& s : sites_of(p.view, RecordId::none))
    for (const Field& f : record(s.id).fields) {
      if (f.type != FieldType::chars) continue;
      const std::uint64_t begin = s.base + f.offset, end = begin + f.count;
      const auto* first = p.valid.data() + begin;
      const std::uint64_t behind = begin + static_cast<std::uint64_t>(std::find(first, first + f.count, 0) - first) + 1;
      if (behind < end) out.push_back({behind, end});
    }
  return not_zero(p, out);
}
Out inactive_union(Patient& p, const Row& row) {
  const RecordPlan& plan = image::plan_of(row.record);
  std::vector<Range64> out;
  for (const Site& s : sites_of(p.view, row.record))
    for (const Range& r : plan.unused[static_cast<std::size_t>(s.variant)]) {
      const bool plain = std::any_of(plan.record->padding.begin(), plan.record->padding.end(),
                                     [&](const Padding& q) { return q.begin <= r.begin && r.end <= q.end; });
      if (!plain) out.push_back({s.base + r.begin, s.base + r.end});
    }
  return not_zero(p, out);
}
Out info_of_copy(Patient& p, const Row&) {
  std::vector<Range64> out;
  const Field& info = *record(RecordId::kbin_dma_desc_t).find("u.info");
  for (const Site& s : sites_of(p.view, RecordId::kbin_dma_desc_t))
    if (info_of(load<std::int32_t>(p.valid.data() + s.base + offsetof(kbin_dma_desc_t, op))) == RecordId::none)
      out.push_back({s.base + info.offset, s.base + info.offset + info.count});
  return not_zero(p, out);
}

// ---- IMG-021: the field is the counter ----
Out counter_is(Patient& p, const Row& row, std::uint64_t value) {
  const std::vector<Site> sites = sites_with(p, row);
  const Site* s = pick_one(p.c, sites);
  if (s == nullptr) return std::nullopt;
  const Field& f = *plan_of(row).field;
  return with(p, s->base + f.offset, width_of(f.type), value);
}
Out counter_zero(Patient& p, const Row& row) { return counter_is(p, row, 0); }
Out counter_over(Patient& p, const Row& row) {
  std::uint64_t bound = 0;
  for (const Field& f : record(row.record).fields)
    if (f.used_by == row.field) bound = f.count;
  return counter_is(p, row, p.c.edge(bound + 1, most(width_of(plan_of(row).field->type))));
}

// ---- IMG-022 ----
Out ninstr(Patient& p, std::uint64_t (*wrong)(Choices&, std::uint64_t bytes), bool (*fits)(std::uint64_t bytes)) {
  std::vector<std::size_t> engines;
  for (std::size_t i = 0; i < p.view.records(); ++i) {
    const DirEntry& e = p.view.record_at(i);
    if (e.kind == Kind::engine && fits(e.size - sizeof(kbin_engine_t))) engines.push_back(i);
  }
  const std::size_t* i = pick_one(p.c, engines);
  if (i == nullptr) return std::nullopt;
  const DirEntry& e = p.view.record_at(*i);
  return with(p, e.offset + offsetof(kbin_engine_t, ninstr), 4, wrong(p.c, e.size - sizeof(kbin_engine_t)));
}
Out ninstr_other(Patient& p, const Row&) {
  return ninstr(p, [](Choices& c, std::uint64_t n) { return other(c, n >> 6, 0, most(4)); },
                [](std::uint64_t) { return true; });
}
Out ninstr_rounded_up(Patient& p, const Row&) {
  return ninstr(p, [](Choices&, std::uint64_t n) { return (n + 63) >> 6; },
                [](std::uint64_t n) { return n % 64 != 0; });
}
Out ninstr_in_bytes(Patient& p, const Row&) {
  return ninstr(p, [](Choices&, std::uint64_t n) { return n; }, [](std::uint64_t n) { return n != 0; });
}

// ---- IMG-023 ----
constexpr std::uint64_t kVarId = offsetof(kbin_mem_ref, var_id);
Out var_id(Patient& p, const Row&) {
  const std::vector<Site> sites = sites_of(p.view, RecordId::kbin_mem_ref);
  const Site* s = pick_one(p.c, sites);
  if (s == nullptr) return std::nullopt;
  const auto id = load<std::uint32_t>(p.valid.data() + s->base + kVarId);
  const bool off_by_one = p.c.chance(40);
  return with(p, s->base + kVarId, 4, off_by_one ? id + 1 : other(p.c, id, 0, most(4)));
}
Out var_ids_swapped(Patient& p, const Row&) {
  const std::vector<Site> sites = sites_of(p.view, RecordId::kbin_mem_ref);
  if (sites.size() < 2) return std::nullopt;
  const std::size_t a = p.c.below(sites.size() - 1), b = p.c.between(a + 1, sites.size() - 1);
  Hurt h = with(p, sites[a].base + kVarId, 4, b);
  put(h.image, sites[b].base + kVarId, 4, a);
  return h;
}

// ---- IMG-025 ----
Out desc_type(Patient& p, const Row& row) { return counter_is(p, row, 1 + p.c.below(2)); }

using enum images::Wants;
using Id = RecordId;
constexpr Row kRows[] = {
    {{"enum-eng-type", Reason::image_enum}, 0, no_enumerator, Id::kbin_engine_t, "eng_type"},
    {{"enum-ring-type", Reason::image_enum}, kQueues, no_enumerator, Id::kbin_dma_t, "ring_type"},
    {{"enum-owner", Reason::image_enum}, kQueues, no_enumerator, Id::kbin_dma_t, "owner"},
    {{"enum-desc-type", Reason::image_enum}, kCopy, no_enumerator, Id::kbin_dma_desc_t, "desc_type"},
    {{"enum-op", Reason::image_enum}, kFma, no_enumerator, Id::kbin_dma_desc_t, "op"},
    {{"enum-pattern-dtype", Reason::image_enum}, kAdd, no_enumerator, Id::kbin_dma_desc_info_t, "dtype"},
    {{"enum-scale-dtype", Reason::image_enum}, kFma, no_enumerator, Id::kbin_dma_desc_cce_info_t, "u.fma.scale_dtype"},
    {{"enum-constant-dtype", Reason::image_enum}, kMinMax, no_enumerator, Id::kbin_dma_desc_cce_info_t,
     "u.min_max.constant_dtype"},
    {{"enum-mr-type", Reason::image_enum}, kVariables, no_enumerator, Id::kbin_mem_ref, "mr_type"},
    {{"enum-backing-buf", Reason::image_enum}, kVirtual, no_enumerator, Id::kbin_mem_ref, "u.virtual.backing_buf"},
    {{"enum-carveout-type", Reason::image_enum}, kCarveouts, no_enumerator, Id::kbin_sb_carveout_t, "type"},
    {{"bool", Reason::image_enum}, kCopy | kMinMax | kPointer, no_bool},
    {{"padding", Reason::image_padding}, kCopy | kActSets | kCarveouts | kLibs | kVariables, padding},
    {{"unused-semaphore", Reason::image_padding}, kQueues, unused_slots, Id::kbin_dma_t, "semaphores"},
    {{"unused-pseudo-semaphore", Reason::image_padding}, kQueues, unused_slots, Id::kbin_dma_t,
     "pseudo_serialization_semaphores"},
    {{"unused-step", Reason::image_padding}, kCopy | kAdd, unused_slots, Id::kbin_dma_desc_info_t, "steps"},
    {{"unused-size", Reason::image_padding}, kCopy | kAdd, unused_slots, Id::kbin_dma_desc_info_t, "sizes"},
    {{"unused-source", Reason::image_padding}, kCopy | kAdd | kFma, unused_slots, Id::kbin_dma_desc_t, "u.from"},
    {{"unused-scale", Reason::image_padding}, kFma, unused_slots, Id::kbin_dma_desc_cce_info_t, "u.fma.scale"},
    {{"unused-profile", Reason::image_padding}, kActSets, unused_slots, Id::kbin_act_function_set_t, "profile_data"},
    {{"after-nul", Reason::image_padding}, kActSets | kInstances | kVariables | kLibs, after_nul},
    {{"inactive-union-of-variable", Reason::image_padding}, kVariables | kPointer | kVirtual | kList | kRemote,
     inactive_union, Id::kbin_mem_ref},
    {{"inactive-union-of-op", Reason::image_padding}, kAdd | kMinMax, inactive_union, Id::kbin_dma_desc_cce_info_t},
    {{"info-of-copy", Reason::image_padding}, kCopy, info_of_copy},
    {{"semaphores-over", Reason::image_bound}, kQueues, counter_over, Id::kbin_dma_t, "semaphore_cnt"},
    {{"pseudo-semaphores-over", Reason::image_bound}, kQueues, counter_over, Id::kbin_dma_t,
     "pseudo_serialization_semaphore_cnt"},
    {{"dims-zero", Reason::image_bound}, kCopy | kAdd, counter_zero, Id::kbin_dma_desc_info_t, "num_dims"},
    {{"dims-over", Reason::image_bound}, kCopy | kAdd, counter_over, Id::kbin_dma_desc_info_t, "num_dims"},
    {{"sources-zero", Reason::image_bound}, kAdd | kFma, counter_zero, Id::kbin_dma_desc_cce_info_t, "num_sources"},
    {{"sources-over", Reason::image_bound}, kAdd | kFma, counter_over, Id::kbin_dma_desc_cce_info_t, "num_sources"},
    {{"profiles-over", Reason::image_bound}, kActSets, counter_over, Id::kbin_act_function_set_t, "num_functions"},
    {{"ninstr-other", Reason::image_ninstr}, kBlob, ninstr_other},
    {{"ninstr-rounded-up", Reason::image_ninstr}, kBlob, ninstr_rounded_up},
    {{"ninstr-in-bytes", Reason::image_ninstr}, kBlob, ninstr_in_bytes},
    {{"var-id-other", Reason::image_var_id}, kVariables, var_id},
    {{"var-ids-swapped", Reason::image_var_id}, kVariables, var_ids_swapped},
    {{"desc-type-not-data", Reason::image_desc_type}, kCopy | kFma, desc_type, Id::kbin_dma_desc_t, "desc_type"},
};

}  // namespace

std::span<const Row> field_rows() { return kRows; }

}  // namespace assay::harness::corruptions
