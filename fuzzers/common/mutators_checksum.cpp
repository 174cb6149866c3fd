// SPDX-License-Identifier: Apache-2.0
// Images as mere bytes: the engine's own mutators, with the checksum put right for a share of the
// inputs, so that some get past it.
#include "fuzzers/common/mutators.h"
#include "oracle/image/image.h"

using namespace assay;

namespace {

bool edit(harness::Choices& c, const std::string& input, std::size_t max, std::string& edited) {
  edited = input;
  edited.resize(max);
  auto* data = reinterpret_cast<std::uint8_t*>(edited.data());
  edited.resize(fuzz::mutate_by_engine(c, data, std::min(input.size(), max), max));
  if (edited.size() < image::kHeaderSize) return true;
  store(reinterpret_cast<std::uint8_t*>(edited.data()) + image::kCrcAt,
        crc32_of(as_bytes(edited).subspan(image::kHeaderSize)));
  return true;
}

}  // namespace

ASSAY_MUTATORS(7, 0, edit, fuzz::splice)
