// SPDX-License-Identifier: Apache-2.0
// The rows on an image's header, directory and checksum, each broken once in a sound image.
#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

const Bytes& small() {
  static const Bytes image = encoded(small_tree());
  return image;
}

// The small image with 32 or 64 bits set and the checksum repaired.
Bytes with_u32(std::uint64_t at, std::uint32_t v) {
  Bytes b = small();
  set_u32(b, at, v);
  repair(b);
  return b;
}
Bytes with_u64(std::uint64_t at, std::uint64_t v) {
  Bytes b = small();
  set_u64(b, at, v);
  repair(b);
  return b;
}

TEST(ImageHeader, SmallImagesAreSound) {
  ASSAY_COVERS("IMG-001", "IMG-002");
  EXPECT_TRUE(sound(small()));
  EXPECT_TRUE(sound(encoded(minimal_tree())));
  for (const Bytes& b : {small(), encoded(minimal_tree()), load_hex("all_kinds.hex")})
    EXPECT_EQ(u32_at(b, image::kCrcAt), plain_crc32(b, image::kHeaderSize));
}

TEST(ImageHeader, HeaderFields) {
  ASSAY_COVERS("IMG-003");
  ASSERT_TRUE(sound(small()));
  for (std::size_t at = 0; at < 8; ++at) {  // magic; its last digit is the version
    Bytes b = small();
    b[at] ^= 1;
    EXPECT_TRUE(refused_as(b, "IMG-003")) << at;
  }
  Bytes two = small();
  two[7] = '2';
  EXPECT_TRUE(refused_as(two, "IMG-003"));
  for (const std::uint32_t size : {0U, 79U, 81U, 1024U, 0xffffffffU})
    EXPECT_TRUE(refused_as(with_u32(image::kHeaderSizeAt, size), "IMG-003"));
  for (int bit = 0; bit < 32; ++bit)
    EXPECT_TRUE(refused_as(with_u32(image::kFlagsAt, 1U << bit), "IMG-003"));
  for (std::uint64_t at = image::kReservedAt; at < 80; ++at) {
    Bytes b = small();
    b[at] = 1;
    EXPECT_TRUE(refused_as(b, "IMG-003"));
  }
}

TEST(ImageHeader, ShorterThanItsHeader) {
  ASSAY_COVERS("IMG-003", "IMG-026");
  for (std::size_t n = 0; n < 80; ++n)
    EXPECT_TRUE(refused_as(Bytes(small().begin(), small().begin() + static_cast<std::ptrdiff_t>(n)),
                           "IMG-003"));
  // One byte more and the header can be read: then its length is wrong.
  EXPECT_TRUE(refused_as(Bytes(small().begin(), small().begin() + 80), "IMG-004"));
}

TEST(ImageHeader, ImageSize) {
  ASSAY_COVERS("IMG-004");
  ASSERT_TRUE(sound(small()));
  for (const std::uint64_t size :
       {small().size() - 1, small().size() + 1, std::size_t{0}, ~std::size_t{0}})
    EXPECT_TRUE(refused_as(with_u64(image::kImageSizeAt, size), "IMG-004"));
  Bytes longer = small();
  longer.push_back(0);
  EXPECT_TRUE(refused_as(longer, "IMG-004"));
  Bytes shorter = small();
  shorter.pop_back();
  EXPECT_TRUE(refused_as(shorter, "IMG-004"));
}

TEST(ImageHeader, Root) {
  ASSAY_COVERS("IMG-005");
  ASSERT_TRUE(sound(small()));
  for (const std::uint64_t root : {0ULL, 79ULL, 96ULL, 512ULL, ~0ULL})
    EXPECT_TRUE(refused_as(with_u64(image::kRootAt, root), "IMG-005"));
  EXPECT_TRUE(refused_as(with_u32(entry_at(small(), 0) + 16, 2), "IMG-005"));   // another kind
  EXPECT_TRUE(refused_as(with_u32(entry_at(small(), 0) + 16, 20), "IMG-005"));  // no kind
  EXPECT_TRUE(refused_as(with_u64(entry_at(small(), 0), 96), "IMG-005"));       // not at 80
  Parts none(small());
  none.records.clear();
  EXPECT_TRUE(refused_as(none.build(), "IMG-005"));
}

TEST(ImageHeader, Lists) {
  ASSAY_COVERS("IMG-006");
  ASSERT_TRUE(sound(small()));
  const std::uint64_t dir = u64_at(small(), image::kDirOffsetAt);
  const std::uint64_t reloc = u64_at(small(), image::kRelocOffsetAt);
  // 2^64 - 80: where the sums would wrap into range.
  for (const std::uint64_t v :
       {dir - 16, dir + 16, dir + 1, std::uint64_t{0}, ~std::uint64_t{79}, ~std::uint64_t{0}})
    EXPECT_TRUE(refused_as(with_u64(image::kDirOffsetAt, v), "IMG-006")) << v;
  for (const std::uint64_t v : {reloc - 8, reloc + 8, std::uint64_t{0}, ~std::uint64_t{7}})
    EXPECT_TRUE(refused_as(with_u64(image::kRelocOffsetAt, v), "IMG-006")) << v;
  const std::uint32_t records = u32_at(small(), image::kDirCountAt);
  for (const std::uint32_t v : {records - 1, records + 1, 0U, 0xffffffffU})
    EXPECT_TRUE(refused_as(with_u32(image::kDirCountAt, v), "IMG-006")) << v;
  const std::uint32_t relocs = u32_at(small(), image::kRelocCountAt);
  for (const std::uint32_t v : {relocs - 1, relocs + 1, 0U, 0xffffffffU})
    EXPECT_TRUE(refused_as(with_u32(image::kRelocCountAt, v), "IMG-006")) << v;
  Parts apart(small());
  apart.gap_before_directory = 16;
  EXPECT_TRUE(refused_as(apart.build(), "IMG-006"));
  apart.gap_before_directory = 8;
  EXPECT_TRUE(refused_as(apart.build(), "IMG-006"));
  apart.gap_before_directory = 0;
  EXPECT_EQ(apart.build(), small());
}

// A list that lies about its length allocates nothing for it.
TEST(ImageHeader, CountsAllocateNothing) {
  ASSAY_COVERS("IMG-026");
  Bytes b(80, 0);
  std::copy(small().begin(), small().begin() + 80, b.begin());
  set_u64(b, image::kImageSizeAt, 80);
  set_u32(b, image::kDirCountAt, 0xffffffff);
  set_u32(b, image::kRelocCountAt, 0xffffffff);
  const std::uint64_t lists = 24ULL * 0xffffffff + 8ULL * 0xffffffff;
  set_u64(b, image::kDirOffsetAt, 80 - lists);  // so that the sums come out right modulo 2^64
  set_u64(b, image::kRelocOffsetAt, 80 - 8ULL * 0xffffffff);
  repair(b);
  EXPECT_TRUE(refused_as(b, "IMG-006"));
}

TEST(ImageHeader, Checksum) {
  ASSAY_COVERS("IMG-007");
  ASSERT_TRUE(sound(small()));
  for (int bit = 0; bit < 32; ++bit) {
    Bytes b = small();
    set_u32(b, image::kCrcAt, u32_at(b, image::kCrcAt) ^ 1U << bit);
    EXPECT_TRUE(refused_as(b, "IMG-007"));
  }
  // The header is not under it: another subgraph index is another sound image.
  Bytes b = small();
  set_u32(b, image::kSubgraphAt, 77);
  EXPECT_TRUE(sound(b));
  // It is one finding, and the image can be walked all the same.
  set_u32(b, image::kCrcAt, 0);
  const Inspected i = look_at(b);
  EXPECT_EQ(i.result.findings.size(), 1u) << findings_text(i.result);
  EXPECT_TRUE(i.result.view.has_value());
}

TEST(ImageHeader, Target) {
  ASSAY_COVERS("IMG-008");
  ASSERT_TRUE(sound(small()));
  const std::uint64_t at = offsets_of(small()).at("target");
  for (const std::uint32_t header : {0U, 1U, 2U, 4U, 5U, 0xffffffffU})  // kbin_t says 3
    EXPECT_TRUE(refused_as(with_u32(image::kTargetAt, header), "IMG-008")) << header;
  for (const std::uint32_t target : {0U, 1U, 2U, 4U, 5U, 0xffffffffU})
    EXPECT_TRUE(refused_as(with_u32(at, target), "IMG-008")) << target;
  for (std::uint32_t both = 0; both < 8; ++both) {
    Bytes b = small();
    set_u32(b, image::kTargetAt, both);
    set_u32(b, at, both);
    repair(b);
    if (both >= 2 && both <= 4) EXPECT_TRUE(sound(b)) << both;
    else EXPECT_TRUE(refused_as(b, "IMG-008")) << both;
  }
}

TEST(ImageHeader, FindingsAreBounded) {
  ASSAY_COVERS("IMG-026");
  Bytes b = small();
  for (std::size_t i = 1; i < u32_at(b, image::kDirCountAt); ++i) set_u64(b, entry_at(b, i), 81);
  repair(b);
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    const Inspected i = look_at(b, most);
    EXPECT_EQ(i.result.findings.size(), most);
    EXPECT_TRUE(i.result.truncated);
    EXPECT_FALSE(i.result.view.has_value());
  }
  EXPECT_FALSE(look_at(b, 1000).result.truncated);
}

}  // namespace
}  // namespace assay::test
