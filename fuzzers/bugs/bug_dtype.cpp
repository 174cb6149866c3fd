// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"
#include "fuzzers/common/inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bugs::begin();
  const auto q = assay::fuzz::dtype_request({data, size});
  bugs::Dtypes dtypes;
  for (const auto& m : q.match) dtypes.texts.push_back(m.text);
  dtypes.codes = q.to_sdma;
  bugs::compare(bugs::truth::of_dtypes, bugs::patched::of_dtypes, dtypes);
  return 0;
}
