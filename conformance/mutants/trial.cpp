// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/trial.h"

#include "conformance/protocol/serve.h"
#include "conformance/runner/run.h"

namespace assay::conformance {

Read<std::vector<Result>> put_to(const Command& command, const ChildLimits& limits, std::span<const Case> cases,
                                 Catalogue catalogue) {
  if (cases.empty()) return std::vector<Result>();
  RunPlan plan;
  plan.command = command;
  plan.limits = limits;
  plan.sample = 0;
  auto run = run_cases(cases, catalogue, plan);
  if (!run) return tl::unexpected<std::string>(run.error());
  return std::move(run->results);
}

Command serve_oracle() {
  Command c;
  c.function = [](int in, int out) {
    serve(harness::oracle_subject(), {"oracle", "1", all_subject_ops()}, in, out);
    return 0;
  };
  return c;
}

Command serve_mutant(const SuiteMutant& mutant) {
  Command c;
  c.function = [&mutant](int in, int out) {
    const auto subject = make_suite_mutant(mutant, harness::oracle_subject());
    serve(*subject, {subject->name(), "1", all_subject_ops()}, in, out);
    return 0;
  };
  return c;
}

}  // namespace assay::conformance
