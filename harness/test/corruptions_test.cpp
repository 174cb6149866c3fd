// SPDX-License-Identifier: Apache-2.0
// Every kind of corruption: the twin is accepted, the corrupt image refused for the kind's reason
// and at the place it tells, and nothing else is wrong with it.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kSeeds = 40;

// Kinds that are several findings by their nature; all of them of the one requirement.
const std::set<std::string_view> kSeveral = {"orphan-cut", "var-ids-swapped"};

std::string findings(const Inspection& i) {
  std::string out;
  for (const Finding& f : i.findings)
    out += std::string(row_of(f.reason).requirement) + " " + f.path + "+" + std::to_string(f.offset) + " " + f.detail +
           "\n";
  return out;
}

void expect_refused(const Corruption& k, const std::string& what) {
  // A copy of its exact size, so that a read past the end is seen.
  const Buffer image(k.image.view());
  const auto view = decode(image.view());
  ASSERT_FALSE(view.has_value()) << what << " is accepted";
  const Inspection i = inspect(image.view());
  EXPECT_EQ(view.error().row().id, row_of(k.kind->reason).id) << what << "\n" << findings(i);
  EXPECT_EQ(view.error().place.offset, k.offset) << what << "\n" << findings(i);
  for (const Finding& f : i.findings) EXPECT_EQ(f.reason, k.kind->reason) << what << "\n" << findings(i);
  if (kSeveral.count(k.kind->name) == 0) {
    EXPECT_EQ(i.findings.size(), 1u) << what << "\n" << findings(i);
  }
}

TEST(Corruptions, AreRefusedForTheirReasonAtTheirPlace) {
  for (const CorruptionKind& kind : corruption_kinds()) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      RandomChoices c(seed);
      Buffer valid;
      const Corruption k = gen_corruption(c, kind, valid);
      const std::string what = std::string(kind.name) + ", seed " + std::to_string(seed);
      ASSERT_TRUE(decode(valid.view()).has_value()) << what;
      ASSERT_NE(k.image.text(), valid.text()) << what;
      EXPECT_EQ(k.kind, &kind);
      expect_refused(k, what);
    }
  }
}

TEST(Corruptions, AnyImageIsCorruptedOrLacksWhatItTakes) {
  std::map<std::string_view, int> made;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomChoices c(seed);
    const Buffer valid = gen_image(c);
    for (const CorruptionKind& kind : corruption_kinds())
      if (const auto k = corrupt(c, valid.view(), kind)) {
        ++made[kind.name];
        expect_refused(*k, std::string(kind.name) + " of image " + std::to_string(seed));
      }
  }
  EXPECT_EQ(made.size(), corruption_kinds().size());
  RandomChoices c(1);
  for (const CorruptionKind& kind : corruption_kinds()) EXPECT_FALSE(corrupt(c, as_bytes("KBINIMG1"), kind));
  EXPECT_FALSE(corrupt(c, gen_image(c).view(), {"no-such-kind", Reason::image_header}));
}

TEST(Corruptions, OfFuzzBytes) {
  for (const CorruptionKind& kind : corruption_kinds()) {
    ByteChoices dry({});
    Buffer valid;
    const Corruption k = gen_corruption(dry, kind, valid);
    expect_refused(k, std::string(kind.name) + ", no bytes");
  }
}

TEST(Corruptions, CoverEveryRefusingRow) {
  std::set<std::string_view> rows, names;
  for (const CorruptionKind& kind : corruption_kinds()) {
    rows.insert(row_of(kind.reason).requirement);
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    for (const char ch : kind.name)
      EXPECT_TRUE(std::islower(static_cast<unsigned char>(ch)) || std::isdigit(static_cast<unsigned char>(ch)) ||
                  ch == '-')
          << kind.name;
  }
  for (int n = 3; n <= 25; ++n) {
    const std::string id = std::string(n < 10 ? "IMG-00" : "IMG-0") + std::to_string(n);
    EXPECT_TRUE(rows.count(id)) << id;
  }
  for (const ReasonRow& r : kReasons)
    if (r.requirement.starts_with("IMG-")) {
      EXPECT_TRUE(rows.count(r.requirement)) << r.id;
    }
}

TEST(Corruptions, HaveARightChecksumUnlessItIsWhatIsWrong) {
  for (const CorruptionKind& kind : corruption_kinds()) {
    RandomChoices c(3);
    Buffer valid;
    const Corruption k = gen_corruption(c, kind, valid);
    if (k.image.size() < image::kHeaderSize) continue;
    const auto stored = load<std::uint32_t>(k.image.data() + image::kCrcAt);
    EXPECT_EQ(stored != crc32_of(k.image.view().subspan(image::kHeaderSize)), kind.reason == Reason::image_checksum)
        << kind.name;
  }
}

}  // namespace
}  // namespace assay::harness
