// SPDX-License-Identifier: Apache-2.0
// In place of subject.cpp: an implementation that is wrong in one way, the order of variables.
#include "fuzzers/common/judged.h"
#include "harness/mutants/mutant.h"

namespace assay::fuzz {

const harness::Subject& subject() {
  static const auto wrong = harness::make_mutant(*harness::find_mutant("VAR-031-name-order"), harness::oracle_subject());
  return *wrong;
}

}  // namespace assay::fuzz
