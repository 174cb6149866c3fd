// SPDX-License-Identifier: Apache-2.0
// Cases on request, and what the oracle answers to each: what `assay gen` writes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/cases.h"
#include "harness/choice/choices.h"

namespace assay::harness {

using CaseMaker = std::function<Case(Choices&)>;

// Makers of one kind of case ("model", "near-miss" …), to be used in turn; empty: no such kind.
std::vector<CaseMaker> makers_of_kind(std::string_view kind);
// Makers of the cases with one defect: of that name, or of every name that breaks the requirement.
std::vector<CaseMaker> makers_of_defect(std::string_view id);

// The oracle's answer to the case's input as a JSON object: {"outcome":"ok","images":[{"name",
// "bytes","crc32"}…]}, {"outcome":"ok","members":[…]} for a container, the answer of the protocol for
// dtypes; or {"outcome":"refused"/"trapped"/"unspecified","reason","requirement","place"}.
std::string expected_json(const Case& c);

}  // namespace assay::harness
