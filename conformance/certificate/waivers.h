// SPDX-License-Identifier: Apache-2.0
// Expected failures: a file that names cases, each with a reason and the day it ends. A waiver hides
// nothing: a waived case stays what it is and is shown as waived, and a list that no longer fits fails
// the run.
#pragma once

#include <ctime>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/certificate/rows.h"

namespace assay::conformance {

// {"waivers":[{"case":id,"reason":text,"until":"2027-01-31"}...]}: every key is required, no other one
// is taken, a case stands once. Errors are one line: "waivers[2]: until: no date: ...".
tl::expected<std::vector<Waiver>, std::string> read_waivers(std::string_view text);

// "2026-11-30": a day of the calendar, years 1970 to 9999.
bool is_date(std::string_view text);
// The day of a time, in UTC.
std::string date_of(std::time_t time);

// Marks the rows that failed, erred or are unproven and are waived on the day `today` as waived. Answers
// what is wrong with the list, one line each: of no case of the run, of one that needs none, or expired (one line for
// all of one day and reason).
std::vector<std::string> apply_waivers(const std::vector<Waiver>& waivers, std::string_view today,
                                       std::vector<CaseRow>& rows);

}  // namespace assay::conformance
