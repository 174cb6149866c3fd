// SPDX-License-Identifier: Apache-2.0
// Implementations that die, hang or lie about whom they answer: each question gets an ending of its own and the right
// one, and the asking goes on (conformance.md, Plugging in).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "conformance/runner/session.h"
#include "conformance/test/imitations.h"

namespace assay::conformance {
namespace {

using namespace std::chrono_literals;
using namespace test;

// In one piece with what is behind it, so that no clock decides whether that is seen.
std::string right_line(std::uint64_t id) { return fmt::format("{{\"id\":{},\"status\":\"ok\",\"size\":[4]}}\n", id); }

void right(Channel& c, std::uint64_t, std::uint64_t id, const std::string&) { c.answer(id); }

TEST(Session, AsksInOrderThroughOneChild) {
  const test::Told a = ask(imitation(right), 1000);
  EXPECT_TRUE(a.troubled().empty());
  EXPECT_EQ(a.notes.starts, 1U);
  EXPECT_TRUE(a.notes.remarks.empty());
}

// The request is to blame: whatever was in flight with it is answered all the same.
TEST(Session, ACrashCostsTheOneQuestion) {
  const test::Told a = ask(imitation([](Channel& c, std::uint64_t, std::uint64_t id, const std::string& line) {
                             if (is_question(line, 30)) ::raise(SIGSEGV);
                             if (is_question(line, 31)) ::_exit(3);
                             if (is_question(line, 90)) ::abort();
                             c.answer(id);
                           }),
                           120);
  EXPECT_EQ(a.troubled(), (Indices{30, 31, 90}));
  EXPECT_EQ(a.endings[30].why, "crash: SIGSEGV");
  EXPECT_EQ(a.endings[31].why, "exit: code 3");
  EXPECT_EQ(a.endings[90].why, "crash: SIGABRT");
  EXPECT_EQ(a.trouble(31), Trouble::exit);
  EXPECT_TRUE(a.notes.given_up.empty());
}

// Each process is greeted as the first was: one that always says 0 comes back as often as it dies.
TEST(Session, EveryHelloIsNumberZero) {
  const test::Told a = ask(Command::shell("read x; echo '{\"id\":0,\"protocol\":1,\"name\":\"zero\",\"version\":\"1\","
                                          "\"ops\":[\"dtype\"]}'; read x; exit 3"),
                           4);
  EXPECT_EQ(a.troubled().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(a.endings[i].why.starts_with("exit: code 3")) << a.endings[i].why;
}

// The number of requests is to blame: a death that shows with no request alone is still no pass.
TEST(Session, ADeathThatHangsOnOrderIsNotForgotten) {
  const test::Told a = ask(imitation([](Channel& c, std::uint64_t n, std::uint64_t id, const std::string&) {
                             if (n == 60) ::raise(SIGBUS);
                             c.answer(id);
                           }),
                           100);
  EXPECT_EQ(a.troubled(), Indices{60});
  EXPECT_EQ(a.endings[60].why, "crash: SIGBUS (asked together with others; alone it was answered)");
  EXPECT_FALSE(a.notes.remarks.empty());
}

TEST(Session, TenErrorsInARowGiveTheOpUp) {
  const test::Told a =
      ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) { ::_exit(0); }), 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(a.trouble(i), i < 10 ? Trouble::exit : Trouble::not_sent) << i;
    EXPECT_EQ(a.endings[i].why, i < 10 ? "exit: code 0" : "not sent: ten errors in a row on dtype, the first: exit: code 0") << i;
  }
  EXPECT_EQ(a.notes.given_up, std::vector<Op>{Op::dtype});
  // An answer in between starts the row anew.
  const test::Told b = ask(imitation([](Channel& c, std::uint64_t, std::uint64_t id, const std::string& line) {
                             if (!is_question(line, 9)) ::_exit(0);
                             c.answer(id);
                           }),
                           30);
  EXPECT_EQ(b.trouble(18), Trouble::exit);
  EXPECT_EQ(b.trouble(20), Trouble::not_sent);
  // A reducer's questions go on.
  ChildLimits on = quick();
  on.give_up = false;
  EXPECT_EQ(ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) { ::_exit(0); }), 15, on)
                .trouble(14),
            Trouble::exit);
}

TEST(Session, ThreeTimeoutsInARowGiveTheOpUp) {
  const test::Told a = ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) {}), 10, hasty());
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(a.trouble(i), i < 3 ? Trouble::timeout : Trouble::not_sent) << i;
  EXPECT_EQ(a.endings[0].why, "timeout");
  EXPECT_EQ(a.endings[3].why, "not sent: three timeouts in a row on dtype");
  EXPECT_EQ(a.notes.starts, 6U);  // each twice, the first time among others
}

TEST(Session, ATimeoutIsTriedOnceMoreAlone) {
  Temporary t;
  const std::string mark = t.file("mark");
  const auto hang_once = [mark](Channel& c, std::uint64_t, std::uint64_t id, const std::string& line) {
    if (is_question(line, 5) && ::mkdir(mark.c_str(), 0700) == 0) ::pause();
    if (is_question(line, 8)) ::pause();
    c.answer(id);
  };
  const test::Told a = ask(imitation(hang_once), 20, hasty());
  EXPECT_EQ(a.troubled(), Indices{8});
  EXPECT_EQ(a.trouble(8), Trouble::timeout);
}

TEST(Session, ASlowOneIsWaitedFor) {
  EXPECT_TRUE(ask(imitation([](Channel& c, std::uint64_t, std::uint64_t id, const std::string&) {
                    ::usleep(60'000);
                    c.answer(id);
                  }),
                  10)
                  .troubled()
                  .empty());
}

struct Liar {
  const char* name;
  test::Behaviour behaviour;
  Trouble trouble;
};

// What passes for no answer at all: every question is an error, none a pass.
TEST(Session, LiesAreErrors) {
  const Liar liars[] = {
      {"a wrong id", [](Channel& c, auto, auto id, const auto&) { c.answer(id + 1); }, Trouble::protocol},
      {"the first id for ever", [](Channel& c, auto, auto, const auto&) { c.answer(1); }, Trouble::protocol},
      {"a wrong count",
       [](Channel& c, auto, auto id, const auto&) {
         c.write(fmt::format("{{\"id\":{},\"status\":\"ok\",\"size\":[]}}\n", id));
       },
       Trouble::protocol},
      {"an echo", [](Channel& c, auto, auto, const std::string& line) { c.write(line + "\n"); }, Trouble::protocol},
      {"noise before", [](Channel& c, auto, auto id, const auto&) { c.write("working\n"), c.answer(id); },
       Trouble::noise},
      {"noise behind", [](Channel& c, auto, auto id, const auto&) { c.write(right_line(id) + "done\n"); },
       Trouble::noise},
      {"twice", [](Channel& c, auto, auto id, const auto&) { c.write(right_line(id) + right_line(id)); },
       Trouble::protocol},
      {"half a line", [](Channel& c, auto, auto id, const auto&) { c.write(fmt::format("{{\"id\":{},\"sta\n", id)); },
       Trouble::noise},
      {"half a line and no more",
       [](Channel& c, auto, auto id, const auto&) { c.write(fmt::format("{{\"id\":{},\"sta", id)), ::_exit(0); },
       Trouble::exit},
      {"a NUL", [](Channel& c, auto, auto, const auto&) { c.write(std::string("\0\n", 2)); }, Trouble::noise},
      {"an empty line", [](Channel& c, auto, auto, const auto&) { c.write("\n"); }, Trouble::noise},
  };
  for (const Liar& liar : liars) {
    const test::Told a = ask(imitation(liar.behaviour), 14);
    EXPECT_EQ(a.troubled().size(), 14U) << liar.name;
    // Which of the two an answer in the wrong place is, hangs on how far it was read.
    for (std::size_t i = 0; i < 10; ++i) {
      const bool as_said =
          a.trouble(i) == liar.trouble || (liar.trouble == Trouble::protocol && a.trouble(i) == Trouble::noise);
      EXPECT_TRUE(as_said) << liar.name << " " << i << ": " << a.endings[i].why;
    }
    EXPECT_EQ(a.trouble(13), Trouble::not_sent) << liar.name;
  }
}

TEST(Session, WrongOrderIsNoAnswer) {
  // Collects up to three, answers them backwards; alone each is answered.
  const test::Told a =
      ask(imitation([held = std::vector<std::uint64_t>()](Channel& c, auto, auto id, const auto&) mutable {
            held.push_back(id);
            if (held.size() == 3)
              while (!held.empty()) c.answer(held.back()), held.pop_back();
          }),
          9, hasty());
  EXPECT_FALSE(a.troubled().empty());
  EXPECT_EQ(a.troubled().front(), 0U);
}

TEST(Session, EndsSoonWhenStopped) {
  std::atomic<bool> stop = false;
  ChildLimits l;
  l.timeout = 60s;
  auto session = Session::start(imitation([](Channel& c, auto n, auto id, const auto&) {
                                  if (n == 3) ::pause();
                                  c.answer(id);
                                }),
                                l, "1.0", &stop);
  ASSERT_TRUE(session);
  std::vector<Question> questions;
  const std::string q = question(0);
  questions.assign(10, {Op::dtype, q});
  std::size_t told = 0;
  std::thread interrupt([&] { std::this_thread::sleep_for(100ms), stop = true; });
  const auto begin = std::chrono::steady_clock::now();
  session->ask(questions, [&](std::size_t, Ending e) { told += e.answered(); });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(told, 3U);
  interrupt.join();
  EXPECT_EQ(session->ask({Op::dtype, q}).trouble, Trouble::not_sent);
}

TEST(Session, WhatTellThrowsEndsTheAskingAlone) {
  auto session = Session::start(imitation(right), quick());
  ASSERT_TRUE(session);
  const std::string q = question(0);
  const std::vector<Question> questions(50, Question{Op::dtype, q});
  EXPECT_THROW(session->ask(questions, [](std::size_t i, Ending) {
    if (i == 7) throw 7;
  }), int);
  std::size_t told = 0;
  session->ask(questions, [&](std::size_t, Ending e) { told += e.answered(); });
  EXPECT_EQ(told, 50U);
}

TEST(Session, WhatCannotStartAgainIsGivenUp) {
  Temporary t;
  const std::string mark = t.file("mark");
  Command c = imitation([](Channel&, auto, auto, const auto&) { ::_exit(5); });
  c.function = [mark, once = c.function](int in, int out) {
    return ::mkdir(mark.c_str(), 0700) == 0 ? once(in, out) : 9;
  };
  const test::Told a = ask(c, 8);
  EXPECT_EQ(a.troubled().size(), 8U);
  EXPECT_EQ(a.trouble(1), Trouble::not_started);
  EXPECT_EQ(a.trouble(7), Trouble::not_sent);
  EXPECT_NE(a.endings[1].why.find("exit: code 9"), std::string::npos);
}

TEST(AskAll, TellsEachOnceWhateverTheJobs) {
  const Command c = imitation([](Channel& channel, auto, auto id, const std::string& line) {
    if (is_question(line, 7) || is_question(line, 50)) ::_exit(1);
    channel.answer(id);
  });
  std::vector<std::string> requests;
  for (std::size_t i = 0; i < 101; ++i) requests.push_back(question(i));
  std::vector<Question> questions;
  for (const auto& r : requests) questions.push_back({Op::dtype, r});
  for (const unsigned jobs : {1U, 2U, 3U, 8U}) {
    std::map<std::size_t, bool> told;
    const auto asked = ask_all(c, quick(), "1.0", jobs, questions,
                               [&](std::size_t i, Ending e) { EXPECT_TRUE(told.emplace(i, e.answered()).second); });
    ASSERT_TRUE(asked) << asked.error();
    ASSERT_EQ(told.size(), questions.size());
    for (const auto& [i, answered] : told) EXPECT_EQ(answered, i != 7 && i != 50) << i;
    EXPECT_EQ(asked->hello.name, "imitation");
    EXPECT_GE(asked->notes.starts, jobs);
  }
  EXPECT_FALSE(ask_all(Command::shell("exit 1"), quick(), "1.0", 2, questions, [](std::size_t, Ending) {}));
}

}  // namespace
}  // namespace assay::conformance
