// SPDX-License-Identifier: Apache-2.0
// An image edited in records (its mutator does that), its checksum always right, so that what lies
// behind the checksum is reached. Compared is what image_bytes compares.
#include "fuzzers/common/accepted.h"
#include "harness/mutate/raw_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  Buffer image(ByteView{data, size});
  if (size >= image::kHeaderSize) harness::repair_checksum(image);
  fuzz::try_image(image.view());
  return 0;
}
