// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bugs::begin();
  return bugs::compare(bugs::truth::of_neff, bugs::patched::of_neff, assay::as_text({data, size})) ? 0 : -1;
}
