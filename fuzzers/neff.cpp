// SPDX-License-Identifier: Apache-2.0
// Container bytes. What is read as a container is held against its members packed anew in both
// package versions; what is lowered against the same members lowered, and every judged property.
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/containers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  assay::fuzz::begin();
  assay::fuzz::try_neff({data, size});
  return 0;
}
