// SPDX-License-Identifier: Apache-2.0
// Both sides of the bounds that IMG-021 sets, and of what an encoder takes.
#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

// A tree with one descriptor of the op, encoded after an edit.
template <class Edit>
Bytes with_desc(DescOp op, std::uint32_t sources, const Edit& edit) {
  Tree t = minimal_tree();
  t.root().dma[0] = t.make_dma(1);
  auto* instance = instances_of(t.root().dma[0])[0] = t.make_ring_instance(1);
  set_desc(desc_of(instance)[0], op, sources);
  edit(desc_of(instance)[0]);
  return encoded(t);
}

template <class Edit>
Bytes with_dma(const Edit& edit) {
  Tree t = minimal_tree();
  t.root().dma[0] = t.make_dma(0);
  edit(*t.root().dma[0]);
  return encoded(t);
}

TEST(ImageLimits, Semaphores) {
  ASSAY_COVERS("IMG-021", "DMQ-015");
  for (const std::uint32_t n : {0U, 1U, 31U, 32U})
    EXPECT_TRUE(sound(with_dma([n](kbin_dma_t& d) { d.semaphore_cnt = n; }))) << n;
  for (const std::uint32_t n : {33U, 255U, 0x80000000U, 0xffffffffU})
    EXPECT_TRUE(refused_as(with_dma([n](kbin_dma_t& d) { d.semaphore_cnt = n; }), "IMG-021")) << n;
  EXPECT_TRUE(sound(with_dma([](kbin_dma_t& d) {
    d.semaphore_cnt = 32;
    for (std::uint32_t& s : d.semaphores) s = 0xffffffff;
  })));
}

TEST(ImageLimits, PseudoSerializationSemaphores) {
  ASSAY_COVERS("IMG-021");
  for (const std::uint32_t n : {0U, 32U})
    EXPECT_TRUE(sound(with_dma([n](kbin_dma_t& d) { d.pseudo_serialization_semaphore_cnt = n; })));
  for (const std::uint32_t n : {33U, 0xffffffffU})
    EXPECT_TRUE(refused_as(
        with_dma([n](kbin_dma_t& d) { d.pseudo_serialization_semaphore_cnt = n; }), "IMG-021"));
}

TEST(ImageLimits, Dimensions) {
  ASSAY_COVERS("IMG-021", "DMB-023", "DMB-024");
  for (const DescOp op : {DescOp::COPY, DescOp::FMA, DescOp::TRANSPOSE})
    for (const bool to : {false, true}) {
      const auto dims = [op, to](std::uint32_t n) {
        return with_desc(op, 1, [n, to](kbin_dma_desc_t& d) {
          kbin_dma_desc_info_t& p = to ? d.u.to : d.u.from[0];
          p = {};
          set_pattern(p, 1, n <= 8 ? n : 8, Dtype::FP32);
          p.num_dims = n;
        });
      };
      for (const std::uint32_t n : {1U, 4U, 5U, 8U}) EXPECT_TRUE(sound(dims(n))) << n;
      for (const std::uint32_t n : {9U, 0xffffffffU})
        EXPECT_TRUE(refused_as(dims(n), "IMG-021")) << n;
    }
  // No dimension at all, the arrays empty too.
  const Bytes none = with_desc(DescOp::COPY, 1, [](kbin_dma_desc_t& d) {
    d.u.from[0] = {};
  });
  EXPECT_TRUE(refused_as(none, "IMG-021"));
  EXPECT_TRUE(sound(with_desc(DescOp::COPY, 1, [](kbin_dma_desc_t& d) {
    d.u.from[0] = {};
    d.u.from[0].num_dims = 1;
  })));
}

// Patterns in use: num_sources of them for FMA, ADD, MIN and MAX, one for every other op.
TEST(ImageLimits, Sources) {
  ASSAY_COVERS("IMG-021", "DMB-028", "DMB-029");
  for (const DescOp op : {DescOp::FMA, DescOp::ADD, DescOp::MIN, DescOp::MAX}) {
    for (const std::uint32_t n : {1U, 2U, 16U, 17U, 31U, 32U})
      EXPECT_TRUE(sound(with_desc(op, n, [](kbin_dma_desc_t&) {}))) << n;
    for (const std::uint32_t n : {0U, 33U, 0xffffffffU})
      EXPECT_TRUE(refused_as(
          with_desc(op, 1, [n](kbin_dma_desc_t& d) { d.u.info.cce.num_sources = n; }), "IMG-021"))
          << n;
    // One source more than is filled: that pattern has no dimension.
    EXPECT_TRUE(refused_as(
        with_desc(op, 2, [](kbin_dma_desc_t& d) { d.u.info.cce.num_sources = 3; }), "IMG-021"));
    // One fewer: the pattern beyond is not zero.
    const auto fewer = [op](bool clear) {
      return with_desc(op, 2, [clear, op](kbin_dma_desc_t& d) {
        d.u.info.cce.num_sources = 1;
        if (clear) d.u.from[1] = {};
        if (clear && op == DescOp::FMA) d.u.info.cce.u.fma.scale[1] = 0;
      });
    };
    EXPECT_TRUE(refused_as(fewer(false), "IMG-020"));
    EXPECT_TRUE(sound(fewer(true)));
  }
  for (const DescOp op : {DescOp::COPY, DescOp::TRANSPOSE, DescOp::INVALID}) {
    EXPECT_TRUE(sound(with_desc(op, 1, [](kbin_dma_desc_t&) {})));
    EXPECT_TRUE(refused_as(with_desc(op, 2, [](kbin_dma_desc_t&) {}), "IMG-020"));
    EXPECT_TRUE(refused_as(with_desc(op, 0, [](kbin_dma_desc_t&) {}), "IMG-021"));
  }
}

TEST(ImageLimits, ActFunctions) {
  ASSAY_COVERS("IMG-021", "ACT-005");
  const auto with = [](std::uint8_t n) {
    Tree t = minimal_tree();
    auto* set = t.root().act_function_sets.sets =
        t.make_array<kbin_act_function_set_t>(Kind::act_function_sets, 1);
    t.root().act_function_sets.num_function_sets = 1;
    set->num_functions = n;
    for (int i = 0; i < 25 && i < n; ++i) set->profile_data[i].func_id = 1;
    return encoded(t);
  };
  for (const std::uint8_t n : {0, 1, 24, 25}) EXPECT_TRUE(sound(with(n)));
  for (const std::uint8_t n : {26, 255}) EXPECT_TRUE(refused_as(with(n), "IMG-021"));
}

TEST(ImageLimits, UcodeFunctions) {
  ASSAY_COVERS("IMG-011", "UCL-008");
  Tree t = minimal_tree();
  auto* lib = t.root().ucode_lib_set.libs = t.make_array<kbin_ucode_lib_t>(Kind::ucode_libs, 1);
  t.root().ucode_lib_set.num_libs = 1;
  lib->function_set.functions = t.make_array<kbin_ucode_lib_function_t>(Kind::ucode_functions, 255);
  lib->function_set.num_functions = 255;
  EXPECT_TRUE(sound(encoded(t)));
}

TEST(ImageLimits, Queues) {
  ASSAY_COVERS("IMG-024", "DMQ-002");
  Tree t = minimal_tree();
  for (int i = 0; i < 32; ++i) {
    t.root().dma[i] = t.make_dma(0);
    EXPECT_TRUE(sound(encoded(t)));
  }
}

// An empty carveout list is its count; a variable set without variables is its header.
TEST(ImageLimits, EmptyRecords) {
  ASSAY_COVERS("IMG-001", "SBC-003");
  Tree t = minimal_tree();
  t.root().sb_carveouts = t.make_carveouts(0);
  t.root().dve_config = t.make_dve_config();
  t.root().replica_groups = {t.make_array<kbin_replica_group_t>(Kind::replica_groups, 1), 1};
  t.root().mem_ref_set = t.make_mem_ref_set(0);
  const Bytes b = encoded(t);
  EXPECT_TRUE(sound(b));
  const auto offsets = offsets_of(b);
  EXPECT_TRUE(offsets.count("sb_carveouts.count"));
  EXPECT_EQ(offsets.count("sb_carveouts.carveouts[0].type"), 0u);
}

TEST(ImageLimits, EncoderBounds) {
  ASSAY_COVERS("IMG-001");
  const Tree t = small_tree();
  const std::uint64_t size = encoded(t).size();
  Limits limits;
  limits.image_bytes = size;
  EXPECT_TRUE(encode(t, limits).has_value());
  limits.image_bytes = size - 1;
  const auto refused = encode(t, limits);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reason, Reason::limit_image_bytes);
  EXPECT_EQ(refused.error().row().status, NrtStatus::resource);
}

}  // namespace
}  // namespace assay::test
