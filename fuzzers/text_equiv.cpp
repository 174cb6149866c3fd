// SPDX-License-Identifier: Apache-2.0
// A def.json and its twin in another spelling: both are lowered, and to the same image. The first
// eight bytes choose the spelling, the rest is the document, beside a fixed set of members.
#include "fuzzers/common/accepted.h"
#include "fuzzers/common/fixed_members.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  fuzz::begin();
  if (size < 8) return -1;
  const Options options = fuzz::bounded(ArchType::CAYMAN);
  const Members members = fuzz::fixed_members({data + 8, size - 8});
  const auto lowered = lower_members(members, options);
  if (!lowered) return 0;
  fuzz::reached();
  harness::TextCase twin;
  twin.model = harness::from_members(members, options);
  twin.definition = fuzz::kDefinition;
  twin.seed = load<std::uint64_t>(data);
  if (!twin.model.members.at(twin.definition).is_json()) return 0;  // its own bytes are a blob too
  harness::RandomChoices spelling(twin.seed);
  twin.text = harness::respell(spelling, twin.model.json(twin.definition));
  fuzz::judge(twin);
  return 0;
}
