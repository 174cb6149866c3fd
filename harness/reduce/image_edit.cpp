// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "harness/reduce/image_passes.h"
#include "harness/mutate/sites.h"
#include "oracle/records/kbin.h"

namespace assay::harness::reduce {

using namespace assay::image;

ImageEdit::ImageEdit(RawImage& image)
    : raw(image), links_(image.records.size()), gone_(image.records.size(), false) {
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    RawRecord& r = raw.records[i];
    if (!is_known(r.kind)) continue;
    for_each_pointer(r.bytes, r.kind, 0, r.bytes.size(),
                     [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
      const RawRecord::Pointer* p = pointer_at(r, base + s.offset);
      if (p == nullptr || p->to >= links_.size() || p->into != 0) return;
      Link& link = links_[p->to];
      if (link.owner == RawRecord::kNull) link = {i, p->slot, base, &s};
    });
  }
}

std::uint64_t ImageEdit::number(std::size_t record, std::uint64_t at, std::uint32_t width) {
  const std::uint64_t size = raw.records[record].bytes.size();
  return size < width || at > size - width ? 0 : load_uint(width, bytes(record, at));
}

void ImageEdit::add(std::size_t record, std::uint64_t at, std::uint32_t width, std::uint64_t delta) {
  const std::uint64_t size = raw.records[record].bytes.size();
  if (size < width || at > size - width) return;
  const std::uint64_t value = load_uint(width, bytes(record, at)) + delta;
  std::memcpy(bytes(record, at), &value, width);
}

bool ImageEdit::owns(std::size_t owner, const RawRecord::Pointer& p) const {
  return p.to < links_.size() && links_[p.to].owner == owner && links_[p.to].slot == p.slot;
}

void ImageEdit::drop_subtree(std::size_t record) {
  std::vector<std::size_t> open = {record};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (gone_[at]) continue;
    gone_[at] = true;
    for (const RawRecord::Pointer& p : raw.records[at].pointers)
      if (owns(at, p)) open.push_back(p.to);
  }
}

void ImageEdit::drop_pointer(std::size_t record, std::uint64_t slot) {
  RawRecord& r = raw.records[record];
  const RawRecord::Pointer* p = pointer_at(r, slot);
  if (p == nullptr) return;
  if (owns(record, *p)) drop_subtree(p->to);
  r.pointers.erase(r.pointers.begin() + (p - r.pointers.data()));
}

void ImageEdit::move_pointers(std::size_t record, std::uint64_t begin, std::uint64_t end, std::uint64_t n) {
  for (RawRecord::Pointer& p : raw.records[record].pointers) {
    if (p.slot < begin || p.slot >= end) continue;
    if (owns(record, p)) {
      links_[p.to].slot -= n;
      if (links_[p.to].base >= begin) links_[p.to].base -= n;
    }
    p.slot -= n;
  }
}

void ImageEdit::erase(std::size_t record, std::uint64_t at, std::uint64_t n) {
  RawRecord& r = raw.records[record];
  for (const RawRecord::Pointer& p : r.pointers)
    if (p.slot >= at && p.slot < at + n && owns(record, p)) drop_subtree(p.to);
  erase_bytes(r, at, n);
  for (const RawRecord::Pointer& p : r.pointers) {
    if (p.slot < at || p.to >= links_.size()) continue;
    Link& link = links_[p.to];
    if (link.owner != record || link.slot != p.slot + n) continue;
    link.slot -= n;
    if (link.base >= at + n) link.base -= n;
  }
}

void ImageEdit::erase_elements(std::size_t record, std::uint64_t at, std::uint64_t n) {
  const std::uint64_t elements = n / kind_row(raw.records[record].kind).bytes;
  erase(record, at, n);
  raw.records[record].count -= static_cast<std::uint32_t>(elements);
  const Link& link = links_[record];
  if (link.by == nullptr || !link.by->counter) return;
  // A variable's size counts the bytes of a buffer, where its type has one.
  if (link.by->null == Nullability::counted_buffer &&
      number(link.owner, link.base, 4) != static_cast<std::uint64_t>(code(MrType::MR_BUFFER)))
    return;
  add(link.owner, link.base + link.by->counter.offset, link.by->counter.width, 0 - elements);
}

void ImageEdit::finish() {
  for (std::size_t i = 1; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    if (r.bytes.empty() && is_known(r.kind) && kind_row(r.kind).null_when_empty) gone_[i] = true;
  }
  erase_records(raw, gone_);
}

}  // namespace assay::harness::reduce
