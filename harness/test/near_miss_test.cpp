// SPDX-License-Identifier: Apache-2.0
// Every kind of near-miss: its twin lowers, and the one defect is refused for its own reason, at
// its own place, on many models.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/gen/gen.h"

namespace assay::harness {
namespace {

TEST(NearMisses, EachIsRefusedForItsOwnReasonAndItsTwinLowers) {
  for (const NearMissKind& kind : near_miss_kinds())
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      RandomChoices c(seed * 7919);
      const NearMiss miss = gen_near_miss(c, kind);
      const auto twin = lower_model(miss.twin);
      ASSERT_TRUE(twin.has_value()) << kind.name << " " << seed << ": " << twin.error().text();
      const auto broken = lower_model(miss.broken);
      ASSERT_FALSE(broken.has_value()) << kind.name << " " << seed << " is accepted";
      const Refusal& r = broken.error();
      EXPECT_EQ(row_of(r.reason).id, row_of(kind.reason).id)
          << kind.name << " " << seed << ": " << r.text();
      if (!miss.place.member.empty()) {
        EXPECT_EQ(r.place.member, miss.place.member) << kind.name;
      }
      if (!miss.place.pointer.empty()) {
        EXPECT_EQ(r.place.pointer, miss.place.pointer) << kind.name;
      }
    }
}

TEST(NearMisses, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const NearMissKind& kind : near_miss_kinds())
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
  EXPECT_GE(names.size(), 130u);
}

// Every reason that the JSON of a file can cause has a kind; the others are of texts, of the
// container, of images, or of this project's bounds.
TEST(NearMisses, EveryReasonOfAFileHasAKind) {
  std::set<Reason> made;
  for (const NearMissKind& kind : near_miss_kinds()) made.insert(kind.reason);
  // What a document that holds each key once and only values of its own cannot show.
  const std::set<Reason> elsewhere = {Reason::var_name_twice, Reason::queue_name_twice,
                                      Reason::engine_instr_size, Reason::signals_unspecified,
                                      Reason::target_zero, Reason::target_range};
  for (const ReasonRow& row : kReasons) {
    const std::string_view area = row.requirement.substr(0, 4);
    const bool of_text = row.id.substr(0, 5) == "json-" || row.id == "out-of-memory";
    const bool of_container = row.id.substr(0, 5) == "neff-" || row.id.substr(0, 6) == "digest" ||
                              row.id == "unsafe-path" || row.id == "archive-damaged" ||
                              row.id == "gzip-damaged";
    if (of_text || of_container || area == "IMG-" || area == "limi" || elsewhere.count(row.reason) != 0)
      continue;
    EXPECT_EQ(made.count(row.reason), 1u) << "no near-miss for " << row.id;
  }
}

}  // namespace
}  // namespace assay::harness
