// SPDX-License-Identifier: Apache-2.0
// An image that may be wrong, taken apart so that what is wrong with it stays wrong when records
// get fewer and smaller. It reads by directory, relocation list and record table whatever lies where
// they say, and gives up only where records cannot be told apart. It says of nothing that it is
// wrong: what differs from a sound image is carried along.
#pragma once

#include <array>
#include <optional>

#include "harness/mutate/raw_image.h"

namespace assay::harness::reduce {

struct LooseImage {
  RawImage raw;
  std::array<std::uint8_t, 80> header{};  // as it was: what is no place, size or count stays
  std::uint64_t size_error = 0;           // image_size minus the image's length
  std::uint32_t crc_error = 0;            // exclusive or with the right checksum

  Buffer write() const;
};

// None where directory or lists do not hold, or records overlap or are out of order.
std::optional<LooseImage> read_loose(ByteView image);

}  // namespace assay::harness::reduce
