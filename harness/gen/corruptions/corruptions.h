// SPDX-License-Identifier: Apache-2.0
// What the tables of corruptions share: the image at hand, places in it, and edits of its bytes. A
// corruption breaks one rule and lets every other hold as far as that can be; where other findings
// follow from it, the row that tells says so. It edits images and makes none.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/gen/gen.h"
#include "harness/gen/images/images.h"
#include "harness/mutate/raw_edit.h"
#include "harness/mutate/sites.h"
#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay::harness::corruptions {

struct Patient {
  Choices& c;
  ByteView valid;
  const View& view;  // of it
};

struct Hurt {
  Buffer image;          // its checksum is repaired afterwards, unless it is the corruption
  std::uint64_t place;   // where the refusal must stand
};

struct Row {
  CorruptionKind kind;
  std::uint64_t wants;   // bits of images::Wants that give every image what is needed here
  std::optional<Hurt> (*hurt)(Patient&, const Row&);
  RecordId record = RecordId::none;  // what a function for many fields is about
  std::string_view field = {};
};
std::span<const Row> frame_rows();    // IMG-003 to IMG-010
std::span<const Row> record_rows();   // IMG-011, IMG-012, IMG-014, IMG-015, IMG-018
std::span<const Row> pointer_rows();  // IMG-013, IMG-016, IMG-017, IMG-024
std::span<const Row> field_rows();    // IMG-019 to IMG-023, IMG-025

// ---- places ----

// Sites of one record type; of every type for RecordId::none.
std::vector<Site> sites_of(const View& view, RecordId id);

// A non-NULL pointer, or with `null` a NULL one: its slot in the image, what it may lead to.
struct Slot {
  std::uint64_t at, base;           // of the slot; of the record that holds it
  const image::PointerSlot* slot;
  std::size_t owner, to;            // directory indices; `to` of a non-NULL one
};
std::vector<Slot> slots_of(const View& view, bool null);

std::uint64_t entry_at(const View& view, std::size_t i);  // image offset of a directory entry

template <class T>
const T* pick_one(Choices& c, const std::vector<T>& of) {
  return of.empty() ? nullptr : &of[c.below(of.size())];
}

// ---- values and edits ----

// A number of `width` bytes in lo..hi that differs from `than`; lo < hi.
std::uint64_t other(Choices& c, std::uint64_t than, std::uint64_t lo, std::uint64_t hi);
constexpr std::uint64_t most(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - 8 * width); }

// The image with one little-endian number written, and the place being the number's or another.
Hurt with(const Patient& p, std::uint64_t at, std::uint32_t width, std::uint64_t value);
Hurt with(const Patient& p, std::uint64_t at, std::uint32_t width, std::uint64_t value, std::uint64_t place);
void put(Buffer& image, std::uint64_t at, std::uint32_t width, std::uint64_t value);

// The image with n zero bytes put in before offset `at`, all offsets agreeing.
Buffer widened(const Patient& p, std::uint64_t at, std::uint64_t n);

}  // namespace assay::harness::corruptions
