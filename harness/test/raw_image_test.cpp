// SPDX-License-Identifier: Apache-2.0
// An image taken apart and put together again: the very bytes when nothing was edited, and some
// image, whatever was edited in, otherwise.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "harness/gen/gen.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

// corpus/images: hex pairs, HH*N repeats, @N asserts a position, # comments.
Buffer stored_image(const std::string& name) {
  std::ifstream in(std::string(ASSAY_CORPUS_DIR) + "/images/" + name);
  std::string line, token, out;
  while (std::getline(in, line)) {
    std::istringstream tokens(line.substr(0, line.find('#')));
    while (tokens >> token) {
      if (token[0] == '@') continue;
      const auto star = token.find('*');
      out.append(star == std::string::npos ? 1 : std::stoul(token.substr(star + 1)),
                 static_cast<char>(std::stoul(token.substr(0, star), nullptr, 16)));
    }
  }
  return Buffer(out);
}

void gives_back(const Buffer& image) {
  const auto raw = read_raw(image.view());
  ASSERT_TRUE(raw.has_value());
  const Buffer again = raw->write();
  ASSERT_EQ(again.size(), image.size());
  EXPECT_EQ(std::memcmp(again.data(), image.data(), image.size()), 0);
}

TEST(RawImage, GivesBackStoredImages) { gives_back(stored_image("all_kinds.hex")); }

TEST(RawImage, GivesBackLoweredModels) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomChoices c(seed);
    const auto lowered = lower_model(gen_model(c));
    ASSERT_TRUE(lowered.has_value());
    for (const LoweredGraph& g : lowered->graphs) gives_back(*encode(g.tree));
  }
}

TEST(RawImage, RefusesWhatCannotBeWalked) {
  EXPECT_FALSE(read_raw({}).has_value());
  Buffer image = stored_image("all_kinds.hex");
  EXPECT_FALSE(read_raw(image.view().first(image.size() - 1)).has_value());
  store(image.data() + image::kRootAt, std::uint64_t{96});
  EXPECT_FALSE(read_raw(image.view()).has_value());
}

TEST(RawImage, FindsTheNthOfAKind) {
  const auto raw = read_raw(stored_image("all_kinds.hex").view());
  ASSERT_TRUE(raw.has_value());
  EXPECT_EQ(raw->find(Kind::kbin, 0), 0u);
  ASSERT_TRUE(raw->find(Kind::engine, 4).has_value());
  EXPECT_EQ(raw->records[*raw->find(Kind::engine, 4)].kind, Kind::engine);
  EXPECT_LT(*raw->find(Kind::engine, 0), *raw->find(Kind::engine, 1));
  EXPECT_FALSE(raw->find(Kind::engine, 5).has_value());
}

TEST(RawImage, RepairsTheChecksumAlone) {
  Buffer image = stored_image("all_kinds.hex");
  const Buffer right(image.view());
  store(image.data() + image::kCrcAt, 0u);
  EXPECT_EQ(decode(image.view()).error().reason, Reason::image_checksum);
  repair_checksum(image);
  EXPECT_EQ(image.text(), right.text());
  Buffer shorter(std::string_view("KBINIMG1"));
  repair_checksum(shorter);
  EXPECT_EQ(shorter.text(), "KBINIMG1");
}

TEST(RawImage, WritesWrongThings) {
  const auto whole = read_raw(stored_image("all_kinds.hex").view());
  ASSERT_TRUE(whole.has_value());
  const auto first = [](const RawImage& raw) {
    const auto view = decode(raw.write().view());
    return view ? std::string("accepted") : std::string(view.error().row().id);
  };
  EXPECT_EQ(first(*whole), "accepted");
  RawImage raw = *whole;
  const std::size_t string = *raw.find(Kind::string, 0);
  raw.records[string].bytes.push_back(0);
  EXPECT_EQ(first(raw), "image-string");
  raw = *whole;
  ++raw.records[string].count;
  EXPECT_EQ(first(raw), "image-dir-count");
  raw = *whole;
  raw.records[0].pointers[0].into = 16;
  EXPECT_EQ(first(raw), "image-pointer");
  raw = *whole;
  raw.records[0].pointers.erase(raw.records[0].pointers.begin());
  EXPECT_EQ(first(raw), "image-null");
  raw = *whole;
  std::swap(raw.records[1], raw.records[2]);
  std::swap(raw.records[0].pointers[0].to, raw.records[0].pointers[1].to);
  EXPECT_EQ(first(raw), "image-order");
  raw = *whole;
  raw.records[1].bytes.resize(100);
  EXPECT_EQ(first(raw), "image-record-size");
  // Slots and records that are not there are left out, and an empty image is a header.
  raw = *whole;
  raw.records[0].pointers.push_back({423, 1, 0});
  raw.records[0].pointers.push_back({~std::uint64_t{0}, 1, 0});
  raw.records[0].pointers.push_back({400, 1u << 30, 0});
  EXPECT_EQ(first(raw), "accepted");
  EXPECT_EQ(RawImage{}.write().size(), image::kHeaderSize);
}

TEST(RawImage, WritesWhateverWasEditedIn) {
  const auto whole = read_raw(stored_image("all_kinds.hex").view());
  ASSERT_TRUE(whole.has_value());
  RandomChoices c(7);
  for (int round = 0; round < 300; ++round) {
    RawImage raw = *whole;
    for (std::uint64_t edits = 1 + c.below(5); edits > 0 && !raw.records.empty(); --edits) {
      RawRecord& r = raw.records[c.below(raw.records.size())];
      switch (c.below(5)) {
        case 0: r.bytes.resize(c.below(600)); break;
        case 1: r.kind = static_cast<Kind>(c.edge(0, 0xffffffff)); break;
        case 2: r.pointers.push_back({c.edge(0, 500), c.below(200), c.edge(0, ~std::uint64_t{0})}); break;
        case 3: raw.records.erase(raw.records.begin() + static_cast<std::ptrdiff_t>(c.below(raw.records.size())));
          break;
        default: std::swap(r, raw.records[c.below(raw.records.size())]); break;
      }
    }
    const Buffer image = raw.write();
    (void)inspect(image.view());
    (void)read_raw(image.view());
  }
}

}  // namespace
}  // namespace assay::harness
