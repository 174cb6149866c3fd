// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"
#include "harness/mutate/raw_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bugs::begin();
  assay::Buffer image(assay::ByteView{data, size});
  assay::harness::repair_checksum(image);
  bugs::compare(bugs::truth::of_image, bugs::patched::of_image, image.text());
  return 0;
}
