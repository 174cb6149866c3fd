// SPDX-License-Identifier: Apache-2.0
// The verifier's walk from the root through the directory: sizes, counts, pointers, emission
// order, relocations, strings (IMG-011 to IMG-018, IMG-024).
#include <algorithm>

#include <fmt/format.h>

#include "oracle/image/inspector.h"

namespace assay {

using image::PointerSlot;
using image::RecordPlan;

std::size_t Inspector::find(std::uint64_t offset) {
  const auto& dir = view.dir_;
  // In emission order the record wanted next is nearly always the one.
  if (next < dir.size() && dir[next].offset == offset) return next;
  const auto it = std::lower_bound(dir.begin(), dir.end(), offset,
                                   [](const DirEntry& e, std::uint64_t o) { return e.offset < o; });
  return it != dir.end() && it->offset == offset ? static_cast<std::size_t>(it - dir.begin())
                                                 : dir.size();
}

bool Inspector::string(std::size_t index) {
  const DirEntry& e = view.dir_[index];
  const ByteView s = bytes.subspan(e.offset, e.size);
  const void* nul = s.empty() ? nullptr : std::memchr(s.data(), 0, s.size());
  if (nul != nullptr && nul == &s.back()) return true;
  const bool none = nul == nullptr;
  report(Reason::image_string, e.offset, [&] { return record_path(index); },
         [&] { return none ? "no NUL at the end" : "a NUL inside"; });
  return false;
}

// Compares the entry's size and count with what its kind and the owner's count give.
bool Inspector::extent(std::size_t index, std::uint64_t count) {
  const DirEntry& e = view.dir_[index];
  const KindRow& row = kind_row(e.kind);
  std::uint64_t size = 0, want_count = 1;
  bool fits = true;
  if (e.kind == Kind::string) {
    if (!string(index)) return false;
    size = want_count = e.size;
  } else if (row.null_when_empty) {
    fits = checked_mul(row.bytes, count, size);
    want_count = count;
  } else if (e.size < row.bytes) {
    size = row.bytes;  // too short to hold its own counts
  } else {
    const RecordPlan& p = image::plan_of(row.record);
    const TailType tail = p.record->tail.type;
    std::uint64_t n = 0, stride = 8;
    if (tail == TailType::records) stride = image::plan_of(p.record->tail.record).record->bytes;
    if (tail == TailType::bytes) size = e.size;  // an engine's blob has any length
    else {
      if (p.tail_count) n = p.tail_count.read(bytes.data() + e.offset);
      fits = checked_mul(stride, n, size) && checked_add(size, row.bytes, size);
    }
  }
  if (!fits || size != e.size) {
    report(Reason::image_record_size, e.offset, [&] { return shown(index); }, [&] {
      return fits ? fmt::format("record has {} bytes, its kind and counts give {}", e.size, size)
                  : fmt::format("record has {} bytes, its counts give more than 2^64", e.size);
    });
    return false;
  }
  infos[index].sized = true;
  if (e.count != want_count)
    report(Reason::image_dir_count, view.header_.dir_offset + index * image::kDirEntryBytes + 20,
           [&] { return shown(index); },
           [&] { return fmt::format("directory count {}, expected {}", e.count, want_count); });
  return true;
}

void Inspector::follow(std::size_t owner, std::uint64_t slot, const PointerSlot& p,
                       std::uint64_t base, int depth) {
  const std::uint8_t* holder = bytes.data() + base;
  const auto target = load<std::uint64_t>(bytes.data() + slot);
  const auto where = [&] { return slot_path(owner, slot); };
  const bool counted =
      p.null == Nullability::counted || p.null == Nullability::counted_buffer;
  std::uint64_t count = 1;
  if (counted) count = p.counter.read(holder);
  if (p.null == Nullability::counted_buffer &&
      load<std::uint32_t>(holder + offsetof(kbin_mem_ref, mr_type)) !=
          static_cast<std::uint32_t>(code(MrType::MR_BUFFER)))
    count = 0;
  if (target == 0) {
    if (p.null == Nullability::required) {
      report(Reason::image_null, slot, where,
             [&] { return fmt::format("expected a {}", kind_row(p.to).title); });
    } else if (counted && count > 0) {
      report(Reason::image_count_pointer, slot, where,
             [&] { return fmt::format("NULL beside a count of {}", count); });
    }
    return;
  }
  if (counted && count == 0) {
    report(Reason::image_count_pointer, slot, where,
           [&] { return fmt::format("pointer {} beside a count of 0", target); });
    return;
  }
  if (p.follows && load<std::uint64_t>(bytes.data() + slot - 8) == 0)
    report(Reason::image_dma_slot, slot, where, [] { return "the slot before is NULL"; });
  const std::size_t index = find(target);
  if (index == view.dir_.size()) {
    report(Reason::image_pointer, slot, where,
           [&] { return fmt::format("no record starts at {}", target); });
    return;
  }
  const DirEntry& e = view.dir_[index];
  if (e.kind != p.to) {
    report(Reason::image_pointer, slot, where, [&] {
      return fmt::format("record at {} is of kind {}, expected {} ({})", target,
                         static_cast<std::uint32_t>(e.kind), static_cast<std::uint32_t>(p.to),
                         kind_row(p.to).title);
    });
    return;
  }
  if (infos[index].reached) {
    report(Reason::image_pointer, slot, where, [&] {
      return fmt::format("record at {} is owned already by {}", target, record_path(index));
    });
    return;
  }
  infos[index].slot = slot;
  infos[index].owner = static_cast<std::uint32_t>(owner);
  infos[index].reached = true;
  // The first record out of turn speaks for all that it shifts, and only where all links hold.
  if (index != next && disorder == 0) disorder = index, disorder_turn = next;
  next = index + 1;
  if (extent(index, count)) visit(index, depth + 1);
}

// Kinds do not recur, so that the depth is bounded by their number; the test is against a table
// that one day says otherwise.
void Inspector::visit(std::size_t index, int depth) {
  if (depth > static_cast<int>(kMaxKind)) {
    report(Reason::image_pointer, view.dir_[index].offset, [&] { return record_path(index); },
           [] { return "records nested too deep"; });
    return;
  }
  const DirEntry e = view.dir_[index];
  if (kind_row(e.kind).record == RecordId::none) return;
  // A selector that is no enumerator is reported before the pointers that depend on it.
  image::for_each_element(e.kind, e.offset, e.size, [&](const RecordPlan& p, std::uint64_t base,
                                                        std::uint64_t, bool) {
    if (p.selector == nullptr || p.fields[0].rule != image::Rule::selector) return;
    const std::uint64_t at = base + p.selector->offset;
    const std::int64_t value = image::load_int(p.selector->type, bytes.data() + at);
    if (image::is_enumerator(p.selector->enumeration, value)) return;
    report(Reason::image_enum, at, [&] { return slot_path(index, at); }, [&] {
      return fmt::format("{} is no {}", value, enum_row(p.selector->enumeration).spec_name);
    });
  });
  image::for_each_pointer(bytes, e.kind, e.offset, e.size,
                          [&](const PointerSlot& s, const RecordPlan&, std::uint64_t base) {
                            follow(index, base + s.offset, s, base, depth);
                          });
}

void Inspector::tree() {
  infos[0].reached = true;
  next = 1;
  if (extent(0, 1)) visit(0, 0);
  // What a broken link leaves behind, and the relocations it spoils, are its consequences.
  if (saw({Reason::image_pointer, Reason::image_null, Reason::image_count_pointer,
           Reason::image_record_size}))
    return;
  for (std::size_t i = 0; i < infos.size(); ++i)
    if (!infos[i].reached)
      report(Reason::image_pointer, view.dir_[i].offset,
             [&] { return fmt::format("directory[{}]", i); },
             [] { return "no pointer leads to the record"; });
  if (saw({Reason::image_pointer})) return;
  if (disorder != 0)
    report(Reason::image_order, view.dir_[disorder].offset, [&] { return record_path(disorder); },
           [&] {
             return fmt::format("record {} of the directory, {} in emission order", disorder,
                                disorder_turn);
           });
  relocations();
}

void Inspector::relocations() {
  const ImageHeader& h = view.header_;
  const std::uint8_t* list = bytes.data() + h.reloc_offset;
  std::uint64_t n = 0, wrong = h.reloc_count, expected = 0;
  for (const DirEntry& e : view.dir_)
    image::for_each_pointer(bytes, e.kind, e.offset, e.size, [&](const PointerSlot& s,
                                                                 const RecordPlan&,
                                                                 std::uint64_t base) {
      const std::uint64_t slot = base + s.offset;
      if (load<std::uint64_t>(bytes.data() + slot) == 0) return;
      if (n < wrong && load<std::uint64_t>(list + 8 * n) != slot) wrong = n, expected = slot;
      ++n;
    });
  if (n == h.reloc_count && wrong == h.reloc_count) return;
  report(Reason::image_relocs, h.reloc_offset + 8 * std::min<std::uint64_t>(wrong, h.reloc_count),
         [&] { return fmt::format("relocation[{}]", wrong); }, [&] {
           if (wrong < h.reloc_count)
             return fmt::format("{}, expected {}", load<std::uint64_t>(list + 8 * wrong), expected);
           return fmt::format("{} entries for {} slots that are not NULL", h.reloc_count, n);
         });
}

}  // namespace assay
