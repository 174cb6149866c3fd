// SPDX-License-Identifier: Apache-2.0
// The dtype maps on strings and codes made of the bytes: an answer against the answer to the same
// request, against what the names themselves say, and against the maps as plain functions.
#include "fuzzers/common/accepted.h"
#include "oracle/dtype/dtype.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  const harness::DtypeRequest q = fuzz::dtype_request({data, size});
  for (const std::int64_t code : q.size) {
    const bool known = code >= 1 && code <= 15;
    fuzz::must(kbin_dtype_to_sdma_dtype(code).has_value() == known, "DT-011: the domain of SDMA codes");
    fuzz::must((kbin_get_dtype_size(code) != 0) == known, "DT-013: the domain of sizes");
  }
  fuzz::accepted();
  fuzz::judge(harness::DtypeCase{q});
  return 0;
}
