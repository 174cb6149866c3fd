// SPDX-License-Identifier: Apache-2.0
// The oracle alone under AFL++, for the test of what its map sees (check): a def.json in the fixed
// members is lowered. It compares nothing and is no target.
#include <cstdint>

#include "fuzzers/common/fixed_members.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  Options options;
  options.arch = ArchType::CAYMAN;
  if (const auto lowered = lower_members(fuzz::fixed_members({data, size}), options))
    for (const LoweredGraph& graph : lowered->graphs) static_cast<void>(encode(graph.tree));
  return 0;
}
