// SPDX-License-Identifier: Apache-2.0
// Implementations that die, hang, talk too much or lie about whom they answer: each question gets an ending of its own
// and the right one, and the asking goes on (conformance.md, Plugging in).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "conformance/runner/session.h"
#include "conformance/test/imitations.h"

namespace assay::conformance {
namespace {

using namespace std::chrono_literals;
using test::Channel;
using test::imitation;
using test::is_question;
using test::question;

ChildLimits quick() {
  ChildLimits l;
  l.timeout = 200ms;
  return l;
}

class Temporary {
 public:
  Temporary() {
    char name[] = "/tmp/assay-child-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Temporary() { std::filesystem::remove_all(path_); }
  std::string file(const char* name) const { return path_ + "/" + name; }
  std::string text(const char* name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

struct Asking {
  std::vector<Ending> endings;
  Notes notes;

  Trouble trouble(std::size_t i) const { return endings[i].trouble; }
  // Indices that have no answer.
  std::vector<std::size_t> troubled() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < endings.size(); ++i)
      if (!endings[i].answered()) out.push_back(i);
    return out;
  }
};

// Asks n questions; every one must be told once and in order, and each answer be the right one.
Asking ask(const Command& command, std::size_t n, const ChildLimits& limits = quick(), std::size_t padding = 0) {
  Asking out;
  auto session = Session::start(command, limits);
  EXPECT_TRUE(session) << session.error();
  if (!session) return out;
  std::vector<std::string> requests;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < n; ++i) requests.push_back(question(i, padding));
  for (const std::string& r : requests) questions.push_back({Op::dtype, r});
  session->ask(questions, [&](std::size_t index, Ending e) {
    EXPECT_EQ(index, out.endings.size());
    if (e.answered()) {
      EXPECT_EQ(e.answer.status, harness::ReplyStatus::ok);
      EXPECT_EQ(e.answer.body, R"({"cce_op":[],"match":[],"size":[4],"to_sdma":[]})");
    } else {
      EXPECT_FALSE(e.why.empty());
    }
    out.endings.push_back(std::move(e));
  });
  EXPECT_EQ(out.endings.size(), n);
  out.notes = session->notes();
  return out;
}

void right(Channel& c, std::uint64_t, std::uint64_t id, const std::string&) { c.answer(id); }

using Indices = std::vector<std::size_t>;

TEST(Session, AsksInOrderThroughOneChild) {
  const Asking a = ask(imitation(right), 1000);
  EXPECT_TRUE(a.troubled().empty());
  EXPECT_EQ(a.notes.starts, 1U);
  EXPECT_TRUE(a.notes.remarks.empty());
}

TEST(Session, RunsACommand) {
  const std::string script = R"(while read -r l; do i=${l#*:}; i=${i%%,*}; case $l in
    *hello*) echo "{\"id\":$i,\"protocol\":1,\"name\":\"sh\",\"version\":\"1\",\"ops\":[\"dtype\"]}";;
    *) echo "{\"id\":$i,\"status\":\"ok\",\"size\":[4]}";; esac; echo "at $i $MORE" >&2; done)";
  Temporary t;
  Command c = Command::shell(script);
  c.log = t.file("log");
  c.environment = {{"MORE", "or less"}};
  EXPECT_TRUE(ask(c, 20).troubled().empty());
  EXPECT_NE(t.text("log").find("at 20 or less\n"), std::string::npos);
  // An op that the hello does not list is not asked.
  auto session = Session::start(c, quick());
  ASSERT_TRUE(session);
  EXPECT_EQ(session->hello().name, "sh");
  const Ending e = session->ask({Op::lower, "not even a request"});
  EXPECT_TRUE(e.answered());
  EXPECT_EQ(e.answer.status, harness::ReplyStatus::unsupported);
}

TEST(Session, SaysWhyThereIsNone) {
  const auto why = [](const Command& c) {
    const auto s = Session::start(c, quick());
    return s ? std::string("started") : s.error();
  };
  Command none;
  none.argv = {"/no/such/program"};
  EXPECT_NE(why(none).find("No such file"), std::string::npos);
  EXPECT_EQ(why(Command{}), "no command");
  EXPECT_NE(why(Command::shell("exit 3")).find("exit: code 3"), std::string::npos);
  EXPECT_NE(why(Command::shell("kill -SEGV $$")).find("crash: SIGSEGV"), std::string::npos);
  EXPECT_NE(why(Command::shell("cat")).find("hello"), std::string::npos);  // an echo
  EXPECT_NE(why(Command::shell("echo hi; cat")).find("no answer"), std::string::npos);
  EXPECT_NE(why(Command::shell("sleep 60")).find("timeout"), std::string::npos);
}

// The request is to blame: whatever was in flight with it is answered all the same.
TEST(Session, ACrashCostsTheOneQuestion) {
  const Asking a = ask(imitation([](Channel& c, std::uint64_t, std::uint64_t id, const std::string& line) {
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

// The number of requests is to blame: a death that shows with no request alone is still no pass.
TEST(Session, ADeathThatHangsOnOrderIsNotForgotten) {
  const Asking a = ask(imitation([](Channel& c, std::uint64_t n, std::uint64_t id, const std::string&) {
                         if (n == 60) ::raise(SIGBUS);
                         c.answer(id);
                       }),
                       100);
  EXPECT_EQ(a.troubled(), Indices{60});
  EXPECT_EQ(a.endings[60].why, "crash: SIGBUS (asked together with others; alone it was answered)");
  EXPECT_FALSE(a.notes.remarks.empty());
}

TEST(Session, TenErrorsInARowGiveTheOpUp) {
  const Asking a = ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) { ::_exit(0); }), 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(a.trouble(i), i < 10 ? Trouble::exit : Trouble::not_sent) << i;
    EXPECT_EQ(a.endings[i].why, i < 10 ? "exit: code 0" : "not sent: ten errors in a row on dtype") << i;
  }
  EXPECT_EQ(a.notes.given_up, std::vector<Op>{Op::dtype});
  // An answer in between starts the row anew.
  const Asking b = ask(imitation([](Channel& c, std::uint64_t, std::uint64_t id, const std::string& line) {
                         if (!is_question(line, 9)) ::_exit(0);
                         c.answer(id);
                       }),
                       30);
  EXPECT_EQ(b.trouble(18), Trouble::exit);
  EXPECT_EQ(b.trouble(20), Trouble::not_sent);
  // A reducer's questions go on.
  ChildLimits on = quick();
  on.give_up = false;
  EXPECT_EQ(ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) { ::_exit(0); }), 15, on).trouble(14),
            Trouble::exit);
}

TEST(Session, ThreeTimeoutsInARowGiveTheOpUp) {
  const Asking a = ask(imitation([](Channel&, std::uint64_t, std::uint64_t, const std::string&) {}), 10);
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
  const Asking a = ask(imitation(hang_once), 20);
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
       [](Channel& c, auto, auto id, const auto&) { c.write(fmt::format("{{\"id\":{},\"status\":\"ok\",\"size\":[]}}\n", id)); },
       Trouble::protocol},
      {"an echo", [](Channel& c, auto, auto, const std::string& line) { c.write(line + "\n"); }, Trouble::protocol},
      {"noise before", [](Channel& c, auto, auto id, const auto&) { c.write("working\n"), c.answer(id); }, Trouble::noise},
      {"noise behind", [](Channel& c, auto, auto id, const auto&) { c.answer(id), c.write("done\n"); }, Trouble::noise},
      {"twice", [](Channel& c, auto, auto id, const auto&) { c.answer(id), c.answer(id); }, Trouble::protocol},
      {"half a line", [](Channel& c, auto, auto id, const auto&) { c.write(fmt::format("{{\"id\":{},\"sta\n", id)); },
       Trouble::noise},
      {"half a line and no more",
       [](Channel& c, auto, auto id, const auto&) { c.write(fmt::format("{{\"id\":{},\"sta", id)), ::_exit(0); }, Trouble::exit},
      {"a NUL", [](Channel& c, auto, auto, const auto&) { c.write(std::string("\0\n", 2)); }, Trouble::noise},
      {"an empty line", [](Channel& c, auto, auto, const auto&) { c.write("\n"); }, Trouble::noise},
  };
  for (const Liar& liar : liars) {
    const Asking a = ask(imitation(liar.behaviour), 14);
    EXPECT_EQ(a.troubled().size(), 14U) << liar.name;
    // Which of the two an answer in the wrong place is, hangs on how far it was read.
    for (std::size_t i = 0; i < 10; ++i) {
      const bool as_said = a.trouble(i) == liar.trouble ||
                           (liar.trouble == Trouble::protocol && a.trouble(i) == Trouble::noise);
      EXPECT_TRUE(as_said) << liar.name << " " << i << ": " << a.endings[i].why;
    }
    EXPECT_EQ(a.trouble(13), Trouble::not_sent) << liar.name;
  }
}

TEST(Session, WrongOrderIsNoAnswer) {
  // Collects up to three, answers them backwards; alone each is answered.
  const Asking a = ask(imitation([held = std::vector<std::uint64_t>()](Channel& c, auto, auto id, const auto&) mutable {
                         held.push_back(id);
                         if (held.size() == 3)
                           while (!held.empty()) c.answer(held.back()), held.pop_back();
                       }),
                       9);
  EXPECT_FALSE(a.troubled().empty());
  EXPECT_EQ(a.troubled().front(), 0U);
}

TEST(Session, AFloodEndsAtTheLimit) {
  ChildLimits l = quick();
  l.line_bytes = 1 << 20;
  const std::string much(1 << 16, 'x');
  const Asking a = ask(imitation([&](Channel& c, auto, auto id, const std::string& line) {
                         while (is_question(line, 3)) c.write(much);
                         c.answer(id);
                       }),
                       10, l);
  EXPECT_EQ(a.troubled(), Indices{3});
  EXPECT_EQ(a.trouble(3), Trouble::flood);
  // Lines without end are no better.
  const Asking b = ask(imitation([&](Channel& c, auto, auto id, const std::string& line) {
                         while (is_question(line, 3)) c.write("chatter\n");
                         c.answer(id);
                       }),
                       10, l);
  EXPECT_EQ(b.troubled(), Indices{3});
  EXPECT_EQ(b.trouble(3), Trouble::noise);
}

// AddressSanitizer and the like keep memory resident that nobody asked for.
#if !defined(__SANITIZE_ADDRESS__)
TEST(Session, GrowingWithoutBoundIsOutOfMemory) {
  ChildLimits l;
  l.timeout = 20s;
  l.resident_bytes = std::uint64_t{150} << 20;
  const Asking a = ask(imitation([](Channel& c, auto, auto id, const std::string& line) {
                         std::vector<std::unique_ptr<std::string>> all;
                         while (is_question(line, 2)) {
                           all.push_back(std::make_unique<std::string>(1 << 20, 'x'));
                           ::usleep(300);
                         }
                         c.answer(id);
                       }),
                       5, l);
  EXPECT_EQ(a.troubled(), Indices{2});
  EXPECT_EQ(a.endings[2].why, "out of memory: over 150 MiB resident");
}

TEST(Session, TheKernelsLimitsHold) {
  ChildLimits l;
  l.timeout = 20s;
  l.address_bytes = std::uint64_t{2} << 30;
  l.cpu_seconds = 1;
  l.file_bytes = 4096;
  Temporary t;
  const std::string path = t.file("big");
  const Asking a = ask(imitation([path](Channel& c, auto, auto id, const std::string& line) {
                         if (is_question(line, 1)) std::string(std::size_t{3} << 30, 'x');
                         if (is_question(line, 2)) std::ofstream(path) << std::string(10000, 'x');
                         for (volatile int i = 0; is_question(line, 3);) i = i + 1;
                         c.answer(id);
                       }),
                       5, l);
  EXPECT_EQ(a.troubled(), (Indices{1, 2, 3}));
  EXPECT_EQ(a.endings[1].why, "exit: code 126");  // by std::bad_alloc
  EXPECT_EQ(a.endings[2].why, "crash: SIGXFSZ");
  EXPECT_EQ(a.endings[3].why.substr(0, 10), "crash: SIG");  // XCPU, or KILL where limits are alike
}
#endif

TEST(Session, LargeRequestsAndAnswersBlockNobody) {
  // It says much before it reads on, and is told much before it is read.
  const std::string comment(300'000, 'y');
  const Asking a = ask(imitation([&](Channel& c, auto, auto id, const auto&) {
                         c.write(fmt::format("{{\"id\":{},\"comment\":\"{}\",\"status\":\"ok\",\"size\":[4]}}\n", id, comment));
                       }),
                       60, quick(), 400'000);
  EXPECT_TRUE(a.troubled().empty());
  // And one that never reads is a timeout, not a hang of its own.
  const Asking b = ask(imitation([](Channel&, auto, auto, const auto&) { ::pause(); }), 4, quick(), 3'000'000);
  EXPECT_EQ(b.trouble(0), Trouble::timeout);
}

TEST(Session, AnOutputClosedOrHeldOpenIsADeath) {
  const Asking a = ask(imitation([](Channel& c, auto, auto id, const std::string& line) {
                         if (is_question(line, 1)) c.close_output(), ::pause();
                         if (is_question(line, 2)) {
                           if (::fork() == 0) ::pause();  // holds the output open
                           ::_exit(4);
                         }
                         c.answer(id);
                       }),
                       5);
  EXPECT_EQ(a.troubled(), (Indices{1, 2}));
  EXPECT_EQ(a.endings[1].why, "exit: closed its standard output");
  EXPECT_EQ(a.endings[2].why, "exit: code 4");
}

TEST(Session, TheWholeGroupIsKilled) {
  Temporary t;
  const std::string path = t.file("pid");
  {
    auto session = Session::start(imitation([path](Channel& c, auto, auto id, const auto&) {
                                    const pid_t pid = ::fork();
                                    if (pid == 0) ::pause();
                                    std::ofstream(path) << pid;
                                    c.answer(id);
                                  }),
                                  quick());
    ASSERT_TRUE(session);
    EXPECT_TRUE(session->ask({Op::dtype, question(0)}).answered());
  }
  const int pid = std::stoi(t.text("pid"));
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i, ::usleep(10'000)) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    gone = text.empty() || text.find(") Z") != std::string::npos;
  }
  EXPECT_TRUE(gone);
}

TEST(Session, StandardOutputOfAFunctionIsItsLog) {
  Temporary t;
  Command c = imitation([](Channel& channel, auto, auto id, const auto&) {
    std::printf("by accident\n");
    std::fflush(stdout);
    channel.answer(id);
  });
  c.log = t.file("log");
  EXPECT_TRUE(ask(c, 3).troubled().empty());
  EXPECT_EQ(t.text("log"), "by accident\nby accident\nby accident\n");
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

TEST(Session, WhatCannotStartAgainIsGivenUp) {
  Temporary t;
  const std::string mark = t.file("mark");
  Command c = imitation([](Channel&, auto, auto, const auto&) { ::_exit(5); });
  c.function = [mark, once = c.function](int in, int out) {
    return ::mkdir(mark.c_str(), 0700) == 0 ? once(in, out) : 9;
  };
  const Asking a = ask(c, 8);
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
    const auto asked = ask_all(c, quick(), "1.0", jobs, questions, [&](std::size_t i, Ending e) {
      EXPECT_TRUE(told.emplace(i, e.answered()).second);
    });
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
