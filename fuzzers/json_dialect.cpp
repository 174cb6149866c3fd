// SPDX-License-Identifier: Apache-2.0
// The oracle's JSON reader against nlohmann's: which documents are accepted, and every value and key
// of those, in document order, duplicates included. Where the two dialects differ, the oracle's
// side of the difference is what must hold (common/dialect.cpp has the list).
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/dialect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  bool accepted = false;
  if (const std::string what = fuzz::disagreement({data, size}, accepted); !what.empty()) fuzz::found(what);
  if (accepted) fuzz::accepted();
  return 0;
}
