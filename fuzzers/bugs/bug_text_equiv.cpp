// SPDX-License-Identifier: Apache-2.0
// The document, and its twin in another spelling.
#include "fuzzers/bugs/compare.h"
#include "fuzzers/common/fixed_members.h"
#include "fuzzers/common/inputs.h"

namespace {

bool same(assay::ByteView definition, const assay::Options& options) {
  const assay::Members members = assay::fuzz::fixed_members(definition);
  return bugs::compare(bugs::truth::of_model, bugs::patched::of_model, bugs::model_of(members, options));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  bugs::begin();
  const ByteView input{data, size};
  if (size < fuzz::kSpellingBytes) return -1;
  const Options options = fuzz::bounded(ArchType::CAYMAN);
  if (!same(input.subspan(fuzz::kSpellingBytes), options)) return -1;
  if (const auto twin = fuzz::spelled_twin(input, options)) same(as_bytes(twin->text), options);
  return 0;
}
