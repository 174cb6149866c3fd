// SPDX-License-Identifier: Apache-2.0
// What the oracle answers to a case, as the files `expected.json` and `expected/sgNN.kbin` beside it:
// enough to judge another implementation by, and the command that gives the answer. And the other
// way round: whether an answer that is stored is still the oracle's.
#pragma once

#include <string>
#include <vector>

#include "harness/cases/cases.h"

namespace assay::harness {

// {"outcome":"ok", …} or {"outcome":"refused"/"trapped"/"unspecified","status","requirement","reason",
// "place"}: of the input, and below "twin" of the twin. An answer of "ok" has "images" with "name",
// "file", "bytes" and "crc32" (and "inputs" and "outputs" of a model), "members" of a container, or the
// four lists of the protocol for dtypes. See schemas/expected.schema.json.
std::string expected_json(const Case& c);

// The same with the images that it names, under the names that they have beside case.json.
CaseFiles expected_files(const Case& c);

// What is stored beside a case (requirement, reason and place in case.json; expected.json and its images)
// against what the oracle answers now: each difference, stored against present. Keys that are not stored
// are not looked at. An error where what is stored cannot be read: it then says nothing.
Stored<std::vector<Violation>> judge_stored(const CaseFiles& files, const Case& c);

// Whether input and twin look swapped: the twin is refused as the input should be, and the input is not.
bool looks_swapped(const Case& c);

}  // namespace assay::harness
