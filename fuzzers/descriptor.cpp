// SPDX-License-Identifier: Apache-2.0
// The bytes choose a small model that is mostly descriptors. It is valid by construction, so it must
// be lowered; each descriptor of its image is written as JSON again and lowered once more.
#include "fuzzers/common/accepted.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  const harness::Model model = fuzz::descriptor_model({data, size});
  const auto lowered = harness::lower_model(model);
  if (!lowered) fuzz::found("a model that is valid by construction: " + lowered.error().text());
  fuzz::accepted();
  fuzz::judge(harness::ModelCase{model});
  return 0;
}
