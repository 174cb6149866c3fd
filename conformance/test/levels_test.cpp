// SPDX-License-Identifier: Apache-2.0
// Which row counts for which level, and what it takes to hold one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "conformance/certificate/levels.h"
#include "conformance/test/small_suite.h"

namespace assay::conformance {
namespace {

using harness::ReplyStatus;

// A passing case of the row's own op for each row that counts for a level.
std::vector<CaseRow> all_pass(Catalogue catalogue) {
  std::vector<CaseRow> out;
  for (const Requirement& r : catalogue) {
    if (!counts_for_a_level(r)) continue;
    CaseRow c;
    c.id = std::string(r.id) + "/one";
    c.op = *op_named(r.observable);
    c.requirements = {std::string(r.id)};
    c.outcome = Outcome::pass;
    c.answered = ReplyStatus::ok;
    c.sha256 = c.id;
    out.push_back(std::move(c));
  }
  return out;
}

struct Held {
  std::map<char, LevelRow> levels;
  std::string letters;  // of those that are held
  const LevelRow& operator[](char l) const { return levels.at(l); }
};
Held held(const std::vector<CaseRow>& cases, std::string_view asked = "DSILN") {
  Held out;
  const auto rows = requirement_rows(test::whole_catalogue(), cases);
  for (const LevelRow& l : level_rows(test::whole_catalogue(), rows, cases, asked)) {
    if (l.held) out.letters += l.letter;
    out.levels[l.letter] = l;
  }
  return out;
}
CaseRow& of(std::vector<CaseRow>& cases, std::string_view row) {
  return *std::find_if(cases.begin(), cases.end(), [&](const CaseRow& c) { return c.requirements.front() == row; });
}
RequirementRow row(const std::vector<CaseRow>& cases, std::string_view id) {
  for (RequirementRow& r : requirement_rows(test::whole_catalogue(), cases))
    if (r.id == id) return r;
  return {};
}

TEST(Levels, ARowCountsForTheLevelOfItsAreaSaveThoseSeenByAnotherOp) {
  const auto level = [](std::string_view id) { return level_of(*find_requirement(test::whole_catalogue(), id)); };
  EXPECT_EQ(level("DT-001"), 'D');
  EXPECT_EQ(level("DT-004"), 'N');  // seen by lower_neff
  EXPECT_EQ(level("DT-007"), 'L');  // seen by lower
  EXPECT_EQ(level("LAY-003"), 'S');
  EXPECT_EQ(level("IMG-001"), 'I');  // seen by lower, and no row of DT or CON
  EXPECT_EQ(level("IMG-007"), 'I');
  EXPECT_EQ(level("IO-002"), 'N');
  EXPECT_EQ(level("CON-004"), 'N');
  for (const Requirement& r : test::whole_catalogue()) {
    const std::string_view area = r.id.substr(0, r.id.find('-'));
    EXPECT_NE(level_of(r), 0) << r.id;
    if (area == "CON" && r.observable == "lower") { EXPECT_EQ(level_of(r), 'L') << r.id; }
    if (area == "PAT" || area == "RES") { EXPECT_EQ(level_of(r), 'R') << r.id; }
    if (area == "UDM") { EXPECT_EQ(level_of(r), 'H') << r.id; }
    EXPECT_EQ(counts_for_a_level(r),
              r.level == "must" && r.observable != "none" && level_of(r) != 'R' && level_of(r) != 'H')
        << r.id;
  }
}

TEST(Levels, HeldWhenEveryRowPasses) {
  const Held h = held(all_pass(test::whole_catalogue()));
  EXPECT_EQ(h.letters, "DSILN");
  for (const char l : std::string("DSILN")) EXPECT_EQ(h[l].rows, h[l].passed);
  EXPECT_EQ(h['D'].rows, 11u);
  EXPECT_EQ(h['S'].rows, 23u);
  EXPECT_EQ(h['I'].rows, 23u);
  EXPECT_EQ(h['N'].rows, 16u + 4u + 1u);
  EXPECT_EQ(h['R'].why, "not part of this suite");
  EXPECT_FALSE(h['H'].part_of_suite);
}

TEST(Levels, OnlyThoseAskedForAreHeld) {
  EXPECT_EQ(held(all_pass(test::whole_catalogue()), "DL").letters, "DL");
  EXPECT_EQ(held(all_pass(test::whole_catalogue()), "RH").letters, "");
  EXPECT_EQ(held(all_pass(test::whole_catalogue()), "S")['D'].why, "not asked for");
}

TEST(Levels, NothingButAPassPasses) {
  for (const Outcome o : {Outcome::fail, Outcome::error, Outcome::unproven, Outcome::unsupported, Outcome::skipped}) {
    auto cases = all_pass(test::whole_catalogue());
    of(cases, "VAR-031").outcome = o;
    const Held h = held(cases);
    EXPECT_EQ(h.letters, "DSIN") << name_of(o);
    EXPECT_EQ(h['L'].missing, std::vector<std::string>{"VAR-031"});
    EXPECT_EQ(h['L'].rows, h['L'].passed + 1);
  }
}

TEST(Levels, OnePassMakesUpForNoOtherCase) {
  for (const Outcome o : {Outcome::fail, Outcome::error, Outcome::unproven, Outcome::unsupported, Outcome::skipped}) {
    auto cases = all_pass(test::whole_catalogue());
    CaseRow second = of(cases, "VAR-031");
    second.id = "VAR-031/two";
    second.outcome = o;
    cases.push_back(second);
    EXPECT_EQ(held(cases).letters, "DSIN") << name_of(o);
  }
}

TEST(Levels, ARowWithoutACaseIsNotHeld) {
  auto cases = all_pass(test::whole_catalogue());
  std::erase_if(cases, [](const CaseRow& c) { return c.requirements.front() == "IMG-007"; });
  EXPECT_EQ(held(cases).letters, "DSLN");
  EXPECT_EQ(row(cases, "IMG-007").verdict, RowVerdict::no_case);
  EXPECT_EQ(held({}).letters, "");
}

TEST(Levels, ACaseOfAnotherOpProvesNoRow) {
  auto cases = all_pass(test::whole_catalogue());
  of(cases, "VAR-031").op = Op::lower_neff;
  EXPECT_EQ(row(cases, "VAR-031").verdict, RowVerdict::no_case);
  EXPECT_EQ(held(cases).letters, "DSIN");
}

TEST(Levels, AnOpThatIsLackingKeepsNoOtherLevel) {
  auto cases = all_pass(test::whole_catalogue());
  CaseRow file = of(cases, "IO-002");
  file.id = "model";
  file.requirements = {"VAR-031", "LOW-003"};
  cases.push_back(file);
  for (CaseRow& c : cases)
    if (c.op == Op::lower_neff) c.outcome = Outcome::unsupported;
  EXPECT_EQ(held(cases).letters, "DSIL");
  cases.back().outcome = Outcome::fail;  // it was answered, and wrongly
  EXPECT_EQ(held(cases).letters, "DSI");
}

TEST(Levels, ARowThatAFailureNamesFails) {
  auto cases = all_pass(test::whole_catalogue());
  CaseRow& c = of(cases, "VAR-031");
  c.outcome = Outcome::fail;
  c.violations.push_back({{"LAY-003", "engine[0].ninstr", "1", "2", {}}, {}, {}});
  EXPECT_EQ(row(cases, "LAY-003").verdict, RowVerdict::fail);
  EXPECT_EQ(row(cases, "LAY-003").named, 1u);
  EXPECT_EQ(held(cases).letters, "DIN");
}

TEST(Levels, ARowThatFailsForAnothersSakeIsToldApart) {
  auto cases = all_pass(test::whole_catalogue());
  CaseRow& c = of(cases, "VAR-031");
  c.requirements.push_back("VAR-004");
  c.outcome = Outcome::fail;
  c.violations.push_back({{"VAR-031", "x", "1", "2", {}}, {}, {}});
  EXPECT_EQ(held(cases)['L'].missing, std::vector<std::string>{"VAR-031"});
  EXPECT_EQ(held(cases)['L'].beside, std::vector<std::string>{"VAR-004"});
  EXPECT_EQ(held(cases)['L'].why,
            fmt::format("of {} requirements 1 not met, 1 not met only for another's sake",
                        held(cases)['L'].rows));
  // Without an answer it is told of the row that the case was made for.
  c.violations.clear();
  for (const Outcome o : {Outcome::error, Outcome::unproven}) {
    c.outcome = o;
    EXPECT_EQ(held(cases)['L'].missing, std::vector<std::string>{"VAR-031"}) << name_of(o);
    EXPECT_EQ(held(cases)['L'].beside, std::vector<std::string>{"VAR-004"}) << name_of(o);
  }
  for (const Outcome o : {Outcome::unsupported, Outcome::skipped}) {
    c.outcome = o;
    EXPECT_EQ(held(cases)['L'].missing, (std::vector<std::string>{"VAR-004", "VAR-031"})) << name_of(o);
  }
  c.outcome = Outcome::error;
  of(cases, "VAR-004").outcome = Outcome::error;
  EXPECT_EQ(held(cases)['L'].missing, (std::vector<std::string>{"VAR-004", "VAR-031"}));
}

TEST(Levels, ReportsDecideNoMustRow) {
  auto cases = all_pass(test::whole_catalogue());
  of(cases, "VAR-031").reported = {{"DMB-023", "x", "1", "2", {}}, {"DMQ-019", "y", "1", "2", {}}};
  EXPECT_EQ(held(cases).letters, "DSILN");
  EXPECT_EQ(row(cases, "DMB-023").verdict, RowVerdict::pass);
  EXPECT_EQ(row(cases, "DMQ-019").verdict, RowVerdict::fail);  // an info row: not met, and no level's
  of(cases, "VAR-031").reported.clear();
  of(cases, "VAR-031").requirements.push_back("DMQ-019");
  EXPECT_EQ(row(cases, "DMQ-019").verdict, RowVerdict::pass);
  of(cases, "VAR-031").outcome = Outcome::fail;
  EXPECT_EQ(row(cases, "DMQ-019").verdict, RowVerdict::no_case);  // a failing case shows nothing of it
}

TEST(Levels, AnsweringAllAlikeOrAcceptingNothingHoldsNothing) {
  auto cases = all_pass(test::whole_catalogue());
  for (CaseRow& c : cases) c.sha256 = "same";
  EXPECT_EQ(held(cases).letters, "");
  EXPECT_EQ(held(cases)['D'].why, "every answer is alike");
  cases = all_pass(test::whole_catalogue());
  for (CaseRow& c : cases) c.answered = ReplyStatus::refused;
  EXPECT_EQ(held(cases).letters, "");
  EXPECT_EQ(held(cases)['D'].why, "nothing was accepted");
  for (CaseRow& c : cases) c.answered.reset();
  EXPECT_EQ(held(cases)['D'].why, "no case was executed");
}

TEST(Levels, WaivedCasesAreSaid) {
  auto cases = all_pass(test::whole_catalogue());
  CaseRow& c = of(cases, "VAR-031");
  c.outcome = Outcome::fail;
  c.violations.push_back({{"VAR-031", "x", "1", "2", {}}, {}, {}});
  c.waived = true;
  EXPECT_EQ(held(cases).letters, "DSIN");  // nothing is left that shows the row
  EXPECT_EQ(row(cases, "VAR-031").verdict, RowVerdict::only_waived);
  CaseRow second = c;
  second.id = "VAR-031/two";
  second.outcome = Outcome::pass;
  second.waived = false;
  second.violations.clear();
  cases.push_back(second);
  EXPECT_EQ(held(cases).letters, "DSILN");
  EXPECT_TRUE(held(cases)['L'].with_waivers);
  EXPECT_FALSE(held(cases)['D'].with_waivers);
  EXPECT_EQ(row(cases, "VAR-031").verdict, RowVerdict::waived);
}

}  // namespace
}  // namespace assay::conformance
