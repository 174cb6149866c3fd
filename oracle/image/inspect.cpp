// SPDX-License-Identifier: Apache-2.0
// The verifier's frame: header, checksum, directory and gaps (IMG-003 to IMG-010). What comes
// first is what later checks stand on, so that one fault is not reported as many.
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "oracle/image/inspector.h"

namespace assay {
namespace {

std::string in_header() { return "header"; }

}  // namespace

bool Inspector::header() {
  using namespace image;
  if (bytes.size() < kHeaderSize) {
    report(Reason::image_header, bytes.size(), in_header, [&] {
      return fmt::format("{} bytes, the header alone has {}", bytes.size(), kHeaderSize);
    });
    return false;
  }
  const std::uint8_t* p = bytes.data();
  const auto u32 = [p](std::uint64_t at) { return load<std::uint32_t>(p + at); };
  const auto u64 = [p](std::uint64_t at) { return load<std::uint64_t>(p + at); };
  if (std::memcmp(p + kMagicAt, kMagic, 8) != 0) {
    report(Reason::image_header, kMagicAt, in_header, [] { return "magic is not KBINIMG1"; });
    return false;
  }
  if (u32(kHeaderSizeAt) != kHeaderSize)
    report(Reason::image_header, kHeaderSizeAt, in_header, [&] {
      return fmt::format("header_size {}, expected {}", u32(kHeaderSizeAt), kHeaderSize);
    });
  if (u32(kFlagsAt) != 0)
    report(Reason::image_header, kFlagsAt, in_header,
           [&] { return fmt::format("flags {}, expected 0", u32(kFlagsAt)); });
  if (!all_zero(bytes.subspan(kReservedAt, kHeaderSize - kReservedAt)))
    report(Reason::image_header, kReservedAt, in_header, [] { return "reserved is not zero"; });
  if (u64(kImageSizeAt) != bytes.size()) {
    report(Reason::image_size, kImageSizeAt, in_header, [&] {
      return fmt::format("image_size {}, the image has {} bytes", u64(kImageSizeAt), bytes.size());
    });
    return false;
  }
  ImageHeader& h = view.header_;
  h = {u64(kImageSizeAt), u64(kRootAt),      u64(kDirOffsetAt), u64(kRelocOffsetAt),
       u32(kDirCountAt),  u32(kRelocCountAt), u32(kTargetAt),    u32(kSubgraphAt),
       u32(kCrcAt)};
  if (h.root != kRoot)
    report(Reason::image_root, kRootAt, in_header,
           [&] { return fmt::format("root {}, expected {}", h.root, kRoot); });
  if (!lists_hold())
    report(Reason::image_lists, kDirOffsetAt, in_header, [&] {
      return fmt::format(
          "directory {} entries at {}, relocations {} at {}, in an image of {} bytes", h.dir_count,
          h.dir_offset, h.reloc_count, h.reloc_offset, h.image_size);
    });
  if (const std::uint32_t crc = crc32_of(bytes.subspan(kHeaderSize)); crc != h.crc32)
    report(Reason::image_checksum, kCrcAt, in_header,
           [&] { return fmt::format("crc32 {:08x}, the bytes give {:08x}", h.crc32, crc); });
  return !saw({Reason::image_root, Reason::image_lists});
}

// The directory and the relocation list fill the image's end exactly. The counts have 32 bits, so
// that only the sums could wrap.
bool Inspector::lists_hold() const {
  using namespace image;
  const ImageHeader& h = view.header_;
  std::uint64_t dir_end = 0, reloc_end = 0;
  return h.dir_offset >= kHeaderSize && h.dir_offset % kRecordAlign == 0 &&
         checked_add(h.dir_offset, kDirEntryBytes * h.dir_count, dir_end) &&
         dir_end == h.reloc_offset &&
         checked_add(h.reloc_offset, kRelocBytes * h.reloc_count, reloc_end) &&
         reloc_end == h.image_size;
}

bool Inspector::directory() {
  using namespace image;
  const ImageHeader& h = view.header_;
  view.bytes_ = bytes;
  view.dir_.reserve(h.dir_count);
  for (std::uint64_t i = 0; i < h.dir_count; ++i) {
    const std::uint8_t* e = bytes.data() + h.dir_offset + i * kDirEntryBytes;
    view.dir_.push_back({load<std::uint64_t>(e), load<std::uint64_t>(e + 8),
                         static_cast<Kind>(load<std::uint32_t>(e + 16)),
                         load<std::uint32_t>(e + 20)});
  }
  if (view.dir_.empty() || view.dir_[0].offset != kRoot || view.dir_[0].kind != Kind::kbin) {
    report(Reason::image_root, h.dir_offset, [] { return std::string("directory[0]"); },
           [] { return "the first record is no kbin_t at 80"; });
    return false;
  }
  std::uint64_t end = kRoot;
  for (std::size_t i = 0; i < view.dir_.size(); ++i) {
    const DirEntry& e = view.dir_[i];
    const char* wrong = nullptr;
    if (e.offset % kRecordAlign != 0) {
      wrong = "not at a multiple of 16";
    } else if (e.offset < kRoot || e.offset > h.dir_offset || e.size > h.dir_offset - e.offset) {
      wrong = "outside the image's records";
    } else if (i > 0 && e.offset <= view.dir_[i - 1].offset) {
      wrong = "out of ascending order";
    } else if (e.offset < end) {
      wrong = "overlaps the record before";
    }
    if (wrong == nullptr) {
      end = e.offset + e.size;
      continue;
    }
    report(Reason::image_record_place, h.dir_offset + i * kDirEntryBytes,
           [&] { return fmt::format("directory[{}]", i); },
           [&] { return fmt::format("record at {}, {} bytes: {}", e.offset, e.size, wrong); });
  }
  if (saw({Reason::image_record_place})) return false;

  const DirEntry& root = view.dir_[0];
  if (root.size < sizeof(kbin_t)) return true;  // IMG-011, found by the walk
  const auto target = load<std::uint32_t>(bytes.data() + root.offset + offsetof(kbin_t, target));
  if (target != h.target || target < static_cast<std::uint32_t>(code(ArchType::SUNDA)) ||
      target > static_cast<std::uint32_t>(code(ArchType::MARIANA)))
    report(
        Reason::image_target, root.offset + offsetof(kbin_t, target),
        [] { return std::string("target"); },
        [&] {
          return fmt::format("header {}, kbin_t {}, expected 2, 3 or 4 in both", h.target, target);
        });
  return true;
}

// Records stand as close as the alignment allows, with zero bytes between (IMG-010). A wider gap
// has no row of its own: the record behind it is misplaced (IMG-009), the directory too (IMG-006).
// A record whose size is in doubt says nothing about what follows it.
void Inspector::gaps() {
  using namespace image;
  const ImageHeader& h = view.header_;
  for (std::size_t i = 0; i < view.dir_.size(); ++i) {
    if (!infos[i].sized) continue;
    const DirEntry& e = view.dir_[i];
    const bool last = i + 1 == view.dir_.size();
    const std::uint64_t end = e.offset + e.size;
    const std::uint64_t until = last ? h.dir_offset : view.dir_[i + 1].offset;
    const ByteView gap = bytes.subspan(end, until - end);
    if (!all_zero(gap)) {
      std::uint64_t at = end;
      while (bytes[at] == 0) ++at;
      report(Reason::image_gap, at, [&] { return shown(i); },
             [&] { return fmt::format("byte {:#04x} behind the record", bytes[at]); });
    } else if (until != align_up(end, kRecordAlign)) {
      report(last ? Reason::image_lists : Reason::image_record_place, until,
             [&] { return last ? std::string("header") : fmt::format("directory[{}]", i + 1); },
             [&] { return fmt::format("at {}, expected {}", until, align_up(end, kRecordAlign)); });
    }
  }
}

// The later stages can add no earlier finding: who wants the first alone stops at it.
Inspection Inspector::run(bool first_only) {
  const auto enough = [&] { return first_only && seen != 0; };
  if (!header() || enough() || !directory() || enough()) return std::move(out);
  infos.resize(view.dir_.size());
  tree();
  if (enough()) return std::move(out);
  gaps();
  if (enough()) return std::move(out);
  values();
  // Walkable: the rows on header, directory, records, pointers, strings and counts hold.
  if (!saw({Reason::image_header, Reason::image_size, Reason::image_root, Reason::image_lists,
            Reason::image_record_place, Reason::image_record_size, Reason::image_dir_count,
            Reason::image_pointer, Reason::image_null, Reason::image_count_pointer,
            Reason::image_string, Reason::image_bound}))
    out.view = std::move(view);
  return std::move(out);
}

namespace {

Inspection run(ByteView image, std::size_t max_findings, bool first_only) {
  try {
    return Inspector(image, max_findings).run(first_only);
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  Inspection none;
  none.findings.push_back({Reason::out_of_memory, "", 0, ""});
  return none;
}

}  // namespace

Inspection inspect(ByteView image, std::size_t max_findings) { return run(image, max_findings, false); }

Result<View> decode(ByteView image) {
  Inspection i = run(image, 1, true);
  if (i.findings.empty() && i.view) return std::move(*i.view);
  if (i.findings.empty()) return refuse(Reason::image_header);
  Finding& f = i.findings.front();
  return refuse(f.reason, Place{"image", "", f.offset, std::move(f.path)}, std::move(f.detail));
}

}  // namespace assay
