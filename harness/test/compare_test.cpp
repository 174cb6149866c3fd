// SPDX-License-Identifier: Apache-2.0
// Comparison: one edit is one requirement, order and counts are explained whole, and equal is silent.
#include <gtest/gtest.h>

#include "harness/compare/compare.h"
#include "harness/gen/gen.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

// An image with two of everything whose order counts.
Buffer sample(std::uint64_t seed = 11) {
  for (;; ++seed) {
    RandomChoices c(seed);
    GenSize size;
    Buffer image = gen_image(c, size);
    const auto view = decode(image.view());
    const auto tree = to_tree(*view);
    const kbin_t& root = tree->root();
    if (root.dma[1] == nullptr || root.mem_ref_set->nmem < 3) continue;
    if (root.dma[0]->ring_instance_count < 2 || instances_of(root.dma[0])[0]->ndesc < 2) continue;
    return image;
  }
}

template <class Edit>
std::vector<Violation> after(const Buffer& image, Edit edit) {
  auto tree = to_tree(*decode(image.view()));
  edit(*tree);
  const auto edited = encode(*tree);
  return compare_images(image.view(), edited->view(), nullptr);
}

std::string rows(const std::vector<Violation>& v) {
  std::string out;
  for (const Violation& x : v) out += (out.empty() ? "" : " ") + x.requirement;
  return out;
}

TEST(Compare, EqualImagesAreSilent) {
  const Buffer image = sample();
  EXPECT_TRUE(compare_images(image.view(), image.view(), nullptr).empty());
}

TEST(Compare, OrderIsOneFault) {
  const Buffer image = sample();
  EXPECT_EQ(rows(after(image, [](Tree& t) { std::swap(t.root().dma[0], t.root().dma[1]); })), "DMQ-001");
  EXPECT_EQ(rows(after(image, [](Tree& t) { std::swap(t.root().engine[1], t.root().engine[3]); })), "LOW-002");
  EXPECT_EQ(rows(after(image, [](Tree& t) { std::swap(instances_of(t.root().dma[0])[0], instances_of(t.root().dma[0])[1]); })),
            "DMQ-020");
  EXPECT_EQ(rows(after(image, [](Tree& t) {
              kbin_dma_desc_t* d = desc_of(instances_of(t.root().dma[0])[0]);
              std::swap(d[0], d[1]);
            })),
            "DMB-007");
  EXPECT_EQ(rows(after(image, [](Tree& t) { std::swap(mem_of(t.root().mem_ref_set)[0], mem_of(t.root().mem_ref_set)[2]); })), "VAR-031");
}

TEST(Compare, OneValueIsItsRow) {
  const Buffer image = sample();
  EXPECT_EQ(rows(after(image, [](Tree& t) { t.root().dma[0]->queue_set_cnt += 1; })), "DMQ-008");
  EXPECT_EQ(rows(after(image, [](Tree& t) { desc_of(instances_of(t.root().dma[0])[0])->u.to.idx += 1; })), "DMB-022");
  EXPECT_EQ(rows(after(image, [](Tree& t) { t.root().cc_streams.num_streams += 1; })), "CCM-005");
  EXPECT_EQ(rows(after(image, [](Tree& t) { t.root().engine[2]->name[0] = 'q'; })), "LOW-012");
  EXPECT_EQ(rows(after(image, [](Tree& t) { desc_of(instances_of(t.root().dma[0])[0])->priority_class ^= 1; })), "DMB-009");
}

TEST(Compare, ASizeCutToItsLowHalfIsTold) {
  Buffer image = sample();
  auto tree = to_tree(*decode(image.view()));
  kbin_mem_ref* m = mem_of(tree->root().mem_ref_set);
  m->mr_type = static_cast<std::uint32_t>(code(MrType::MR_TMP_BUF));
  m->size = (std::uint64_t{5} << 32) + 64;
  m->buffer = nullptr;
  m->u = {};
  image = std::move(*encode(*tree));
  EXPECT_EQ(rows(after(image, [](Tree& t) { mem_of(t.root().mem_ref_set)->size = 64; })), "VAR-030");
  EXPECT_EQ(rows(after(image, [](Tree& t) { mem_of(t.root().mem_ref_set)->size = 65; })), "VAR-007");
}

TEST(Compare, RecordsOfTheWrongSizeNameTheirAllocation) {
  const Buffer image = sample();
  const auto raw_after = [&](Kind kind, auto edit) {
    auto raw = read_raw(image.view());
    edit(raw->records[*raw->find(kind, 0)]);
    return rows(compare_images(image.view(), raw->write().view(), nullptr));
  };
  EXPECT_EQ(raw_after(Kind::dma, [](RawRecord& r) { r.bytes.resize(r.bytes.size() + 8); }), "LOW-005");
  EXPECT_EQ(raw_after(Kind::mem_ref_set, [](RawRecord& r) { r.bytes[16] -= 1; }), "LOW-006");
  EXPECT_EQ(raw_after(Kind::engine, [](RawRecord& r) { r.bytes.insert(r.bytes.begin() + 320, 16, 0); }), "LOW-004");
  EXPECT_EQ(raw_after(Kind::mem_ref_set, [](RawRecord& r) { r.bytes[24 + 4] = 1; }), "LOW-009");
}

TEST(Compare, WhatNothingExplainsIsTheEncoding) {
  const Buffer image = sample();
  Buffer other(image.view());
  other.data()[image::kSubgraphAt] ^= 1;
  EXPECT_EQ(rows(compare_images(image.view(), other.view(), nullptr)), "IMG-001");
  const Buffer garbage(std::string_view("no image"));
  EXPECT_EQ(rows(compare_images(image.view(), garbage.view(), nullptr)), "IMG-001");
}

TEST(Compare, FieldsByRecord) {
  EXPECT_TRUE(compare_fields("{\"a\":null}", "{}").empty());
  EXPECT_EQ(rows(compare_fields("{\"engine[0].ninstr\":1}", "{\"engine[0].ninstr\":2}")), "LAY-003");
  EXPECT_EQ(rows(compare_fields("{}", "{\"dve_config.opcode_table.size\":2}")), "LAY-016");
  EXPECT_EQ(rows(compare_fields("{}", "[")), "LAY-002");
}

TEST(Compare, DtypesByRow) {
  DtypeRequest q;
  DtypeAnswer e, a;
  const auto ask = [&](bool io, const char* text, std::optional<std::int64_t> expected, std::optional<std::int64_t> actual) {
    q.match = {{io, text}};
    e.match = {expected};
    a.match = {actual};
    return rows(compare_dtypes(q, e, a));
  };
  EXPECT_EQ(ask(true, "int8", 2, 3), "DT-002");
  EXPECT_EQ(ask(true, "INT8", 0, 2), "DT-002");
  EXPECT_EQ(ask(true, "float8e4", 0, 14), "DT-003");
  EXPECT_EQ(ask(false, "int8", 12, {}), "DT-006");
  EXPECT_EQ(ask(false, "float8_e4m3fn", 2, {}), "DT-008");
  EXPECT_EQ(ask(false, "float8_e5m2_x4", 10, 3), "DT-009");
  EXPECT_EQ(ask(false, "float8_e5m2", {}, 3), "DT-010");
  EXPECT_EQ(ask(false, "int8", 12, 12), "");
}

}  // namespace
}  // namespace assay::harness
