// SPDX-License-Identifier: Apache-2.0
// Field-level comparison of two images, and what later stages would object to.
#include <algorithm>

#include <fmt/format.h>

#include "oracle/image/walk_pair.h"

namespace assay {
namespace {

bool equal(const FieldVisit* a, const FieldVisit* b) {
  // A NULL pointer and an absent path are one thing (conformance.md).
  if (a == nullptr || b == nullptr)
    return (a == nullptr || a->is_null) && (b == nullptr || b->is_null);
  if (a->is_null != b->is_null) return false;
  // A pointer's own bytes are an offset, and offsets are never compared.
  if (a->is_null || a->type == FieldType::pointer) return true;
  return a->raw.size() == b->raw.size() && std::equal(a->raw.begin(), a->raw.end(), b->raw.begin());
}

std::string side_text(const FieldVisit* v, const FieldVisit* other) {
  if (v == nullptr) return "absent";
  std::string s = value_text(*v);
  if (!v->is_bytes || v->is_null || other == nullptr || other->is_null) return s;
  // Two long blobs may well begin alike: say where they part.
  const std::size_t n = std::min(v->raw.size(), other->raw.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(v->raw.begin(), v->raw.begin() + static_cast<std::ptrdiff_t>(n),
                    other->raw.begin()).first - v->raw.begin());
  if (at < v->raw.size()) s += fmt::format(", byte {} is {:#04x}", at, v->raw[at]);
  return s;
}

}  // namespace

DiffReport diff(const View& a, const View& b) {
  DiffReport report;
  const image::PairVisitor visit = [&report](const FieldVisit* va, const FieldVisit* vb) {
    ++report.compared;
    if (equal(va, vb)) return;
    const FieldVisit& any = va != nullptr ? *va : *vb;
    auto& list = any.grade == Grade::high ? report.high : report.lower;
    list.push_back({any.path, side_text(va, vb), side_text(vb, va), any.grade,
                    va != nullptr ? va->offset : 0, vb != nullptr ? vb->offset : 0});
  };
  image::PairWalk(visit).run(&a, &b);
  return report;
}

std::vector<Note> later_stage_notes(const View& view) {
  // What staging wants of an EVTACCEL carveout on CAYMAN (SBC-004).
  constexpr kbin_sb_carveout_t kWanted = {1, 0, 229368, 8, 0, 128};
  std::vector<Note> notes;
  const std::uint8_t* bytes = view.bytes().data();
  if (load<std::uint32_t>(bytes + image::kRoot + offsetof(kbin_t, target)) !=
      static_cast<std::uint32_t>(code(ArchType::CAYMAN)))
    return notes;
  const DirEntry* e = view.follow(image::kRoot + offsetof(kbin_t, sb_carveouts));
  if (e == nullptr) return notes;
  image::for_each_element(e->kind, e->offset, e->size,
                          [&](const image::RecordPlan&, std::uint64_t base, std::uint64_t i,
                              bool in_tail) {
    if (!in_tail) return;
    const auto c = load<kbin_sb_carveout_t>(bytes + base);
    if (c.type != static_cast<std::uint32_t>(code(CarveoutType::EVTACCEL))) return;
    if (c.offset == kWanted.offset && c.size == kWanted.size &&
        c.start_partition == kWanted.start_partition && c.num_partitions == kWanted.num_partitions)
      return;
    notes.push_back(
        {"SBC-004", fmt::format("sb_carveouts.carveouts[{}]", i),
         fmt::format("start_partition {}, num_partitions {}, offset {}, size {}; a later "
                     "stage wants {}, {}, {}, {}",
                     c.start_partition, c.num_partitions, c.offset, c.size, kWanted.start_partition,
                     kWanted.num_partitions, kWanted.offset, kWanted.size)});
  });
  return notes;
}

}  // namespace assay
