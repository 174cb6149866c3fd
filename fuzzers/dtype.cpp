// SPDX-License-Identifier: Apache-2.0
// The dtype maps on strings and codes made of the bytes: an answer against the answer to the same
// request, against what the names themselves say, and against the maps as plain functions.
#include <algorithm>

#include "fuzzers/common/accepted.h"
#include "oracle/dtype/dtype.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  harness::ByteChoices c(ByteView{data, std::min<std::size_t>(size, 256)});
  harness::DtypeRequest q;
  while (!c.exhausted() && q.match.size() < 16) {
    const std::uint64_t kind = c.below(8);
    if (kind < 4) {
      std::string text;
      for (std::uint64_t n = c.below(20); n > 0 && !c.exhausted(); --n) text += static_cast<char>(c.below(256));
      q.match.push_back({kind % 2 == 0, text});
    } else {
      const auto code = static_cast<std::int64_t>(kind < 6 ? c.below(20) - 2 : c.bits());
      const bool known = code >= 1 && code <= 15;
      for (auto* list : {&q.to_sdma, &q.cce_op, &q.size}) list->push_back(code);
      fuzz::must(kbin_dtype_to_sdma_dtype(code).has_value() == known, "DT-011: the domain of SDMA codes");
      fuzz::must((kbin_get_dtype_size(code) != 0) == known, "DT-013: the domain of sizes");
    }
  }
  fuzz::reached();
  fuzz::judge(harness::DtypeCase{q});
  return 0;
}
