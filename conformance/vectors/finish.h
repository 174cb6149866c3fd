// SPDX-License-Identifier: Apache-2.0
// Drafts to cases: the oracle is asked, and what a draft promises is held against its answer. Internal to the
// generator of the vector files.
#pragma once

#include <string>
#include <vector>

#include "conformance/suite/case_file.h"
#include "conformance/vectors/draft.h"

namespace assay::conformance::vectors {

// The draft's own case and "ID.twin" (unless it is another's) or "ID.other". An error is one line: the oracle answers
// otherwise than promised, another row refuses, or the answer rests on a should or info row as a whole.
Read<std::vector<StoredCase>> finish(const Draft& draft);

// The rows below must that a whole input leans on, and what is left of a request to lower a model; for choosing.
Read<std::vector<std::string>> blocking_rows(Op op, const std::string& request);

}  // namespace assay::conformance::vectors
