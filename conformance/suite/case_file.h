// SPDX-License-Identifier: Apache-2.0
// A vector file's text and the cases in it, both ways (schemas/vectors.schema.json). Reading is strict: an
// unknown key, a missing one, another type or a value out of its set is an error. What a case expects is read
// as it stands; whether it is what the oracle answers is load.h's business.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol/answers.h"
#include "conformance/suite/case.h"

namespace assay::conformance {

inline constexpr std::string_view kSuiteVersion = "1.0";
inline constexpr std::size_t kMaxVectorFile = std::size_t{32} << 20;  // bytes
inline constexpr std::size_t kMaxCasesOfFile = 20000;

// A case as a file holds it: its expectation is still text.
struct StoredCase {
  Case c;              // `answer` and `code` are empty
  std::string expect;  // JSON object (told.h, expect_text)
};
struct CaseFile {
  std::string suite, area;
  std::vector<StoredCase> cases;
};

Read<CaseFile> read_cases(std::string_view text);
// Sorted by id, one key a line, ending in a newline.
std::string print_cases(const CaseFile& file);
// One line, keys sorted: what the suite's hash is made of.
std::string canonical_case(const StoredCase& c);

// The area of a requirement: "VAR" of "VAR-004".
std::string_view area_of(std::string_view requirement);
// Rows that name a status of their own (conformance.md, Comparison): of cases made for them it counts.
bool names_status(std::string_view requirement);

}  // namespace assay::conformance
