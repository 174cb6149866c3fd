// SPDX-License-Identifier: Apache-2.0
// Images and bytes made smaller: candidates stay valid, or wrong in the one way they were; a planted
// failure comes down to its smallest form in few checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "harness/gen/gen.h"
#include "harness/reduce/reduce.h"
#include "oracle/image/image.h"
#include "oracle/tree/tree.h"

namespace assay::harness {
namespace {

constexpr std::size_t kSmallest = 2360;  // five engines without code, no variable

TEST(ReduceImage, CandidatesOfAValidImageAreValid) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomChoices c(seed);
    Buffer image = gen_image(c);
    // Some are taken, so that many ways are gone; what is taken is never larger.
    reduce_image(image, [&](ByteView candidate) {
      const auto view = decode(candidate);
      EXPECT_TRUE(view.has_value()) << seed << ": " << view.error().text();
      EXPECT_LE(candidate.size(), image.size()) << seed;
      EXPECT_NE(as_text(candidate), image.text()) << seed;
      return c.chance(10);
    }, {1500});
  }
}

TEST(ReduceImage, ComesDownToTheSmallest) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomChoices c(seed);
    Buffer image = gen_image(c);
    const ReduceStats stats = reduce_image(image, [](ByteView v) { return decode(v).has_value(); });
    EXPECT_EQ(image.size(), kSmallest) << seed;
    EXPECT_LT(stats.checks, 30u) << seed;
    EXPECT_FALSE(stats.exhausted);
  }
}

TEST(ReduceImage, EndsAfterARoundThatBroughtNothing) {
  RandomChoices c(11);
  const Buffer image = gen_image(c);
  Cursor cursor;
  std::uint64_t n = 0;
  while (const auto candidate = next_smaller(image.view(), cursor)) {
    ++n;
    ASSERT_LT(n, 100000u);
  }
  EXPECT_GT(n, 20u);
  EXPECT_FALSE(next_smaller(image.view(), cursor).has_value());
}

// What the first round cannot leave out may go once a later pass has made something plain.
TEST(ReduceImage, GoesRoundAgainAfterARoundThatBroughtSomething) {
  Tree tree;
  for (kbin_engine_t*& e : tree.root().engine) e = tree.make_engine({});
  tree.root().mem_ref_set = tree.make_mem_ref_set(0);
  tree.root().mem_ref_set->local_scratchpad_size = 5;
  tree.root().dve_config = tree.make_dve_config();
  tree.root().target = 2;
  Buffer image = *encode(tree);
  reduce_image(image, [](ByteView candidate) {
    const auto view = decode(candidate);
    const Tree t = *to_tree(*view);
    return t.root().dve_config != nullptr || t.root().mem_ref_set->local_scratchpad_size == 0;
  });
  EXPECT_EQ(image.size(), kSmallest);
}

TEST(ReduceImage, ObeysItsLimits) {
  RandomChoices c(11);
  Buffer image = gen_image(c);
  ReduceStats stats = reduce_image(image, [](ByteView) { return false; }, {7});
  EXPECT_EQ(stats.checks, 7u);
  EXPECT_EQ(stats.accepted, 0u);
  EXPECT_TRUE(stats.exhausted);
  const std::atomic<bool> stop = true;
  stats = reduce_image(image, [](ByteView) { return true; }, {100, &stop});
  EXPECT_EQ(stats.checks, 0u);
}

// ---- failures planted in a large image ----

struct Planted {
  const char* name;
  bool (*plant)(Choices&, Tree&);   // false: this tree has no place for it
  bool (*fails)(const Tree&);
  std::size_t smallest;             // bytes of the smallest image that fails
};

kbin_mem_ref* some_variable(Choices& c, Tree& t) {
  return &mem_of(t.root().mem_ref_set)[c.below(t.root().mem_ref_set->nmem)];
}

template <class F>
bool any_variable(const Tree& t, F f) {
  const auto* all = tail<kbin_mem_ref>(t.root().mem_ref_set);
  return std::any_of(all, all + t.root().mem_ref_set->nmem, f);
}
template <class F>
bool any_descriptor(const Tree& t, F f) {
  for (const kbin_dma_t* q : t.root().dma)
    for (std::uint32_t i = 0; q != nullptr && i < q->ring_instance_count; ++i) {
      const kbin_dma_ring_instance_t* r = tail<kbin_dma_ring_instance_t*>(q)[i];
      const auto* d = tail<kbin_dma_desc_t>(r);
      if (std::any_of(d, d + r->ndesc, f)) return true;
    }
  return false;
}
kbin_dma_desc_t* some_descriptor(Choices& c, Tree& t, DescOp op) {
  std::vector<kbin_dma_desc_t*> all;
  for (kbin_dma_t* q : t.root().dma)
    for (std::uint32_t i = 0; q != nullptr && i < q->ring_instance_count; ++i)
      for (std::uint32_t d = 0; d < instances_of(q)[i]->ndesc; ++d)
        if (desc_of(instances_of(q)[i])[d].op == code(op)) all.push_back(&desc_of(instances_of(q)[i])[d]);
  return all.empty() ? nullptr : all[c.below(all.size())];
}
bool is_of(const kbin_mem_ref& m, MrType type) { return m.mr_type == static_cast<std::uint32_t>(code(type)); }

const Planted kPlanted[] = {
    {"alignment",
     [](Choices& c, Tree& t) { return some_variable(c, t)->alignment = 0x1234567, true; },
     [](const Tree& t) { return any_variable(t, [](auto& m) { return m.alignment == 0x1234567; }); },
     2552},
    {"list",
     [](Choices&, Tree& t) {
       return any_variable(t, [](auto& m) { return is_of(m, MrType::MR_LIST) && m.u.list.length >= 3; });
     },
     [](const Tree& t) {
       return any_variable(t, [](auto& m) { return is_of(m, MrType::MR_LIST) && m.u.list.length >= 3; });
     },
     2600},
    {"source",
     [](Choices& c, Tree& t) {
       kbin_dma_desc_t* d = some_descriptor(c, t, DescOp::FMA);
       if (d == nullptr || d->u.info.cce.num_sources < 6) return false;
       d->u.from[5].off = 0xABCDEF;
       return true;
     },
     [](const Tree& t) {
       return any_descriptor(t, [](auto& d) {
         if (d.op != code(DescOp::FMA)) return false;
         for (std::uint32_t s = 0; s < d.u.info.cce.num_sources; ++s)
           if (d.u.from[s].off == 0xABCDEF) return true;
         return false;
       });
     },
     8456},
    {"queues_and_dtype",
     [](Choices& c, Tree& t) {
       if (t.root().dma[4] == nullptr) return false;
       t.root().dma[1]->flags = 77;
       t.root().dma[4]->flags = 78;
       kbin_mem_ref* m = some_variable(c, t);
       std::memset(m->dtype, 0, sizeof m->dtype);
       std::memcpy(m->dtype, "abc", 3);
       return true;
     },
     [](const Tree& t) {
       int flags = 0;
       for (const kbin_dma_t* q : t.root().dma) flags |= q == nullptr ? 0 : q->flags == 77 ? 1 : q->flags == 78 ? 2 : 0;
       return flags == 3 && any_variable(t, [](auto& m) { return std::string_view(m.dtype) == "abc"; });
     },
     3224},
};

TEST(ReduceImage, BringsAPlantedFailureToItsSmallestForm) {
  GenSize size;
  size.variables = 400;
  size.queues = 12;
  size.instances = 6;
  size.descriptors = 6;
  for (const Planted& planted : kPlanted) {
    int found = 0;
    std::uint64_t most_checks = 0;
    double slowest = 0;
    std::set<std::size_t> sizes;
    for (std::uint64_t seed = 0; found < 10 && seed < 300; ++seed) {
      RandomChoices c(seed);
      const Buffer made = gen_image(c, size);
      Tree tree = *to_tree(*decode(made.view()));
      std::uint64_t descriptors = 0;
      any_descriptor(tree, [&](auto&) { return ++descriptors, false; });
      if (tree.root().mem_ref_set->nmem < 200 || descriptors < 40 || !planted.plant(c, tree)) continue;
      ++found;
      Buffer image = *encode(tree);
      const auto start = std::chrono::steady_clock::now();
      const ReduceStats stats = reduce_image(image, [&](ByteView candidate) {
        const auto view = decode(candidate);
        return view && planted.fails(*to_tree(*view));
      });
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      most_checks = std::max(most_checks, stats.checks);
      slowest = std::max(slowest, took.count());
      sizes.insert(image.size());
    }
    EXPECT_EQ(found, 10) << planted.name;
    EXPECT_LT(most_checks, 5000u) << planted.name;
    EXPECT_LT(slowest, 2.0) << planted.name;
    EXPECT_EQ(sizes, std::set<std::size_t>{planted.smallest}) << planted.name;
    RecordProperty(planted.name, std::to_string(most_checks) + " checks");
  }
}

// ---- what is wrong stays wrong ----

TEST(ReduceImage, KeepsWhatIsWrong) {
  // Kinds whose records cannot be told apart any more, or whose relocations are out of order.
  const std::set<std::string_view> kept_whole = {
      "image-shorter-than-header", "image-truncated",      "image-longer",
      "root-entry-elsewhere",      "no-records",           "dir-offset",
      "dir-count",                 "reloc-offset",         "reloc-count",
      "dir-end-wraps",             "directory-unaligned",  "gap-before-relocations",
      "bytes-after-relocations",   "record-outside",       "record-size-wraps",
      "record-behind-directory",   "record-in-header",     "record-unaligned",
      "entries-swapped",           "entry-twice",          "record-overlaps",
      "relocs-swapped"};
  for (const CorruptionKind& kind : corruption_kinds()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      RandomChoices c(seed);
      Buffer valid;
      const Corruption corruption = gen_corruption(c, kind, valid);
      Buffer image(corruption.image.view());
      const std::string what = std::string(kind.name) + ", seed " + std::to_string(seed);
      Cursor cursor;
      const bool any = next_smaller(image.view(), cursor).has_value();
      if (kept_whole.count(kind.name) != 0) {
        EXPECT_FALSE(any) << what;
        continue;
      }
      // One value in place of a slot may be anywhere in the list.
      if (kind.name == "reloc-other" && !any) continue;
      EXPECT_TRUE(any) << what;
      const ReduceStats stats = reduce_image(image, [&](ByteView candidate) {
        const auto view = decode(candidate);
        return !view && view.error().reason == kind.reason;
      });
      EXPECT_LT(stats.checks, 5000u) << what;
      // The smallest, and at most one descriptor with what it hangs on, or an activation set.
      EXPECT_LT(image.size(), kSmallest + 5456 + 1500) << what;
      const auto view = decode(image.view());
      ASSERT_FALSE(view.has_value()) << what;
      EXPECT_EQ(view.error().reason, kind.reason) << what;
    }
  }
}

TEST(ReduceImage, NothingComesOfOtherBytes) {
  Cursor cursor;
  EXPECT_FALSE(next_smaller({}, cursor).has_value());
  EXPECT_FALSE(next_smaller(as_bytes(std::string(500, 'x')), cursor).has_value());
  Buffer image(std::string_view("no image"));
  EXPECT_EQ(reduce_image(image, [](ByteView) { return true; }).checks, 0u);
}

TEST(ReduceImage, LivesThroughHostileImages) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomChoices c(seed);
    Buffer image = gen_image(c);
    for (std::uint64_t n = 1 + c.below(12); n > 0; --n) {
      // Mostly in the records, where a candidate is still made.
      const std::uint64_t at = c.chance(80) ? c.between(80, image.size() - 1) : c.below(image.size());
      const std::uint64_t width = std::min<std::uint64_t>(image.size() - at, 1 + c.below(8));
      const std::uint64_t value = c.edge(0, ~std::uint64_t{0});
      std::memcpy(image.data() + at, &value, width);
    }
    ReduceLimits limits;
    limits.checks = 150;
    reduce_image(image, [&](ByteView v) { return inspect(v).findings.empty() || c.chance(50); }, limits);
  }
}

// ---- bytes ----

TEST(ReduceBytes, LeavesWhatMatters) {
  std::string bytes;
  RandomChoices c(3);
  for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(c.below(256));
  bytes.replace(3000, 6, "needle");
  bytes[1200] = '!';
  const ReduceStats stats = reduce_bytes(bytes, [](const std::string& s) {
    const auto at = s.find("needle");
    return at != std::string::npos && s.rfind('!', at) != std::string::npos && s.size() >= 9;
  });
  EXPECT_EQ(bytes.size(), 9u);
  EXPECT_NE(bytes.find("needle"), std::string::npos);
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '0'), 2);
  EXPECT_LT(stats.checks, 1000u);
  EXPECT_FALSE(stats.exhausted);
}

TEST(ReduceBytes, ComesToNothingOrStops) {
  std::string bytes(1000, 'x');
  EXPECT_EQ(reduce_bytes(bytes, [](const std::string&) { return true; }).checks, 1u);
  EXPECT_TRUE(bytes.empty());
  bytes = "abc";
  const ReduceStats stats = reduce_bytes(bytes, [](const std::string&) { return false; }, {4});
  EXPECT_EQ(stats.checks, 4u);
  EXPECT_TRUE(stats.exhausted);
  EXPECT_EQ(bytes, "abc");
}

}  // namespace
}  // namespace assay::harness
