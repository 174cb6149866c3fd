// SPDX-License-Identifier: Apache-2.0
// The ways of making an image smaller. Each lists the parts that it could leave out or make plain in
// the image as it is now, and does so to any of them at once. Counters follow by as much as was
// left out, so that one that was wrong stays wrong. Nothing here judges an image.
#pragma once

#include <span>
#include <vector>

#include "harness/mutate/raw_edit.h"
#include "oracle/image/plan.h"

namespace assay::harness::reduce {

// A part of an image. Which of the members mean something depends on the pass.
struct Part {
  std::size_t record = 0;
  std::uint64_t at = 0, bytes = 0;  // from the record's start
  std::uint64_t base = 0;           // of the site that holds it, or the end of the array it is in
  const image::PointerSlot* slot = nullptr;
  const image::FieldPlan* field = nullptr;
  RecordId id = RecordId::none;     // of the site
};

// Edits on a raw image under way: records stay where they are until finish().
class ImageEdit {
 public:
  explicit ImageEdit(RawImage& image);

  RawImage& raw;

  std::uint8_t* bytes(std::size_t record, std::uint64_t at) { return raw.records[record].bytes.data() + at; }
  // A number of the record, 0 where it lies outside.
  std::uint64_t number(std::size_t record, std::uint64_t at, std::uint32_t width);
  // Adds to a number (modulo its width), where it lies in the record.
  void add(std::size_t record, std::uint64_t at, std::uint32_t width, std::uint64_t delta);
  // The pointer in a slot becomes NULL; what it alone leads to goes.
  void drop_pointer(std::size_t record, std::uint64_t slot);
  // Takes bytes out, with what their pointers lead to.
  void erase(std::size_t record, std::uint64_t at, std::uint64_t n);
  // Takes elements out of an array record; its counts follow.
  void erase_elements(std::size_t record, std::uint64_t at, std::uint64_t n);
  // Moves the pointers in [begin, end) of a record down by n bytes.
  void move_pointers(std::size_t record, std::uint64_t begin, std::uint64_t end, std::uint64_t n);
  // Empty arrays become NULL, and the records that went are taken out.
  void finish();

 private:
  struct Link {  // who owns a record
    std::size_t owner = RawRecord::kNull;
    std::uint64_t slot = 0, base = 0;
    const image::PointerSlot* by = nullptr;
  };
  void drop_subtree(std::size_t record);
  bool owns(std::size_t owner, const RawRecord::Pointer& p) const;

  std::vector<Link> links_;
  std::vector<bool> gone_;
};

struct ImagePass {
  std::vector<Part> (*list)(const RawImage&);
  void (*apply)(ImageEdit&, std::span<const Part>);  // parts as listed, a run of them
};
std::span<const ImagePass> dropping_passes();  // image_drops.cpp
std::span<const ImagePass> plain_passes();     // image_values.cpp

// Numbers above 1 that could be smaller, and the k-th way of making one so; false: not smaller.
std::vector<Part> numbers(const RawImage& raw);
inline constexpr std::uint64_t kSmallerWays = 8;
bool make_smaller(RawImage& raw, const Part& number, std::uint64_t k);

// Whether the counter of an array's slots says more than the array has. `site` is the record's
// first byte.
inline bool is_over(const image::FieldPlan& f, const std::uint8_t* site) {
  const bool sources = f.rule == image::Rule::sources;
  if (!sources && !f.used) return false;
  const std::uint64_t n = sources ? load<std::uint32_t>(site + image::num_sources_offset()) : f.used.read(site);
  return n > f.field->count;
}

inline bool is_known(Kind kind) { return kind != Kind::none && static_cast<std::uint32_t>(kind) <= kMaxKind; }

// Ranges of text and blobs: of a long one few large parts. The function gets them.
struct Content {
  std::size_t record;
  std::uint64_t at, bytes;
  std::uint64_t end;       // of the array, where it is a char array inside a record; else 0
  std::uint32_t stride;
  bool text;
};
std::vector<Content> contents(const RawImage& raw);
std::uint64_t part_size(const Content& c);

}  // namespace assay::harness::reduce
