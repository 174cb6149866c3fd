// SPDX-License-Identifier: Apache-2.0
// Processes: commands and functions, limits, floods, deaths and what they leave behind (conformance.md, Plugging in).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "conformance/runner/session.h"
#include "conformance/test/imitations.h"
#include "oracle/base/asan.h"

namespace assay::conformance {
namespace {

using namespace std::chrono_literals;
using namespace test;

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
    const auto s = Session::start(c, hasty());
    return s ? std::string("started") : s.error();
  };
  Command none;
  none.argv = {"/no/such/program"};
  EXPECT_NE(why(none).find("No such file"), std::string::npos);
  EXPECT_EQ(why(Command{}), "no command");
  EXPECT_NE(why(Command::shell("exit 3")).find("exit: code 3"), std::string::npos);
  EXPECT_NE(why(Command::shell("kill -SEGV $$")).find("crash: SIGSEGV"), std::string::npos);
  EXPECT_EQ(why(Command::shell("sh -c 'kill -SEGV $$'; exit $?")),
            "hello: exit: code 139 (SIGSEGV, as a shell tells it)");
  EXPECT_EQ(why(Command::shell("exit 128")), "hello: exit: code 128");
  EXPECT_EQ(why(Command::shell("exit 255")), "hello: exit: code 255");
  EXPECT_NE(why(Command::shell("cat")).find("hello"), std::string::npos);  // an echo
  EXPECT_NE(why(Command::shell("echo hi; cat")).find("no answer"), std::string::npos);
  EXPECT_NE(why(Command::shell("sleep 60")).find("timeout"), std::string::npos);
}

// An interpreter may take longer to start than an answer may.
TEST(Session, TheHelloHasALimitOfItsOwn) {
  const Command late = Command::shell(
      "sleep 1; read hello; echo '{\"id\":0,\"protocol\":1,\"name\":\"late\",\"version\":\"1\",\"ops\":[]}'; cat");
  ChildLimits l = hasty();
  l.start = 60s;
  EXPECT_TRUE(Session::start(late, l));
  l.start = l.timeout;
  EXPECT_FALSE(Session::start(late, l));
}

TEST(Session, AFloodEndsAtTheLimit) {
  ChildLimits l = quick();
  l.line_bytes = 1 << 20;
  const std::string much(1 << 16, 'x');
  const test::Told a = ask(imitation([&](Channel& c, auto, auto id, const std::string& line) {
                             while (is_question(line, 3)) c.write(much);
                             c.answer(id);
                           }),
                           10, l);
  EXPECT_EQ(a.troubled(), Indices{3});
  EXPECT_EQ(a.trouble(3), Trouble::flood);
  // Lines without end are no better.
  const test::Told b = ask(imitation([&](Channel& c, auto, auto id, const std::string& line) {
                             while (is_question(line, 3)) c.write("chatter\n");
                             c.answer(id);
                           }),
                           10, l);
  EXPECT_EQ(b.troubled(), Indices{3});
  EXPECT_EQ(b.trouble(3), Trouble::noise);
}

// AddressSanitizer and the like keep memory resident that nobody asked for.
#if !defined(ASSAY_ASAN)
TEST(Session, GrowingWithoutBoundIsOutOfMemory) {
  ChildLimits l;
  l.timeout = 120s;
  l.resident_bytes = std::uint64_t{150} << 20;
  const test::Told a = ask(imitation([](Channel& c, auto, auto id, const std::string& line) {
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
  l.timeout = 120s;
  l.address_bytes = std::uint64_t{2} << 30;
  l.cpu_seconds = 1;
  l.file_bytes = 4096;
  Temporary t;
  const std::string path = t.file("big");
  const test::Told a = ask(imitation([path](Channel& c, auto, auto id, const std::string& line) {
                             if (is_question(line, 1)) std::string(std::size_t{3} << 30, 'x');
                             if (is_question(line, 2)) std::ofstream(path) << std::string(10000, 'x');
                             for (volatile int i = 0; is_question(line, 3);) i = i + 1;
                             c.answer(id);
                           }),
                           5, l);
  EXPECT_EQ(a.troubled(), (Indices{1, 2, 3}));
  EXPECT_EQ(a.endings[1].why, "exit: code 126");  // by std::bad_alloc
  EXPECT_EQ(a.endings[2].why, "crash: SIGXFSZ (a file or log of more than 4096 bytes)");
  EXPECT_EQ(a.endings[3].why.substr(0, 10), "crash: SIG");  // XCPU, or KILL where limits are alike
}
#endif

TEST(Session, LargeRequestsAndAnswersBlockNobody) {
  // It says much before it reads on, and is told much before it is read.
  const std::string comment(300'000, 'y');
  const test::Told a =
      ask(imitation([&](Channel& c, auto, auto id, const auto&) {
            c.write(fmt::format("{{\"id\":{},\"comment\":\"{}\",\"status\":\"ok\",\"size\":[4]}}\n", id, comment));
          }),
          20, quick(), 400'000);
  EXPECT_TRUE(a.troubled().empty());
  // And one that never reads is a timeout, not a hang of its own.
  const test::Told b = ask(imitation([](Channel&, auto, auto, const auto&) { ::pause(); }), 4, hasty(), 3'000'000);
  EXPECT_EQ(b.trouble(0), Trouble::timeout);
}

TEST(Session, AnOutputClosedOrHeldOpenIsADeath) {
  const test::Told a = ask(imitation([](Channel& c, auto, auto id, const std::string& line) {
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

// To open a pipe is to wait for who reads it.
TEST(Session, ALogThatIsAPipeKeepsNobodyWaiting) {
  Temporary t;
  Command c = imitation([](Channel& channel, auto, auto id, const auto&) { channel.answer(id); });
  c.log = t.file("log");
  ASSERT_EQ(::mkfifo(c.log.c_str(), 0600), 0);
  EXPECT_FALSE(Session::start(c, quick()));
  std::filesystem::remove(c.log);
  EXPECT_TRUE(Session::start(c, quick()));
}

TEST(Session, ALogHasALimit) {
  Temporary t;
  Command c = imitation([](Channel& channel, auto, auto id, const std::string& line) {
    const std::string much(is_question(line, 2) ? 1 << 20 : 0, 'x');
    for (std::size_t at = 0; at < much.size();) {
      const ssize_t n = ::write(STDERR_FILENO, much.data() + at, much.size() - at);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    channel.answer(id);
  });
  c.log = t.file("log");
  EXPECT_TRUE(ask(c, 3).troubled().empty());
  EXPECT_EQ(t.text("log").size(), std::size_t{1} << 20);
  std::filesystem::remove(c.log);
  ChildLimits l = quick();
  l.file_bytes = 1 << 16;
  const Told told = ask(c, 3, l);
  EXPECT_EQ(told.troubled(), Indices{2});
  EXPECT_EQ(told.endings[2].why, "crash: SIGXFSZ (a file or log of more than 65536 bytes)");
  EXPECT_EQ(t.text("log").size(), std::size_t{1} << 16);
}

}  // namespace
}  // namespace assay::conformance
