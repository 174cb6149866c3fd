// SPDX-License-Identifier: Apache-2.0
// A valid container around members that are not: its mutator edits the members and packs them
// again. Compared is what neff compares; what is refused is not kept (subgraph.cpp says why).
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/containers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::begin();
  return assay::fuzz::try_neff({data, size}) ? 0 : -1;
}
