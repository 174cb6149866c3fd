// SPDX-License-Identifier: Apache-2.0
// Generated cases: number and seed decide them, refusals have accepted twins, and what rests on lower rows says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/suite/generated.h"
#include "conformance/suite/told.h"
#include "conformance/test/suite_support.h"

namespace assay::conformance {
namespace {

using namespace suite_test;

bool should(const Case& c) { return std::find(c.flags.begin(), c.flags.end(), "should") != c.flags.end(); }

std::string shown(const Case& c) {
  std::string text = c.id + " " + std::string(name_of(c.op)) + " " + c.request + " " + c.answer + " " + c.twin;
  for (const Ignored& i : c.ignore) text += " " + i.path + "=" + i.requirement;
  return text;
}

TEST(Generated, NumberAndSeedDecideACase) {
  const auto few = generated_cases(7, 20, is_must), more = generated_cases(7, 40, is_must);
  ASSERT_LE(few.size(), more.size());
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(shown(few[i]), shown(more[i]));
  const auto alone = generated_case(7, 31, is_must);
  ASSERT_FALSE(alone.empty());
  const auto at = std::find_if(more.begin(), more.end(), [&](const Case& c) { return c.id == alone.back().id; });
  ASSERT_NE(at, more.end());
  EXPECT_EQ(shown(*at), shown(alone.back()));
  EXPECT_NE(shown(generated_case(8, 31, is_must).back()).substr(20), shown(alone.back()).substr(20));
}

TEST(Generated, CasesAreWhatTheySay) {
  const auto cases = generated_cases(1, 400, is_must);
  EXPECT_GE(cases.size(), 400U);
  std::set<std::string> ids, rows_seen;
  std::set<Op> ops;
  std::size_t refused = 0, below = 0;
  for (const Case& c : cases) {
    EXPECT_EQ(c.origin, Origin::generated);
    EXPECT_TRUE(ids.insert(c.id).second) << c.id;
    ASSERT_FALSE(c.requirements.empty()) << c.id;
    EXPECT_EQ(rows().level_of.count(c.requirements[0]), 1U) << c.id << " " << c.requirements[0];
    ops.insert(c.op);
    rows_seen.insert(c.requirements[0]);
    below += should(c) ? 1 : 0;
    EXPECT_NE(should(c), is_must(c.requirements[0])) << c.id << " " << c.requirements[0];
    const auto told = told_by(harness::oracle_subject(), c.op, c.request);
    ASSERT_TRUE(told.has_value()) << c.id;
    EXPECT_EQ(told->answer.status, c.expect) << c.id;
    EXPECT_EQ(told->answer.body, c.answer) << c.id;
    for (const Ignored& i : c.ignore) EXPECT_FALSE(is_must(i.requirement)) << c.id;
    if (!should(c)) {
      EXPECT_TRUE(is_must(c.requirements[0])) << c.id;
      for (const Leaning& l : leanings_of(c.op, c.request, *told).value_or(std::vector<Leaning>()))
        EXPECT_FALSE(l.path.empty()) << c.id << " " << l.requirement;
    }
    if (c.expect == harness::ReplyStatus::ok) continue;
    ++refused;
    const auto twin = std::find_if(cases.begin(), cases.end(), [&](const Case& t) { return t.id == c.twin; });
    ASSERT_NE(twin, cases.end()) << c.id;
    EXPECT_EQ(twin->expect, harness::ReplyStatus::ok) << c.id;
    EXPECT_EQ(should(*twin), should(c)) << c.id;
  }
  EXPECT_EQ(ops.size(), 4U);
  EXPECT_GT(refused, 100U);
  EXPECT_GT(rows_seen.size(), 60U);
  EXPECT_LT(below, cases.size() / 2);
}

}  // namespace
}  // namespace assay::conformance
