// SPDX-License-Identifier: Apache-2.0
// The rows on pointers: where they lead, NULL or not, beside which counts, each broken once.
#include <algorithm>

#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

const Bytes& small() {
  static const Bytes image = encoded(small_tree());
  return image;
}

std::vector<std::uint64_t> slots() {
  std::vector<std::uint64_t> out;
  const std::uint64_t list = u64_at(small(), image::kRelocOffsetAt);
  for (std::uint32_t k = 0; k < u32_at(small(), image::kRelocCountAt); ++k)
    out.push_back(u64_at(small(), list + 8 * k));
  return out;
}

Bytes with_u64(std::uint64_t at, std::uint64_t v) {
  Bytes b = small();
  set_u64(b, at, v);
  repair(b);
  return b;
}

std::uint32_t kind_behind(std::uint64_t slot) {
  return u32_at(small(), entry_at(small(), record_of_slot(small(), slot)) + 16);
}

TEST(ImagePointers, IntoTheMiddleOrOutside) {
  ASSAY_COVERS("IMG-013", "IMG-026");
  ASSERT_TRUE(sound(small()));
  for (const std::uint64_t slot : slots()) {
    const std::uint64_t to = u64_at(small(), slot);
    for (const std::uint64_t v : {to + 1, to - 1, to + 8, std::uint64_t{1}, std::uint64_t{79},
                                  u64_at(small(), image::kDirOffsetAt), ~std::uint64_t{0},
                                  std::uint64_t{1} << 63})
      EXPECT_TRUE(refused_as(with_u64(slot, v), "IMG-013")) << slot << " -> " << v;
  }
}

TEST(ImagePointers, ToAnotherKindOrTheRoot) {
  ASSAY_COVERS("IMG-013");
  ASSERT_TRUE(sound(small()));
  for (const std::uint64_t slot : slots()) {
    EXPECT_TRUE(refused_as(with_u64(slot, 80), "IMG-013")) << slot;
    for (std::size_t i = 0; i < u32_at(small(), image::kDirCountAt); ++i) {
      const std::uint64_t e = entry_at(small(), i);
      if (u32_at(small(), e + 16) == kind_behind(slot)) continue;
      EXPECT_TRUE(refused_as(with_u64(slot, u64_at(small(), e)), "IMG-013")) << slot;
    }
  }
}

TEST(ImagePointers, DirectoryKind) {
  ASSAY_COVERS("IMG-013");
  for (std::size_t i = 1; i < u32_at(small(), image::kDirCountAt); ++i) {
    const std::uint64_t at = entry_at(small(), i) + 16;
    for (const std::uint32_t kind : {0U, 1U, 20U, 0xffffffffU, u32_at(small(), at) % 19 + 1}) {
      Bytes b = small();
      set_u32(b, at, kind);
      repair(b);
      EXPECT_TRUE(refused_as(b, "IMG-013")) << i << " " << kind;
    }
  }
}

// A slot that leads where another slot of its kind leads, earlier or later in the walk.
TEST(ImagePointers, TwoToOneRecord) {
  ASSAY_COVERS("IMG-013");
  ASSERT_TRUE(sound(small()));
  std::size_t pairs = 0;
  for (const std::uint64_t a : slots())
    for (const std::uint64_t b : slots()) {
      if (a == b || kind_behind(a) != kind_behind(b)) continue;
      // A size that differs would be noticed as well, and first.
      const auto size = [](std::uint64_t slot) {
        return u64_at(small(), entry_at(small(), record_of_slot(small(), slot)) + 8);
      };
      if (size(a) != size(b)) continue;
      EXPECT_TRUE(refused_as(with_u64(a, u64_at(small(), b)), "IMG-013")) << a << " " << b;
      ++pairs;
    }
  EXPECT_GT(pairs, 20u);
}

// The same without a record left over: a slot that may be NULL leads to one that has its owner.
TEST(ImagePointers, OwnedAlready) {
  ASSAY_COVERS("IMG-013");
  Parts p(small());
  ASSERT_TRUE(sound(p.build()));
  const auto& links = p.records[0].links;
  const auto dma1 =
      std::find_if(links.begin(), links.end(), [](const auto& l) { return l.slot == 48; });
  ASSERT_NE(dma1, links.end());
  p.records[0].links.push_back({56, dma1->to});  // dma[2], with its relocation
  EXPECT_TRUE(refused_as(p.build(), "IMG-013"));
}

// A record that nothing leads to, appended or in between.
TEST(ImagePointers, Orphans) {
  ASSAY_COVERS("IMG-013");
  Parts p(small());
  p.records.push_back({Bytes{'x', 0}, 16, 2, {}, 0});
  EXPECT_TRUE(refused_as(p.build(), "IMG-013"));
  p.records.back() = {Bytes{}, 17, 0, {}, 0};  // of no bytes
  EXPECT_TRUE(refused_as(p.build(), "IMG-013"));
  p.records.pop_back();
  EXPECT_TRUE(sound(p.build()));
  // A second root is an orphan too.
  p.records.push_back(p.records[0]);
  p.records.back().links.clear();
  EXPECT_TRUE(refused_as(p.build(), "IMG-013"));
}

// Dropping an optional record's pointer leaves the record behind.
TEST(ImagePointers, OptionalDropped) {
  ASSAY_COVERS("IMG-013");
  for (const char* path : {"mem_ref_set.mem[2].dtensor_md.prefix_str", "sb_carveouts.count"}) {
    const std::uint64_t record = offsets_of(small()).at(path);
    for (const std::uint64_t slot : slots())
      if (u64_at(small(), slot) == record) {
        EXPECT_TRUE(refused_as(with_u64(slot, 0), "IMG-013")) << path;
      }
  }
}

// Builds the small image without one link: its record and whatever hangs on it leave too.
Bytes without_link(const std::string& path_of_slot_record, std::uint64_t slot) {
  Parts p(small());
  const std::size_t victim = record_of_slot(small(), slot);
  std::vector<bool> gone(p.records.size(), false);
  gone[victim] = true;
  for (std::size_t i = victim; i < p.records.size(); ++i)
    if (gone[i])
      for (const auto& l : p.records[i].links) gone[l.to] = true;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.records.size(); ++i) {
    auto& links = p.records[i].links;
    for (std::size_t k = 0; k < links.size();) {
      if (!gone[links[k].to]) { ++k; continue; }
      if (!gone[i]) set_u64(p.records[i].bytes, links[k].slot, 0);
      links.erase(links.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (!gone[i]) order.push_back(i);
  }
  EXPECT_FALSE(order.empty()) << path_of_slot_record;
  return p.build(order);
}

// Each link that may be missing, missing with all below it: sound; the others are the row's.
TEST(ImagePointers, NullWhereARecordIsRequired) {
  ASSAY_COVERS("IMG-014", "IMG-015", "IMG-024");
  ASSERT_TRUE(sound(small()));
  std::map<std::string, int> rows;
  constexpr std::uint64_t root = 80;
  for (const std::uint64_t slot : slots()) {
    const Bytes b = without_link(std::to_string(slot), slot);
    const std::uint32_t kind = kind_behind(slot);
    if (kind == 2 || kind == 5 || kind == 4) {  // engine[], mem_ref_set, a ring instance
      EXPECT_TRUE(refused_as(b, "IMG-014")) << slot;
      ++rows["IMG-014"];
    } else if (kind == 16) {  // a name is required, a function name is not
      const bool name = slot >= offsets_of(small()).at("mem_ref_set.nmem");
      if (name) EXPECT_TRUE(refused_as(b, "IMG-014")) << slot;
      else EXPECT_TRUE(sound(b)) << slot;
      ++rows[name ? "IMG-014" : "sound"];
    } else if (kind == 6 || (kind >= 9 && kind <= 14) || kind == 17 || kind == 18) {
      EXPECT_TRUE(refused_as(b, "IMG-015")) << slot;  // a count above 0 beside NULL
      ++rows["IMG-015"];
    } else if (slot == root + 40) {
      EXPECT_TRUE(refused_as(b, "IMG-024")) << slot;  // dma[0] empty, dma[1] filled
      ++rows["IMG-024"];
    } else {
      EXPECT_TRUE(sound(b)) << slot;
      ++rows["sound"];
    }
  }
  EXPECT_EQ(rows["IMG-014"], 5 + 1 + 2 + 11);
  EXPECT_GE(rows["IMG-015"], 12);
  EXPECT_EQ(rows["IMG-024"], 1);
  EXPECT_EQ(rows["sound"], 2 + 1 + 2 + 1 + 1 + 1);  // names, dma[1], md, dve, carveouts, rg_set
}

// A NULL slot of a counted array beside a count above 0, and a pointer beside a count of 0.
TEST(ImagePointers, CountsBesidePointers) {
  ASSAY_COVERS("IMG-015");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  const struct {
    const char* counter;
    int width;
  } kNull[] = {{"mem_ref_set.mem[4].size", 8},  // a buffer of no bytes
               {"mem_ref_set.mem[8].u.list.length", 4},
               {"act_function_sets.sets[0].ctl_sz", 4},
               {"dve_config.control_fast_table.size", 8},
               {"dve_config.control_slow_table.size", 8},
               {"replica_groups.groups[1].num_subgroups", 8},
               {"replica_groups.groups[0].subgroups[1].num_participants", 8},
               {"src_target_pairs.pairs_set[1].num_pairs", 8}};
  for (const auto& n : kNull) {
    Bytes b = small();
    n.width == 8 ? set_u64(b, offsets.at(n.counter), 1) : set_u32(b, offsets.at(n.counter), 1);
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-015")) << n.counter;
  }
  const struct {
    const char* counter;
    int width;
  } kFilled[] = {{"mem_ref_set.mem[3].size", 8},
                 {"mem_ref_set.mem[7].u.list.length", 4},
                 {"act_function_sets.num_function_sets", 8},
                 {"act_function_sets.sets[0].bkt_sz", 4},
                 {"dve_config.opcode_table.size", 8},
                 {"replica_groups.num_groups", 8},
                 {"replica_groups.groups[0].num_subgroups", 8},
                 {"replica_groups.groups[0].subgroups[0].num_participants", 8},
                 {"src_target_pairs.num", 8},
                 {"src_target_pairs.pairs_set[0].num_pairs", 8},
                 {"src_target_pairs.pairs_set[0].rg_set.num_groups", 8},
                 {"ucode_lib_set.num_libs", 8},
                 {"ucode_lib_set.libs[0].content_size", 8},
                 {"ucode_lib_set.libs[0].function_set.num_functions", 1}};
  for (const auto& f : kFilled) {
    Bytes b = small();
    const std::uint64_t at = offsets.at(f.counter);
    if (f.width == 8) set_u64(b, at, 0);
    else if (f.width == 4) set_u32(b, at, 0);
    else b[at] = 0;
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-015")) << f.counter;
  }
}

// A variable of another type than MR_BUFFER has a size and no buffer.
TEST(ImagePointers, BufferGoesWithItsType) {
  ASSAY_COVERS("IMG-015");
  const auto offsets = offsets_of(small());
  Bytes b = small();
  set_u32(b, offsets.at("mem_ref_set.mem[3].mr_type"), 4);  // MR_TMP_BUF keeps size 5 and a buffer
  repair(b);
  EXPECT_TRUE(refused_as(b, "IMG-015"));
  b = small();
  set_u32(b, offsets.at("mem_ref_set.mem[0].mr_type"), 3);  // MR_BUFFER of 128 bytes, and NULL
  repair(b);
  EXPECT_TRUE(refused_as(b, "IMG-015"));
  set_u64(b, offsets.at("mem_ref_set.mem[0].size"), 0);
  repair(b);
  EXPECT_TRUE(sound(b));
}

TEST(ImagePointers, DmaSlotsAreDense) {
  ASSAY_COVERS("IMG-024");
  Parts p(small());
  std::size_t moved = 0;
  for (auto& l : p.records[0].links)
    if (l.slot == 48) l.slot = 56, ++moved;  // dma[1] to dma[2]
  ASSERT_EQ(moved, 1u);
  set_u64(p.records[0].bytes, 48, 0);
  const Bytes b = p.build();
  EXPECT_TRUE(refused_as(b, "IMG-024"));
  const Inspected seen = look_at(b);
  EXPECT_EQ(seen.result.findings.size(), 1u) << findings_text(seen.result);
  EXPECT_TRUE(seen.result.view.has_value());
}

}  // namespace
}  // namespace assay::test
