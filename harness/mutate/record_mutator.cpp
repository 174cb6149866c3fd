// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/record_mutator.h"

#include <algorithm>

#include "harness/gen/gen.h"
#include "harness/reduce/loose_image.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

ByteView view_of(const ImageBytes& image) { return {image.data(), image.size()}; }

void repair(ImageBytes& image) {
  if (image.size() < image::kHeaderSize) return;
  store(image.data() + image::kCrcAt, crc32_of(view_of(image).subspan(image::kHeaderSize)));
}

bool fresh(Choices& c, ImageBytes& image, std::size_t max_bytes) {
  GenSize size;
  size.variables = 3, size.queues = 1, size.instances = 1, size.descriptors = 1, size.groups = 2, size.blob_bytes = 64;
  const Buffer made = gen_image(c, size);
  if (made.empty() || made.size() > max_bytes) return false;
  image.assign(made.data(), made.data() + made.size());
  return true;
}

// Edits that know nothing of images.
bool plain(Choices& c, ImageBytes& image, std::size_t max_bytes) {
  const std::size_t at = c.below(image.size()), n = 1 + c.below(std::min<std::size_t>(image.size() - at, 64));
  const auto i = image.begin() + static_cast<std::ptrdiff_t>(at);
  switch (c.below(5)) {
    case 0:
      if (at == 0) return false;
      image.resize(at);
      return true;
    case 1:
      if (n == image.size()) return false;
      image.erase(i, i + static_cast<std::ptrdiff_t>(n));
      return true;
    case 2:
      if (image.size() + n > max_bytes) return false;
      image.insert(i, n, static_cast<std::uint8_t>(c.below(256)));
      return true;
    default: *i ^= static_cast<std::uint8_t>(1 + c.below(255)); return true;
  }
}

bool taken_apart(Choices& c, ImageBytes& image, std::size_t max_bytes, ByteView other) {
  auto loose = reduce::read_loose(view_of(image));
  if (!loose) return false;
  if (other.empty()) {
    if (!c.pick(record_edits()).edit(c, loose->raw)) return false;
  } else {
    const auto donor = reduce::read_loose(other);
    if (!donor || !graft(c, loose->raw, donor->raw)) return false;
  }
  std::size_t lower_bound = image::kHeaderSize;  // what would be too much is not written at all
  for (const RawRecord& r : loose->raw.records) lower_bound += r.bytes.size() + image::kDirEntryBytes;
  if (lower_bound > max_bytes) return false;
  if (c.chance(90)) loose->crc_error = 0;
  if (c.chance(95)) loose->size_error = 0;
  const Buffer made = loose->write();
  if (made.empty() || made.size() > max_bytes) return false;
  if (made.size() == image.size() && std::memcmp(made.data(), image.data(), made.size()) == 0) return false;
  image.assign(made.data(), made.data() + made.size());
  return true;
}

bool in_place(Choices& c, ImageBytes& image) {
  const bool changed = c.pick(place_edits()).edit(c, image);
  if (changed && c.chance(95)) repair(image);
  return changed;
}

bool shorten(ImageBytes& image, std::size_t max_bytes) {
  image.resize(max_bytes);
  repair(image);
  return true;
}

}  // namespace

bool mutate_image(Choices& c, ImageBytes& image, std::size_t max_bytes) {
  max_bytes = std::max<std::size_t>(max_bytes, 1);
  if (image.size() > max_bytes) return fresh(c, image, max_bytes) || shorten(image, max_bytes);
  if (image.empty()) {
    if (!fresh(c, image, max_bytes)) image.assign(1, 0);
    return true;
  }
  const bool is_image = image.size() >= image::kHeaderSize && std::memcmp(image.data(), image::kMagic, 8) == 0;
  for (int tries = 0; tries < 8; ++tries) {
    const auto way = c.below(100);
    if (way < (is_image ? 1 : 50)) {
      if (fresh(c, image, max_bytes)) return true;
    } else if (way < (is_image ? 4 : 100)) {
      if (plain(c, image, max_bytes)) {
        if (c.chance(80)) repair(image);
        return true;
      }
    } else if (way < 70) {
      if (in_place(c, image)) return true;
    } else if (taken_apart(c, image, max_bytes, {})) {
      return true;
    }
  }
  return false;
}

bool cross_over_images(Choices& c, ImageBytes& image, ByteView other, std::size_t max_bytes) {
  max_bytes = std::max<std::size_t>(max_bytes, 1);
  if (image.empty() || image.size() > max_bytes) return mutate_image(c, image, max_bytes);
  for (int tries = 0; tries < 4 && !other.empty(); ++tries)
    if (taken_apart(c, image, max_bytes, other)) return true;
  return false;
}

}  // namespace assay::harness
