// SPDX-License-Identifier: Apache-2.0
// decode(encode(tree)) == tree, record by record as native memory, and encode(decode(image)) ==
// image: the comparison reads the record table, not the codec.
#include <cstring>

#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

class Same {
 public:
  Same(const Tree& a, const Tree& b) : a_(a), b_(b) {}
  void run() {
    EXPECT_EQ(a_.subgraph, b_.subgraph);
    EXPECT_EQ(a_.allocations().size(), b_.allocations().size());
    target(bytes(&a_.root()), bytes(&b_.root()), Kind::kbin, "kbin_t");
    EXPECT_EQ(records_, a_.allocations().size());
  }

 private:
  using P = const std::uint8_t*;
  static P bytes(const void* p) { return static_cast<P>(p); }

  static const Allocation* allocation(const Tree& t, P address) {
    for (const Allocation& a : t.allocations())
      if (a.address == address) return &a;
    return nullptr;
  }

  void target(P a, P b, Kind kind, const std::string& path) {
    const Allocation* x = allocation(a_, a);
    const Allocation* y = allocation(b_, b);
    ASSERT_TRUE(x != nullptr && y != nullptr) << path;
    ++records_;
    EXPECT_EQ(x->bytes, y->bytes) << path;
    EXPECT_EQ(x->count, y->count) << path;
    EXPECT_EQ(x->kind, kind) << path;
    EXPECT_EQ(y->kind, kind) << path;
    if (x->bytes != y->bytes) return;
    const KindRow& row = kind_row(kind);
    if (row.record == RecordId::none) {
      EXPECT_EQ(std::memcmp(a, b, x->bytes), 0) << path;
      return;
    }
    const Record& r = record(row.record);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < (row.null_when_empty ? x->count : 1); ++i, at += r.bytes)
      fields(a + at, b + at, r, path);
    const std::uint64_t left = x->bytes - at;
    switch (r.tail.type) {
      case TailType::none: EXPECT_EQ(left, 0u) << path; break;
      case TailType::bytes: EXPECT_EQ(std::memcmp(a + at, b + at, left), 0) << path; break;
      case TailType::pointers:
        for (; at < x->bytes; at += 8) pointer(a + at, b + at, r.tail.to, path);
        break;
      case TailType::records:
        for (const Record& t = record(r.tail.record); at < x->bytes; at += t.bytes)
          fields(a + at, b + at, t, path);
        break;
    }
  }

  // All bytes of a record, its pointers followed. A slot that is a pointer in one union member
  // only is one where the bytes differ from tree to tree.
  void fields(P a, P b, const Record& r, const std::string& path) {
    std::vector<bool> done(r.bytes, false);
    for (const Field& f : r.fields) {
      const std::string name = path + "." + std::string(f.name);
      for (std::uint32_t i = 0; i < f.count; ++i) {
        if (f.type == FieldType::record) {
          const Record& inner = record(f.record);
          const std::uint32_t at = f.offset + i * inner.bytes;
          fields(a + at, b + at, inner, name);
          std::fill_n(done.begin() + at, inner.bytes, true);
        } else if (f.type == FieldType::pointer) {
          if (f.when == When::mr_list && load<std::uint32_t>(a) != u(MrType::MR_LIST)) continue;
          pointer(a + f.offset + 8 * i, b + f.offset + 8 * i, f.to, name);
          std::fill_n(done.begin() + f.offset + 8 * i, 8, true);
        }
      }
    }
    for (std::uint32_t i = 0; i < r.bytes; ++i)
      if (!done[i]) {
        ASSERT_EQ(a[i], b[i]) << path << " +" << i;
      }
  }

  void pointer(P a, P b, Kind to, const std::string& path) {
    const P x = load<P>(a);
    const P y = load<P>(b);
    ASSERT_EQ(x == nullptr, y == nullptr) << path;
    if (x == nullptr) return;
    EXPECT_NE(x, y) << path;
    target(x, y, to, path);
  }

  const Tree& a_;
  const Tree& b_;
  std::size_t records_ = 0;
};

// small_tree() without the two engine records that it replaced.
Tree small() {
  const Bytes image = encoded(small_tree());
  const Inspected i = look_at(image);
  return to_tree(i.result.view.value()).value();
}

void round_trip(const Tree& tree) {
  const Bytes image = encoded(tree);
  const Inspected i = look_at(image);
  ASSERT_TRUE(i.result.view.has_value()) << findings_text(i.result);
  const auto back = to_tree(*i.result.view);
  ASSERT_TRUE(back.has_value());
  Same(tree, *back).run();
  EXPECT_EQ(encoded(*back), image);
}

TEST(ImageTree, RoundTrips) {
  ASSAY_COVERS("IMG-001", "IMG-002", "LOW-011");
  round_trip(small());
  const Bytes hand = load_hex("all_kinds.hex");
  const Inspected i = look_at(hand);
  round_trip(to_tree(i.result.view.value()).value());
}

// Orders of making, unlike orders of emission, leave no trace in the bytes.
TEST(ImageTree, OrderOfMakingDoesNotMatter) {
  ASSAY_COVERS("IMG-001");
  EXPECT_EQ(encoded(small()), encoded(small_tree()));
  EXPECT_EQ(encoded(small_tree()), encoded(small_tree()));
}

TEST(ImageTree, NativeValues) {
  ASSAY_COVERS("IMG-002");
  const Bytes hand = load_hex("all_kinds.hex");
  const Inspected i = look_at(hand);
  Tree t = to_tree(i.result.view.value()).value();
  kbin_t& k = t.root();
  EXPECT_EQ(t.subgraph, 2u);
  EXPECT_EQ(k.target, 4u);
  EXPECT_EQ(k.dma[1], nullptr);
  EXPECT_STREQ(k.engine[2]->name, "pe");
  EXPECT_EQ(t.blob_bytes(k.engine[2]), 65u);
  EXPECT_EQ(blob_of(k.engine[2])[64], 0x91);
  const kbin_dma_desc_t& d = desc_of(instances_of(k.dma[0])[0])[0];
  EXPECT_EQ(d.u.from[0].steps[0], std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(d.u.info.cce.u.fma.scale[1], -2.0F);
  EXPECT_STREQ(d.function_name, "fn");
  EXPECT_EQ(mem_of(k.mem_ref_set)[1].u.list.list[1], 0xfffffffeu);
  EXPECT_EQ(mem_of(k.mem_ref_set)[0].dtensor_md->pipe_id, 0xffffffffu);
  EXPECT_EQ(k.act_function_sets.sets[0].profile_data[0].exp_offset, -6);
  EXPECT_EQ(k.src_target_pairs.pairs_set[0].rg_set->groups[0].subgroups, nullptr);
  EXPECT_EQ(k.ucode_lib_set.libs[0].function_set.functions[0].sub_opcode, 17);
}

// Both types with a list: the encoder's own rule for when the union holds a pointer.
TEST(ImageTree, ListsOfBothTypes) {
  ASSAY_COVERS("IMG-001", "IMG-015");
  for (const MrType type : {MrType::MR_LIST, MrType::MR_PTR_TABLE}) {
    Tree t = minimal_tree();
    t.root().mem_ref_set = t.make_mem_ref_set(1);
    kbin_mem_ref& m = mem_of(t.root().mem_ref_set)[0];
    m.mr_type = u(type);
    m.name = t.make_string("l");
    m.u.list.length = 2;
    m.u.list.list = t.make_u32s(2);
    m.u.list.list[1] = 77;
    const Bytes image = encoded(t);
    EXPECT_TRUE(sound(image));
    EXPECT_EQ(u32_at(image, offsets_of(image).at("mem_ref_set.mem[0].u.list.list[1]")), 77u);
  }
}

// What decodes is what was encoded, to the bit, also for floats that compare unequal to themselves.
TEST(ImageTree, FloatsKeepTheirBits) {
  ASSAY_COVERS("IMG-002");
  for (const std::uint32_t bits :
       {0x7fc00001U, 0x7f800001U, 0x80000000U, 0x00000001U, 0xff800000U}) {
    Tree t = minimal_tree();
    t.root().dma[0] = t.make_dma(1);
    auto* i = instances_of(t.root().dma[0])[0] = t.make_ring_instance(1);
    set_desc(desc_of(i)[0], DescOp::FMA, 1);
    std::memcpy(&desc_of(i)[0].u.info.cce.u.fma.scale[0], &bits, 4);
    const Bytes image = encoded(t);
    EXPECT_TRUE(sound(image));
    EXPECT_EQ(u32_at(image, offsets_of(image).at(
                                "dma[0].ring_instances[0].desc[0].u.info.u.fma.scale[0]")), bits);
  }
}

}  // namespace
}  // namespace assay::test
