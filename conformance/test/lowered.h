// SPDX-License-Identifier: Apache-2.0
// A generated model's first graph with its members and its lowering, for tests of the protocol's rooms.
#pragma once

#include <string>

#include "harness/gen/gen.h"
#include "oracle/lower/lower.h"

namespace assay::conformance::test {

struct Lowered {
  Members members;
  std::string definition;
  Options options;
  assay::Result<Tree> tree = refuse(Reason::out_of_memory);
};

inline Lowered lowered(std::uint64_t seed) {
  harness::RandomChoices c(seed);
  const harness::Model model = harness::gen_model(c);
  Lowered l;
  l.members = harness::to_members(model);
  l.definition = harness::graphs_of(model).front().definition;
  l.options = model.options;
  l.tree = lower_definition(l.members, l.definition, ArchType::CAYMAN, 2, l.options);
  return l;
}

}  // namespace assay::conformance::test
