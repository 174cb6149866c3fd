// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"
#include "fuzzers/common/fixed_members.h"
#include "fuzzers/common/inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  bugs::begin();
  const Members members = fuzz::fixed_members({data, size});
  for (const ArchType arch : {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA}) {
    const Options options = fuzz::bounded(arch);
    if (bugs::compare(bugs::truth::of_model, bugs::patched::of_model, bugs::model_of(members, options))) return 0;
  }
  return 0;
}
