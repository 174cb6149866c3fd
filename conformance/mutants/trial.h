// SPDX-License-Identifier: Apache-2.0
// Cases put to one implementation in a child process as `assay certify` does it (runner/run.h), always in the same
// order. It draws no conclusion from the results.
#pragma once

#include <span>
#include <vector>

#include "conformance/certificate/judge.h"
#include "conformance/mutants/wrong.h"
#include "conformance/runner/session.h"

namespace assay::conformance {

// Results in the order of the cases, or why the implementation could not be started.
Read<std::vector<Result>> put_to(const Command& command, const ChildLimits& limits, std::span<const Case> cases,
                                 Catalogue catalogue);

// The oracle behind the protocol in a child process, and a mutant. `mutant` must outlive the command.
Command serve_oracle();
Command serve_mutant(const SuiteMutant& mutant);

}  // namespace assay::conformance
