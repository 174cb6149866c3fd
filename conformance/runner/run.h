// SPDX-License-Identifier: Apache-2.0
// One run of cases on one implementation: shuffled, judged as they are answered, some asked twice, a sample asked
// again in a fresh process. What a run comes to as a whole is the certificate's business.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "conformance/certificate/judge.h"
#include "conformance/runner/session.h"

namespace assay::conformance {

struct RunPlan {
  Command command;
  ChildLimits limits;
  std::string suite = "1.0";  // version told in the hello
  unsigned jobs = 1;          // processes at a time, 1 to 64
  std::uint64_t seed = 0;     // of the order, and of the sample
  std::size_t sample = 100;   // cases asked again in another order, at most; 0: none
  const std::atomic<bool>* stop = nullptr;  // ends the run soon after it is set
  std::function<void(std::size_t done, std::size_t not_passed)> progress;  // or empty; by one thread at a time
};

struct RunOutcome {
  Hello hello;
  Notes notes;
  std::vector<Result> results;           // results[i] is of cases[i]; settled
  std::map<std::size_t, Answered> kept;  // by index: what was answered, of cases that failed or erred
  std::vector<CutOp> cut;
  OrderCheck order;
};

// Runs them all, or says why the implementation cannot be started. A case that was not reached before `stop` is
// skipped. Throws std::bad_alloc at most.
Read<RunOutcome> run_cases(std::span<const Case> cases, Catalogue catalogue, const RunPlan& plan);

// An ending as the judge takes it.
Answered answered_of(Ending ending);

}  // namespace assay::conformance
