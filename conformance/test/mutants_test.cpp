// SPDX-License-Identifier: Apache-2.0
// The kill table: every observable must row has a mutant, mutants are told by the name of their row alone, and the
// table says so of none that is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/certificate/levels.h"
#include "conformance/mutants/selftest.h"
#include "conformance/protocol/serve.h"
#include "conformance/suite/told.h"
#include "conformance/test/small_suite.h"
#include "conformance/test/suite_support.h"
#include "harness/mutants/cached_subject.h"

namespace assay::conformance {
namespace {

using suite_test::suite;

Catalogue catalogue() { return test::whole_catalogue(); }
const Choice& choice() {
  static const Choice c(suite());
  return c;
}
const SuiteMutant& mutant(std::string_view id) { return *find_suite_mutant(id); }

Command serving(const harness::Subject& subject) {
  Command c;
  c.function = [&subject](int in, int out) {
    serve(subject, {"someone", "1", all_subject_ops()}, in, out);
    return 0;
  };
  return c;
}

TEST(SuiteMutants, EveryRowThatCountsHasOneAndEachIsOfSuchARow) {
  std::set<std::string_view> rows, covered, ids;
  for (const Requirement& r : catalogue())
    if (counts_for_a_level(r)) rows.insert(r.id);
  EXPECT_EQ(rows.size(), 184U);
  for (const SuiteMutant& m : suite_mutants()) {
    EXPECT_EQ(rows.count(m.requirement), 1U) << m.id;
    EXPECT_TRUE(ids.insert(m.id).second) << m.id;
    EXPECT_EQ(m.id.substr(0, m.requirement.size() + 1), std::string(m.requirement) + "-");
    EXPECT_FALSE(m.what.empty()) << m.id;
    EXPECT_EQ(find_suite_mutant(m.id), &m);
    covered.insert(m.requirement);
  }
  for (const std::string_view id : rows) EXPECT_EQ(covered.count(id), 1U) << "no mutant for " << id;
  EXPECT_EQ(find_suite_mutant("none"), nullptr);
}

// In one process, for speed: a case of its own requirement is answered otherwise, and of each other area one is not.
TEST(SuiteMutants, EachIsWrongInACaseOfItsRowAndRightElsewhere) {
  const harness::CachedSubject oracle(harness::oracle_subject());
  for (const SuiteMutant& m : suite_mutants()) {
    if (harness::find_mutant(m.id) != nullptr) continue;  // the harness's own tests are about those
    const auto subject = make_suite_mutant(m, oracle);
    const auto differs = [&](const Case& c) {
      const auto told = told_by(*subject, c.op, c.request);
      return !told || told->answer.status != c.expect || told->answer.body != c.answer ||
             (c.status_counts && told->answer.code != c.code);
    };
    const auto& own = choice().naming(m.requirement);
    EXPECT_TRUE(std::any_of(own.begin(), own.end(), [&](std::size_t i) { return differs(suite().cases[i]); })) << m.id;
    for (const auto& [area, cases] : choice().accepting())
      EXPECT_TRUE(area == area_of(m.requirement) ||
                  std::any_of(cases.begin(), cases.end(), [&](std::size_t i) { return !differs(suite().cases[i]); }))
          << m.id << " in " << area;
  }
}

// Two that refuse the same cases would be one mutant under two names.
TEST(SuiteMutants, NoTwoRefuseTheSameCases) {
  const harness::CachedSubject oracle(harness::oracle_subject());
  std::map<std::vector<std::string>, std::string_view> refused_by;
  for (const SuiteMutant& m : suite_mutants()) {
    const auto* wrong = std::get_if<Wrong>(&m.edit);
    if (wrong == nullptr || !std::holds_alternative<RefuseLowering>(*wrong)) continue;
    const auto subject = make_suite_mutant(m, oracle);
    std::vector<std::string> refused;
    for (const Case& c : suite().cases) {
      if (c.op != Op::lower || c.expect != harness::ReplyStatus::ok) continue;
      const auto told = told_by(*subject, c.op, c.request);
      if (told && told->answer.status == harness::ReplyStatus::refused) refused.push_back(c.id);
    }
    EXPECT_FALSE(refused.empty()) << m.id;
    const auto [it, is_new] = refused_by.insert({std::move(refused), m.id});
    EXPECT_TRUE(is_new) << m.id << " refuses what " << it->second << " does";
  }
  EXPECT_GT(refused_by.size(), 10U);
}

TEST(Choice, IsItsOwnCasesWithTheirPartnersAndAFixedSample) {
  for (const char* id : {"VAR-004", "CON-007", "DT-001", "LOW-012"}) {
    const auto sample = choice().sample(id), asked = choice().asked(id, false);
    EXPECT_EQ(sample.size(), kSampleOfOthers);
    std::set<std::string_view> areas, ids;
    for (const std::size_t i : asked) ids.insert(suite().cases[i].id);
    for (const std::size_t i : sample) {
      const Case& c = suite().cases[i];
      EXPECT_EQ(std::count(c.requirements.begin(), c.requirements.end(), id), 0) << c.id;
      if (c.expect == harness::ReplyStatus::ok) areas.insert(area_of(c.requirements.front()));
    }
    EXPECT_GE(areas.size(), 16U);  // all but perhaps its own
    for (const std::size_t i : asked) {
      const Case& c = suite().cases[i];
      EXPECT_TRUE(c.twin.empty() || ids.count(c.twin) == 1) << c.id;
    }
    for (const Case& c : suite().cases)
      EXPECT_TRUE(std::count(c.requirements.begin(), c.requirements.end(), id) == 0 || ids.count(c.id) == 1) << c.id;
  }
  EXPECT_EQ(choice().asked("VAR-004", true).size(), suite().cases.size());
  // What decides no must row shows nobody to be right.
  EXPECT_EQ(choice().accepting().size(), 17U);
  for (const auto& [area, cases] : choice().accepting())
    for (const std::size_t i : cases) {
      const Case& c = suite().cases[i];
      EXPECT_EQ(c.expect, harness::ReplyStatus::ok) << c.id;
      EXPECT_TRUE(is_must(catalogue(), c.requirements.front())) << c.id;
    }
}

TEST(Kill, OneOfEachKindIsKilledByName) {
  for (const char* id : {"DT-012-min-max-swapped", "LAY-009-block-id", "IMG-007-lax", "JSN-007-last",
                         "CON-007-version-first", "SEC-006-instr-required", "LOW-011-unsteady", "LOW-003-ninstr-up",
                         "IO-002-backwards"}) {
    const MutantRow row = try_mutant(mutant(id), suite(), choice(), catalogue(), false);
    EXPECT_EQ(name_of(row.kill), "killed") << id << " " << row.by << " " << row.why;
    EXPECT_GT(row.naming, 0U) << id;
    EXPECT_TRUE(row.astray.empty()) << id;
    EXPECT_GE(row.failing, row.naming) << id;
  }
}

TEST(Kill, AMutantThatDoesNothingIsAlive) {
  const MutantRow row = try_as_mutant(mutant("VAR-004-lax"), serve_oracle(), suite(), choice(), catalogue(), false);
  EXPECT_EQ(name_of(row.kill), "alive");
  EXPECT_EQ(row.failing, 0U);
  EXPECT_TRUE(row.astray.empty());
}

TEST(Kill, OneThatFailsForAnotherRowIsNoKill) {
  // What VAR-003 calls wrong, taken for a mutant of VAR-004.
  const auto other = make_suite_mutant(mutant("VAR-003-in-out-swapped"), harness::oracle_subject());
  const MutantRow row = try_as_mutant(mutant("VAR-004-lax"), serving(*other), suite(), choice(), catalogue(), false);
  EXPECT_EQ(name_of(row.kill), "unnamed") << row.by;
  EXPECT_GT(row.failing, 0U);
  EXPECT_EQ(row.naming, 0U);
}

TEST(Kill, OneThatIsWrongEverywhereIsAstray) {
  Command refusing;
  refusing.function = find_hostile("refusing")->serve;
  const MutantRow row =
      try_as_mutant(mutant("SEC-006-instr-required"), refusing, suite(), choice(), catalogue(), false);
  EXPECT_EQ(name_of(row.kill), "astray");
  EXPECT_EQ(row.astray.size(), 16U);
}

TEST(Kill, MediumFieldsAreReportedAndSaidToBe) {
  const MutantRow row = try_mutant(mutant("DMB-023-outermost-first"), suite(), choice(), catalogue(), false);
  EXPECT_TRUE(row.should);
  EXPECT_EQ(name_of(row.kill), "reported") << row.by;
  // Of any other mutant a report is no excuse.
  const std::vector<Case> cases = {suite().cases.front()};
  std::vector<Result> results(1);
  results[0].outcome = Outcome::pass;
  results[0].reported = {{cases[0].requirements[0], "x", "1", "2", {}}};
  MutantRow plain;
  plain.requirement = cases[0].requirements[0];
  judge_mutant(cases, results, plain);
  EXPECT_EQ(name_of(plain.kill), "alive");
  plain = {};
  plain.requirement = cases[0].requirements[0];
  plain.should = true;
  judge_mutant(cases, results, plain);
  EXPECT_EQ(name_of(plain.kill), "reported");
}

TEST(SelfTest, CountsWhatItSays) {
  SelfTest t;
  MutantRow killed, alive, should;
  killed.id = "A-001-a", killed.kill = Kill::killed, killed.naming = 1;
  alive.id = "A-002-b", alive.kill = Kill::alive;
  should.id = "A-003-c", should.kill = Kill::reported, should.should = true;
  killed.ran = alive.ran = should.ran = true;
  t.mutants = {killed, should};
  EXPECT_TRUE(t.sound());
  EXPECT_EQ(t.killable(), 1U);
  EXPECT_EQ(t.killed(), 1U);
  EXPECT_EQ(t.by_name(), 1U);
  EXPECT_EQ(t.reported(), 1U);
  EXPECT_NE(selftest_text(t).find("reported A-003-c"), std::string::npos);
  EXPECT_NE(selftest_text(t).find("mutants=1 killed=1 by_name=1 reported=1"), std::string::npos);
  t.mutants = {killed, alive};
  EXPECT_FALSE(t.sound());
  EXPECT_TRUE(t.unsound());
  EXPECT_NE(selftest_text(t).find("not sound: mutant A-002-b is alive\n"), std::string::npos);
  EXPECT_NE(selftest_json(t).find("\"sound\":false"), std::string::npos);
  t.mutants = {killed};
  t.without_mutant = {"A-009"};
  EXPECT_TRUE(t.unsound());
  EXPECT_NE(selftest_text(t).find("not sound: no mutant for A-009\n"), std::string::npos);
  t.without_mutant.clear();
  t.without_case = {"A-008"};
  EXPECT_TRUE(t.unsound());
  EXPECT_NE(selftest_text(t).find("not sound: no case for A-008\n"), std::string::npos);
  t.without_case.clear();
  HostileRow wrong;
  wrong.ran = true;
  t.hostile = {wrong};
  EXPECT_TRUE(t.unsound());
  EXPECT_FALSE(SelfTest().sound());
}

// A report is what the should part's mutant is to come to; being told by nothing is not.
TEST(SelfTest, AReportIsNoKillOfAMutantThatACaseCanFail) {
  MutantRow row;
  row.ran = true;
  for (const bool should : {false, true})
    for (const Kill kill : {Kill::killed, Kill::alive, Kill::unnamed, Kill::astray, Kill::reported}) {
      row.should = should, row.kill = kill, row.naming = kill == Kill::killed ? 1 : 0;
      SelfTest t;
      t.mutants = {row};
      EXPECT_EQ(t.sound(), kill == (should ? Kill::reported : Kill::killed)) << should << name_of(kill);
      EXPECT_EQ(t.unsound(), !t.sound()) << should << name_of(kill);
      EXPECT_EQ(t.killable(), should ? 0U : 1U);
      EXPECT_LE(t.killed(), t.killable());
    }
  row.should = false, row.kill = Kill::killed, row.naming = 0;
  SelfTest t;
  t.mutants = {row};
  EXPECT_TRUE(t.unsound()) << "killed, but by no name";
}

TEST(SelfTest, WhatWasNotComeToIsNeitherSoundNorUnsound) {
  SelfTest t;
  MutantRow not_asked, not_come_to;
  not_asked.id = "A-001-a", not_asked.ran = true, not_asked.why = "it could not be started";
  not_come_to.id = "A-002-b";
  t.mutants = {not_asked, not_come_to};
  t.hostile.resize(1);
  EXPECT_FALSE(t.sound());
  EXPECT_FALSE(t.unsound());
  EXPECT_EQ(t.not_judged(), 3U);
  EXPECT_NE(selftest_text(t).find("not_judged=3 sound=no"), std::string::npos);
  EXPECT_EQ(selftest_text(t).find("A-002-b"), std::string::npos);
  EXPECT_EQ(selftest_json(t).find("A-002-b"), std::string::npos);
}

TEST(SelfTest, RowsDoNotDependOnTheNumberOfJobs) {
  SelfTestOptions options;
  options.only = {"DT-014-fp32r-8", "IMG-004-lax", "SEC-009-engine-instr", "echoing"};
  std::vector<std::string> texts;
  for (const unsigned jobs : {1U, 3U}) {
    options.jobs = jobs;
    std::size_t told = 0;
    options.progress = [&](std::size_t done, std::size_t of) {
      EXPECT_EQ(of, 4U);
      EXPECT_GE(done, told);
      told = done;
    };
    SelfTest t = run_selftest(suite(), catalogue(), options);
    EXPECT_EQ(told, 4U);
    EXPECT_TRUE(t.sound()) << selftest_text(t);
    EXPECT_FALSE(t.whole);
    t.seconds = 0;
    texts.push_back(selftest_json(t));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(SelfTest, EndsWhenAskedTo) {
  SelfTestOptions options;
  options.only = {"silent", "DT-014-fp32r-8"};
  options.interrupted = [] { return true; };
  const SelfTest t = run_selftest(suite(), catalogue(), options);
  EXPECT_TRUE(t.interrupted);
  EXPECT_FALSE(t.sound());
  EXPECT_EQ(t.mutants.size() + t.hostile.size(), 2U);
  EXPECT_EQ(t.not_judged(), 2U);
  EXPECT_NE(selftest_text(t).find("interrupted"), std::string::npos);
}

}  // namespace
}  // namespace assay::conformance
