// SPDX-License-Identifier: Apache-2.0
// Libraries behind the process protocol (conformance.md, Shared library): whatever a library does costs one case.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "conformance/protocol/library.h"
#include "conformance/protocol/requests.h"
#include "conformance/protocol/serve.h"
#include "conformance/runner/foreign_subject.h"
#include "conformance/test/lowered.h"
#include "harness/compare/compare.h"
#include "harness/properties/property.h"

namespace assay::conformance {
namespace {

const std::string kRoom = std::string(ASSAY_SOURCE_DIR) + "/conformance/";

// A library compiled as the C example's first lines say.
std::string compiled(const std::string& source, const std::string& flags = "") {
  static const std::string directory = [] {
    const std::string made = fmt::format("{}assay-library-{}", ::testing::TempDir(), ::getpid());
    std::filesystem::create_directories(made);
    static const struct Removed {
      std::string path;
      pid_t of;  // a child that exits is not to clean up
      ~Removed() {
        if (::getpid() == of) std::filesystem::remove_all(path);
      }
    } removed{made, ::getpid()};
    return made;
  }();
  static int number = 0;
  const std::string out = fmt::format("{}/lib{}.so", directory, number++);
  const std::string command =
      fmt::format("cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -fPIC -shared {} -I '{}protocol' -o '{}' '{}'",
                  flags, kRoom, out, kRoom + source);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return out;
}

Command library(const std::string& path) {
  Command c;
  // By the standard streams, as a process of its own has them.
  c.function = [path](int in, int out) {
    ::dup2(in, STDIN_FILENO), ::dup2(out, STDOUT_FILENO);
    return serve_library(path, STDIN_FILENO, STDOUT_FILENO);
  };
  return c;
}

TEST(Library, SaysWhyItDoesNotLoad) {
  const auto why = [](const std::string& path) {
    const auto l = Library::load(path);
    return l ? std::string("loaded") : l.error();
  };
  EXPECT_NE(why("/no/such/library.so").find("No such file"), std::string::npos) << why("/no/such/library.so");
  EXPECT_NE(why(compiled("test/hostile_library.c", "-DHOSTILE_ABI=9")).find("version 9"), std::string::npos);
  EXPECT_NE(why(compiled("test/hostile_library.c", "-DHOSTILE_OPS=16")).find("ops that there are not"),
            std::string::npos);
  EXPECT_NE(why(compiled("test/hostile_library.c", "-DHOSTILE_OPS=8")).find("assay_impl_decode"), std::string::npos);
  const auto session = Session::start(library("/no/such/library.so"));
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().find("exit: code 2"), std::string::npos);
}

TEST(Library, TheMinimalExampleAnswersDtypes) {
  auto session = Session::start(library(compiled("adapters/c/minimal.c")));
  ASSERT_TRUE(session) << session.error();
  EXPECT_EQ(session->hello().name, "minimal-c");
  const ForeignSubject subject(*session);
  int asked = 0;
  for (const harness::Property& p : harness::properties()) {
    if (p.kind != harness::CaseKind::dtype) continue;
    for (std::uint64_t seed = 0; seed < 20; ++seed, ++asked) {
      harness::RandomChoices c(seed);
      const harness::Case generated = p.generate(c);
      const harness::DtypeRequest& q = std::get<harness::DtypeCase>(generated).request;
      const auto reply = subject.dtype(q);
      ASSERT_TRUE(reply.ok()) << reply.reason;
      EXPECT_TRUE(harness::compare_dtypes(q, harness::oracle_subject().dtype(q).value, reply.value).empty());
    }
  }
  EXPECT_GT(asked, 0);
  Members members;
  harness::LowerRequest q{&members, "def.json", 0, false, 0, {}};
  EXPECT_TRUE(subject.lower(q).refused());
  q.target = 2;
  EXPECT_EQ(subject.lower(q).status, harness::ReplyStatus::unsupported);
  EXPECT_EQ(subject.decode({}).status, harness::ReplyStatus::unsupported);
}

TEST(Library, WhateverItDoesCostsOneCase) {
  ChildLimits limits;
  limits.window = 1;
  auto session = Session::start(library(compiled("test/hostile_library.c")), limits);
  ASSERT_TRUE(session) << session.error();
  const auto ask = [&](const std::string& definition) {
    return session->ask({Op::lower, fmt::format(R"({{"members":{{}},"definition":"{}","target":3}})", definition)});
  };
  const auto problem = [&](const char* definition) {
    const Ending e = ask(definition);
    EXPECT_TRUE(e.answered()) << definition << ": " << e.why;
    EXPECT_FALSE(e.answer.ok());
    return e.answer.problem;
  };
  EXPECT_TRUE(ask("fine").answer.ok()) << ask("fine").answer.problem;
  EXPECT_EQ(problem("unreported"), "engine[4]: leads outside every allocation");
  EXPECT_EQ(problem("short"), "kbin_t: 424 bytes of kbin_t are read there, 416 lie in the allocation");
  EXPECT_EQ(problem("overlap"), "two allocations overlap");
  EXPECT_EQ(problem("wild"), "engine[2]: leads outside every allocation");
  EXPECT_EQ(problem("count").substr(0, 12), "mem_ref_set:");
  EXPECT_EQ(problem("status"), "the status 9");
  EXPECT_EQ(problem("nothing"), "ok with neither an image nor a tree");
  EXPECT_EQ(problem("both"), "an image beside a tree");
  EXPECT_TRUE(ask("ninstr").answer.ok());
  EXPECT_TRUE(ask("shared").answer.ok());
  EXPECT_EQ(ask("crash").why, "crash: SIGSEGV");
  EXPECT_EQ(problem("unreadable"), "an allocation of 4096 bytes, not all of which are memory");
  EXPECT_EQ(ask("exit").why, "exit: code 0");
  const Ending refused = ask("refused");
  EXPECT_TRUE(refused.answered()) << refused.why;
  EXPECT_EQ(refused.answer.status, harness::ReplyStatus::refused);
  EXPECT_EQ(refused.answer.code, 2U);
  EXPECT_EQ(refused.answer.reason + refused.answer.at, "as askedhere");
  EXPECT_TRUE(ask("fine").answer.ok());
  EXPECT_EQ(session->ask({Op::dtype, R"({"size":[1]})"}).answer.problem, "it wrote past the end of a dtype array");
  EXPECT_EQ(session->ask({Op::dtype, R"({"size":[1,2]})"}).answer.problem, "\"refused\" is 7");
  EXPECT_EQ(session->ask({Op::decode, R"({"image":""})"}).answer.status, harness::ReplyStatus::unsupported);
}

#if defined(ASSAY_ORACLE_LIBRARY)
TEST(Library, TheOracleAnswersAlikeByEitherWay) {
  auto session = Session::start(library(ASSAY_ORACLE_LIBRARY));
  ASSERT_TRUE(session) << session.error();
  const ForeignSubject foreign(*session);
  const harness::Subject& direct = harness::oracle_subject();
  const auto same = [](const auto& a, const auto& b) {
    EXPECT_EQ(a.status, b.status) << a.reason;
    EXPECT_EQ(a.code, b.code);
    EXPECT_EQ(a.at, b.at);
    return a.status == b.status && a.ok();
  };
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const test::Lowered l = test::lowered(seed);
    const harness::LowerRequest q{&l.members, l.definition, 2, l.options.allow_legacy, 7, l.options.fp8};
    const auto a = foreign.lower(q), b = direct.lower(q);
    if (!same(a, b)) continue;
    EXPECT_EQ(a.value.text(), b.value.text());
    EXPECT_EQ(foreign.decode(a.value.view()).status, harness::ReplyStatus::ok);

    harness::RandomChoices c(seed);
    const auto neff = harness::to_neff(harness::gen_model(c));
    ASSERT_TRUE(neff);
    const harness::LowerNeffRequest file{neff->view(), 3, true, true};
    const auto fa = foreign.lower_neff(file), fb = direct.lower_neff(file);
    if (!same(fa, fb)) continue;
    EXPECT_EQ(body_of(fa.value), body_of(fb.value));
  }
}
#endif

// The harness's own eyes and tools on an implementation in another process.
TEST(ForeignSubject, IsJudgedByPropertiesLikeAnyOther) {
  Command oracle;
  oracle.function = [](int in, int out) {
    serve(harness::oracle_subject(), {"oracle", "1", all_subject_ops()}, in, out);
    return 0;
  };
  auto session = Session::start(oracle);
  ASSERT_TRUE(session) << session.error();
  const ForeignSubject subject(*session);
  int judged = 0;
  for (const harness::Property& p : harness::properties()) {
    harness::RandomChoices c(11);
    const harness::Case generated = p.generate(c);
    const harness::Verdict verdict = p.judge(subject, generated);
    EXPECT_FALSE(verdict.is_violated()) << p.name << ": " << verdict.violations.front().text();
    judged += verdict.holds();
  }
  EXPECT_GT(judged, 10);
}

}  // namespace
}  // namespace assay::conformance
