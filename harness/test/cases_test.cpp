// SPDX-License-Identifier: Apache-2.0
// Stored cases come back as they were, and smaller ones fail in the same way.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/cases/cases.h"
#include "harness/cases/expected.h"
#include "harness/cases/reduce_case.h"

namespace assay::harness {
namespace {

TEST(StoredCases, ComeBackWithTheSameVerdicts) {
  std::set<CaseKind> kinds;
  for (const Property& p : properties()) {
    kinds.insert(p.kind);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      RandomChoices choices(seed);
      const Case c = p.generate(choices);
      const auto files = files_of(c, "two\nlines");
      ASSERT_TRUE(files) << p.name << ": " << files.error();
      EXPECT_EQ(files->at("reason.txt"), "two lines\n");
      const auto back = case_of(*files);
      ASSERT_TRUE(back) << p.name << ": " << back.error();
      EXPECT_EQ(*files_of(*back, "two lines"), *files) << p.name << " seed " << seed;
      EXPECT_EQ(expected_json(*back), expected_json(c)) << p.name << " seed " << seed;
      const Verdict before = p.judge(oracle_subject(), c), after = p.judge(oracle_subject(), *back);
      EXPECT_EQ(before.kind, after.kind) << p.name << " seed " << seed;
    }
  }
  EXPECT_EQ(kinds.size(), 7u);  // every kind of case
}

TEST(StoredCases, EveryNearMissIsRefusedAsBefore) {
  for (const NearMissKind& kind : near_miss_kinds()) {
    RandomChoices choices(5);
    const auto files = files_of(NearMissCase{gen_near_miss(choices, kind)}, "");
    ASSERT_TRUE(files) << kind.name << ": " << files.error();
    const auto back = case_of(*files);
    ASSERT_TRUE(back) << kind.name << ": " << back.error();
    const NearMiss& miss = std::get<NearMissCase>(*back).miss;
    EXPECT_TRUE(lower_model(miss.twin)) << kind.name;
    const auto broken = lower_model(miss.broken);
    ASSERT_FALSE(broken) << kind.name;
    EXPECT_EQ(broken.error().row().id, row_of(kind.reason).id) << kind.name;
  }
}

TEST(StoredCases, DamagedFilesAreToldApart) {
  RandomChoices choices(1);
  const auto whole = files_of(NearMissCase{gen_near_miss(choices, near_miss_kinds()[0])}, "");
  ASSERT_TRUE(whole);
  for (const char* missing : {"case.json", "input.neff", "twin.neff"}) {
    CaseFiles files = *whole;
    files.erase(missing);
    const auto c = case_of(files);
    ASSERT_FALSE(c) << missing;
    EXPECT_NE(c.error().find(missing), std::string::npos) << c.error();
  }
  for (const char* head : {"", "[]", "{\"kind\":5}", "{\"kind\":\"near-miss\",\"near_miss\":\"no-such\"}",
                           "{\"kind\":\"text\",\"definition\":\"none\"}", "{\"kind\":\"corruption\"}"}) {
    CaseFiles files = *whole;
    files["case.json"] = head;
    EXPECT_FALSE(case_of(files)) << head;
  }
}

// A property of models that only a queue more than one violates, to see reductions end where they can.
Verdict one_queue(const Subject&, const Case& c) {
  const auto* const m = std::get_if<ModelCase>(&c);
  if (m == nullptr) return Verdict::cannot_say("no model");
  for (const auto& [path, member] : m->model.members)
    if (member.is_json() && member.doc.is_object() && member.doc.contains("dma_queue") &&
        member.doc["dma_queue"].size() > 1)
      return Verdict::violated({"DMQ-002", path, "1 queue", std::to_string(member.doc["dma_queue"].size()), {}});
  return Verdict::ok();
}
Case any_model(Choices& c) { return ModelCase{gen_model(c)}; }
constexpr std::string_view kIds[] = {"DMQ-002"};
constexpr Property kOneQueue{"one-queue", kIds, CaseKind::model, 1, any_model, one_queue};

TEST(ReduceCase, LeavesWhatFailsAndStillLowers) {
  int reduced = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomChoices choices(seed);
    Case c = any_model(choices);
    if (!one_queue(oracle_subject(), c).is_violated()) continue;
    const ReduceStats stats = reduce_case(kOneQueue, oracle_subject(), c, {5000});
    EXPECT_FALSE(stats.exhausted);
    const Model& model = std::get<ModelCase>(c).model;
    EXPECT_TRUE(lower_model(model));
    EXPECT_TRUE(one_queue(oracle_subject(), c).is_violated());
    const auto graphs = graphs_of(model);
    ASSERT_EQ(graphs.size(), 1u);
    const Json& def = model.members.at(graphs[0].definition).doc;
    EXPECT_EQ(def.at("dma_queue").size(), 2u);
    EXPECT_EQ(def.at("var").size(), 1u) << def.dump();
    ++reduced;
  }
  EXPECT_GT(reduced, 3);
}

TEST(ReduceCase, AHoldingCaseStays) {
  RandomChoices choices(1);
  Case c = any_model(choices);
  std::get<ModelCase>(c).model.members.clear();
  const auto stats = reduce_case(kOneQueue, oracle_subject(), c);
  EXPECT_EQ(stats.checks, 0u);
}

// The defect, its twin and the expected place stay together.
TEST(ReduceCase, NearMissesStayNearMisses) {
  for (const NearMissKind& kind : near_miss_kinds()) {
    RandomChoices choices(7);
    Case c = NearMissCase{gen_near_miss(choices, kind)};
    std::size_t before = 0, after = 0;
    for (const auto& [path, member] : std::get<NearMissCase>(c).miss.twin.members) before += member.text().size();
    reduce_case(c, [](const Case&) { return true; }, {300});
    const NearMiss& miss = std::get<NearMissCase>(c).miss;
    for (const auto& [path, member] : miss.twin.members) after += member.text().size();
    EXPECT_LT(after, before) << kind.name;
    EXPECT_TRUE(lower_model(miss.twin)) << kind.name;
    const auto broken = lower_model(miss.broken);
    ASSERT_FALSE(broken) << kind.name;
    EXPECT_EQ(broken.error().row().id, row_of(kind.reason).id) << kind.name;
    EXPECT_TRUE(miss.place.pointer.empty() || miss.place.pointer == broken.error().place.pointer) << kind.name;
  }
}

TEST(ReduceCase, ListsOfDtypesAreHalved) {
  DtypeCase d;
  for (std::int64_t i = 0; i < 40; ++i) {
    d.request.to_sdma.push_back(i);
    d.request.size.push_back(i);
  }
  Case c = std::move(d);
  const auto stats = reduce_case(c, [](const Case& candidate) {
    const auto& list = std::get<DtypeCase>(candidate).request.to_sdma;
    const auto has = [&](std::int64_t v) { return std::find(list.begin(), list.end(), v) != list.end(); };
    return has(7) && has(23);
  });
  EXPECT_EQ(std::get<DtypeCase>(c).request.to_sdma, (std::vector<std::int64_t>{7, 23}));
  EXPECT_TRUE(std::get<DtypeCase>(c).request.size.empty());
  EXPECT_LT(stats.checks, 60u);
}

TEST(ReduceCase, KindsOfExpectedText) {
  EXPECT_EQ(expected_kind("448 bytes of \"x y\""), "# bytes of \"");
  EXPECT_EQ(expected_kind("refused"), "refused");
  EXPECT_NE(expected_kind("refused"), expected_kind("accepted"));
  EXPECT_EQ(expected_kind("0x1f at 3"), expected_kind("0x2a at 17"));
  EXPECT_EQ(expected_kind("MR_PTR (7)"), expected_kind("MR_LIST (9)"));
  EXPECT_NE(expected_kind("refused: var-id-twice"), expected_kind("refused: no-output"));
}

}  // namespace
}  // namespace assay::harness
