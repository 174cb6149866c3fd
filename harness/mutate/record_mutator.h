// SPDX-License-Identifier: Apache-2.0
// Edits of images for fuzzing, by the record table: values, counts, strings, padding, pointers, and
// whole records. The checksum is right afterwards most of the time, so that what is behind it is
// reached. Images may be wrong already; bytes that are none get edits of their own, or an image.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/choice/choices.h"
#include "harness/mutate/raw_image.h"

namespace assay::harness {

using ImageBytes = std::vector<std::uint8_t>;

// One edit; never empty and never more than max_bytes (at least 1). False, and the image as it was,
// where none was found.
bool mutate_image(Choices& c, ImageBytes& image, std::size_t max_bytes);

// A record, or all that hangs on a pointer, out of another image. The same promise.
bool cross_over_images(Choices& c, ImageBytes& image, ByteView other, std::size_t max_bytes);

// ---- the kinds of edits, for tests and statistics ----

// In place: bytes change, none come or go. What is edited is found by directory and sizes alone.
struct PlaceEdit {
  std::string_view name;
  bool (*edit)(Choices&, std::span<std::uint8_t> image);
};
std::span<const PlaceEdit> place_edits();

// On an image taken apart: records come, go and change their size; the lists are written anew.
struct RecordEdit {
  std::string_view name;
  bool (*edit)(Choices&, RawImage&);
};
std::span<const RecordEdit> record_edits();

// Puts what hangs on a pointer of `donor` in place of what hangs on one of `raw`.
bool graft(Choices& c, RawImage& raw, const RawImage& donor);

}  // namespace assay::harness
