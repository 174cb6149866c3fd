// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"
#include "fuzzers/common/inputs.h"
#include "harness/mutate/model_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  bugs::begin();
  auto model = harness::from_bytes({data, size});
  if (!model) return -1;
  model->options.limits = fuzz::bounded().limits;
  const Members members = harness::to_members(*model);
  const bugs::Model asked = bugs::model_of(members, model->options);
  return bugs::compare(bugs::truth::of_model, bugs::patched::of_model, asked) ? 0 : -1;
}
