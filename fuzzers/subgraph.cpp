// SPDX-License-Identifier: Apache-2.0
// A whole model, edited as a structure by its mutator. Refusals are held against themselves; what is
// lowered against its own image and every judged property.
#include "fuzzers/common/accepted.h"
#include "harness/mutate/model_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  auto model = harness::from_bytes({data, size});
  if (!model) return -1;
  // What is refused is no ground to stand on: it would make most of what comes of it refused as well.
  return fuzz::try_model(std::move(*model)) ? 0 : -1;
}
