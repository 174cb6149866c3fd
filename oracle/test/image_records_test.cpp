// SPDX-License-Identifier: Apache-2.0
// The rows on records: places, gaps, sizes, counts, order and relocations, each broken once.
#include <numeric>

#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

const Bytes& small() {
  static const Bytes image = encoded(small_tree());
  return image;
}

std::size_t record_count() { return u32_at(small(), image::kDirCountAt); }

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

// Index of the record behind a path whose value is the slot or the text of that record.
std::size_t record_at(std::uint64_t offset) {
  for (std::size_t i = 0; i < record_count(); ++i)
    if (u64_at(small(), entry_at(small(), i)) == offset) return i;
  ADD_FAILURE() << "no record at " << offset;
  return 0;
}

TEST(ImageRecords, Places) {
  ASSAY_COVERS("IMG-009");
  ASSERT_TRUE(sound(small()));
  const std::uint64_t dir = u64_at(small(), image::kDirOffsetAt);
  for (std::size_t i = 1; i < record_count(); ++i) {
    const std::uint64_t e = entry_at(small(), i);
    const std::uint64_t offset = u64_at(small(), e);
    for (const std::uint64_t v : {offset + 1, offset + 8, offset - 8})  // no multiple of 16
      EXPECT_TRUE(refused_as(with_u64(e, v), "IMG-009")) << i;
    for (const std::uint64_t v :
         {std::uint64_t{0}, std::uint64_t{64}, dir + 16, ~std::uint64_t{15}})
      EXPECT_TRUE(refused_as(with_u64(e, v), "IMG-009")) << i;  // outside
    EXPECT_TRUE(refused_as(with_u64(e, u64_at(small(), entry_at(small(), i - 1))), "IMG-009")) << i;
    for (const std::uint64_t size :
         {dir - offset + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - offset + 1})
      EXPECT_TRUE(refused_as(with_u64(e + 8, size), "IMG-009")) << i;  // past the records
  }
  for (std::size_t i = 0; i + 1 < record_count(); ++i) {  // into the next one
    const std::uint64_t e = entry_at(small(), i);
    const std::uint64_t next = u64_at(small(), entry_at(small(), i + 1));
    EXPECT_TRUE(refused_as(with_u64(e + 8, next - u64_at(small(), e) + 1), "IMG-009")) << i;
  }
}

TEST(ImageRecords, EntriesOutOfOrder) {
  ASSAY_COVERS("IMG-009");
  for (std::size_t i = 1; i + 1 < record_count(); ++i) {
    Bytes b = small();
    const auto e = b.begin() + static_cast<std::ptrdiff_t>(entry_at(b, i));
    std::swap_ranges(e, e + 24, e + 24);
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-009")) << i;
  }
}

// Two entries of one offset do not overlap when the first is of no bytes.
TEST(ImageRecords, TwoEntriesOfOneOffset) {
  ASSAY_COVERS("IMG-009");
  for (std::size_t i = 1; i + 1 < record_count(); ++i) {
    Bytes b = small();
    set_u64(b, entry_at(b, i) + 8, 0);
    set_u64(b, entry_at(b, i + 1), u64_at(b, entry_at(b, i)));
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-009")) << i;
  }
}

// Records stand as close as 16 bytes allow; no row says so of a wider gap, so it is misplacement.
TEST(ImageRecords, WideGap) {
  ASSAY_COVERS("IMG-009");
  for (std::size_t i = 1; i < record_count(); ++i) {
    Parts p(small());
    p.records[i].gap = 16;
    EXPECT_TRUE(refused_as(p.build(), "IMG-009")) << i;
    p.records[i].gap = 0;
    EXPECT_EQ(p.build(), small());
  }
}

TEST(ImageRecords, GapBytes) {
  ASSAY_COVERS("IMG-010");
  ASSERT_TRUE(sound(small()));
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < record_count(); ++i) {
    const std::uint64_t e = entry_at(small(), i);
    const std::uint64_t end = u64_at(small(), e) + u64_at(small(), e + 8);
    for (std::uint64_t at = end; at < align_up(end, 16); ++at, ++gaps) {
      Bytes b = small();
      b[at] = 0x80;
      repair(b);
      EXPECT_TRUE(refused_as(b, "IMG-010")) << at;
    }
  }
  EXPECT_GT(gaps, 50u);
}

// Sizes that stay inside the gap or shrink the record, so that nothing overlaps.
TEST(ImageRecords, Sizes) {
  ASSAY_COVERS("IMG-011", "LOW-004", "LOW-005");
  ASSERT_TRUE(sound(small()));
  for (std::size_t i = 0; i < record_count(); ++i) {
    const std::uint64_t e = entry_at(small(), i);
    const std::uint32_t kind = u32_at(small(), e + 16);
    const std::uint64_t size = u64_at(small(), e + 8);
    if (kind == 16) continue;  // a string says itself where it ends
    if (kind == 2) {           // a blob has any length: the header alone must be there
      EXPECT_TRUE(refused_as(with_u64(e + 8, 319), "IMG-011")) << i;
      EXPECT_TRUE(refused_as(with_u64(e + 8, 0), "IMG-011")) << i;
      continue;
    }
    EXPECT_TRUE(refused_as(with_u64(e + 8, size - 1), "IMG-011")) << i;
    EXPECT_TRUE(refused_as(with_u64(e + 8, 0), "IMG-011")) << i;
    if (size % 16 != 0) {
      EXPECT_TRUE(refused_as(with_u64(e + 8, size + 1), "IMG-011")) << i;
    }
  }
}

// Every counter that a size follows, one off and where the product would wrap.
TEST(ImageRecords, CountersOfSizes) {
  ASSAY_COVERS("IMG-011", "IMG-026", "LOW-006");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  for (const char* path : {"dma[0].ring_instance_count", "dma[1].ring_instance_count",
                           "dma[0].ring_instances[0].ndesc", "dma[0].ring_instances[1].ndesc",
                           "mem_ref_set.nmem", "mem_ref_set.mem[7].u.list.length",
                           "act_function_sets.sets[0].bkt_sz"}) {
    const std::uint32_t n = u32_at(small(), offsets.at(path));
    for (const std::uint32_t v : {n + 1, 0xffffffffU, 0x80000000U})
      EXPECT_TRUE(refused_as(with_u32(offsets.at(path), v), "IMG-011")) << path << " " << v;
    if (n > 1) {
      EXPECT_TRUE(refused_as(with_u32(offsets.at(path), n - 1), "IMG-011")) << path;
    }
  }
  for (const char* path : {"act_function_sets.num_function_sets", "replica_groups.num_groups",
                           "replica_groups.groups[0].num_subgroups",
                           "replica_groups.groups[0].subgroups[0].num_participants",
                           "src_target_pairs.num", "src_target_pairs.pairs_set[0].num_pairs",
                           "src_target_pairs.pairs_set[0].rg_set.num_groups",
                           "ucode_lib_set.num_libs", "ucode_lib_set.libs[0].content_size",
                           "dve_config.opcode_table.size", "sb_carveouts.count",
                           "mem_ref_set.mem[3].size"}) {
    const std::uint64_t n = u64_at(small(), offsets.at(path));
    // 2^60 + n and the like give the right size modulo 2^64 for elements of 16, 32 ... bytes.
    for (const std::uint64_t v : {n + 1, ~std::uint64_t{0}, n + (std::uint64_t{1} << 60),
                                  n + (std::uint64_t{1} << 61), n + (std::uint64_t{1} << 62)})
      EXPECT_TRUE(refused_as(with_u64(offsets.at(path), v), "IMG-011")) << path << " " << v;
    if (n > 1) {
      EXPECT_TRUE(refused_as(with_u64(offsets.at(path), n - 1), "IMG-011")) << path;
    }
  }
  Bytes b = small();
  b[offsets.at("ucode_lib_set.libs[0].function_set.num_functions")] = 3;
  repair(b);
  EXPECT_TRUE(refused_as(b, "IMG-011"));
}

TEST(ImageRecords, DirectoryCounts) {
  ASSAY_COVERS("IMG-012");
  ASSERT_TRUE(sound(small()));
  for (std::size_t i = 0; i < record_count(); ++i) {
    const std::uint64_t at = entry_at(small(), i) + 20;
    const std::uint32_t n = u32_at(small(), at);
    for (const std::uint32_t v : {n + 1, n - 1, 0xffffffffU})
      EXPECT_TRUE(refused_as(with_u32(at, v), "IMG-012")) << i;
  }
}

// Swapping two subtrees keeps every link and every rule but the order.
TEST(ImageRecords, EmissionOrder) {
  ASSAY_COVERS("IMG-016");
  ASSERT_TRUE(sound(small()));
  const Parts p(small());
  std::size_t swapped = 0;
  for (std::size_t i = 1; i + 1 < p.records.size(); ++i) {
    if (!p.records[i].links.empty() || !p.records[i + 1].links.empty()) continue;
    std::vector<std::size_t> order(p.records.size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[i], order[i + 1]);
    const Bytes b = p.build(order);
    EXPECT_TRUE(refused_as(b, "IMG-016")) << i;
    const Inspected seen = look_at(b);
    EXPECT_EQ(seen.result.findings.size(), 1u) << findings_text(seen.result);
    EXPECT_TRUE(seen.result.view.has_value());
    ++swapped;
  }
  EXPECT_GT(swapped, 10u);
}

TEST(ImageRecords, Relocations) {
  ASSAY_COVERS("IMG-017");
  ASSERT_TRUE(sound(small()));
  const std::uint64_t list = u64_at(small(), image::kRelocOffsetAt);
  const std::uint32_t n = u32_at(small(), image::kRelocCountAt);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint64_t slot = u64_at(small(), list + 8 * k);
    for (const std::uint64_t v :
         {slot + 8, slot - 8, slot + 1, std::uint64_t{0}, ~std::uint64_t{0}})
      EXPECT_TRUE(refused_as(with_u64(list + 8 * k, v), "IMG-017")) << k;
    if (k + 1 == n) continue;
    Bytes b = small();  // two in the wrong order
    set_u64(b, list + 8 * k, u64_at(small(), list + 8 * k + 8));
    set_u64(b, list + 8 * k + 8, slot);
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-017")) << k;
  }
}

// One relocation too few or too many, with lists that are as long as the header says.
TEST(ImageRecords, RelocationsMissingOrExtra) {
  ASSAY_COVERS("IMG-017");
  const std::uint32_t n = u32_at(small(), image::kRelocCountAt);
  Bytes fewer(small().begin(), small().end() - 8);
  set_u32(fewer, image::kRelocCountAt, n - 1);
  set_u64(fewer, image::kImageSizeAt, fewer.size());
  repair(fewer);
  EXPECT_TRUE(refused_as(fewer, "IMG-017"));
  const Inspected seen = look_at(fewer);
  EXPECT_TRUE(seen.result.view.has_value());  // it can be walked
  Bytes more = small();
  more.resize(more.size() + 8, 0);
  set_u64(more, more.size() - 8, offsets_of(small()).at("dma[31]"));  // a slot that is NULL
  set_u32(more, image::kRelocCountAt, n + 1);
  set_u64(more, image::kImageSizeAt, more.size());
  repair(more);
  EXPECT_TRUE(refused_as(more, "IMG-017"));
}

TEST(ImageRecords, Strings) {
  ASSAY_COVERS("IMG-018");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  const std::uint64_t name = offsets.at("mem_ref_set.mem[2].name");
  const std::uint64_t entry = entry_at(small(), record_at(name));
  Bytes b = small();
  b[name + 3] = 'x';  // its NUL
  repair(b);
  EXPECT_TRUE(refused_as(b, "IMG-018"));
  for (std::uint64_t k = 0; k < 3; ++k) {
    b = small();
    b[name + k] = 0;
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-018")) << k;
  }
  for (const std::uint32_t size : {0U, 2U, 3U, 5U}) {  // the text is 4 bytes with its NUL
    b = small();
    set_u64(b, entry + 8, size);
    set_u32(b, entry + 20, size);
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-018")) << size;
  }
  b = small();  // any other byte may stand in a name
  for (std::uint64_t k = 0; k < 3; ++k) b[name + k] = static_cast<std::uint8_t>(0xfd + k);
  repair(b);
  EXPECT_TRUE(sound(b));
}

}  // namespace
}  // namespace assay::test
