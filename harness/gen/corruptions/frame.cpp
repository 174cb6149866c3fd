// SPDX-License-Identifier: Apache-2.0
// Corruptions of header, checksum, lists and the places of records (IMG-003 to IMG-010). None of
// them has other findings, but those named.
#include "harness/gen/corruptions/corruptions.h"

namespace assay::harness::corruptions {
namespace {

using namespace assay::image;
using Out = std::optional<Hurt>;
constexpr std::uint64_t kSize = 8, kKind = 16;  // in a directory entry

std::uint64_t header_number(const Patient& p, std::uint64_t at, std::uint32_t width) {
  return load_uint(width, p.valid.data() + at);
}

// The field `at` holds anything else; the refusal stands at `place`.
Out other_number(Patient& p, std::uint64_t at, std::uint32_t width, std::uint64_t place) {
  return with(p, at, width, other(p.c, header_number(p, at, width), 0, most(width)), place);
}

Buffer first_bytes(const Patient& p, std::uint64_t n) { return Buffer(p.valid.first(n)); }

// ---- IMG-003 ----
Out shorter_than_header(Patient& p, const Row&) {
  const std::uint64_t n = p.c.edge(0, kHeaderSize - 1);
  return Hurt{first_bytes(p, n), n};
}
Out magic(Patient& p, const Row&) {
  const std::uint64_t at = p.c.below(7);
  return with(p, at, 1, other(p.c, p.valid[at], 0, 255), kMagicAt);
}
Out version(Patient& p, const Row&) { return with(p, 7, 1, other(p.c, '1', 0, 255), kMagicAt); }
Out header_size(Patient& p, const Row&) { return other_number(p, kHeaderSizeAt, 4, kHeaderSizeAt); }
Out flags(Patient& p, const Row&) { return other_number(p, kFlagsAt, 4, kFlagsAt); }
Out reserved(Patient& p, const Row&) {
  return with(p, kReservedAt + p.c.below(12), 1, p.c.edge(1, 255), kReservedAt);
}

// ---- IMG-004 ----
Out size_field(Patient& p, const Row&) { return other_number(p, kImageSizeAt, 8, kImageSizeAt); }
Out truncated(Patient& p, const Row&) {
  return Hurt{first_bytes(p, p.c.edge(kHeaderSize, p.valid.size() - 1)), kImageSizeAt};
}
Out bytes_behind(Patient& p, const Row&) {
  const std::uint64_t n = 1 + p.c.below(64);
  Hurt h{Buffer(p.valid.size() + n), kImageSizeAt};
  std::memcpy(h.image.data(), p.valid.data(), p.valid.size());
  std::memset(h.image.data() + p.valid.size(), static_cast<int>(p.c.below(256)), n);
  return h;
}

// ---- IMG-005 ----
Out root_field(Patient& p, const Row&) { return other_number(p, kRootAt, 8, kRootAt); }
Out root_kind(Patient& p, const Row&) {
  const std::uint64_t entry = entry_at(p.view, 0);
  const std::uint64_t kind = p.c.chance(70) ? p.c.between(2, kMaxKind) : other(p.c, 1, 0, most(4));
  return with(p, entry + kKind, 4, kind, entry);
}
Out root_entry(Patient& p, const Row&) { return other_number(p, entry_at(p.view, 0), 8, entry_at(p.view, 0)); }
Out no_records(Patient& p, const Row&) {
  return Hurt{RawImage{p.view.header().target, p.view.header().subgraph, {}}.write(), kHeaderSize};
}

// ---- IMG-006 ----
Out dir_offset(Patient& p, const Row&) { return other_number(p, kDirOffsetAt, 8, kDirOffsetAt); }
Out dir_count(Patient& p, const Row&) { return other_number(p, kDirCountAt, 4, kDirOffsetAt); }
Out reloc_offset(Patient& p, const Row&) { return other_number(p, kRelocOffsetAt, 8, kDirOffsetAt); }
Out reloc_count(Patient& p, const Row&) { return other_number(p, kRelocCountAt, 4, kDirOffsetAt); }
// A directory so long, at an offset so high, that its end comes out right in 64 bits.
Out dir_wraps(Patient& p, const Row&) {
  const ImageHeader& h = p.view.header();
  std::uint64_t n = h.reloc_offset / kDirEntryBytes + 1 + p.c.below(1000);
  n += (n ^ h.dir_count) & 1;  // entries come in twos of 48 bytes, or the offset is no multiple of 16
  Hurt out = with(p, kDirOffsetAt, 8, h.reloc_offset - n * kDirEntryBytes);
  put(out.image, kDirCountAt, 4, n);
  return out;
}
Out gap_before_directory(Patient& p, const Row&) {
  const std::uint64_t at = p.view.header().dir_offset, n = 16 * (1 + p.c.below(3));
  return Hurt{widened(p, at, n), at + n};
}
Out directory_unaligned(Patient& p, const Row&) {
  return Hurt{widened(p, p.view.header().dir_offset, 1 + p.c.below(15)), kDirOffsetAt};
}
Out gap_before_relocs(Patient& p, const Row&) {
  return Hurt{widened(p, p.view.header().reloc_offset, 8 * (1 + p.c.below(3))), kDirOffsetAt};
}
Out bytes_after_relocs(Patient& p, const Row&) {
  return Hurt{widened(p, p.valid.size(), 1 + p.c.below(24)), kDirOffsetAt};
}

// ---- IMG-007 ----
Out checksum(Patient& p, const Row&) { return other_number(p, kCrcAt, 4, kCrcAt); }
Out byte_under_checksum(Patient& p, const Row&) {  // one that may have any value
  const std::uint64_t at = kRoot + offsetof(kbin_t, cc_streams) + p.c.below(8);
  return with(p, at, 1, other(p.c, p.valid[at], 0, 255), kCrcAt);
}

// ---- IMG-008 ----
constexpr std::uint64_t kRootTarget = kRoot + offsetof(kbin_t, target);
Out header_target(Patient& p, const Row&) { return other_number(p, kTargetAt, 4, kRootTarget); }
Out root_target(Patient& p, const Row&) {
  return with(p, kRootTarget, 4, other(p.c, p.view.header().target, 2, 4));
}
Out target_unknown(Patient& p, const Row&) {
  const std::uint64_t v = p.c.chance(40) ? p.c.below(2) : p.c.edge(5, most(4));
  Hurt h = with(p, kRootTarget, 4, v);
  put(h.image, kTargetAt, 4, v);
  return h;
}

// ---- IMG-009: the refusal stands at the directory entry ----
Out record_outside(Patient& p, const Row&) {  // by its size
  const std::size_t i = p.c.below(p.view.records());
  const std::uint64_t room = p.view.header().dir_offset - p.view.record_at(i).offset;
  return with(p, entry_at(p.view, i) + kSize, 8, p.c.edge(room + 1, std::uint64_t{1} << 40), entry_at(p.view, i));
}
Out record_size_wraps(Patient& p, const Row&) {  // offset + size comes out inside the image
  const std::size_t i = p.c.below(p.view.records());
  const std::uint64_t offset = p.view.record_at(i).offset;
  return with(p, entry_at(p.view, i) + kSize, 8, std::uint64_t{0} - p.c.between(1, offset), entry_at(p.view, i));
}
Out record_behind(Patient& p, const Row&) {  // the last, or those after it would be out of order too
  const std::size_t i = p.view.records() - 1;
  const std::uint64_t beyond = align_up(p.view.header().dir_offset + 1, kRecordAlign);
  return with(p, entry_at(p.view, i), 8, beyond + 16 * p.c.edge(0, 1 << 20), entry_at(p.view, i));
}
Out record_before_root(Patient& p, const Row&) {
  const std::size_t i = p.c.between(1, p.view.records() - 1);
  return with(p, entry_at(p.view, i), 8, 16 * p.c.below(5), entry_at(p.view, i));
}
Out record_unaligned(Patient& p, const Row&) {
  const std::size_t i = p.c.between(1, p.view.records() - 1);
  return with(p, entry_at(p.view, i), 8, p.view.record_at(i).offset + 1 + p.c.below(15), entry_at(p.view, i));
}
Out entries_swapped(Patient& p, const Row&) {
  const std::size_t i = p.c.between(1, p.view.records() - 2);
  Hurt h{Buffer(p.valid), entry_at(p.view, i + 1)};
  std::swap_ranges(h.image.data() + entry_at(p.view, i), h.image.data() + entry_at(p.view, i + 1),
                   h.image.data() + entry_at(p.view, i + 1));
  return h;
}
Out entry_twice(Patient& p, const Row&) {  // two entries for one record
  const std::size_t i = p.c.between(2, p.view.records() - 1);
  Hurt h{Buffer(p.valid), entry_at(p.view, i)};
  std::memcpy(h.image.data() + entry_at(p.view, i), h.image.data() + entry_at(p.view, i - 1), kDirEntryBytes);
  return h;
}
Out record_overlaps(Patient& p, const Row&) {
  const std::size_t i = p.c.between(0, p.view.records() - 2);
  const DirEntry& next = p.view.record_at(i + 1);
  const std::uint64_t into = p.c.edge(1, next.size), size = next.offset - p.view.record_at(i).offset + into;
  return with(p, entry_at(p.view, i) + kSize, 8, size, entry_at(p.view, i + 1));
}
Out gap_wide(Patient& p, const Row&) {
  const std::size_t i = p.c.between(1, p.view.records() - 1);
  const std::uint64_t at = p.view.record_at(i).offset, n = 16 * (1 + p.c.below(3));
  return Hurt{widened(p, at, n), at + n};
}

// ---- IMG-010 ----
Out gap_byte(Patient& p, bool last) {
  std::vector<std::uint64_t> gap;
  for (std::size_t i = 0; i < p.view.records(); ++i) {
    const bool is_last = i + 1 == p.view.records();
    if (is_last != last) continue;
    const DirEntry& e = p.view.record_at(i);
    const std::uint64_t end = e.offset + e.size;
    for (std::uint64_t at = end; at < align_up(end, kRecordAlign); ++at) gap.push_back(at);
  }
  const std::uint64_t* at = pick_one(p.c, gap);
  if (at == nullptr) return std::nullopt;
  return with(p, *at, 1, p.c.edge(1, 255));
}
Out gap_between(Patient& p, const Row&) { return gap_byte(p, false); }
Out gap_at_end(Patient& p, const Row&) { return gap_byte(p, true); }

constexpr Row kRows[] = {
    {{"image-shorter-than-header", Reason::image_header}, 0, shorter_than_header},
    {{"magic", Reason::image_header}, 0, magic},
    {{"magic-version", Reason::image_header}, 0, version},
    {{"header-size", Reason::image_header}, 0, header_size},
    {{"header-flags", Reason::image_header}, 0, flags},
    {{"header-reserved", Reason::image_header}, 0, reserved},
    {{"image-size-field", Reason::image_size}, 0, size_field},
    {{"image-truncated", Reason::image_size}, 0, truncated},
    {{"image-longer", Reason::image_size}, 0, bytes_behind},
    {{"root-field", Reason::image_root}, 0, root_field},
    {{"root-kind", Reason::image_root}, 0, root_kind},
    {{"root-entry-elsewhere", Reason::image_root}, 0, root_entry},
    {{"no-records", Reason::image_root}, 0, no_records},
    {{"dir-offset", Reason::image_lists}, 0, dir_offset},
    {{"dir-count", Reason::image_lists}, 0, dir_count},
    {{"reloc-offset", Reason::image_lists}, 0, reloc_offset},
    {{"reloc-count", Reason::image_lists}, 0, reloc_count},
    {{"dir-end-wraps", Reason::image_lists}, 0, dir_wraps},
    {{"gap-before-directory", Reason::image_lists}, 0, gap_before_directory},
    {{"directory-unaligned", Reason::image_lists}, 0, directory_unaligned},
    {{"gap-before-relocations", Reason::image_lists}, 0, gap_before_relocs},
    {{"bytes-after-relocations", Reason::image_lists}, 0, bytes_after_relocs},
    {{"checksum-field", Reason::image_checksum}, 0, checksum},
    {{"byte-under-checksum", Reason::image_checksum}, 0, byte_under_checksum},
    {{"header-target", Reason::image_target}, 0, header_target},
    {{"root-target", Reason::image_target}, 0, root_target},
    {{"target-unknown", Reason::image_target}, 0, target_unknown},
    {{"record-outside", Reason::image_record_place}, 0, record_outside},
    {{"record-size-wraps", Reason::image_record_place}, 0, record_size_wraps},
    {{"record-behind-directory", Reason::image_record_place}, 0, record_behind},
    {{"record-in-header", Reason::image_record_place}, 0, record_before_root},
    {{"record-unaligned", Reason::image_record_place}, 0, record_unaligned},
    {{"entries-swapped", Reason::image_record_place}, 0, entries_swapped},
    {{"entry-twice", Reason::image_record_place}, 0, entry_twice},
    {{"record-overlaps", Reason::image_record_place}, 0, record_overlaps},
    {{"gap-wide", Reason::image_record_place}, 0, gap_wide},
    {{"gap-byte", Reason::image_gap}, 0, gap_between},
    {{"gap-byte-at-end", Reason::image_gap}, images::kLibs, gap_at_end},
};

}  // namespace

std::span<const Row> frame_rows() { return kRows; }

}  // namespace assay::harness::corruptions
