// SPDX-License-Identifier: Apache-2.0
// The catalogue on the oracle: each property on fixed seeds and on a fresh one, which is printed. With
// ASSAY_LONG set, twenty times as many cases.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include "harness/cases/cases.h"
#include "harness/compare/compare.h"
#include "harness/rapidcheck/batch.h"

namespace assay::harness {
namespace {

std::uint64_t cases_for(const Property& p) { return p.weight * (std::getenv("ASSAY_LONG") != nullptr ? 400 : 20); }

void holds(const Property& p, std::uint64_t seed) {
  BatchSpec spec;
  spec.property = &p;
  spec.subject = &oracle_subject();
  spec.seed = mixed_seed(seed, p.name, 0, 0);
  spec.cases = cases_for(p);
  spec.reduce_checks = 500;
  const BatchResult r = run_batch(spec);
  EXPECT_EQ(r.error, "");
  if (r.failure) {
    const std::string at = testing::TempDir() + "assay-" + std::string(p.name) + "-" + std::to_string(::getpid());
    const auto written = write_case(at, r.failure->smallest, r.failure->verdict.violations.front().text());
    FAIL() << p.name << ", seed " << seed << ": " << r.failure->verdict.violations.front().text() << "\n"
           << (written ? "assay replay " + at : written.error());
  }
  EXPECT_EQ(r.cases, spec.cases);
  EXPECT_EQ(r.cannot_say, 0u) << r.why;
}

class Properties : public testing::TestWithParam<std::string> {};

TEST_P(Properties, HoldOnFixedSeeds) {
  for (const std::uint64_t seed : {1, 2}) holds(*find_property(GetParam()), seed);
}

TEST_P(Properties, HoldOnAFreshSeed) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << std::endl;
  holds(*find_property(GetParam()), seed);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Property& p : properties()) out.emplace_back(p.name);
  return out;
}
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Each, Properties, testing::ValuesIn(names()), test_name);

TEST(Catalogue, NamesAreUniqueAndRowsAreOfTheCatalogue) {
  std::set<std::string_view> seen;
  for (const Property& p : properties()) {
    EXPECT_TRUE(seen.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.requirements.empty()) << p.name;
    EXPECT_GT(p.weight, 0u) << p.name;
    for (const std::string_view id : p.requirements) EXPECT_NE(id.find_first_of("-:"), std::string_view::npos) << id;
    RandomChoices c(7);
    EXPECT_EQ(kind_of(p.generate(c)), p.kind) << p.name;
  }
  EXPECT_EQ(find_property("no-such"), nullptr);
}

TEST(Catalogue, ACaseOfAnotherKindIsNotJudged) {
  for (const Property& p : properties())
    for (const Property& other : properties()) {
      if (p.kind == other.kind) continue;
      RandomChoices c(3);
      EXPECT_EQ(p.judge(oracle_subject(), other.generate(c)).kind, Verdict::Kind::cannot_say) << p.name;
      break;
    }
}

}  // namespace
}  // namespace assay::harness
