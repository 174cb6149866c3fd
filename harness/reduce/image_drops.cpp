// SPDX-License-Identifier: Apache-2.0
// What can be left out of an image: optional records, queues, elements, text and blobs, slots of
// arrays. Parts are left out from the last to the first, so that those before stay where they are.
#include <algorithm>
#include <cstring>

#include "harness/mutate/sites.h"
#include "harness/reduce/image_passes.h"
#include "oracle/records/kbin.h"

namespace assay::harness::reduce {
namespace {

using namespace assay::image;

// ---- pointers that may be NULL, with what hangs on them; queues have a pass of their own ----

std::vector<Part> pointers(const RawImage& raw) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    if (!is_known(r.kind)) continue;
    std::size_t next = 0;  // pointers and slots ascend alike
    for_each_pointer(r.bytes, r.kind, 0, r.bytes.size(),
                     [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
      while (next < r.pointers.size() && r.pointers[next].slot < base + s.offset) ++next;
      const bool filled = next < r.pointers.size() && r.pointers[next].slot == base + s.offset;
      if (filled && s.null != Nullability::required && s.to != Kind::dma)
        out.push_back({i, base + s.offset, 8, base, &s});
    });
  }
  return out;
}

void drop_pointers(ImageEdit& e, std::span<const Part> parts) {
  for (std::size_t k = parts.size(); k-- > 0;) {
    const Part& p = parts[k];
    const RawRecord::Pointer* q = pointer_at(e.raw.records[p.record], p.at);
    if (q == nullptr) continue;
    const Counter& counter = p.slot->counter;
    const bool counts = p.slot->null == Nullability::counted ||
                        (p.slot->null == Nullability::counted_buffer &&
                         load<std::uint32_t>(e.bytes(p.record, p.base)) ==
                             static_cast<std::uint32_t>(code(MrType::MR_BUFFER)));
    if (counter && counts) {
      std::uint64_t n = counter.read(e.bytes(p.record, p.base));
      if (q->to < e.raw.records.size() && q->into == 0)
        n = e.raw.records[q->to].bytes.size() / kind_row(p.slot->to).bytes;
      e.add(p.record, p.base + counter.offset, counter.width, 0 - n);
    }
    e.drop_pointer(p.record, p.at);
  }
}

// ---- dma slots: later ones move up, empty ones too ----

constexpr std::uint64_t kDma = offsetof(kbin_t, dma), kDmaEnd = kDma + 8 * KBIN_MAX_DMA;

std::vector<Part> dma_slots(const RawImage& raw) {
  std::vector<Part> out;
  if (raw.records.empty()) return out;
  std::uint64_t end = kDma;
  for (const RawRecord::Pointer& p : raw.records[0].pointers)
    if (p.slot >= kDma && p.slot < kDmaEnd) end = p.slot + 8;
  for (std::uint64_t at = kDma; at < end; at += 8) out.push_back({0, at, 8});
  return out;
}

void drop_dma_slots(ImageEdit& e, std::span<const Part> parts) {
  for (std::size_t k = parts.size(); k-- > 0;) {
    e.drop_pointer(0, parts[k].at);
    e.move_pointers(0, parts[k].at + 8, kDmaEnd, 8);
  }
}

// ---- elements of tails and arrays ----

std::vector<Part> tail_elements(const RawImage& raw) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    if (!is_known(r.kind) || kind_row(r.kind).record == RecordId::none) continue;
    const RecordPlan& plan = plan_of(kind_row(r.kind).record);
    if (!plan.tail_count) continue;
    const std::uint64_t stride =
        plan.record->tail.type == TailType::pointers ? 8 : record(plan.record->tail.record).bytes;
    for (std::uint64_t at = plan.record->bytes; at + stride <= r.bytes.size(); at += stride)
      out.push_back({i, at, stride});
  }
  return out;
}

std::vector<Part> array_elements(const RawImage& raw) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    if (!is_known(r.kind) || kind_row(r.kind).record == RecordId::none || !kind_row(r.kind).null_when_empty) continue;
    const std::uint64_t stride = kind_row(r.kind).bytes;
    for (std::uint64_t at = 0; at + stride <= r.bytes.size(); at += stride) out.push_back({i, at, stride});
  }
  return out;
}

// Calls f(record, at, bytes) for runs of neighbouring parts, the last first.
template <class F>
void each_run(std::span<const Part> parts, F f) {
  for (std::size_t last = parts.size(); last > 0;) {
    std::size_t first = last - 1;
    while (first > 0 && parts[first - 1].record == parts[first].record &&
           parts[first - 1].at + parts[first - 1].bytes == parts[first].at)
      --first;
    f(parts[first], parts[last - 1].at + parts[last - 1].bytes - parts[first].at);
    last = first;
  }
}

void drop_tail_elements(ImageEdit& e, std::span<const Part> parts) {
  each_run(parts, [&](const Part& p, std::uint64_t n) {
    const RecordPlan& plan = plan_of(kind_row(e.raw.records[p.record].kind).record);
    const std::uint64_t elements = n / p.bytes;
    e.erase(p.record, p.at, n);
    e.add(p.record, plan.tail_count.offset, plan.tail_count.width, 0 - elements);
    if (plan.record->tail.record != RecordId::kbin_mem_ref) return;
    for (std::uint64_t at = p.at; at + p.bytes <= e.raw.records[p.record].bytes.size(); at += p.bytes)
      e.add(p.record, at + offsetof(kbin_mem_ref, var_id), 4, 0 - elements);
  });
}

void drop_array_elements(ImageEdit& e, std::span<const Part> parts) {
  each_run(parts, [&](const Part& p, std::uint64_t n) { e.erase_elements(p.record, p.at, n); });
}

// ---- bytes of text and blobs ----

std::vector<Part> content_parts(const RawImage& raw) {
  std::vector<Part> out;
  for (const Content& c : contents(raw)) {
    const std::uint64_t size = part_size(c);
    for (std::uint64_t at = 0; at < c.bytes; at += size)
      out.push_back({c.record, c.at + at, std::min(size, c.bytes - at), c.end});
  }
  return out;
}

void drop_content(ImageEdit& e, std::span<const Part> parts) {
  for (std::size_t k = parts.size(); k-- > 0;) {
    const Part& p = parts[k];
    RawRecord& r = e.raw.records[p.record];
    if (p.base != 0) {  // inside an array: what is behind moves up
      std::uint8_t* at = e.bytes(p.record, p.at);
      std::memmove(at, at + p.bytes, p.base - p.at - p.bytes);
      std::memset(e.bytes(p.record, p.base - p.bytes), 0, p.bytes);
    } else if (r.kind == Kind::engine) {
      const std::uint64_t slots = (r.bytes.size() - sizeof(kbin_engine_t)) >> 6;
      e.erase(p.record, p.at, p.bytes);
      e.add(p.record, offsetof(kbin_engine_t, ninstr), 4,
            ((r.bytes.size() - sizeof(kbin_engine_t)) >> 6) - slots);
    } else if (r.kind == Kind::string) {
      e.erase(p.record, p.at, p.bytes);
      r.count -= static_cast<std::uint32_t>(p.bytes);
    } else {
      e.erase_elements(p.record, p.at, p.bytes);
    }
  }
}

// ---- slots in use of arrays that a counter goes with ----

std::uint64_t width_in(const FieldPlan& f) {
  return f.field->type == FieldType::record ? record(f.field->record).bytes : width_of(f.field->type);
}

std::vector<Part> used_slots(const RawImage& raw) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    each_site(r.bytes, r.kind, 0, r.bytes.size(), [&](const Site& s) {
      for (const FieldPlan& f : plan_of(s.id).fields) {
        const bool sources = f.rule == Rule::sources;
        if (!sources && !f.bounds_here) continue;
        const std::uint64_t n = slots_in_use(f, r.bytes.data() + s.base);
        // A counter out of bounds is a number like others: nobody knows what is in use.
        if (n <= std::max<std::uint64_t>(f.used_min, sources ? 1 : 0)) continue;
        if (is_over(f, r.bytes.data() + s.base)) continue;
        for (std::uint64_t k = 0; k < n; ++k) out.push_back({i, k, 1, s.base, nullptr, &f, s.id});
      }
    });
  }
  return out;
}

// Slot k of one array goes, the later ones move up.
void drop_slot(std::uint8_t* array, std::uint64_t count, std::uint64_t width, std::uint64_t k) {
  std::memmove(array + k * width, array + (k + 1) * width, (count - k - 1) * width);
  std::memset(array + (count - 1) * width, 0, width);
}

void drop_used_slots(ImageEdit& e, std::span<const Part> parts) {
  for (std::size_t j = parts.size(); j-- > 0;) {
    const Part& p = parts[j];
    std::uint8_t* site = e.bytes(p.record, p.base);
    const bool sources = p.field->rule == Rule::sources;
    const std::uint64_t n = slots_in_use(*p.field, site);
    if (n <= std::max<std::uint64_t>(p.field->used_min, sources ? 1 : 0) || p.at >= n) continue;
    if (sources) {
      const RecordPlan& cce = plan_of(RecordId::kbin_dma_desc_cce_info_t);
      drop_slot(site + p.field->field->offset, p.field->field->count, width_in(*p.field), p.at);
      std::uint8_t* info = site + num_sources_offset();
      const std::int64_t op = load<std::int32_t>(site + offsetof(kbin_dma_desc_t, op));
      for (const FieldPlan& f : cce.fields)
        if (f.used && is_active(f.field->when, variant_of(RecordId::kbin_dma_desc_t, op)))
          drop_slot(info + f.field->offset, f.field->count, width_in(f), p.at);
      e.add(p.record, p.base + num_sources_offset(), 4, 0 - std::uint64_t{1});
      continue;
    }
    // Arrays beside it that the same counter goes with.
    for (const FieldPlan& f : plan_of(p.id).fields)
      if (f.field->used_by == p.field->field->used_by)
        drop_slot(site + f.field->offset, f.field->count, width_in(f), p.at);
    e.add(p.record, p.base + p.field->used.offset, p.field->used.width, 0 - std::uint64_t{1});
  }
}

constexpr ImagePass kPasses[] = {
    {pointers, drop_pointers},       {dma_slots, drop_dma_slots},
    {tail_elements, drop_tail_elements}, {array_elements, drop_array_elements},
    {content_parts, drop_content},   {used_slots, drop_used_slots},
};

}  // namespace

std::uint64_t part_size(const Content& c) {
  constexpr std::uint64_t kParts = 256;
  return align_up(std::max<std::uint64_t>((c.bytes + kParts - 1) / kParts, 1), c.stride);
}

std::vector<Content> contents(const RawImage& raw) {
  std::vector<Content> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    const std::uint64_t size = r.bytes.size();
    if (r.kind == Kind::string && size > 1) out.push_back({i, 0, size - 1, 0, 1, true});
    if ((r.kind == Kind::bytes || r.kind == Kind::u32s) && size > 0)
      out.push_back({i, 0, size - size % kind_row(r.kind).bytes, 0, kind_row(r.kind).bytes, false});
    if (r.kind == Kind::engine && size > sizeof(kbin_engine_t))
      out.push_back({i, sizeof(kbin_engine_t), size - sizeof(kbin_engine_t), 0, 1, false});
    each_site(r.bytes, r.kind, 0, size, [&](const Site& s) {
      for (const Field& f : record(s.id).fields) {
        if (f.type != FieldType::chars) continue;
        const std::uint64_t begin = s.base + f.offset;
        const auto* first = r.bytes.data() + begin;
        const auto length = static_cast<std::uint64_t>(std::find(first, first + f.count, 0) - first);
        if (length > 0) out.push_back({i, begin, length, begin + f.count, 1, true});
      }
    });
  }
  return out;
}

std::span<const ImagePass> dropping_passes() { return kPasses; }

}  // namespace assay::harness::reduce
