// SPDX-License-Identifier: Apache-2.0
// Resources to trees: order, allocations, zero bytes, targets, and that nothing is left behind
// (LOW).
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "oracle/test/covers.h"
#include "oracle/test/neff_model.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

std::string image_of(const Model& m) {
  const auto tree = must_lower(m);
  if (!tree) return {};
  const auto image = encode(*tree);
  return image ? std::string(as_text(image->view())) : std::string();
}

TEST(Lowering, RecordsAreFilledInTheRootsOrder) {
  ASSAY_COVERS("LOW-001");
  const auto tree = must_lower(full_model());
  ASSERT_TRUE(tree);
  // A tree keeps its allocations in the order they were made; the kinds of each root member.
  std::vector<Kind> order;
  for (const Allocation& a : tree->allocations()) {
    switch (a.kind) {
      case Kind::kbin:
      case Kind::engine:
      case Kind::dma:
      case Kind::mem_ref_set:
      case Kind::act_function_sets:
      case Kind::dve_config:
      case Kind::replica_groups:
      case Kind::src_target_pairs:
      case Kind::ucode_libs:
      case Kind::sb_carveouts:
        if (order.empty() || order.back() != a.kind) order.push_back(a.kind);
        break;
      default:
        break;
    }
  }
  const std::vector<Kind> want = {Kind::kbin,
                                  Kind::engine,
                                  Kind::dma,
                                  Kind::mem_ref_set,
                                  Kind::act_function_sets,
                                  Kind::dve_config,
                                  Kind::replica_groups,
                                  Kind::src_target_pairs,
                                  Kind::ucode_libs,
                                  Kind::sb_carveouts};
  EXPECT_EQ(order, want);
}

TEST(Lowering, EngineSlotsAreInOrderOfNames) {
  ASSAY_COVERS("LOW-002", "LOW-012");
  const char* const names[] = {"act", "dve", "pe", "pool", "sp"};
  const std::uint32_t types[] = {1, 3, 0, 2, 4};
  const std::uint32_t ninstr[] = {2, 0, 1, 3, 0};
  const std::size_t bytes[] = {129, 0, 64, 192, 63};
  const auto full = must_lower(full_model()), small = must_lower(small_model());
  ASSERT_TRUE(full && small);
  for (std::size_t i = 0; i < 5; ++i) {
    for (const Tree* t : {&*full, &*small}) {
      const kbin_engine_t* e = t->root().engine[i];
      EXPECT_STREQ(e->name, names[i]);
      EXPECT_EQ(e->eng_type, types[i]);
    }
    EXPECT_EQ(full->root().engine[i]->ninstr, ninstr[i]);
    EXPECT_EQ(full->blob_bytes(full->root().engine[i]), bytes[i]);
    EXPECT_EQ(small->root().engine[i]->ninstr, 0u);
  }
}

TEST(Lowering, InstructionBlobs) {
  ASSAY_COVERS("LOW-003", "LOW-004");
  for (const std::size_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 6400u, 6401u}) {
    Model m = full_model();
    std::string code(n, '\0');
    for (std::size_t i = 0; i < n; ++i) code[i] = static_cast<char>(i * 7 + 1);
    m.files["pe.bin"] = code;
    const auto tree = must_lower(m);
    ASSERT_TRUE(tree);
    kbin_engine_t* pe = tree->root().engine[2];
    EXPECT_EQ(pe->ninstr, n >> 6) << n;
    // The whole blob right behind the record, no prefix, its last bytes included.
    const auto at = std::find_if(tree->allocations().begin(), tree->allocations().end(),
                                 [&](const Allocation& a) { return a.address == pe; });
    ASSERT_NE(at, tree->allocations().end());
    EXPECT_EQ(at->bytes, 320 + n);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(pe) + 320, n), code);
    EXPECT_EQ(Stored(*tree).text("engine[2].instr"), code);
  }
}

std::uint64_t bytes_of(const Tree& t, const void* record) {
  for (const Allocation& a : t.allocations())
    if (a.address == record) return a.bytes;
  return 0;
}

TEST(Lowering, AllocationSizes) {
  ASSAY_COVERS("LOW-004", "LOW-005", "LOW-006");
  const auto tree = must_lower(full_model());
  ASSERT_TRUE(tree);
  const kbin_t& root = tree->root();
  EXPECT_EQ(tree->allocations()[0].address, &root);
  EXPECT_EQ(tree->allocations()[0].bytes, 424u);
  const std::size_t instances[] = {0, 2, 0, 0, 1, 1};
  const std::size_t descs[][2] = {{0, 0}, {0, 6}, {0, 0}, {0, 0}, {1, 0}, {1, 0}};
  for (std::size_t q = 0; q < 6; ++q) {
    kbin_dma_t* dma = root.dma[q];
    EXPECT_EQ(dma->ring_instance_count, instances[q]) << q;
    EXPECT_EQ(bytes_of(*tree, dma), 296 + 8 * instances[q]) << q;
    for (std::size_t i = 0; i < instances[q]; ++i) {
      kbin_dma_ring_instance_t* ring = instances_of(dma)[i];
      EXPECT_EQ(ring->ndesc, descs[q][i]);
      EXPECT_EQ(bytes_of(*tree, ring), 264 + 5456 * descs[q][i]);
    }
  }
  for (std::size_t q = 6; q < 32; ++q) EXPECT_EQ(root.dma[q], nullptr);
  EXPECT_EQ(root.mem_ref_set->nmem, 10u);
  EXPECT_EQ(bytes_of(*tree, root.mem_ref_set), 24 + 152 * 10u);
  // Every allocation is reached by one pointer: no address occurs twice.
  std::set<const void*> seen;
  for (const Allocation& a : tree->allocations()) EXPECT_TRUE(seen.insert(a.address).second);
}

TEST(Lowering, Targets) {
  ASSAY_COVERS("LOW-007", "LOW-008");
  const auto with = [](int target) {
    Model m = small_model();
    m.target = static_cast<ArchType>(target);
    return m;
  };
  for (int target = 2; target <= 4; ++target) {
    EXPECT_EQ(Stored(with(target)).number("target"), static_cast<std::uint64_t>(target));
    expect_refused(
        with(target), [](Model& m) { m.target = ArchType::INVALID; }, Reason::target_zero,
        "target");
    for (const int bad : {1, 5, 6, -1, 255, 256 + 2})
      expect_refused(
          with(target), [&](Model& m) { m.target = static_cast<ArchType>(bad); },
          Reason::target_range, "target");
  }
  // The same at the door behind, for resources made by other hands.
  Resources r;
  for (const int bad : {0, 1, 5}) EXPECT_FALSE(lower(r, static_cast<ArchType>(bad), 0).has_value());
  EXPECT_TRUE(lower(r, ArchType::SUNDA, 0).has_value());
}

// Whether the bytes of a record that no field covers are zero.
void expect_padding_zero(const Record& r, const std::uint8_t* at) {
  for (const Padding& p : r.padding)
    EXPECT_TRUE(all_zero({at + p.begin, p.end - p.begin})) << r.name << " +" << p.begin;
  for (const Field& f : r.fields)
    if (f.type == FieldType::record && f.when == When::always)
      for (std::uint32_t i = 0; i < f.count; ++i) {
        const Record& inner = record(f.record);
        expect_padding_zero(inner, at + f.offset + i * inner.bytes);
      }
}

void expect_clean(const Tree& tree) {
  for (const Allocation& a : tree.allocations()) {
    const KindRow& kind = kind_row(a.kind);
    if (kind.record == RecordId::none) continue;
    const Record& r = record(kind.record);
    const auto* at = static_cast<const std::uint8_t*>(a.address);
    const std::uint64_t n = r.tail.type == TailType::none ? a.bytes / r.bytes : 1;
    for (std::uint64_t i = 0; i < n; ++i) expect_padding_zero(r, at + i * r.bytes);
    if (r.tail.type == TailType::records)
      for (std::uint64_t off = r.bytes; off < a.bytes; off += record(r.tail.record).bytes)
        expect_padding_zero(record(r.tail.record), at + off);
  }
  const kbin_t& root = tree.root();
  for (std::uint32_t i = 0; i < root.mem_ref_set->nmem; ++i) {
    const kbin_mem_ref& m = mem_of(root.mem_ref_set)[i];
    const auto type = static_cast<MrType>(m.mr_type);
    const bool has_union = type == MrType::MR_PTR || type == MrType::MR_VIRTUAL_TMP_BUF ||
                           type == MrType::MR_LIST || type == MrType::MR_PTR_TABLE;
    if (!has_union) {
      EXPECT_TRUE(all_zero(m.u.raw)) << i;
    }
    const std::size_t length = std::strlen(m.dtype);
    EXPECT_TRUE(all_zero({reinterpret_cast<const std::uint8_t*>(m.dtype) + length, 16 - length}));
  }
}

TEST(Lowering, EveryUnsetByteIsZero) {
  ASSAY_COVERS("LOW-009");
  // Memory that was dirty before: an allocation that is not cleared would show it.
  std::vector<void*> dirty;
  for (int i = 0; i < 4000; ++i) {
    const std::size_t n = 64 + static_cast<std::size_t>(i) * 37 % 6000;
    dirty.push_back(std::malloc(n));
    std::memset(dirty.back(), 0xA5, n);
  }
  for (void* p : dirty) std::free(p);

  const auto tree = must_lower(full_model());  // inspects, too: no finding
  ASSERT_TRUE(tree);
  expect_clean(*tree);
  const auto& descs = desc_of(instances_of(tree->root().dma[1])[1]);
  const kbin_dma_desc_t& copy = descs[0];
  EXPECT_TRUE(all_zero(copy.u.info.raw));
  const int sources[] = {1, 2, 1, 1, 1, 1};
  for (int d = 0; d < 6; ++d) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(&descs[d].u.from[sources[d]]);
    EXPECT_TRUE(all_zero({from, static_cast<std::size_t>(32 - sources[d]) * 160})) << d;
  }
  const kbin_dma_desc_t& add = descs[2];
  EXPECT_TRUE(all_zero(add.u.info.cce.u.raw));
  const kbin_dma_desc_t& max = descs[4];  // without a constant
  EXPECT_TRUE(all_zero({reinterpret_cast<const std::uint8_t*>(&max.u.info.cce.u), 132}));
  const kbin_dma_desc_t& fma = descs[1];
  EXPECT_TRUE(
      all_zero({reinterpret_cast<const std::uint8_t*>(&fma.u.info.cce.u.fma.scale[2]), 120}));
  // A finding there would be: one set byte of padding is seen.
  auto image = encode(*tree);
  ASSERT_TRUE(image);
  image->data()[80 + 420] = 1;
  EXPECT_FALSE(inspect(image->view()).findings.empty());
}

TEST(Lowering, Deterministic) {
  ASSAY_COVERS("LOW-011");
  const std::string first = image_of(full_model());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(image_of(full_model()), first);
  // In other threads at once, whose heaps lie elsewhere.
  std::string other[4];
  std::vector<std::thread> threads;
  for (std::string& s : other)
    threads.emplace_back([&s] {
      for (int i = 0; i < 5; ++i) s = image_of(full_model());
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& s : other) EXPECT_EQ(s, first);
  // Members nobody reads, and options that are at their defaults, change nothing.
  Model m = full_model();
  m.files["unused"] = "x";
  m.options.allow_legacy = true;
  m.options.verify_digest = true;
  m.options.assume_no_signals = true;
  m.options.arch = ArchType::SUNDA;
  EXPECT_EQ(image_of(m), first);
}

TEST(Lowering, TheEnvironmentIsNotRead) {
  ASSAY_COVERS("LOW-011", "SBC-002");
  Model m = small_model();
  m.def.erase("runtime_statebuffer_reservation");
  ASSERT_EQ(setenv("NEURON_RT_ALLOW_LEGACY_NEFF", "1", 1), 0);
  EXPECT_EQ(outcome_of(m), "carveout-missing");
  unsetenv("NEURON_RT_ALLOW_LEGACY_NEFF");
  m.options.allow_legacy = true;
  EXPECT_EQ(outcome_of(m), "ok");
}

std::size_t heap_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(Lowering, ARefusalLeavesNothing) {
  ASSAY_COVERS("LOW-010");
  std::vector<Model> broken(4, full_model());
  broken[0].raw = "{";
  broken[1].def["var"]["ptr"]["referenced_var_id"] = 10;
  broken[2].edit("pool.json", [](Json& j) { j["dma"][0]["desc"][0]["to"] = "?"; });
  broken[3].options.limits.image_bytes = 40000;  // refused when all is read
  for (const Model& m : broken) EXPECT_NE(outcome_of(m), "ok");
  std::vector<Members> members;
  for (const Model& m : broken) members.push_back(m.members());
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i)
      for (std::size_t b = 0; b < broken.size(); ++b) {
        std::vector<Place> assumed = {{"kept", {}, {}, {}}};
        const auto tree = lower_definition(members[b], "sg00/def.json", ArchType::CAYMAN, 0,
                                           broken[b].options, &assumed);
        ASSERT_FALSE(tree.has_value());
        EXPECT_EQ(assumed.size(), 1u);
      }
  };
  run(20);  // what is made once
  const std::size_t before = heap_in_use();
  run(200);
  EXPECT_LT(heap_in_use(), before + 16 * 1024);  // 800 refusals: less than a record each
}

TEST(Lowering, OneRefusedGraphRefusesAll) {
  ASSAY_COVERS("LOW-010");
  for (const char* sg : {"sg00/def.json", "sg01/def.json"}) {
    Json def = small_model().def;
    def["var"].erase("out");
    expect_refused(
        NeffModel(), [&](NeffModel& m) { m.files[sg] = def.dump(); }, Reason::no_output,
        std::string(sg) + "/var");
  }
  const auto both = must_lower(NeffModel());
  ASSERT_TRUE(both);
  EXPECT_EQ(both->graphs.size(), 2u);
}

TEST(Lowering, ASmallFileThatAsksForMuch) {
  ASSAY_COVERS("LOW-010");
  // One member named a thousand times: a thousand copies of it in the image.
  Model m = small_model();
  m.files["w.bin"] = std::string(1 << 16, 'w');
  for (int i = 1; i <= 1000; ++i)
    m.def["var"]["v" + std::to_string(i)] = {
        {"type", "file"}, {"var_id", i}, {"file_name", "w.bin"}};
  m.options.limits.image_bytes = std::uint64_t{1} << 27;
  must_lower(m);
  expect_refused(
      m, [](Model& b) { b.options.limits.image_bytes = std::uint64_t{1} << 25; },
      Reason::limit_image_bytes, "sg00/def.json");
  EXPECT_EQ(row_of(Reason::limit_image_bytes).status, NrtStatus::resource);
}

TEST(Lowering, MembersThatAreNotThere) {
  ASSAY_COVERS("CON-019");
  const Members none;
  const auto r = lower_definition(none, "sg00/def.json", ArchType::CAYMAN, 0, {});
  ASSERT_FALSE(r.has_value());
  EXPECT_EQ(row_of(r.error().reason).id, "definition-missing");
  EXPECT_FALSE(lower_members(none, {}).has_value());
}

}  // namespace
}  // namespace assay::test
