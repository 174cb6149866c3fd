// SPDX-License-Identifier: Apache-2.0
// A run of the suite as a whole (runner/run.h), and failing cases made smaller by asking (runner/shrink.h).
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "conformance/protocol/serve.h"
#include "conformance/runner/run.h"
#include "conformance/runner/shrink.h"
#include "conformance/test/imitations.h"
#include "conformance/test/small_suite.h"
#include "harness/gen/gen.h"

namespace assay::conformance {
namespace {

using test::small_suite;
using test::whole_catalogue;

Command serving(const harness::Subject& subject) {
  Command c;
  c.function = [&subject](int in, int out) {
    serve(subject, {"served", "1", all_subject_ops()}, in, out);
    return 0;
  };
  return c;
}

RunPlan plan_of(const Command& command, unsigned jobs, std::uint64_t seed = 1) {
  RunPlan plan;
  plan.command = command;
  plan.limits = test::quick();
  plan.jobs = jobs;
  plan.seed = seed;
  return plan;
}

std::string outcomes(const std::vector<Result>& results) {
  std::string out;
  for (const Result& r : results) out += r.id + " " + std::string(name_of(r.outcome)) + " " + r.answer_sha256 + "\n";
  return out;
}

TEST(Run, ComesToTheSameByAnyNumberOfProcessesAndAnyOrder) {
  const auto& cases = small_suite();
  std::string first;
  for (const unsigned jobs : {1U, 2U, 5U, 64U}) {
    auto plan = plan_of(serving(harness::oracle_subject()), jobs, jobs);
    std::size_t done = 0;
    plan.progress = [&](std::size_t n, std::size_t bad) {
      done = std::max(done, n);
      EXPECT_EQ(bad, 0U);
    };
    const auto ran = run_cases(cases, whole_catalogue(), plan);
    ASSERT_TRUE(ran) << ran.error();
    EXPECT_EQ(done, cases.size());
    EXPECT_EQ(ran->hello.name, "served");
    EXPECT_TRUE(ran->kept.empty());
    EXPECT_EQ(ran->order.asked, cases.size());
    EXPECT_TRUE(ran->order.differ.empty());
    ASSERT_EQ(ran->results.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      EXPECT_EQ(ran->results[i].id, cases[i].id);
      EXPECT_EQ(ran->results[i].outcome, Outcome::pass) << cases[i].id << " " << ran->results[i].why;
    }
    if (first.empty()) first = outcomes(ran->results);
    EXPECT_EQ(outcomes(ran->results), first);
  }
}

// Answers with a size that counts up: right the first time in a process.
Command counting() {
  return test::imitation([](test::Channel& channel, std::uint64_t n, std::uint64_t id, const std::string&) {
    channel.write("{\"id\":" + std::to_string(id) + ",\"status\":\"ok\",\"size\":[" + std::to_string(4 + n) + "]}\n");
  });
}

Case size_case(std::string id, std::vector<std::string> flags) {
  Case c;
  c.id = std::move(id);
  c.requirements = {"DT-013"};
  c.flags = std::move(flags);
  c.op = Op::dtype;
  c.request = R"({"size":[5]})";
  c.answer = R"({"cce_op":[],"match":[],"size":[4],"to_sdma":[]})";
  return c;
}

TEST(Run, ACaseAskedTwiceIsAskedOfOneProcessInARow) {
  const std::vector<Case> cases = {size_case("DT-013/twice", {"twice"})};
  auto plan = plan_of(counting(), 4);
  plan.sample = 0;
  const auto ran = run_cases(cases, whole_catalogue(), plan);
  ASSERT_TRUE(ran) << ran.error();
  EXPECT_EQ(ran->results[0].outcome, Outcome::fail);
  ASSERT_EQ(ran->results[0].violations.size(), 1U);
  EXPECT_EQ(ran->results[0].violations[0].expected, "the same again");
  EXPECT_EQ(ran->kept.count(0), 1U);
}

TEST(Run, AnAnswerThatHangsOnTheOrderIsFound) {
  std::vector<Case> cases;
  for (const char* id : {"DT-013/a", "DT-013/b", "DT-013/c", "DT-013/d"}) cases.push_back(size_case(id, {}));
  const auto ran = run_cases(cases, whole_catalogue(), plan_of(counting(), 1, 3));
  ASSERT_TRUE(ran) << ran.error();
  EXPECT_EQ(ran->order.asked, 4U);
  EXPECT_FALSE(ran->order.differ.empty());
  for (const std::string& id : ran->order.differ) {
    const auto it = std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.id == id; });
    EXPECT_NE(ran->results[static_cast<std::size_t>(it - cases.begin())].outcome, Outcome::pass) << id;
  }
}

// Who stays away when asked again holds nothing; nor does who then says to be another.
TEST(Run, WhoIsNotThereToBeAskedAgainFails) {
  test::Temporary t;
  const std::string count = t.file("starts");
  for (const bool stays_away : {true, false}) {
    std::filesystem::remove(count);
    Command c = test::imitation([](test::Channel& channel, auto, auto id, const auto&) { channel.answer(id); });
    const auto serve_it = c.function;
    c.function = [serve_it, count, stays_away](int in, int out) {
      std::ofstream(count, std::ios::app) << "x";
      const auto starts = std::filesystem::file_size(count);
      if (starts < 2) return serve_it(in, out);
      if (stays_away) return 3;
      std::string line(4096, 0);
      line.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(in, line.data(), line.size()), 0)));
      const std::string hello = "{\"id\":" + std::to_string(test::id_of(line)) +
                                ",\"protocol\":1,\"name\":\"else\",\"version\":\"2\",\"ops\":[\"dtype\"]}\n";
      return ::write(out, hello.data(), hello.size()) > 0 ? serve_it(in, out) : 1;
    };
    const std::vector<Case> cases = {size_case("DT-013/a", {}), size_case("DT-013/b", {})};
    const auto ran = run_cases(cases, whole_catalogue(), plan_of(c, 1, 3));
    ASSERT_TRUE(ran) << ran.error();
    EXPECT_EQ(ran->order.asked, 2U) << stays_away;
    EXPECT_EQ(ran->order.differ.size(), 2U) << stays_away;
    for (const Result& r : ran->results) EXPECT_NE(r.outcome, Outcome::pass) << stays_away;
    // All processes of a run are one implementation.
    std::filesystem::remove(count);
    const auto two = run_cases(cases, whole_catalogue(), plan_of(c, 2, 3));
    ASSERT_FALSE(two) << stays_away;
    EXPECT_NE(two.error().find(stays_away ? "exit: code 3" : "else 2"), std::string::npos) << two.error();
  }
}

TEST(Run, WhoDoesNotStartIsToldAndNoCaseIsNone) {
  EXPECT_FALSE(run_cases(small_suite(), whole_catalogue(), plan_of(Command::shell("exit 3"), 2)));
  EXPECT_FALSE(run_cases({}, whole_catalogue(), plan_of(serving(harness::oracle_subject()), 2)));
}

TEST(Run, EndsSoonWhenStopped) {
  const std::atomic<bool> stop = true;
  auto plan = plan_of(serving(harness::oracle_subject()), 2);
  plan.stop = &stop;
  const auto ran = run_cases(small_suite(), whole_catalogue(), plan);
  if (!ran) return;
  for (const Result& r : ran->results) EXPECT_NE(r.outcome, Outcome::pass);
}

TEST(Shrink, MakesAFailingLoweringSmallerAndKeepsItsRequirement) {
  const char* const kMutant = "LOW-003-ninstr-up";
  const harness::Subject& wrong = test::mutant(kMutant);
  const Case whole = test::lower_case("LOW-003/large", {"LOW-003"}, test::model_seen_by(kMutant));
  const Result failed = judge(whole, test::ask(wrong, whole), whole_catalogue());
  ASSERT_EQ(failed.outcome, Outcome::fail);
  auto session = Session::start(serving(wrong), test::quick());
  ASSERT_TRUE(session) << session.error();
  const auto smaller = shrink_by_asking(*session, whole_catalogue())(whole, failed);
  ASSERT_TRUE(smaller);
  EXPECT_LT(smaller->c.request.size(), whole.request.size());
  const Result again = judge(smaller->c, test::ask(wrong, smaller->c), whole_catalogue());
  ASSERT_EQ(again.outcome, Outcome::fail);
  EXPECT_NE(test::rows_of(again.violations).find(failed.violations.front().requirement), std::string::npos);
  // The same bounds end the search at the same place.
  const auto repeated = shrink_by_asking(*session, whole_catalogue())(whole, failed);
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->c.request, smaller->c.request);
}

TEST(Shrink, FindsTheOneDtypeThatFails) {
  Case c = size_case("DT-013/many", {});
  c.request = R"({"cce_op":[],"match":[],"size":[1,2,5,7],"to_sdma":[]})";
  const auto wrong = test::imitation([](test::Channel& channel, std::uint64_t, std::uint64_t id, const std::string&) {
    channel.write("{\"id\":" + std::to_string(id) + ",\"status\":\"ok\",\"size\":[77]}\n");
  });
  auto session = Session::start(wrong, test::quick());
  ASSERT_TRUE(session) << session.error();
  Result failed;
  failed.outcome = Outcome::fail;
  failed.violations = {{"DT-013", "size[0]", "1", "77", {}}};
  const auto smaller = shrink_by_asking(*session, whole_catalogue())(c, failed);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->c.request, R"({"cce_op":[],"match":[],"size":[1],"to_sdma":[]})");
}

TEST(Shrink, FindsWhatItDiesOfAndNotWhatHangs) {
  Case c = size_case("DT-013/many", {});
  c.request = R"({"cce_op":[],"match":[],"size":[1,2,5,7],"to_sdma":[]})";
  const auto deadly = test::imitation([](test::Channel& channel, auto, auto id, const std::string& line) {
    if (line.find('5', line.find("\"size\":[")) < line.find("],\"to_sdma\"")) std::raise(SIGSEGV);
    channel.answer(id);
  });
  auto limits = test::quick();
  limits.give_up = false;
  auto session = Session::start(deadly, limits);
  ASSERT_TRUE(session) << session.error();
  Result died;
  died.outcome = Outcome::error;
  died.why = "crash: SIGSEGV";
  const auto smaller = shrink_by_asking(*session, whole_catalogue())(c, died);
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->c.request, R"({"cce_op":[],"match":[],"size":[5],"to_sdma":[]})");
  EXPECT_EQ(smaller->answered.error(), "crash: SIGSEGV");
  died.why = "crash: SIGBUS";
  EXPECT_FALSE(shrink_by_asking(*session, whole_catalogue())(c, died));
  died.why = "timeout";
  EXPECT_FALSE(shrink_by_asking(*session, whole_catalogue())(c, died));
}

}  // namespace
}  // namespace assay::conformance
