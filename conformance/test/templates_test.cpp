// SPDX-License-Identifier: Apache-2.0
// The programs to start from do what they say: a hello without ops, and `unsupported` to everything else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/runner/session.h"
#include "conformance/test/imitations.h"

namespace assay::conformance {
namespace {

const std::string kTemplates = std::string(ASSAY_SOURCE_DIR) + "/conformance/adapters/templates/";

bool is_there(const char* program) {
  return std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) == 0;
}

// By lines, because a session does not ask for ops that are not listed.
void starts_from_nothing(const std::string& command) {
  const auto session = Session::start(Command::shell(command));
  ASSERT_TRUE(session) << session.error();
  EXPECT_TRUE(session->hello().ops.empty());
  auto child = Child::start(Command::shell(command), {});
  ASSERT_TRUE(child) << child.error();
  std::uint64_t id = 1;
  for (const Op op : {Op::dtype, Op::lower, Op::lower_neff, Op::decode, Op::neff_ip, Op::resolve, Op::udma}) {
    child->send(*request_line(id, op, R"({"image":"AAAA","size":[1]})"));
    std::optional<std::string_view> line;
    while (child->alive() && !(line = child->line())) child->step(std::chrono::milliseconds(100));
    ASSERT_TRUE(line) << child->death_text();
    const auto answer = read_answer(id++, op, "{}", *line);
    ASSERT_TRUE(answer) << answer.error().what;
    EXPECT_EQ(answer->status, harness::ReplyStatus::unsupported);
  }
}

// Compiles with a command that ends in its options, and starts what came of it.
void compiles_and_starts(const std::string& command, const char* source) {
  const test::Temporary t;
  const std::string line = fmt::format("{} -o '{}' '{}{}'", command, t.file("impl"), kTemplates, source);
  ASSERT_EQ(std::system(line.c_str()), 0) << line;
  starts_from_nothing("'" + t.file("impl") + "'");
}

TEST(Templates, Python) { starts_from_nothing("python3 '" + kTemplates + "python/impl.py'"); }

TEST(Templates, C) { compiles_and_starts("cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror", "c/impl.c"); }

TEST(Templates, Rust) {
  if (!is_there("rustc")) GTEST_SKIP() << "no rustc here";
  compiles_and_starts("rustc -D warnings", "rust/impl.rs");
}

TEST(Templates, Go) {
  if (!is_there("go")) GTEST_SKIP() << "no go here";
  compiles_and_starts("go build", "go/impl.go");
}

}  // namespace
}  // namespace assay::conformance
