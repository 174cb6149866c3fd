// SPDX-License-Identifier: Apache-2.0
#include "cli/certify_failures.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "cli/interrupt.h"
#include "cli/requirements.h"
#include "cli/text.h"
#include "conformance/certificate/failure.h"
#include "conformance/runner/shrink.h"

namespace assay::cli {
namespace {

using namespace conformance;

constexpr std::size_t kMostKept = 200, kMostShrunk = 20, kMostShown = 500;
constexpr auto kShrinking = std::chrono::seconds(120);  // of all together

}  // namespace

Io<KeptFailures> keep_failures(std::span<const Case> cases, const RunOutcome& run, const PluggedIn& implementation,
                               const std::string& directory,
                               const std::function<void(std::size_t, std::size_t)>& at) {
  KeptFailures out;
  for (const auto& [i, answered] : run.kept)
    if (run.results[i].outcome == conformance::Outcome::fail || run.results[i].outcome == conformance::Outcome::error)
      out.all.push_back(
          {i, {}, tool_again() + " certify " + implementation.option + " --case " + shell_path(cases[i].id, ShellForm::line)});
  std::sort(out.all.begin(), out.all.end(),
            [&](const CaseFailure& a, const CaseFailure& b) { return cases[a.index].id < cases[b.index].id; });
  for (const CaseFailure& f : out.all)
    if (out.shown.size() < kMostShown)
      out.shown[cases[f.index].id] = show(cases[f.index], run.kept.at(f.index), run.results[f.index].violations);
  if (directory.empty()) return out;

  // The first of each trouble that has no requirement, and of each requirement, before the rest.
  std::vector<CaseFailure*> all, first, rest;
  for (CaseFailure& f : out.all) all.push_back(&f);
  std::stable_partition(all.begin(), all.end(),
                        [&](const CaseFailure* f) { return run.results[f->index].violations.empty(); });
  std::set<std::string> seen;
  for (CaseFailure* const f : all) {
    const conformance::Result& r = run.results[f->index];
    const bool is_new = seen.insert(r.violations.empty() ? r.why : r.violations.front().requirement).second;
    (is_new && first.size() < kMostShrunk ? first : rest).push_back(f);
  }
  const std::size_t shrunk = first.size();
  first.insert(first.end(), rest.begin(), rest.end());
  first.resize(std::min(first.size(), kMostKept));

  const auto end = std::chrono::steady_clock::now() + kShrinking;
  ChildLimits limits = implementation.limits;
  limits.give_up = false;
  limits.window = 1;
  auto session = Session::start(implementation.command, limits, std::string(kSuiteVersion), &interrupted_flag());
  const Shrink by_asking = session ? shrink_by_asking(*session, requirements()) : Shrink();
  for (std::size_t n = 0; n < first.size(); ++n) {
    CaseFailure& f = *first[n];
    if (at) at(n, first.size());
    const bool small = n < shrunk && std::chrono::steady_clock::now() < end && !was_interrupted();
    const Case& c = cases[f.index];
    auto written = write_failure(directory, c, run.kept.at(f.index), run.results[f.index], small ? by_asking : Shrink(),
                                 f.replay, requirements());
    if (!written) return io_error("certify: " + written.error());
    f.directory = directory + "/" + kFailures + "/" + directory_of_case(c.id);
    out.files[c.id] = std::move(*written);
  }
  return out;
}

}  // namespace assay::cli
