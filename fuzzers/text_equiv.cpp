// SPDX-License-Identifier: Apache-2.0
// A def.json and its twin in another spelling: both are lowered, and to the same image. The first
// eight bytes choose the spelling, the rest is the document, beside a fixed set of members.
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/fixed_members.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  const ByteView input{data, size};
  if (size < fuzz::kSpellingBytes) return -1;
  const Options options = fuzz::bounded(ArchType::CAYMAN);
  // What is refused has no twin, and mostly none of what comes of it has one.
  if (!lower_members(fuzz::fixed_members(input.subspan(fuzz::kSpellingBytes)), options)) return -1;
  fuzz::accepted();
  if (const auto twin = fuzz::spelled_twin(input, options)) fuzz::judge(*twin);
  return 0;
}
