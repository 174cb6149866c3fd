// SPDX-License-Identifier: Apache-2.0
// Every kind of container: a form that is read holds exactly its members, which lower; a defect is
// refused for its own reason at its own place, and the same file without it is read.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/gen/gen.h"
#include "oracle/test/covers.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kSeeds = 12;

void expect_members(const Result<Members>& read, const Members& members, const std::string& what) {
  ASSERT_TRUE(read.has_value()) << what << ": " << read.error().text();
  std::set<std::string> paths;
  for (const auto& [path, bytes] : *read) {
    paths.insert(path);
    const Buffer* const wanted = members.find(path);
    ASSERT_NE(wanted, nullptr) << what << ": " << path;
    EXPECT_EQ(bytes.text(), wanted->text()) << what << ": " << path;
  }
  for (const auto& member : members) EXPECT_EQ(paths.count(member.first), 1U) << what << ": " << member.first;
}

void expect_sound(const Neff& n, ByteView file, const std::string& what) {
  expect_members(read_neff(file, n.options), n.members, what);
  // Without members there is nothing to lower.
  const auto lowered = lower_neff(file, n.options);
  EXPECT_EQ(lowered.has_value(), n.members.size() != 0) << what;
}

void expect_refused(const Neff& n, const std::string& what) {
  const auto read = read_neff(n.file.view(), n.options);
  ASSERT_FALSE(read.has_value()) << what << " is read";
  const Refusal& r = read.error();
  EXPECT_EQ(row_of(r.reason).id, row_of(*n.kind->reason).id) << what << ": " << r.text();
  if (n.offset != ~std::uint64_t{0}) {
    EXPECT_EQ(r.place.offset, n.offset) << what << ": " << r.text();
  }
  const auto lowered = lower_neff(n.file.view(), n.options);
  ASSERT_FALSE(lowered.has_value());
  EXPECT_EQ(lowered.error().text(), r.text()) << what;
}

TEST(GenNeff, EveryKindOverManySeeds) {
  ASSAY_COVERS("CON-001", "CON-002", "CON-003", "CON-004", "CON-005", "CON-006", "CON-007", "CON-008", "CON-009",
               "CON-010", "CON-011", "CON-012", "CON-013", "CON-014", "CON-015");
  for (const NeffKind& kind : neff_kinds())
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      RandomChoices c(seed * 7919);
      const Neff n = gen_neff(c, kind);
      const std::string what = std::string(kind.name) + " " + std::to_string(seed);
      ASSERT_EQ(n.kind, &kind);
      if (!kind.reason) {
        EXPECT_TRUE(n.twin.empty()) << what;
        expect_sound(n, n.file.view(), what);
      } else {
        expect_sound(n, n.twin.view(), what + " (twin)");
        expect_refused(n, what);
      }
    }
}

TEST(GenNeff, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const NeffKind& kind : neff_kinds()) EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
}

TEST(GenNeff, EveryReasonOfAContainerHasAKind) {
  std::set<Reason> made;
  for (const NeffKind& kind : neff_kinds())
    if (kind.reason) made.insert(*kind.reason);
  // CON-016 and later are of what members mean: those have near-misses.
  for (const ReasonRow& row : kReasons)
    if (row.requirement.substr(0, 4) == "CON-" && row.requirement < "CON-016") {
      EXPECT_EQ(made.count(row.reason), 1U) << "no kind for " << row.id;
    }
  EXPECT_EQ(made.count(Reason::limit_members) + made.count(Reason::limit_expanded_bytes), 2U);
}

// Two faults: every pair of the tests that CON-007 puts in order, and one that comes behind them.
TEST(GenNeff, EveryPairOfFaultsHasAKind) {
  ASSAY_COVERS("CON-007");
  std::size_t pairs = 0;
  for (const NeffKind& kind : neff_kinds()) pairs += kind.name.find("-before-") != std::string_view::npos ? 1 : 0;
  EXPECT_EQ(pairs, 8U * 7 / 2);
}

TEST(GenNeff, TheSameChoicesGiveTheSameFile) {
  for (const NeffKind& kind : neff_kinds()) {
    RandomChoices a(5), b(5);
    EXPECT_EQ(gen_neff(a, kind).file.text(), gen_neff(b, kind).file.text()) << kind.name;
  }
}

// Bytes as choices: every kind comes to an end, on none and on few.
TEST(GenNeff, BytesAsChoices) {
  for (const NeffKind& kind : neff_kinds())
    for (const std::size_t size : {0, 100}) {
      RandomChoices fill(size + 3);
      std::vector<std::uint8_t> bytes(size);
      for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(fill.below(256));
      ByteChoices c(bytes);
      const Neff n = gen_neff(c, kind);
      EXPECT_EQ(read_neff(n.file.view(), n.options).has_value(), !kind.reason.has_value()) << kind.name;
    }
}

}  // namespace
}  // namespace assay::harness
