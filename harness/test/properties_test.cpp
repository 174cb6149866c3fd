// SPDX-License-Identifier: Apache-2.0
// The catalogue on the oracle: each property on fixed seeds and on a fresh one, which is printed, or
// ASSAY_SEED. With ASSAY_LONG set, twenty times as many cases.
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
#include "oracle/container/container.h"

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
  const char* given = std::getenv("ASSAY_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
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

// What 20,000 cases of one seed are made of: every kind of defect, text, container and corruption, and
// with them every reason that a generated file can be refused for.
TEST(Catalogue, TwentyThousandCasesReachEveryKindAndEveryReason) {
  std::uint64_t weights = 0;
  for (const Property& p : properties()) weights += p.weight;
  std::set<std::string> kinds;
  std::set<Reason> reasons;
  for (const Property& p : properties()) {
    if (p.kind == CaseKind::model || p.kind == CaseKind::image || p.kind == CaseKind::dtype) continue;
    for (std::uint64_t i = 0; i < 20000 * p.weight / weights; ++i) {
      const Case c = case_from_seed(p, mixed_seed(1, p.name, i, 0));
      kinds.insert(labels_of(c).back());
      if (const auto* n = std::get_if<NearMissCase>(&c)) reasons.insert(n->miss.kind->reason);
      if (const auto* t = std::get_if<TextCase>(&c); t != nullptr && t->reason) reasons.insert(*t->reason);
      if (const auto* k = std::get_if<CorruptionCase>(&c)) reasons.insert(k->corruption.kind->reason);
      if (const auto* f = std::get_if<NeffCase>(&c); f != nullptr && f->neff.kind->reason) reasons.insert(*f->neff.kind->reason);
    }
  }
  for (const NearMissKind& k : near_miss_kinds()) EXPECT_EQ(kinds.count(std::string(k.name)), 1u) << k.name;
  for (const CorruptionKind& k : corruption_kinds()) EXPECT_EQ(kinds.count(std::string(k.name)), 1u) << k.name;
  for (const NeffKind& k : neff_kinds()) EXPECT_EQ(kinds.count(std::string(k.name)), 1u) << k.name;
  // A member or document of 4 GiB, memory that runs out, a target no file can name, and what is
  // neither accepted nor refused. Bounds on images are memory-limit-changes-nothing's.
  const std::set<Reason> beyond = {Reason::engine_instr_size, Reason::json_too_large, Reason::out_of_memory, Reason::target_zero,
                                   Reason::target_range, Reason::signals_unspecified, Reason::limit_image_bytes};
  for (const ReasonRow& row : kReasons)
    if (beyond.count(row.reason) == 0) {
      EXPECT_EQ(reasons.count(row.reason), 1u) << row.id;
    }
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

// The oracle, and how often it was asked to lower.
class Counted final : public Subject {
 public:
  std::string name() const override { return "counted"; }
  Reply<DtypeAnswer> dtype(const DtypeRequest& q) const override { return ++dtypes, oracle_subject().dtype(q); }
  Reply<Buffer> lower(const LowerRequest& q) const override { return ++lowered, oracle_subject().lower(q); }
  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override { return oracle_subject().lower_neff(q); }
  Reply<std::string> decode(ByteView image) const override { return oracle_subject().decode(image); }
  mutable std::size_t lowered = 0, dtypes = 0;
};

TEST(Catalogue, OneAnswerServesAllPropertiesOfACase) {
  RandomChoices c(4);
  const Property *names = find_property("engines-by-name"), *ids = find_property("ids-dense-and-counts-whole");
  const Case model = names->generate(c);
  const std::size_t graphs = graphs_of(std::get<ModelCase>(model).model).size();
  const Counted apart, together;
  for (const Property* p : {names, ids}) EXPECT_TRUE(p->judge(apart, model).holds());
  EXPECT_EQ(apart.lowered, 2 * graphs);
  {
    const AskOnce once(model);
    for (const Property* p : {names, ids}) EXPECT_TRUE(p->judge(together, model).holds());
    EXPECT_EQ(together.lowered, graphs);
    const Case other = copy_of(model);  // the same, but not the one that was asked about
    EXPECT_TRUE(names->judge(together, other).holds());
    EXPECT_EQ(together.lowered, 2 * graphs);
  }
  EXPECT_TRUE(names->judge(together, model).holds());
  EXPECT_EQ(together.lowered, 3 * graphs);

  const Property* maps = find_property("dtype-maps");
  const Case dtypes = maps->generate(c);
  const AskOnce once(dtypes);
  for (const char* name : {"dtype-maps", "sizes-go-through-sdma-codes"})
    EXPECT_TRUE(find_property(name)->judge(together, dtypes).holds());
  EXPECT_EQ(together.dtypes, 1u);
}

// What no directory can hold says nothing about how directories are read.
TEST(Catalogue, PathsThatNoDirectoryHoldsAreNotJudged) {
  const Property* p = find_property("directory-agrees");
  RandomChoices c(5);
  Case held = p->generate(c);
  EXPECT_TRUE(p->judge(oracle_subject(), held).holds());
  std::get<ModelCase>(held).model.put_bytes("a//b", "x");
  EXPECT_EQ(p->judge(oracle_subject(), held).kind, Verdict::Kind::cannot_say);
}

// Code may look like JSON text: it is read as bytes and stays what it is.
TEST(Catalogue, BlobsThatLookLikeDocumentsStayBytes) {
  std::string io_error;
  Options options;
  options.arch = ArchType::CAYMAN;
  const auto members = read_directory(ASSAY_CORPUS_DIR "/models/allreduce32", options.limits, io_error);
  ASSERT_TRUE(members);
  for (const std::string& text : {std::string("12345678\0", 9), std::string("[1, 2]"), std::string("7 ")}) {
    Model model = from_members(*members, options);
    std::size_t replaced = 0;
    for (auto& [path, member] : model.members)
      if (!member.is_json() && path.find(".bin") != std::string::npos) {
        member.bytes = text;
        ++replaced;
      }
    ASSERT_GT(replaced, 0u);
    const Case c = ModelCase{model};
    for (const Property& p : properties()) {
      if (p.kind != CaseKind::model) continue;
      const Verdict verdict = p.judge(oracle_subject(), c);
      EXPECT_FALSE(verdict.is_violated()) << p.name << ": " << verdict.violations.front().text();
    }
  }
}

}  // namespace
}  // namespace assay::harness
