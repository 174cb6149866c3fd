// SPDX-License-Identifier: Apache-2.0
// Every seed of every target in the real format: those that the oracle accepts are cases that no
// property finds fault with, also once stored; of the others it is said why they are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "fuzzers/common/judged.h"
#include "fuzzers/common/real_case.h"
#include "harness/cases/files.h"
#include "oracle/container/container.h"

namespace {

using assay::as_bytes;
using assay::fuzz::RealInput;
using assay::fuzz::real_input;
using assay::harness::CaseKind;

constexpr char kSeeds[] = ASSAY_CORPUS_DIR "/seeds/";
constexpr std::size_t kMostSeeds = 300;  // of one target

std::vector<std::pair<std::string, std::string>> seeds_of(std::string_view target) {
  std::vector<std::pair<std::string, std::string>> out;
  const std::string directory = kSeeds + std::string(target) + "/";
  const auto names = assay::harness::names_in(directory);
  for (const std::string& name : names.value_or(std::vector<std::string>{}))
    if (out.size() < kMostSeeds) out.emplace_back(name, assay::harness::read_whole(directory + name).value_or(""));
  return out;
}

RealInput made(std::string_view target, const std::string& input) { return real_input(target, as_bytes(input), "why"); }

// What a property says of a case, as its files have it; of those that targets judge.
std::string fault_of(const RealInput& real) {
  const auto stored = assay::harness::case_of(real.files);
  if (!stored) return stored.error();
  std::size_t judged = 0;
  for (const assay::fuzz::Judged& row : assay::fuzz::judged(kind_of(*stored))) {
    const assay::harness::Property* p = row.property;
    const auto verdict = p->judge(assay::harness::oracle_subject(), *stored);
    if (verdict.is_violated()) return verdict.violations.front().text();
    judged += verdict.holds() ? 1 : 0;
  }
  return judged > 0 ? "" : "no property judged it";
}

class Target : public testing::TestWithParam<std::string_view> {};

// Target -> kind of its cases; some of its seeds become one.
const std::map<std::string_view, std::optional<CaseKind>> kKinds = {
    {"defjson_bytes", CaseKind::model}, {"descriptor", CaseKind::model},   {"dtype", CaseKind::dtype},
    {"image_bytes", CaseKind::image},   {"image_records", CaseKind::image}, {"json_dialect", std::nullopt},
    {"neff", CaseKind::model},          {"neff_members", CaseKind::model}, {"subgraph", CaseKind::model},
    {"text_equiv", CaseKind::text},
};

}  // namespace

TEST_P(Target, SeedsAsCases) {
  const std::optional<CaseKind> wanted = kKinds.at(GetParam());
  const auto seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  std::size_t cases = 0, bare = 0;
  for (const auto& [name, input] : seeds) {
    const RealInput real = made(GetParam(), input);
    EXPECT_EQ(real.c.has_value(), real.why.empty()) << name;
    EXPECT_EQ(real.c.has_value(), real.files.count("case.json") == 1) << name;
    if (!real.c) {
      bare += real.files.empty() ? 0 : 1;
      for (const auto& file : real.files) EXPECT_EQ(file.first.substr(0, 6), "input.") << name;
      continue;
    }
    ++cases;
    EXPECT_EQ(kind_of(*real.c), wanted) << name;
    EXPECT_EQ(fault_of(real), "") << name;
  }
  EXPECT_EQ(cases > 0, wanted.has_value());
  EXPECT_GT(cases + bare, 0u);
  std::printf("%zu seeds: %zu cases, %zu inputs alone\n", seeds.size(), cases, bare);
}

namespace {

std::vector<std::string_view> names() {
  std::vector<std::string_view> out;
  for (const auto& t : assay::fuzz::real_targets()) out.push_back(t.name);
  return out;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(RealCase, Target, testing::ValuesIn(names()),
                         [](const auto& target) { return std::string(target.param); });

TEST(RealCase, EveryTargetIsKnown) {
  std::vector<std::string> there = assay::harness::names_in(kSeeds).value_or(std::vector<std::string>{});
  std::vector<std::string> known;
  for (const std::string_view name : names()) known.emplace_back(name);
  EXPECT_EQ(there, known);
  EXPECT_EQ(real_input("other", {}, "").why, "there is no target of that name");
}

TEST(RealCase, KeepsTheContainerAndTheSpelling) {
  for (const auto& [name, input] : seeds_of("neff")) {
    const RealInput real = made("neff", input);
    if (real.c) {
      EXPECT_EQ(real.files.at("input.neff"), input) << name;
    }
  }
  for (const auto& [name, input] : seeds_of("defjson_bytes")) {
    const RealInput real = made("defjson_bytes", input + "\n ");
    const auto members = assay::read_neff(as_bytes(real.files.at("input.neff")), {});
    ASSERT_TRUE(members) << name;
    EXPECT_EQ(members->find("sg00/def.json")->text(), input + "\n ") << name;
  }
}

TEST(RealCase, IsKeptBeforeTheOracleIsAsked) {
  const std::string bad = "{}";
  std::vector<bool> with_case;
  const auto keep = [&](const RealInput& r) { with_case.push_back(r.files.count("case.json") == 1); };
  const RealInput real = real_input("defjson_bytes", as_bytes(bad), "why", keep);
  const RealInput image = real_input("image_bytes", as_bytes(bad), "why", keep);
  EXPECT_EQ(image.files, (assay::harness::CaseFiles{{"input.kbin", bad}}));
  EXPECT_NE(image.why.find("it is refused: "), std::string::npos) << image.why;
  EXPECT_GE(with_case.size(), 2u);
  EXPECT_TRUE(std::all_of(with_case.begin(), with_case.end(), [](bool b) { return b; }));
  EXPECT_EQ(with_case.size(), real.c ? 2u : 4u);  // with one architecture or three, and the image
}

TEST(RealCase, AnyBytes) {
  for (const std::string_view target : names())
    for (const std::string& input : {std::string(), std::string(1, '\0'), std::string(100, '\xff'), std::string("[]")}) {
      const RealInput real = made(target, input);
      EXPECT_TRUE(real.c || !real.why.empty()) << target;
    }
}
