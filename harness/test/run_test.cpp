// SPDX-License-Identifier: Apache-2.0
// Runs of properties: failures are found, made smaller and told whatever the number of processes, and
// what kills a process costs one case.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <numeric>
#include <thread>

#include "harness/cases/cases.h"
#include "harness/rapidcheck/batch.h"
#include "harness/rapidcheck/board.h"
#include "harness/rapidcheck/run.h"

namespace assay::harness {
namespace {

Case numbers(Choices& c) {
  DtypeCase d;
  for (std::uint64_t n = c.below(20); n > 0; --n) d.request.to_sdma.push_back(static_cast<std::int64_t>(c.below(1000)));
  return d;
}
bool has(const Case& c, std::int64_t from, std::int64_t to) {
  for (const std::int64_t v : std::get<DtypeCase>(c).request.to_sdma)
    if (v >= from && v < to) return true;
  return false;
}
Verdict holds(const Subject&, const Case&) { return Verdict::ok(); }
Verdict says_nothing(const Subject&, const Case&) { return Verdict::cannot_say("never"); }
Verdict two_ways_wrong(const Subject&, const Case& c) {
  if (has(c, 10, 20)) return Verdict::violated({"DT-001", "to_sdma", "none of 10 to 19", "one", {}});
  if (has(c, 500, 600)) return Verdict::violated({"DT-002", "to_sdma", "none of 500 to 599", "one", {}});
  return Verdict::ok();
}
// No sanitizer stands in the way of this signal.
Verdict dies(const Subject&, const Case& c) {
  if (has(c, 0, 30)) ::raise(SIGKILL);
  return Verdict::ok();
}
Verdict hangs(const Subject&, const Case& c) {
  while (has(c, 0, 30)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return Verdict::ok();
}
constexpr std::string_view kIds[] = {"DT-001", "DT-002"};
constexpr Property kHolds{"holds", kIds, CaseKind::dtype, 3, numbers, holds};
constexpr Property kSilent{"says-nothing", kIds, CaseKind::dtype, 1, numbers, says_nothing};
constexpr Property kWrong{"two-ways-wrong", kIds, CaseKind::dtype, 1, numbers, two_ways_wrong};
constexpr Property kDies{"dies", kIds, CaseKind::dtype, 1, numbers, dies};
constexpr Property kHangs{"hangs", kIds, CaseKind::dtype, 1, numbers, hangs};

RunReport run(std::vector<const Property*> properties, std::uint64_t cases, unsigned jobs, std::uint64_t seed = 1) {
  RunOptions options;
  options.properties = std::move(properties);
  options.cases = cases;
  options.jobs = jobs;
  options.seed = seed;
  options.case_seconds = 5;
  return run_properties(options);
}

TEST(Run, CasesAreSharedByWeight) {
  for (const std::uint64_t cases : {1u, 2u, 5u, 400u, 1001u}) {
    const RunReport r = run({&kHolds, &kSilent}, cases, 2);
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.cases, std::max<std::uint64_t>(cases, 2));
    EXPECT_TRUE(r.found.empty());
    ASSERT_EQ(r.properties.size(), 2u);
    EXPECT_GE(r.properties[1].cases, 1u);
    EXPECT_EQ(r.properties[1].cannot_say, r.properties[1].cases);
    EXPECT_EQ(r.properties[0].cannot_say, 0u);
    const double wanted = cases < 400 ? static_cast<double>(cases) - 1 : 0.75 * static_cast<double>(cases);
    EXPECT_NEAR(static_cast<double>(r.properties[0].cases), wanted, 1);
    EXPECT_EQ(r.distribution.at("dtype").at("dtype"), r.cases);
  }
}

TEST(Run, FailuresDoNotDependOnTheNumberOfProcesses) {
  const RunReport one = run({&kWrong, &kHolds}, 800, 1), three = run({&kWrong, &kHolds}, 800, 3);
  ASSERT_EQ(one.found.size(), 2u);  // one for each way
  ASSERT_EQ(three.found.size(), 2u);
  EXPECT_EQ(one.cases, 800u);
  EXPECT_EQ(three.cases, 800u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one.found[i].case_seed, three.found[i].case_seed);
    EXPECT_EQ(one.found[i].files, three.found[i].files);
    EXPECT_EQ(one.found[i].times, three.found[i].times);
    EXPECT_GT(one.found[i].times, 1u);
    const auto smallest = case_of(one.found[i].files);
    ASSERT_TRUE(smallest) << smallest.error();
    EXPECT_EQ(std::get<DtypeCase>(*smallest).request.to_sdma.size(), 1u);
    EXPECT_TRUE(two_ways_wrong(oracle_subject(), *smallest).is_violated());
  }
}

TEST(Run, WhatDiesIsKeptAndTheRunGoesOn) {
  const RunReport r = run({&kDies, &kHolds}, 400, 2);
  EXPECT_EQ(r.error, "");
  ASSERT_EQ(r.found.size(), 1u);
  const FoundFailure& f = r.found[0];
  EXPECT_TRUE(f.died);
  EXPECT_EQ(f.violation.actual, "died by signal 9 (SIGKILL)");
  EXPECT_EQ(r.properties[1].cases, 300u);
  const auto smallest = case_of(f.files);
  ASSERT_TRUE(smallest) << smallest.error();
  EXPECT_EQ(std::get<DtypeCase>(*smallest).request.to_sdma.size(), 1u);
  const Verdict v = judge_apart(kDies, oracle_subject(), *smallest);
  EXPECT_TRUE(v.is_violated());
  EXPECT_EQ(v.violations.front().actual, f.violation.actual);
  // The seed alone gives the case that it began with.
  EXPECT_TRUE(has(case_from_seed(kDies, f.case_seed), 0, 30));
}

TEST(Run, WhatHangsIsKilled) {
  RunOptions options;
  options.properties = {&kHangs};
  options.cases = 40;
  options.seed = 2;
  options.case_seconds = 1;
  const RunReport r = run_properties(options);
  ASSERT_EQ(r.found.size(), 1u);
  EXPECT_EQ(r.found[0].violation.actual, "took more than 1 s");
  EXPECT_FALSE(r.found[0].files.empty());
}

TEST(Run, SharesAreExactAndNobodyGoesWithout) {
  using run::shared_by_weight;
  using Shares = std::vector<std::uint64_t>;
  EXPECT_EQ(shared_by_weight(400, {3, 1}), (Shares{300, 100}));
  EXPECT_EQ(shared_by_weight(10, {1, 1, 1}), (Shares{4, 3, 3}));
  EXPECT_EQ(shared_by_weight(5, {1, 1000, 1}), (Shares{1, 3, 1}));
  EXPECT_EQ(shared_by_weight(2, {1, 1000, 1}), (Shares{1, 1, 1}));
  EXPECT_EQ(shared_by_weight(~std::uint64_t{0}, {1}), (Shares{~std::uint64_t{0}}));
  for (std::uint64_t cases = 6; cases < 200; ++cases) {
    const Shares shares = shared_by_weight(cases, {7, 1, 2, 30, 1, 1});
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}), cases);
    EXPECT_GE(*std::min_element(shares.begin(), shares.end()), 1u);
  }
}

TEST(Run, AnInterruptionKeepsWhatIsKnownAndIsNoFailure) {
  RunOptions options;
  options.properties = {&kWrong, &kHangs};
  options.seed = 2;
  options.jobs = 2;
  bool found = false;
  options.found = [&](const FoundFailure&) { found = true; };
  options.interrupted = [&] { return found; };
  const RunReport r = run_properties(options);
  EXPECT_EQ(r.error, "");
  EXPECT_TRUE(r.interrupted);
  EXPECT_LT(r.seconds, 30);
  ASSERT_FALSE(r.found.empty());
  for (const FoundFailure& f : r.found) EXPECT_EQ(f.property, &kWrong);
  RandomChoices choices(1);
  Case c = numbers(choices);
  std::get<DtypeCase>(c).request.to_sdma = {1};
  EXPECT_EQ(judge_apart(kHangs, oracle_subject(), c, 60, [] { return true; }).why, "interrupted");
  EXPECT_FALSE(run({&kHolds}, 10, 1).interrupted);
}

TEST(Run, TimeEndsIt) {
  RunOptions options;
  options.properties = {&kHolds};
  options.seconds = 1;
  const RunReport r = run_properties(options);
  EXPECT_GT(r.cases, 0u);
  EXPECT_LT(r.seconds, 20);
}

TEST(Run, NothingToRunRunsNothing) { EXPECT_EQ(run({}, 100, 1).cases, 0u); }

TEST(Run, VerdictsComeFromAnotherProcessWhole) {
  RandomChoices choices(1);
  Case c = numbers(choices);
  std::get<DtypeCase>(c).request.to_sdma = {15};
  const Verdict here = kWrong.judge(oracle_subject(), c), apart = judge_apart(kWrong, oracle_subject(), c);
  ASSERT_TRUE(apart.is_violated());
  EXPECT_EQ(apart.violations.front().text(), here.violations.front().text());
  EXPECT_EQ(judge_apart(kSilent, oracle_subject(), c).why, "never");
  EXPECT_TRUE(judge_apart(kHolds, oracle_subject(), c).holds());
}

TEST(Batch, OneSeedOneCourse) {
  const BatchSpec spec{&kWrong, &oracle_subject(), 3, 200, 1000};
  const BatchResult a = run_batch(spec), b = run_batch(spec);
  ASSERT_TRUE(a.failure && b.failure);
  EXPECT_EQ(a.cases, b.cases);
  EXPECT_EQ(a.failure->case_seed, b.failure->case_seed);
  EXPECT_EQ(*files_of(a.failure->smallest, ""), *files_of(b.failure->smallest, ""));
  // RapidCheck's way to a smaller case is the loop's.
  Case c = case_from_seed(kWrong, a.failure->case_seed);
  reduce_case(kWrong, oracle_subject(), c, {1000});
  EXPECT_EQ(*files_of(c, ""), *files_of(a.failure->smallest, ""));
}

// The real catalogue, a little of it: the tool runs the rest.
TEST(Properties, HoldOnTheOracle) {
  RunOptions options;
  for (const Property& p : properties()) options.properties.push_back(&p);
  options.cases = 300;
  options.seed = 20240;
  const RunReport r = run_properties(options);
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.cases, 300u);
  for (const FoundFailure& f : r.found) ADD_FAILURE() << f.violation.text() << " (case seed " << f.case_seed << ")";
}

}  // namespace
}  // namespace assay::harness
