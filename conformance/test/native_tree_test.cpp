// SPDX-License-Identifier: Apache-2.0
// Native trees walked: those that are right give the encoder's bytes, an access outside the allocations is said with
// its path, and a wrong value is left in the image (conformance.md, Shared library).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/protocol/native_tree.h"
#include "conformance/test/lowered.h"
#include "harness/compare/compare.h"
#include "oracle/image/image.h"

namespace assay::conformance {
namespace {

using test::lowered;
using test::Lowered;

std::vector<assay_allocation> allocations_of(const Tree& tree) {
  std::vector<assay_allocation> out;
  for (const Allocation& a : tree.allocations()) out.push_back({a.address, a.bytes});
  return out;
}

TEST(NativeTree, GivesTheEncodersBytes) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const Lowered l = lowered(seed);
    if (!l.tree) continue;
    ++seen;
    const auto image = image_of_native(&l.tree->root(), allocations_of(*l.tree), 2);
    ASSERT_TRUE(image) << image.error();
    EXPECT_EQ(image->text(), encode(*l.tree)->text()) << seed;
  }
  EXPECT_GT(seen, 20);
  // And those with records that no lowering makes.
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    harness::RandomChoices c(seed);
    const Buffer made = harness::gen_image(c);
    const auto tree = to_tree(*decode(made.view()));
    ASSERT_TRUE(tree);
    const auto image = image_of_native(&tree->root(), allocations_of(*tree), tree->subgraph);
    ASSERT_TRUE(image) << image.error();
    EXPECT_EQ(image->text(), made.text()) << seed;
  }
}

// Every allocation in turn is left out, or a byte too short: the access is seen wherever it is.
TEST(NativeTree, EveryAllocationIsNeeded) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Lowered l = lowered(seed);
    if (!l.tree) continue;
    const auto all = allocations_of(*l.tree);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto without = all;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      const auto image = image_of_native(&l.tree->root(), without, 0);
      ASSERT_FALSE(image) << i;
      EXPECT_NE(image.error().find(": leads outside every allocation"), std::string::npos) << image.error();
      // A shorter engine is a shorter blob: a wrong image, and no access outside.
      if (l.tree->allocations()[i].kind == Kind::engine && all[i].size > 320) continue;
      auto shorter = all;
      --shorter[i].size;
      EXPECT_FALSE(image_of_native(&l.tree->root(), shorter, 0)) << i;
    }
  }
}

TEST(NativeTree, SaysWhichPointerLeadsOutside) {
  Lowered l;
  for (std::uint64_t seed = 1; !l.tree || l.tree->root().mem_ref_set->nmem < 2; ++seed) l = lowered(seed);
  Tree& tree = *l.tree;
  const auto all = allocations_of(tree);
  const auto error = [&] {
    const auto image = image_of_native(&tree.root(), all, 0);
    return image ? std::string("none") : image.error();
  };
  EXPECT_EQ(error(), "none");
  kbin_mem_ref& mem = mem_of(tree.root().mem_ref_set)[1];
  char* const name = mem.name;
  mem.name = const_cast<char*>("far");
  EXPECT_EQ(error(), "mem_ref_set.mem[1].name: leads outside every allocation");
  mem.name = name;
  kbin_engine_t* const engine = tree.root().engine[3];
  tree.root().engine[3] = reinterpret_cast<kbin_engine_t*>(1);
  EXPECT_EQ(error(), "engine[3]: leads outside every allocation");
  tree.root().engine[3] =
      reinterpret_cast<kbin_engine_t*>(reinterpret_cast<std::uint8_t*>(engine) + 312 + tree.blob_bytes(engine));
  EXPECT_EQ(error(), "engine[3]: 320 bytes of kbin_engine_t + blob are read there, 8 lie in the allocation");
  tree.root().engine[3] = engine;
  const std::uint32_t nmem = tree.root().mem_ref_set->nmem;
  tree.root().mem_ref_set->nmem = nmem + 1;
  EXPECT_EQ(
      error(),
      fmt::format("mem_ref_set: {} bytes of kbin_mem_ref_set_t + variables are read there, {} lie in the allocation",
                  24 + 152 * (nmem + 1), 24 + 152 * nmem));
  tree.root().mem_ref_set->nmem = nmem;
  EXPECT_EQ(image_of_native(nullptr, all, 0).error(), "kbin_t: leads outside every allocation");
  EXPECT_FALSE(image_of_native(&tree.root(), {}, 0));
}

// Sizes that no allocator was asked for are said, before anything is read by them.
TEST(NativeTree, ImpossibleSizesAreRefused) {
  Lowered l;
  for (std::uint64_t seed = 1; !l.tree; ++seed) l = lowered(seed);
  const auto with = [&](std::vector<assay_allocation> more) {
    auto all = allocations_of(*l.tree);
    all.insert(all.end(), more.begin(), more.end());
    const auto image = image_of_native(&l.tree->root(), all, 0);
    return image ? std::string("none") : image.error();
  };
  const auto last = [&](std::uint64_t size) {
    auto all = allocations_of(*l.tree);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    all.back().size = size;
    const auto image = image_of_native(&l.tree->root(), all, 0);
    return image ? std::string("none") : image.error();
  };
  const std::string too_much = "allocations of more than 16 GiB together, one of them ";
  EXPECT_EQ(last(~std::uint64_t{0}), "an allocation at NULL or past the end of memory");
  EXPECT_EQ(last(std::uint64_t{1} << 46), too_much + "70368744177664 bytes");
  EXPECT_NE(last(std::uint64_t{15} << 30), "none");  // a sanitizer may have so much in one piece
  // Two sizes whose sum is small once more.
  const auto* const low = reinterpret_cast<const void*>(std::uintptr_t{1} << 12);
  EXPECT_EQ(with({{low, std::uint64_t{9} << 30}}), "an allocation of 9663676416 bytes, not all of which are memory");
  const void* const nowhere = reinterpret_cast<const void*>(std::uintptr_t{1} << 62);
  EXPECT_EQ(with({{nowhere, 64}}), "an allocation of 64 bytes, not all of which are memory");
  EXPECT_EQ(with({{nowhere, std::uint64_t{1} << 63}}), too_much + "9223372036854775808 bytes");
}

// What is wrong inside the allocations is the image's to show, not an error of the walk.
TEST(NativeTree, WrongValuesStayInTheImage) {
  Lowered l;
  for (std::uint64_t seed = 1; !l.tree || l.tree->root().mem_ref_set->nmem < 2; ++seed) l = lowered(seed);
  Tree& tree = *l.tree;
  const Buffer right = std::move(*encode(tree));
  const auto rows = [&] {
    const auto image = image_of_native(&tree.root(), allocations_of(tree), 2);
    EXPECT_TRUE(image) << image.error();
    std::string text;
    for (const auto& v : harness::compare_images(right.view(), image->view(), nullptr)) text += v.requirement + " ";
    return text;
  };
  EXPECT_EQ(rows(), "");
  ++tree.root().engine[2]->ninstr;
  EXPECT_NE(rows().find("LOW-003"), std::string::npos);
  --tree.root().engine[2]->ninstr;
  kbin_mem_ref* const mem = mem_of(tree.root().mem_ref_set);
  std::swap(mem[0].name, mem[1].name);
  EXPECT_NE(rows(), "");
  std::swap(mem[0].name, mem[1].name);
  const auto found = [&] {
    const auto image = image_of_native(&tree.root(), allocations_of(tree), 2);
    const auto inspection = inspect(image->view());
    return inspection.findings.empty() ? "none" : std::string(row_of(inspection.findings[0].reason).requirement);
  };
  EXPECT_EQ(found(), "none");
  char* const name = mem[1].name;
  mem[1].name = mem[0].name;  // two pointers to one record
  EXPECT_EQ(found(), "IMG-013");
  mem[1].name = nullptr;
  EXPECT_EQ(found(), "IMG-014");
  mem[1].name = name;
  EXPECT_EQ(rows(), "");
  // No byte of a buffer is read where the variable's type has none.
  for (std::uint32_t i = 0; i < tree.root().mem_ref_set->nmem; ++i) {
    if (mem[i].mr_type == static_cast<std::uint32_t>(code(MrType::MR_BUFFER))) continue;
    std::uint8_t byte = 0;
    const std::uint64_t size = std::exchange(mem[i].size, 1000);
    mem[i].buffer = &byte;
    auto all = allocations_of(tree);
    all.push_back({&byte, 1});
    const auto image = image_of_native(&tree.root(), all, 2);
    ASSERT_TRUE(image) << image.error();
    EXPECT_EQ(row_of(inspect(image->view()).findings.at(0).reason).requirement, "IMG-015");
    mem[i].size = size, mem[i].buffer = nullptr;
  }
}

// One block for everything is as good as one for each record.
TEST(NativeTree, RecordsMayShareAnAllocation) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Lowered l = lowered(seed);
    if (!l.tree) continue;
    bool odd_blob = false;
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
    for (const auto& a : l.tree->allocations()) {
      const auto at = reinterpret_cast<std::uintptr_t>(a.address);
      begin = std::min(begin, at), end = std::max(end, at + a.bytes);
      odd_blob |= a.kind == Kind::engine && a.bytes % 64 != 0;
    }
    // Nothing between the records is read. How long an odd blob is, only an allocation of its own tells.
    if (odd_blob) continue;
    const assay_allocation one[] = {{reinterpret_cast<const void*>(begin), end - begin}};
    const auto image = image_of_native(&l.tree->root(), one, 2);
    ASSERT_TRUE(image) << image.error();
    EXPECT_EQ(image->text(), encode(*l.tree)->text());
  }
}

}  // namespace
}  // namespace assay::conformance
