// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/corruptions/corruptions.h"

#include <algorithm>

namespace assay::harness {
namespace corruptions {
namespace {

using namespace assay::image;

const Row* find_row(std::string_view name) {
  for (const auto& rows : {frame_rows(), record_rows(), pointer_rows(), field_rows()})
    for (const Row& r : rows)
      if (r.kind.name == name) return &r;
  return nullptr;
}

std::optional<Corruption> hurt(Choices& c, ByteView valid, const Row& row, const CorruptionKind& kind) {
  const auto view = decode(valid);
  if (!view) return std::nullopt;
  Patient p{c, valid, *view};
  std::optional<Hurt> h = row.hurt(p, row);
  if (!h) return std::nullopt;
  if (row.kind.reason != Reason::image_checksum) repair_checksum(h->image);
  return Corruption{&kind, std::move(h->image), h->place};
}

}  // namespace

std::vector<Site> sites_of(const View& view, RecordId id) {
  std::vector<Site> out;
  for (std::size_t i = 0; i < view.records(); ++i) {
    const DirEntry& e = view.record_at(i);
    each_site(view.bytes(), e.kind, e.offset, e.size, [&](const Site& s) {
      if (id == RecordId::none || id == s.id) out.push_back(s);
    });
  }
  return out;
}

std::vector<Slot> slots_of(const View& view, bool null) {
  std::vector<Slot> out;
  for (std::size_t i = 0; i < view.records(); ++i) {
    const DirEntry& e = view.record_at(i);
    for_each_pointer(view.bytes(), e.kind, e.offset, e.size,
                     [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
      const DirEntry* to = view.follow(base + s.offset);
      if ((to == nullptr) == null)
        out.push_back({base + s.offset, base, &s, i,
                       to == nullptr ? 0 : static_cast<std::size_t>(to - &view.record_at(0))});
    });
  }
  return out;
}

std::uint64_t entry_at(const View& view, std::size_t i) {
  return view.header().dir_offset + i * kDirEntryBytes;
}

std::uint64_t other(Choices& c, std::uint64_t than, std::uint64_t lo, std::uint64_t hi) {
  const std::uint64_t v = c.edge(lo, hi);
  if (v != than) return v;
  return v < hi ? v + 1 : lo;
}

void put(Buffer& image, std::uint64_t at, std::uint32_t width, std::uint64_t value) {
  std::memcpy(image.data() + at, &value, width);
}

Hurt with(const Patient& p, std::uint64_t at, std::uint32_t width, std::uint64_t value, std::uint64_t place) {
  Hurt h{Buffer(p.valid), place};
  put(h.image, at, width, value);
  return h;
}

Hurt with(const Patient& p, std::uint64_t at, std::uint32_t width, std::uint64_t value) {
  return with(p, at, width, value, at);
}

Buffer widened(const Patient& p, std::uint64_t at, std::uint64_t n) {
  const ImageHeader& h = p.view.header();
  Buffer out(p.valid.size() + n);
  std::memcpy(out.data(), p.valid.data(), at);
  std::memset(out.data() + at, 0, n);
  std::memcpy(out.data() + at + n, p.valid.data() + at, p.valid.size() - at);
  const auto moved = [&](std::uint64_t offset) { return offset + (offset >= at ? n : 0); };
  put(out, kImageSizeAt, 8, out.size());
  put(out, kDirOffsetAt, 8, moved(h.dir_offset));
  put(out, kRelocOffsetAt, 8, moved(h.reloc_offset));
  for (std::size_t i = 0; i < p.view.records(); ++i)
    put(out, moved(entry_at(p.view, i)), 8, moved(p.view.record_at(i).offset));
  for (std::uint64_t i = 0; i < h.reloc_count; ++i) {
    const std::uint64_t entry = h.reloc_offset + i * kRelocBytes;
    const auto slot = load<std::uint64_t>(p.valid.data() + entry);
    put(out, moved(entry), 8, moved(slot));
    put(out, moved(slot), 8, moved(load<std::uint64_t>(p.valid.data() + slot)));
  }
  return out;
}

}  // namespace corruptions

std::span<const CorruptionKind> corruption_kinds() {
  static const std::vector<CorruptionKind> kinds = [] {
    std::vector<CorruptionKind> out;
    for (const auto& rows : {corruptions::frame_rows(), corruptions::record_rows(), corruptions::pointer_rows(),
                             corruptions::field_rows()})
      for (const corruptions::Row& r : rows) out.push_back(r.kind);
    return out;
  }();
  return kinds;
}

std::optional<Corruption> corrupt(Choices& c, ByteView valid, const CorruptionKind& kind) {
  const corruptions::Row* row = corruptions::find_row(kind.name);
  return row == nullptr ? std::nullopt : corruptions::hurt(c, valid, *row, kind);
}

Corruption gen_corruption(Choices& c, const CorruptionKind& kind, Buffer& valid) {
  const corruptions::Row* row = corruptions::find_row(kind.name);
  auto image = encode(images::gen_tree(c, {}, row == nullptr ? 0 : row->wants));
  valid = image ? std::move(*image) : Buffer();
  auto made = corrupt(c, valid.view(), kind);
  // No image that has what the row wants comes here.
  return made ? std::move(*made) : Corruption{&kind, Buffer(valid.view()), 0};
}

}  // namespace assay::harness
