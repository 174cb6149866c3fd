// SPDX-License-Identifier: Apache-2.0
// From the verdicts of cases to those of requirements and levels (conformance.md, Levels). Pure: the
// same rows give the same levels, which is how a certificate is checked. No case is judged here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/rows.h"

namespace assay::conformance {

// The letter of the level that a row counts for, or 0 for an area that no level has.
char level_of(const Requirement& row);
// A must row that another implementation can show, of a level that is part of this suite.
bool counts_for_a_level(const Requirement& row);

// "DSILN": the letters of the levels that are part of this suite, in their order.
std::string_view suite_levels();

// Every row of the catalogue. A case counts for each row it names; one of another op than the row is
// seen by does not where the implementation lacks that op. A row passes only by a case of its own op.
std::vector<RequirementRow> requirement_rows(Catalogue catalogue, std::span<const CaseRow> cases);

// All seven levels; `asked` are letters. Held: every counted row passes, at least one case was accepted
// and right, and not all answers are alike.
std::vector<LevelRow> level_rows(Catalogue catalogue, std::span<const RequirementRow> rows,
                                 std::span<const CaseRow> cases, std::string_view asked);

}  // namespace assay::conformance
