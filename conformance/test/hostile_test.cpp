// SPDX-License-Identifier: Apache-2.0
// Hostile implementations come to the verdicts of their table, and whatever comes to others is seen.
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/mutants/hostile.h"
#include "conformance/test/small_suite.h"
#include "conformance/test/suite_support.h"

namespace assay::conformance {
namespace {

Catalogue catalogue() { return test::whole_catalogue(); }

// Cases of every op, few enough for a test.
const std::vector<Case>& some() {
  static const std::vector<Case> all = [] {
    std::vector<Case> out;
    std::size_t n = 0;
    for (const Case& c : suite_test::suite().cases)
      if (c.op == Op::dtype || c.op == Op::decode || ++n % 12 == 0) out.push_back(c);
    return out;
  }();
  return all;
}

class Hostiles : public testing::TestWithParam<std::size_t> {};

TEST_P(Hostiles, ComeToTheirVerdictsAndTheRunnerSurvives) {
  const Hostile& h = hostiles()[GetParam()];
  // A selective one is right about the partners of what it strikes, so it needs the whole suite.
  const HostileRow row = try_hostile(h, h.strikes_all ? some() : suite_test::suite().cases, catalogue());
  EXPECT_TRUE(row.right) << (row.problems.empty() ? "" : row.problems.front());
  EXPECT_EQ(row.held, "");
  EXPECT_EQ(row.said.empty(), h.outcomes[0] != "error");
  // Of what decides nothing a case may pass, with a report.
  const auto decides_nothing = [](const Case& c) { return !is_must(catalogue(), c.requirements.front()); };
  const auto most = static_cast<std::size_t>(std::count_if(some().begin(), some().end(), decides_nothing));
  EXPECT_TRUE(!h.strikes_all || row.of[static_cast<std::size_t>(Outcome::pass)] <= most);
}

std::string named(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(hostiles()[info.param].name);
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Each, Hostiles, testing::Range<std::size_t>(0, hostiles().size()), named);

TEST(Hostile, AreAllOfThem) {
  for (const char* name : {"silent", "slow", "talkative", "truncating", "wrong ids", "wrong order", "dying", "printing",
                           "growing", "refusing", "accepting", "echoing"})
    EXPECT_NE(find_hostile(name), nullptr) << name;
  EXPECT_EQ(hostiles().size(), 12U);
}

TEST(Hostile, AnotherVerdictIsAProblem) {
  const auto judged = [](const char* name, Outcome outcome, const char* why) {
    std::vector<Result> results(some().size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i].id = some()[i].id;
      results[i].outcome = outcome;
      results[i].why = why;
      if (outcome == Outcome::pass) results[i].answered = some()[i].expect;
    }
    HostileRow row;
    judge_hostile(*find_hostile(name), some(), results, catalogue(), row);
    return row;
  };
  EXPECT_TRUE(judged("silent", Outcome::error, "timeout").right);
  EXPECT_FALSE(judged("silent", Outcome::error, "exit 1").right);
  EXPECT_FALSE(judged("silent", Outcome::unsupported, "").right);
  EXPECT_FALSE(judged("refusing", Outcome::pass, "").right);
  EXPECT_FALSE(judged("dying", Outcome::error, "crash: SIGSEGV").right);  // those it does not strike pass
  const HostileRow row = judged("refusing", Outcome::pass, "");
  EXPECT_FALSE(row.problems.empty());
  EXPECT_LE(row.problems.size(), 11U);
}

TEST(Hostile, ACommandThatIsHonestIsNone) {
  Hostile h = *find_hostile("refusing");
  h.serve = [](int in, int out) { return serve_oracle().function(in, out); };
  const HostileRow row = try_hostile(h, some(), catalogue());
  EXPECT_FALSE(row.right);
  EXPECT_GT(row.of[static_cast<std::size_t>(Outcome::pass)], 0U);
}

}  // namespace
}  // namespace assay::conformance
