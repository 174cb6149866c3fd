// SPDX-License-Identifier: Apache-2.0
// From requirement to the cases and mutants that show it, and back to what has neither. A table of the suite
// itself: no implementation is judged here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/case.h"

namespace assay::conformance {

// A row of requirements.json, as far as a trace needs it.
struct TracedRequirement {
  std::string_view id, level, observable;  // "must"; "lower", "none" ...
};
// What is wrong in one way, with the requirement it breaks.
struct TracedMutant {
  std::string_view id, requirement;
};

struct TraceRow {
  std::string requirement, level, op;  // op: of the row; "none": nobody can show it
  std::size_t accepting = 0, refusing = 0, pairs = 0;  // cases that name it first, by what they expect
  std::size_t also = 0;                                // cases that name it beside another
  std::vector<std::string> cases;                      // ids of those that name it first, of its own op
  std::vector<std::string> mutants;

  // A must row that another implementation can show, of an area of levels D, S, I, L and N.
  bool counts = false;
  bool lacks_case() const { return counts && cases.empty(); }
  bool lacks_mutant() const { return counts && mutants.empty(); }
};

// In the order of `requirements`.
std::vector<TraceRow> trace(std::span<const TracedRequirement> requirements, std::span<const Case> cases,
                            std::span<const TracedMutant> mutants);

// One line a row: "VAR-031 must lower  5 ok 0 refused 3 pairs 4 also  1 mutants", then what lacks either.
std::string trace_text(std::span<const TraceRow> rows);

}  // namespace assay::conformance
