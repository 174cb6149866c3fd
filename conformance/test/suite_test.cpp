// SPDX-License-Identifier: Apache-2.0
// The vector files: they agree with the oracle, show every row they should, lean on no row below must where they
// decide one, and their twins differ from them by the fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/protocol/requests.h"
#include "conformance/suite/told.h"
#include "conformance/test/suite_support.h"
#include "harness/mutants/cached_subject.h"
#include "harness/mutants/mutant.h"
#include "oracle/dtype/enums.h"

namespace assay::conformance {
namespace {

using namespace suite_test;

bool has(const std::vector<std::string>& list, std::string_view value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

TEST(Suite, EveryCaseIsAnsweredByTheOracleAsItIsOnFile) {
  EXPECT_GT(suite().cases.size(), 2000U);
  EXPECT_EQ(suite().version, "1.0");
  EXPECT_EQ(suite().sha256.size(), 64U);
  std::size_t bytes = 0;
  for (const auto& [name, text] : files()) bytes += text.size();
  EXPECT_LT(bytes, std::size_t{20} << 20);
}

TEST(Suite, EveryWayToRefuseIsReachedByACaseOfItsRow) {
  std::set<std::string> reached;
  for (const Case& c : suite().cases) {
    if (c.expect == harness::ReplyStatus::ok) continue;
    const auto told = told_by(harness::oracle_subject(), c.op, c.request);
    ASSERT_TRUE(told && told->refusal) << c.id;
    EXPECT_TRUE(has(c.requirements, told->refusal->row().requirement)) << c.id << ": " << told->refusal->text();
    reached.insert(std::string(told->refusal->row().id));
  }
  for (const ReasonRow& r : kReasons) {
    const auto row = std::find(rows().ids.begin(), rows().ids.end(), r.requirement);
    if (row == rows().ids.end()) continue;  // a bound of the project's own
    const auto at = static_cast<std::size_t>(row - rows().ids.begin());
    if (rows().levels[at] != "must" || rows().ops[at] == "none") continue;
    EXPECT_EQ(reached.count(std::string(r.id)), 1U) << r.id << " (" << r.requirement << ")";
  }
}

TEST(Suite, NoMustCaseLeansOnALowerRowButWhereItSaysSo) {
  for (const Case& c : suite().cases) {
    const auto told = told_by(harness::oracle_subject(), c.op, c.request);
    ASSERT_TRUE(told.has_value()) << c.id;
    const auto leanings = leanings_of(c.op, c.request, *told);
    ASSERT_TRUE(leanings.has_value()) << c.id;
    std::vector<Leaning> listed, found;
    for (const Ignored& i : c.ignore) {
      listed.push_back({i.path, i.requirement});
      EXPECT_FALSE(is_must(i.requirement)) << c.id << " ignores " << i.path << " for a must row";
    }
    const bool free = has(c.flags, "real-model") || has(c.flags, "should");
    for (const Leaning& l : *leanings) {
      if (l.path.empty()) {
        EXPECT_TRUE(free) << c.id << " is accepted by " << l.requirement << " alone";
      } else {
        found.push_back(l);
      }
    }
    EXPECT_EQ(listed, found) << c.id;
    // It is the first row's level that decides what a failure counts for.
    EXPECT_NE(has(c.flags, "should"), is_must(c.requirements[0])) << c.id;
  }
}

// ---- twins ----

// Members in which two requests to lower differ, a moved one counted once.
std::size_t members_apart(const Members& a, const Members& b) {
  std::multiset<std::string> only_a, only_b;
  std::size_t changed = 0;
  for (const auto& [path, bytes] : a) {
    const Buffer* other = b.find(path);
    if (other == nullptr) only_a.insert(std::string(bytes.text()));
    else if (other->text() != bytes.text()) ++changed;
  }
  for (const auto& [path, bytes] : b)
    if (a.find(path) == nullptr) only_b.insert(std::string(bytes.text()));
  return changed + std::max(only_a.size(), only_b.size());
}

// Options in which they differ.
std::size_t options_apart(const harness::LowerRequest& a, const harness::LowerRequest& b) {
  return (a.target != b.target ? 1U : 0U) + (a.allow_legacy != b.allow_legacy ? 1U : 0U) +
         (a.definition != b.definition ? 1U : 0U);
}

// Objects and arrays of a document in which something differs.
std::size_t places_apart(const Json& a, const Json& b) {
  std::set<std::string> places;
  for (const Json& step : Json::diff(a, b)) {
    const std::string pointer = step["path"].get<std::string>();
    places.insert(pointer.substr(0, pointer.rfind('/')));
  }
  return places.size();
}

TEST(Suite, TwinsDifferByTheFaultAlone) {
  std::size_t twins = 0;
  for (const Case& c : suite().cases) {
    if (c.twin.empty()) continue;
    const Case* twin = suite().find(c.twin);
    ASSERT_NE(twin, nullptr) << c.id;
    ++twins;
    EXPECT_EQ(twin->op, c.op) << c.id;
    EXPECT_EQ(twin->requirements, c.requirements) << c.id;
    if (c.op == Op::lower) {
      const auto a = lower_request(c.request), b = lower_request(twin->request);
      ASSERT_TRUE(a && b) << c.id;
      // One member, or an option; of a document that moved away, the one that names it too.
      EXPECT_LE(members_apart(*a->members, *b->members) + options_apart(a->request, b->request), 2U) << c.id;
      EXPECT_GE(members_apart(*a->members, *b->members) + options_apart(a->request, b->request), 1U) << c.id;
      for (const auto& [path, bytes] : *a->members) {
        const Buffer* other = b->members->find(path);
        if (other == nullptr || other->text() == bytes.text()) continue;
        const Json x = Json::parse(bytes.text(), nullptr, false), y = Json::parse(other->text(), nullptr, false);
        if (x.is_discarded() || y.is_discarded()) continue;
        EXPECT_LE(places_apart(x, y), 2U) << c.id << " " << path;
      }
    }
  }
  EXPECT_GT(twins, 500U);
}

TEST(Suite, EveryStringOfTheDtypeMatchersIsAsked) {
  std::set<std::pair<bool, std::string>> asked;
  std::set<std::int64_t> to_sdma, cce_op, size;
  for (const Case& c : suite().cases) {
    if (c.op != Op::dtype) continue;
    const auto q = dtype_request(c.request);
    ASSERT_TRUE(q.has_value()) << c.id;
    for (const auto& m : q->match) asked.insert({m.neff_io, m.text});
    to_sdma.insert(q->to_sdma.begin(), q->to_sdma.end());
    cce_op.insert(q->cce_op.begin(), q->cce_op.end());
    size.insert(q->size.begin(), q->size.end());
  }
  const Json enums = Json::parse(harness::read_whole(ASSAY_CORPUS_DIR "/spec/enums.json").value_or(""), nullptr, false);
  ASSERT_TRUE(enums.is_object());
  for (const auto& [text, code] : enums["matchers"]["neff_io_dtype"]["map"].items())
    EXPECT_EQ(asked.count({true, text}), 1U) << text;
  for (const auto& [text, code] : enums["matchers"]["defjson_dtype"]["map"].items())
    EXPECT_EQ(asked.count({false, text}), 1U) << text;
  for (std::int64_t i = 0; i <= 16; ++i) {
    EXPECT_EQ(to_sdma.count(i), 1U) << i;
    EXPECT_EQ(size.count(i), 1U) << i;
  }
  for (std::int64_t i = -1; i <= 6; ++i) EXPECT_EQ(cce_op.count(i), 1U) << i;
}

// Each mutant of the harness is answered otherwise by a case that names its requirement first.
TEST(Suite, TellsEveryMutantOfTheHarness) {
  const harness::CachedSubject oracle(harness::oracle_subject());
  for (const harness::Mutant& m : harness::mutants()) {
    const auto subject = harness::make_mutant(m, oracle);
    bool told_apart = false;
    for (const Case& c : suite().cases) {
      if (told_apart || c.requirements[0] != m.requirement) continue;
      auto told = told_by(*subject, c.op, c.request);
      if (has(c.flags, "twice")) told = told_by(*subject, c.op, c.request);
      ASSERT_TRUE(told.has_value()) << c.id;
      told_apart = told->answer.status != c.expect || told->answer.body != c.answer;
    }
    EXPECT_TRUE(told_apart) << m.id;
  }
}

}  // namespace
}  // namespace assay::conformance
