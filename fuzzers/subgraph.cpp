// SPDX-License-Identifier: Apache-2.0
// A whole model, edited as a structure by its mutator. Refusals are held against themselves; what is
// lowered against its own image and every judged property.
#include "fuzzers/common/accepted.h"
#include "harness/mutate/model_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  const auto model = harness::from_bytes({data, size});
  if (!model) return -1;
  Options options = model->options;
  options.limits = fuzz::bounded().limits;
  fuzz::try_members(harness::to_members(*model), options);
  return 0;
}
