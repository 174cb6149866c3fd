// SPDX-License-Identifier: Apache-2.0
// What the documents and the terminal tell alike of a certificate's rows, counted. Nothing is judged here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/certificate.h"

namespace assay::conformance {

// A row named by what decides nothing: should and info rows, and what is of lower evidence.
struct ReportedRow {
  std::string requirement;
  std::size_t cases = 0;
  const CaseRow* first = nullptr;                 // of these cases
  const harness::Violation* violation = nullptr;  // its first of the row
};
// Ascending by requirement; they point into `cases`.
std::vector<ReportedRow> reported_rows(std::span<const CaseRow> cases);

// Errors that say the same, waived ones apart.
struct Cause {
  std::string why;
  std::vector<const CaseRow*> cases;
  bool not_sent = false;  // an op was given up: what follows from other errors
};
// The most frequent first, what was not sent behind all others.
std::vector<Cause> causes_of_errors(std::span<const CaseRow> cases);

// "a, b, c, +9": ids of at most so many.
std::string names_of(std::span<const CaseRow* const> cases, std::size_t most);

// Of a case that is waived its waiver, else nullptr.
const Waiver* waiver_of(const Certificate& certificate, const std::string& id);
// "waived until 2027-01-31: INT8 takes 8 bytes until 1.3", or "".
std::string waived_text(const Certificate& certificate, const std::string& id);

}  // namespace assay::conformance
