// SPDX-License-Identifier: Apache-2.0
#include "harness/reduce/loose_image.h"

#include <algorithm>
#include <cstring>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay::harness::reduce {
namespace {

using namespace assay::image;

struct Lists {
  std::uint64_t dir, relocs;
  std::uint32_t dir_count, reloc_count;
};

std::optional<Lists> lists_of(ByteView image) {
  if (image.size() < kHeaderSize) return std::nullopt;
  const std::uint8_t* p = image.data();
  const Lists l{load<std::uint64_t>(p + kDirOffsetAt), load<std::uint64_t>(p + kRelocOffsetAt),
                load<std::uint32_t>(p + kDirCountAt), load<std::uint32_t>(p + kRelocCountAt)};
  // The counts have 32 bits, so that only an offset could make a sum wrap.
  if (l.dir < kHeaderSize || l.dir > image.size() || l.relocs > image.size() || l.dir % kRecordAlign != 0)
    return std::nullopt;
  if (l.dir + kDirEntryBytes * l.dir_count != l.relocs || l.relocs + kRelocBytes * l.reloc_count != image.size())
    return std::nullopt;
  return l;
}

struct Extent {
  std::uint64_t offset, size;
};

// The record and the bytes into it that an offset leads to; what lies in none counts from the root,
// which does not move.
RawRecord::Pointer pointer_to(const std::vector<Extent>& extents, std::uint64_t slot, std::uint64_t value) {
  const auto behind = std::upper_bound(extents.begin(), extents.end(), value,
                                       [](std::uint64_t v, const Extent& e) { return v < e.offset; });
  const auto i = static_cast<std::size_t>(behind - extents.begin());
  if (i > 0 && value - extents[i - 1].offset < extents[i - 1].size)
    return {slot, i - 1, value - extents[i - 1].offset};
  return {slot, 0, value - kRoot};
}

void read_behind(ByteView image, std::uint64_t end, std::uint64_t until, RawRecord& r) {
  const ByteView gap = image.subspan(end, until - end);
  std::size_t n = gap.size();
  if (until == align_up(end, kRecordAlign))
    while (n > 0 && gap[n - 1] == 0) --n;
  r.behind.assign(gap.begin(), gap.begin() + static_cast<std::ptrdiff_t>(n));
}

void read_pointers(ByteView image, const std::vector<Extent>& extents, std::size_t i,
                   const std::vector<std::uint64_t>& listed, RawRecord& r) {
  const Extent e = extents[i];
  std::vector<std::uint64_t> slots;
  if (r.kind != Kind::none && static_cast<std::uint32_t>(r.kind) <= kMaxKind)
    for_each_pointer(image, r.kind, e.offset, e.size,
                     [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
      slots.push_back(base + s.offset - e.offset);
    });
  const auto from = std::lower_bound(listed.begin(), listed.end(), e.offset);
  const auto to = std::lower_bound(from, listed.end(), e.offset + e.size);
  const std::size_t own = slots.size();
  for (auto at = from; at != to; ++at)
    if (e.offset + e.size - *at >= 8) slots.push_back(*at - e.offset);
  std::inplace_merge(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(own), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::uint64_t free = 0;  // where the last slot ends: one that overlaps it stays bytes
  for (const std::uint64_t slot : slots) {
    const auto [first, last] = std::equal_range(from, to, e.offset + slot);
    const auto times = static_cast<std::uint32_t>(last - first);
    const auto value = load<std::uint64_t>(image.data() + e.offset + slot);
    RawRecord::Pointer p{slot, RawRecord::kNull, 0, times};
    if (value != 0 && slot >= free) {
      p = pointer_to(extents, slot, value);
      p.listed = times;
      store(r.bytes.data() + slot, std::uint64_t{0});
      free = slot + 8;
    }
    if (p.to != RawRecord::kNull || times > 0) r.pointers.push_back(p);
  }
}

}  // namespace

Buffer LooseImage::write() const {
  Buffer out = raw.write();
  std::uint8_t* p = out.data();
  // All but sizes, places and counts, target and subgraph.
  std::memcpy(p, header.data(), kImageSizeAt);
  std::memcpy(p + kRootAt, header.data() + kRootAt, 8);
  std::memcpy(p + kReservedAt, header.data() + kReservedAt, kHeaderSize - kReservedAt);
  store(p + kImageSizeAt, load<std::uint64_t>(p + kImageSizeAt) + size_error);
  store(p + kCrcAt, load<std::uint32_t>(p + kCrcAt) ^ crc_error);
  return out;
}

std::optional<LooseImage> read_loose(ByteView image) {
  const auto lists = lists_of(image);
  if (!lists || lists->dir_count == 0) return std::nullopt;
  LooseImage out;
  const std::uint8_t* p = image.data();
  std::memcpy(out.header.data(), p, kHeaderSize);
  out.size_error = load<std::uint64_t>(p + kImageSizeAt) - image.size();
  out.crc_error = load<std::uint32_t>(p + kCrcAt) ^ crc32_of(image.subspan(kHeaderSize));
  out.raw.target = load<std::uint32_t>(p + kTargetAt);
  out.raw.subgraph = load<std::uint32_t>(p + kSubgraphAt);

  std::vector<Extent> extents;
  std::uint64_t end = kRoot;
  for (std::uint64_t i = 0; i < lists->dir_count; ++i) {
    const std::uint8_t* e = p + lists->dir + i * kDirEntryBytes;
    const Extent x{load<std::uint64_t>(e), load<std::uint64_t>(e + 8)};
    if (x.offset < end || (i == 0 && x.offset != kRoot) || x.offset % kRecordAlign != 0 || x.offset > lists->dir ||
        x.size > lists->dir - x.offset)
      return std::nullopt;
    extents.push_back(x);
    end = x.offset + x.size;
    RawRecord& r = out.raw.records.emplace_back();
    r.kind = static_cast<Kind>(load<std::uint32_t>(e + 16));
    r.count = load<std::uint32_t>(e + 20);
    r.bytes.assign(p + x.offset, p + end);
  }
  std::vector<std::uint64_t> listed(lists->reloc_count);
  if (!listed.empty()) std::memcpy(listed.data(), p + lists->relocs, listed.size() * kRelocBytes);
  if (!std::is_sorted(listed.begin(), listed.end())) return std::nullopt;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    RawRecord& r = out.raw.records[i];
    read_behind(image, extents[i].offset + extents[i].size,
                i + 1 < extents.size() ? extents[i + 1].offset : lists->dir, r);
    read_pointers(image, extents, i, listed, r);
  }
  return out;
}

}  // namespace assay::harness::reduce
