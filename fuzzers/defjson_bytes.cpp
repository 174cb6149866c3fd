// SPDX-License-Identifier: Apache-2.0
// Raw bytes as the def.json of a fixed set of members, for each target. Refusals are held against
// themselves; what is lowered against its own image, its model's image, and every judged property.
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/fixed_members.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  const Members members = fuzz::fixed_members({data, size});
  // Where one target takes it, all properties run on that one.
  for (const ArchType arch : {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA})
    if (fuzz::try_members(members, fuzz::bounded(arch))) return 0;
  return 0;
}
