// SPDX-License-Identifier: Apache-2.0
// Comparison of two images path by path, and the notes of later stages.
#include <set>

#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

DiffReport diff_of(const Tree& a, const Tree& b) {
  const Bytes x = encoded(a), y = encoded(b);
  const Inspected i = look_at(x), k = look_at(y);
  return diff(i.result.view.value(), k.result.view.value());
}

// The one difference of an edit of the small tree, as "path: a / b".
template <class Edit>
std::string edited(const Edit& edit, bool lower = false) {
  const Tree a = small_tree();
  Tree b = small_tree();
  edit(b);
  const DiffReport r = diff_of(a, b);
  EXPECT_EQ(r.high.size(), lower ? 0u : 1u);
  EXPECT_EQ(r.lower.size(), lower ? 1u : 0u);
  const auto& list = lower ? r.lower : r.high;
  return list.empty() ? "" : list[0].path + ": " + list[0].a + " / " + list[0].b;
}

kbin_dma_desc_t& desc(Tree& t, int i) { return desc_of(instances_of(t.root().dma[0])[0])[i]; }

TEST(ImageDiff, EqualTrees) {
  const DiffReport r = diff_of(small_tree(), small_tree());
  EXPECT_TRUE(r.high.empty());
  EXPECT_TRUE(r.lower.empty());
  EXPECT_EQ(r.compared, offsets_of(encoded(small_tree())).size());
}

TEST(ImageDiff, OneValue) {
  EXPECT_EQ(edited([](Tree& t) { t.root().target = 2; }), "target: CAYMAN (3) / SUNDA (2)");
  EXPECT_EQ(edited([](Tree& t) { blob_of(t.root().engine[2])[129] = 0; }),
            "engine[2].instr: 130 bytes 78787878787878787878787878787878..., byte 129 is 0x78 / "
            "130 bytes 78787878787878787878787878787878..., byte 129 is 0x00");
  EXPECT_EQ(edited([](Tree& t) { mem_of(t.root().mem_ref_set)[2].name = t.make_string("vax"); }),
            "mem_ref_set.mem[2].name: \"var\" / \"vax\"");
  EXPECT_EQ(
      edited([](Tree& t) { desc(t, 1).u.info.cce.u.fma.scale[0] = -1; }),
      "dma[0].ring_instances[0].desc[1].u.info.u.fma.scale[0]: 1 (0x3f800000) / -1 (0xbf800000)");
  EXPECT_EQ(edited([](Tree& t) { mem_of(t.root().mem_ref_set)[7].u.list.list[1] = 9; }),
            "mem_ref_set.mem[7].u.list.list[1]: 1 / 9");
}

TEST(ImageDiff, MediumAndRulingApart) {
  EXPECT_EQ(edited([](Tree& t) { desc(t, 0).u.to.steps[0] = 5; }, true),
            "dma[0].ring_instances[0].desc[0].u.to.steps[0]: 1 / 5");
  EXPECT_EQ(edited([](Tree& t) { t.root().dma[0]->flags = 0; }, true), "dma[0].flags: 5 / 0");
  EXPECT_EQ(edited([](Tree& t) { t.root().src_target_pairs.pairs_set[0].aux = 1; }, true),
            "src_target_pairs.pairs_set[0].aux: 0 / 1");
}

TEST(ImageDiff, NullOrNot) {
  EXPECT_EQ(edited([](Tree& t) { t.root().dve_config = nullptr; }),
            "dve_config: a kbin_dve_config_t / NULL");
  EXPECT_EQ(edited([](Tree& t) { t.root().dma[2] = t.make_dma(0); }),
            "dma[2]: NULL / a kbin_dma_t + pointers");
  EXPECT_EQ(edited([](Tree& t) { desc(t, 0).function_name = nullptr; }),
            "dma[0].ring_instances[0].desc[0].function_name: \"f\" / NULL");
  EXPECT_EQ(edited([](Tree& t) { desc(t, 2).function_name = t.make_string(""); }),
            "dma[0].ring_instances[0].desc[2].function_name: NULL / \"\"");
}

TEST(ImageDiff, AbsentPaths) {
  const Tree a = small_tree();
  Tree b = small_tree();
  b.root().dma[0]->semaphore_cnt = 1;
  const DiffReport r = diff_of(a, b);
  ASSERT_EQ(r.high.size(), 2u);
  EXPECT_EQ(r.high[0].path, "dma[0].semaphore_cnt");
  EXPECT_EQ(r.high[1].path, "dma[0].semaphores[1]");
  EXPECT_EQ(r.high[1].b, "absent");
  EXPECT_EQ(r.high[1].offset_b, 0u);
  const DiffReport back = diff_of(b, a);
  ASSERT_EQ(back.high.size(), 2u);
  EXPECT_EQ(back.high[1].a, "absent");
}

// Two ops use two members of one union: each side's values are absent on the other.
TEST(ImageDiff, OtherUnionMembers) {
  Tree a = small_tree(), b = small_tree();
  kbin_mem_ref& m = mem_of(b.root().mem_ref_set)[5];
  m.mr_type = u(MrType::MR_REMOTE);
  m.u.ptr.io_ref = 0;
  m.u.remote.remote_var_id = 3;
  std::set<std::string> paths;
  for (const Difference& d : diff_of(a, b).high) paths.insert(d.path);
  const std::string mem = "mem_ref_set.mem[5].";
  EXPECT_EQ(paths, (std::set<std::string>{mem + "mr_type", mem + "u.ptr.io_ref",
                                          mem + "u.ptr.referenced_var_id",
                                          mem + "u.remote.remote_var_id",
                                          mem + "u.remote.remote_vtpb_rel_sg_id"}));
  b = small_tree();
  set_desc(desc(b, 4), DescOp::COPY, 1);
  desc(b, 4).u.info = {};
  std::size_t transpose = 0;
  const DiffReport r = diff_of(a, b);
  for (const Difference& d : r.lower) transpose += d.path.find(".u.info.") != std::string::npos;
  EXPECT_EQ(transpose, 1u + 1 + 4 + 1);
}

// Offsets and checksums of two images are never compared: only their trees are.
TEST(ImageDiff, OtherOffsetsAreEqual) {
  Tree a = small_tree(), b = small_tree();
  const std::string longer(300, 'n');
  mem_of(b.root().mem_ref_set)[0].name = b.make_string(longer);
  const DiffReport r = diff_of(a, b);
  ASSERT_EQ(r.high.size(), 1u);
  EXPECT_EQ(r.high[0].path, "mem_ref_set.mem[0].name");
}

// The carveout that a later stage wants on CAYMAN; other targets and other types are free.
TEST(ImageNotes, EvtaccelCarveout) {
  ASSAY_COVERS("SBC-004");
  const auto notes = [](const Tree& t) {
    const Bytes b = encoded(t);
    const Inspected i = look_at(b);
    return later_stage_notes(i.result.view.value());
  };
  EXPECT_TRUE(notes(small_tree()).empty());
  const auto wrong = [&](std::uint64_t kbin_sb_carveout_t::*field) {
    Tree t = small_tree();
    carveouts_of(t.root().sb_carveouts)[0].*field += 1;
    const auto n = notes(t);
    ASSERT_EQ(n.size(), 1u);
    EXPECT_EQ(n[0].requirement, "SBC-004");
    EXPECT_EQ(n[0].path, "sb_carveouts.carveouts[0]");
    t.root().target = u(ArchType::MARIANA);
    EXPECT_TRUE(notes(t).empty());
    t.root().target = u(ArchType::CAYMAN);
    carveouts_of(t.root().sb_carveouts)[0].type = 0;
    EXPECT_TRUE(notes(t).empty());
  };
  wrong(&kbin_sb_carveout_t::offset);
  wrong(&kbin_sb_carveout_t::size);
  wrong(&kbin_sb_carveout_t::start_partition);
  wrong(&kbin_sb_carveout_t::num_partitions);
  Tree none = small_tree();
  none.root().sb_carveouts = nullptr;
  EXPECT_TRUE(notes(none).empty());
}

}  // namespace
}  // namespace assay::test
