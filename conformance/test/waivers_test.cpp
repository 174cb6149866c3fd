// SPDX-License-Identifier: Apache-2.0
// Waiver files: what one must say, and what makes it fail the run.
#include <gtest/gtest.h>

#include "conformance/certificate/waivers.h"

namespace assay::conformance {
namespace {

std::string one(std::string_view fields) { return "{\"waivers\":[{" + std::string(fields) + "}]}"; }
std::string error_of(std::string_view text) {
  const auto w = read_waivers(text);
  return w ? "none" : w.error();
}
CaseRow row(std::string id, Outcome outcome) {
  CaseRow r;
  r.id = std::move(id);
  r.outcome = outcome;
  return r;
}

TEST(Waivers, EachHasACaseAReasonAndADay) {
  const auto w = read_waivers(one(R"("case":"VAR-004/gap","reason":"known, fixed in 1.3","until":"2027-01-31")"));
  ASSERT_TRUE(w);
  ASSERT_EQ(w->size(), 1u);
  EXPECT_EQ(w->front().id, "VAR-004/gap");
  EXPECT_EQ(w->front().until, "2027-01-31");
  EXPECT_TRUE(read_waivers(R"({"waivers":[]})"));
  EXPECT_EQ(error_of(one(R"("case":"a","until":"2027-01-31")")), "waivers[0]: reason: no text");
  EXPECT_EQ(error_of(one(R"("case":"a","reason":" ","until":"2027-01-31")")), "waivers[0]: reason: empty (a)");
  EXPECT_EQ(error_of(one(R"("case":"a","reason":"b")")), "waivers[0]: until: no text");
  EXPECT_EQ(error_of(one(R"("reason":"b","until":"2027-01-31")")), "waivers[0]: case: no text");
  EXPECT_EQ(error_of(one(R"("case":"a","reason":"b","until":"never")")), "waivers[0]: until: no date: never (a)");
  EXPECT_EQ(error_of(one(R"("case":"a","reason":"b","until":"2027-01-31","also":1)")),
            "waivers[0]: a key other than case, reason and until");
  EXPECT_EQ(
      error_of(
          R"({"waivers":[{"case":"a","reason":"b","until":"2027-01-31"},{"case":"a","reason":"c","until":"2027-01-31"}]})"),
      "waivers[1]: case: a stands twice");
  for (const char* text : {"", "[]", "{", "{}", "{\"waivers\":3}", "{\"waivers\":[],\"x\":1}", "{\"waivers\":[3]}"})
    EXPECT_FALSE(read_waivers(text)) << text;
}

TEST(Waivers, ADayIsOneOfTheCalendar) {
  for (const char* day : {"2026-11-30", "2028-02-29", "9999-12-31"}) EXPECT_TRUE(is_date(day)) << day;
  for (const char* day : {"2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "26-11-30", "2026-11-3", "2026/11/30",
                          "0000-01-01", "2026-11-30 "})
    EXPECT_FALSE(is_date(day)) << day;
}

TEST(Waivers, AFailureIsWaivedUpToItsDay) {
  for (const Outcome o : {Outcome::fail, Outcome::error, Outcome::unproven}) {
    std::vector<CaseRow> rows = {row("a", o), row("b", Outcome::fail)};
    EXPECT_TRUE(apply_waivers({{"a", "why", "2026-11-30"}}, "2026-11-30", rows).empty());
    EXPECT_TRUE(rows[0].waived);
    EXPECT_FALSE(rows[1].waived);
    EXPECT_EQ(apply_waivers({{"a", "why", "2026-11-30"}}, "2026-12-01", rows),
              std::vector<std::string>{"waiver of a: expired on 2026-11-30 (why)"});
    EXPECT_FALSE(rows[0].waived);
  }
}

TEST(Waivers, ThoseThatExpireTogetherAreOneLine) {
  std::vector<CaseRow> rows = {row("a", Outcome::fail), row("b", Outcome::fail), row("c", Outcome::fail),
                               row("d", Outcome::fail)};
  const std::vector<Waiver> waivers = {{"a", "why", "2026-11-29"},
                                       {"b", "other", "2026-11-29"},
                                       {"c", "why", "2026-11-29"},
                                       {"d", "why", "2026-11-30"}};
  EXPECT_EQ(apply_waivers(waivers, "2026-11-30", rows),
            (std::vector<std::string>{"waiver of b: expired on 2026-11-29 (other)",
                                      "waiver of a and 1 more: expired on 2026-11-29 (why)"}));
  EXPECT_TRUE(rows[3].waived);
}

TEST(Waivers, OneThatFitsNoFailureFailsTheRun) {
  std::vector<CaseRow> rows = {row("a", Outcome::pass), row("b", Outcome::unsupported), row("c", Outcome::skipped)};
  EXPECT_EQ(apply_waivers({{"x", "why", "2027-01-31"}}, "2026-11-30", rows),
            std::vector<std::string>{"waiver of x: the run has no such case"});
  EXPECT_EQ(apply_waivers({{"a", "why", "2027-01-31"}}, "2026-11-30", rows),
            std::vector<std::string>{"waiver of a: stale, the case passes"});
  EXPECT_EQ(apply_waivers({{"b", "why", "2027-01-31"}, {"c", "why", "2027-01-31"}}, "2026-11-30", rows).size(), 2u);
  for (const CaseRow& r : rows) EXPECT_FALSE(r.waived);
}

}  // namespace
}  // namespace assay::conformance
