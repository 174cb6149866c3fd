// SPDX-License-Identifier: Apache-2.0
// The reducer of models on invalid ones, on twins, on garbage and at its limits.
#include <gtest/gtest.h>

#include <cstdio>

#include "harness/gen/gen.h"
#include "harness/reduce/reduce.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kMostChecks = 5000;

// A reduction of a near-miss with its twin beside it: each edit must leave the one broken in the
// same way, and the other lowering.
TEST(ReduceModel, NearMissesBecomeSmallWithTheirTwins) {
  for (const NearMissKind& kind : near_miss_kinds()) {
    RandomChoices c(7);
    GenOptions options;
    options.size.variables = 40;
    NearMiss miss = gen_near_miss(c, kind, options);
    std::size_t checks = 0;
    Cursor cursor;
    while (const auto edit = next_edit(miss.broken, cursor)) {
      ASSERT_LT(++checks, kMostChecks) << kind.name;
      Model broken = miss.broken, twin = miss.twin;
      if (!apply(*edit, broken) || !apply(*edit, twin)) continue;
      const auto refused = lower_model(broken);
      if (refused || refused.error().reason != kind.reason || !lower_model(twin)) continue;
      miss.broken = std::move(broken);
      miss.twin = std::move(twin);
      cursor.accept();
    }
    std::size_t bytes = 0;
    for (const auto& [path, member] : miss.broken.members) bytes += member.text().size();
    std::printf("%-32s %zu checks, %zu bytes\n", std::string(kind.name).c_str(), checks, bytes);
    EXPECT_LT(bytes, 7000U) << kind.name;  // 256 functions are 6300
  }
}

// Whoever accepts anything, or at random, comes to an end; and so does one who looks at garbage.
TEST(ReduceModel, ComesToAnEndWhateverIsAccepted) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    // Values in odd places: each document gets parts of others anywhere.
    std::vector<Json> parts;
    for (const auto& [path, member] : model.members)
      if (member.is_json())
        for (const Json& part : member.doc) parts.push_back(part);
    for (auto& [path, member] : model.members)
      for (int n = 0; member.is_json() && n < 6; ++n) {
        Json* at = &member.doc;
        while (at->is_structured() && !at->empty() && c.below(5) != 0) {
          auto it = at->begin();
          std::advance(it, static_cast<std::ptrdiff_t>(c.below(at->size())));
          at = &*it;
        }
        *at = c.pick(std::span<const Json>(parts));
      }
    const std::uint32_t percent = std::uint32_t{4} << seed % 5;
    ReduceLimits limits;
    limits.checks = 200000;
    const ReduceStats stats = reduce_model(model, [&](const Model&) { return c.chance(percent); }, limits);
    EXPECT_FALSE(stats.exhausted) << "seed " << seed << ": " << stats.accepted << " accepted of " << stats.checks;
  }
}

TEST(ReduceModel, EditsLeaveAModelWithoutTheirPartAlone) {
  RandomChoices c(3);
  const Model rich = gen_model(c, {ArchType::SUNDA, {2, 20, 4, 3, 6, 2, 3, 2, 3, 2, 300, 24}});
  Model poor;
  poor.put("kelf-0.json", {{"graphs", {1, {{"definition", "def.json"}}}}});
  poor.put("def.json", {{"var", 5}, {"dma", {{"desc", {0}}}}, {"dma_queue", {{"q", "x"}}}});
  std::size_t edits = 0;
  Cursor cursor;
  while (const auto edit = next_edit(rich, cursor)) {
    ++edits;
    Model changed = rich, copy = poor;
    if (!apply(*edit, copy)) {
      EXPECT_EQ(copy.members.size(), 2U);
      for (const auto& [path, member] : poor.members) EXPECT_EQ(copy.members.at(path).doc, member.doc);
    }
    const bool applied = apply(*edit, changed);
    bool same = changed.members.size() == rich.members.size();
    for (const auto& [path, member] : rich.members)
      same = same && changed.members.count(path) != 0 && changed.members.at(path).text() == member.text();
    EXPECT_EQ(applied, !same) << static_cast<int>(edit->kind) << " " << edit->member << edit->pointer;
  }
  EXPECT_GT(edits, 500U);
}

TEST(ReduceModel, StopsAtItsLimits) {
  RandomChoices c(4);
  Model model = gen_model(c);
  ReduceLimits limits;
  limits.checks = 10;
  const ReduceStats stats = reduce_model(model, [](const Model&) { return false; }, limits);
  EXPECT_TRUE(stats.exhausted);
  EXPECT_EQ(stats.checks, 10U);
  std::atomic<bool> stop = false;
  limits.stop = &stop;
  limits.checks = 1000;
  const ReduceStats stopped = reduce_model(model, [&](const Model&) { return !(stop = true); }, limits);
  EXPECT_TRUE(stopped.exhausted);
  EXPECT_EQ(stopped.checks, 1U);
}

}  // namespace
}  // namespace assay::harness
