// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/kill.h"

#include <algorithm>
#include <map>

namespace assay::conformance {
namespace {

constexpr std::string_view kShouldAlone[] = {
    "DMB-023-outermost-first",  // sizes[] and steps[] of a pattern: their order is medium
};

bool has(const std::vector<std::string>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
bool names(const std::vector<harness::Violation>& list, std::string_view requirement) {
  return std::any_of(list.begin(), list.end(), [&](const auto& v) { return v.requirement == requirement; });
}
bool is_accepted(const Result& r) { return r.answered == harness::ReplyStatus::ok && r.violations.empty(); }

ChildLimits patient() {
  ChildLimits l;
  l.timeout = std::chrono::seconds(60);  // a busy machine is no wrong answer
  return l;
}

std::vector<Case> cases_at(const Suite& suite, const std::vector<std::size_t>& indices) {
  std::vector<Case> out;
  for (const std::size_t i : indices) out.push_back(suite.cases[i]);
  return out;
}

}  // namespace

std::string_view name_of(Kill kill) {
  constexpr std::string_view kNames[] = {"killed", "alive", "unnamed", "astray", "reported", "error"};
  return kNames[static_cast<std::size_t>(kill)];
}

bool differs_in_should_alone(std::string_view mutant) {
  return std::find(std::begin(kShouldAlone), std::end(kShouldAlone), mutant) != std::end(kShouldAlone);
}

void judge_mutant(std::span<const Case> cases, std::span<const Result> results, MutantRow& row) {
  std::string unnamed, reported;
  for (std::size_t i = 0; i < std::min(cases.size(), results.size()); ++i) {
    const Result& r = results[i];
    const bool failed = r.outcome == Outcome::fail;
    row.failing += failed ? 1 : 0;
    if (!has(cases[i].requirements, row.requirement)) continue;
    if (failed && names(r.violations, row.requirement)) {
      if (row.naming++ == 0) row.by = cases[i].id;
    } else if (failed && unnamed.empty()) {
      unnamed = cases[i].id;
    }
    if (reported.empty() && names(r.reported, row.requirement)) reported = cases[i].id;
  }
  row.cases += cases.size();
  row.kill = row.naming > 0 ? Kill::killed
             : row.should && !reported.empty() ? Kill::reported
             : !unnamed.empty() ? Kill::unnamed
                                : Kill::alive;
  if (row.naming == 0) row.by = row.kill == Kill::reported ? reported : unnamed;
}

MutantRow try_as_mutant(const SuiteMutant& mutant, const Command& command, const Suite& suite, const Choice& choice,
                        Catalogue catalogue, bool full) {
  MutantRow row;
  row.id = mutant.id;
  row.requirement = mutant.requirement;
  row.what = std::string(mutant.what) + (mutant.odd_only ? ", where the definition has an odd number of bytes" : "");
  row.should = differs_in_should_alone(mutant.id);
  const std::vector<Case> cases = cases_at(suite, choice.asked(mutant.requirement, full));
  const auto results = put_to(command, patient(), cases, catalogue);
  if (!results) {
    row.why = results.error();
    return row;
  }
  judge_mutant(cases, *results, row);

  // Every other area has an accepting case that it passes.
  std::map<std::string_view, const Result*> asked;
  for (std::size_t i = 0; i < cases.size(); ++i) asked[cases[i].id] = &(*results)[i];
  for (const auto& [area, accepting] : choice.accepting()) {
    if (area == area_of(mutant.requirement)) continue;
    bool found = false;
    std::vector<std::size_t> more;  // none of the sample: any other of the area will do
    for (const std::size_t i : accepting) {
      const auto it = asked.find(suite.cases[i].id);
      if (it == asked.end()) more.push_back(i);
      else found = found || (it->second->outcome == Outcome::pass && is_accepted(*it->second));
    }
    constexpr std::size_t kAtATime = 16;
    for (std::size_t from = 0; from < more.size() && !found; from += kAtATime) {
      const std::vector<std::size_t> some(more.begin() + static_cast<std::ptrdiff_t>(from),
                                          more.begin() +
                                              static_cast<std::ptrdiff_t>(std::min(from + kAtATime, more.size())));
      const std::vector<Case> others = cases_at(suite, some);
      const auto answers = put_to(command, patient(), others, catalogue);
      row.cases += others.size();
      // Pairs were not asked: an answer that is right is enough here.
      found = answers && std::any_of(answers->begin(), answers->end(), [](const Result& r) {
                return (r.outcome == Outcome::pass || r.outcome == Outcome::unproven) && is_accepted(r);
              });
    }
    if (!found) row.astray.push_back(area);
  }
  if (row.kill == Kill::killed && !row.astray.empty()) row.kill = Kill::astray;
  return row;
}

MutantRow try_mutant(const SuiteMutant& mutant, const Suite& suite, const Choice& choice, Catalogue catalogue,
                     bool full) {
  return try_as_mutant(mutant, serve_mutant(mutant), suite, choice, catalogue, full);
}

}  // namespace assay::conformance
