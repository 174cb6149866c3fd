// SPDX-License-Identifier: Apache-2.0
// The bytes choose a small model that is mostly descriptors. It is valid by construction, so it must
// be lowered; each descriptor of its image is written as JSON again and lowered once more.
#include "fuzzers/common/accepted.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  harness::GenOptions small;
  small.size = {.graphs = 1, .variables = 6, .queues = 2, .instances = 2, .blocks = 3, .descriptors = 4, .groups = 1,
                .ucode_libs = 1, .functions = 1, .act_sets = 1, .blob_bytes = 32, .text_bytes = 6};
  harness::ByteChoices c(ByteView{data, size});
  const harness::Model model = harness::gen_model(c, small);
  const auto lowered = harness::lower_model(model);
  if (!lowered) fuzz::found("a model that is valid by construction: " + lowered.error().text());
  fuzz::reached();
  fuzz::judge(harness::ModelCase{model});
  return 0;
}
