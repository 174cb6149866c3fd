// SPDX-License-Identifier: Apache-2.0
// From requirement to cases and mutants: no row that counts lacks either, and one that did would be told.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/certificate/levels.h"
#include "conformance/mutants/trace.h"
#include "conformance/test/small_suite.h"
#include "conformance/test/suite_support.h"

namespace assay::conformance {
namespace {

using suite_test::Json;
using suite_test::suite;

Catalogue catalogue() { return test::whole_catalogue(); }
std::vector<SuiteMutant> mutants() { return {suite_mutants().begin(), suite_mutants().end()}; }
std::vector<Case> cases_but(std::string_view requirement) {
  std::vector<Case> out = suite().cases;
  std::erase_if(out, [&](const Case& c) { return c.requirements.front() == requirement; });
  return out;
}
std::vector<SuiteMutant> mutants_but(std::string_view requirement) {
  std::vector<SuiteMutant> out = mutants();
  std::erase_if(out, [&](const SuiteMutant& m) { return m.requirement == requirement; });
  return out;
}
const TraceRow& row(const std::vector<TraceRow>& rows, std::string_view id) {
  return *std::find_if(rows.begin(), rows.end(), [&](const TraceRow& r) { return r.requirement == id; });
}
using Ids = std::vector<std::string>;

TEST(Trace, EveryRowThatCountsHasCasesAndMutants) {
  const std::vector<TraceRow> rows = trace(catalogue(), suite().cases, mutants());
  EXPECT_EQ(without_case(rows), Ids());
  EXPECT_EQ(without_mutant(rows), Ids());
  EXPECT_TRUE(is_whole(rows));
  std::size_t next = 0;
  for (const Requirement& r : catalogue()) {
    if (!counts_for_a_level(r)) continue;
    ASSERT_LT(next, rows.size());
    const TraceRow& t = rows[next++];
    EXPECT_EQ(t.requirement, r.id);
    EXPECT_EQ(t.op, r.observable);
    for (const std::string& id : t.cases) {
      const Case* c = suite().find(id);
      ASSERT_NE(c, nullptr) << id;
      EXPECT_EQ(c->requirements.front(), r.id) << id;
      EXPECT_EQ(name_of(c->op), r.observable) << id;
    }
    for (const std::string_view id : t.mutants) EXPECT_EQ(find_suite_mutant(id)->requirement, r.id) << id;
  }
  EXPECT_EQ(next, rows.size());
  EXPECT_EQ(next, 184U);
}

TEST(Trace, ARowWhoseCasesAreTakenAwayIsTold) {
  const std::vector<TraceRow> rows = trace(catalogue(), cases_but("VAR-031"), mutants());
  EXPECT_EQ(without_case(rows), Ids{"VAR-031"});
  EXPECT_EQ(without_mutant(rows), Ids());
  EXPECT_FALSE(is_whole(rows));
  EXPECT_GT(row(rows, "VAR-031").also, 0U);  // named beside another is not enough
  const std::string text = trace_text(rows);
  EXPECT_NE(text.find("  0 cases: NONE;"), std::string::npos);
  EXPECT_NE(text.find("\nno case for VAR-031\n"), std::string::npos);
  EXPECT_NE(text.find(" without_case=1 without_mutant=0\n"), std::string::npos);
  const Json told = Json::parse(trace_json(rows));
  EXPECT_EQ(told["without_case"], Json::array({"VAR-031"}));
  EXPECT_EQ(told["whole"], false);
}

TEST(Trace, ARowWhoseMutantsAreTakenAwayIsTold) {
  const std::vector<TraceRow> rows = trace(catalogue(), suite().cases, mutants_but("DMB-009"));
  EXPECT_EQ(without_mutant(rows), Ids{"DMB-009"});
  EXPECT_EQ(without_case(rows), Ids());
  EXPECT_FALSE(is_whole(rows));
  const std::string text = trace_text(rows);
  EXPECT_NE(text.find("; mutants: NONE\n"), std::string::npos);
  EXPECT_NE(text.find("\nno mutant for DMB-009\n"), std::string::npos);
  EXPECT_EQ(Json::parse(trace_json(rows))["without_mutant"], Json::array({"DMB-009"}));
}

TEST(Trace, WhatCannotDecideARowCountsForNothing) {
  // Cases at should, and of another op than the row is seen by.
  for (const bool should : {true, false}) {
    std::vector<Case> cases = suite().cases;
    for (Case& c : cases) {
      if (c.requirements.front() != "VAR-031") continue;
      if (should) c.flags.push_back("should");
      else c.op = Op::decode;
    }
    EXPECT_EQ(without_case(trace(catalogue(), cases, mutants())), Ids{"VAR-031"}) << should;
  }
  // A mutant that only a report tells.
  std::vector<SuiteMutant> reported = mutants_but("DMB-023");
  reported.push_back(*find_suite_mutant("DMB-023-outermost-first"));
  const std::vector<TraceRow> rows = trace(catalogue(), suite().cases, reported);
  EXPECT_EQ(without_mutant(rows), Ids{"DMB-023"});
  EXPECT_EQ(row(rows, "DMB-023").reported, std::vector<std::string_view>{"DMB-023-outermost-first"});
  EXPECT_NE(trace_text(rows).find("; only reported: DMB-023-outermost-first\n"), std::string::npos);
  EXPECT_FALSE(is_whole({}));
}

}  // namespace
}  // namespace assay::conformance
