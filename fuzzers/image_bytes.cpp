// SPDX-License-Identifier: Apache-2.0
// Raw bytes as an image. Refusals are held against themselves and must still be shown where they can
// be walked; an accepted image against its tree, its records, its fields and its comparisons.
#include "fuzzers/common/accepted.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::begin();
  assay::fuzz::try_image({data, size});
  return 0;
}
