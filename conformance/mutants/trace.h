// SPDX-License-Identifier: Apache-2.0
// From requirement to the cases and mutants that show it, and back to what has neither. A table of the suite
// itself: nothing is run here and no implementation is judged.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/rows.h"
#include "conformance/mutants/kill.h"

namespace assay::conformance {

// A row that counts for a level of this suite (levels.h).
struct TraceRow {
  std::string_view requirement;     // "VAR-031"
  char level = 0;                   // 'L'
  std::string_view op;              // by which it is seen: "lower"
  std::vector<std::string> cases;   // ids of those that were made for it and decide it, all of its own op
  std::size_t refusing = 0;         // of those; the others are to be accepted
  std::size_t pairs = 0;            // of those: to be answered otherwise than another
  std::size_t also = 0;             // cases that were made for another row and name it
  std::vector<std::string_view> mutants;   // that a case can fail
  std::vector<std::string_view> reported;  // that none can: all that differs is of medium evidence (kill.h)

  bool whole() const { return !cases.empty() && !mutants.empty(); }
};

// In the order of the catalogue, which must outlive the rows.
std::vector<TraceRow> trace(Catalogue catalogue, std::span<const Case> cases, std::span<const SuiteMutant> mutants);

// Rows without a case, without a mutant.
std::vector<std::string> without_case(std::span<const TraceRow> rows);
std::vector<std::string> without_mutant(std::span<const TraceRow> rows);
// At least one row, and each with both.
bool is_whole(std::span<const TraceRow> rows);

// One line a row, one for each that lacks something, and a last one with the counts. Ends in a newline.
std::string trace_text(std::span<const TraceRow> rows);
// {"requirements","cases","mutants","without_case","without_mutant","whole","rows"}, with every id.
std::string trace_json(std::span<const TraceRow> rows);

}  // namespace assay::conformance
