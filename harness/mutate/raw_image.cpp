// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/raw_image.h"

#include <algorithm>
#include <cstring>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay::harness {
namespace {

using namespace assay::image;

struct Slot {
  std::uint64_t at, value;
  std::uint32_t listed;
};

// Index of the record that starts at an offset; offsets ascend.
std::size_t index_at(const View& view, std::uint64_t offset) {
  return static_cast<std::size_t>(view.find(offset) - &view.record_at(0));
}

}  // namespace

bool checksum_holds(ByteView image) {
  return image.size() >= kHeaderSize &&
         load<std::uint32_t>(image.data() + kCrcAt) == crc32_of(image.subspan(kHeaderSize));
}

void repair_checksum(Buffer& image) {
  if (image.size() < kHeaderSize) return;
  store(image.data() + kCrcAt, crc32_of(image.view().subspan(kHeaderSize)));
}

std::optional<std::size_t> RawImage::find(Kind kind, std::size_t nth) const {
  for (std::size_t i = 0; i < records.size(); ++i)
    if (records[i].kind == kind && nth-- == 0) return i;
  return std::nullopt;
}

Buffer RawImage::write() const {
  std::vector<std::uint64_t> at(records.size());
  std::uint64_t end = kHeaderSize;
  for (std::size_t i = 0; i < records.size(); ++i) {
    at[i] = align_up(end, kRecordAlign);
    end = at[i] + records[i].bytes.size() + records[i].behind.size();
  }
  // What lies outside its record has no place to be written to, and a NULL is not listed.
  std::vector<Slot> slots;
  std::uint64_t listed = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t first = slots.size();
    for (const RawRecord::Pointer& p : records[i].pointers) {
      const std::uint64_t size = records[i].bytes.size();
      const bool null = p.to == RawRecord::kNull;
      if (size < 8 || p.slot > size - 8 || (!null && (p.to >= records.size() || at[p.to] + p.into == 0))) continue;
      slots.push_back({at[i] + p.slot, null ? 0 : at[p.to] + p.into, p.listed});
    }
    // The first of two pointers in one slot holds.
    const auto begin = slots.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, slots.end(), [](const Slot& a, const Slot& b) { return a.at < b.at; });
    slots.erase(std::unique(begin, slots.end(), [](const Slot& a, const Slot& b) { return a.at == b.at; }),
                slots.end());
    for (std::size_t k = first; k < slots.size(); ++k) listed += slots[k].listed;
  }

  const std::uint64_t directory = align_up(end, kRecordAlign);
  const std::uint64_t relocs = directory + kDirEntryBytes * records.size();
  Buffer out(relocs + kRelocBytes * listed);
  std::uint8_t* p = out.data();
  std::memset(p, 0, kHeaderSize);
  std::memcpy(p + kMagicAt, kMagic, 8);
  store(p + kHeaderSizeAt, static_cast<std::uint32_t>(kHeaderSize));
  store(p + kImageSizeAt, static_cast<std::uint64_t>(out.size()));
  store(p + kRootAt, kRoot);
  store(p + kDirOffsetAt, directory);
  store(p + kRelocOffsetAt, relocs);
  store(p + kDirCountAt, static_cast<std::uint32_t>(records.size()));
  store(p + kRelocCountAt, static_cast<std::uint32_t>(listed));
  store(p + kTargetAt, target);
  store(p + kSubgraphAt, subgraph);
  std::uint64_t gap = kHeaderSize;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RawRecord& r = records[i];
    std::memset(p + gap, 0, at[i] - gap);
    if (!r.bytes.empty()) std::memcpy(p + at[i], r.bytes.data(), r.bytes.size());
    gap = at[i] + r.bytes.size();
    if (!r.behind.empty()) std::memcpy(p + gap, r.behind.data(), r.behind.size());
    gap += r.behind.size();
    std::uint8_t* e = p + directory + i * kDirEntryBytes;
    store(e, at[i]);
    store(e + 8, static_cast<std::uint64_t>(r.bytes.size()));
    store(e + 16, static_cast<std::uint32_t>(r.kind));
    store(e + 20, r.count);
  }
  std::memset(p + gap, 0, directory - gap);
  std::uint8_t* entry = p + relocs;
  for (const Slot& slot : slots) {
    if (slot.value != 0) store(p + slot.at, slot.value);
    for (std::uint32_t n = slot.listed; n > 0; --n, entry += kRelocBytes) store(entry, slot.at);
  }
  repair_checksum(out);
  return out;
}

std::optional<RawImage> read_raw(ByteView image) {
  const Inspection inspection = inspect(image, 1);
  if (!inspection.view) return std::nullopt;
  const View& view = *inspection.view;
  RawImage out;
  out.target = view.header().target;
  out.subgraph = view.header().subgraph;
  out.records.reserve(view.records());
  for (std::size_t i = 0; i < view.records(); ++i) {
    const DirEntry& e = view.record_at(i);
    RawRecord& r = out.records.emplace_back();
    r.kind = e.kind;
    r.count = e.count;
    r.bytes.assign(image.data() + e.offset, image.data() + e.offset + e.size);
    for_each_pointer(image, e.kind, e.offset, e.size,
                     [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
      const std::uint64_t slot = base + s.offset;
      const auto target = load<std::uint64_t>(image.data() + slot);
      if (target == 0) return;
      r.pointers.push_back({slot - e.offset, index_at(view, target)});
      store(r.bytes.data() + (slot - e.offset), std::uint64_t{0});
    });
  }
  return out;
}

}  // namespace assay::harness
