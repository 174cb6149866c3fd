// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/trial.h"

#include <algorithm>

#include "conformance/protocol/serve.h"

namespace assay::conformance {
namespace {

Answered answered(Ending&& e) {
  if (e.answered()) return std::move(e.answer);
  return tl::unexpected<std::string>(std::move(e.why));
}
bool twice(const Case& c) { return std::find(c.flags.begin(), c.flags.end(), "twice") != c.flags.end(); }

}  // namespace

Read<std::vector<Result>> put_to(const Command& command, const ChildLimits& limits, std::span<const Case> cases,
                                 Catalogue catalogue) {
  auto session = Session::start(command, limits);
  if (!session) return tl::unexpected<std::string>(session.error());
  struct Which {
    std::size_t at;
    bool again;
  };
  std::vector<Question> questions;
  std::vector<Which> asked;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (int time = 0; time < (twice(cases[i]) ? 2 : 1); ++time) {
      questions.push_back({cases[i].op, cases[i].request});
      asked.push_back({i, time == 1});
    }
  std::vector<Result> results(cases.size());
  session->ask(questions, [&](std::size_t q, Ending e) {
    const auto [i, again] = asked[q];
    const std::uint64_t micros = e.micros;
    const Answered a = answered(std::move(e));
    if (again) return judge_again(cases[i], a, catalogue, results[i]);
    results[i] = judge(cases[i], a, catalogue);
    results[i].micros = micros;
  });
  settle(cases, results);
  return results;
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
