// SPDX-License-Identifier: Apache-2.0
// Generated images are valid, go through a tree and back, and reach every kind of record, every
// enumerator and every bound.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "harness/gen/images/images.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kCases = 1500;

struct Reached {
  std::set<Kind> kinds;
  std::map<EnumId, std::set<std::int64_t>> enums;
  std::map<std::string, std::set<std::uint64_t>> counters;  // small values by field name
  std::map<Kind, std::set<std::uint64_t>> counts;           // directory counts
  std::map<std::string, std::set<std::size_t>> lengths;     // of char arrays and strings
  std::set<std::uint64_t> queues, rest, nulls_seen;
  std::set<std::string> null_fields, field_names;
  std::uint64_t bytes = 0;
};

void visit(const FieldVisit& v, Reached& r) {
  const std::string name = v.field == nullptr ? "" : std::string(v.field->name);
  r.field_names.insert(std::string(v.in.name) + "." + name);
  if (v.is_null) r.null_fields.insert(name);
  if (v.type == FieldType::chars) r.lengths[name].insert(v.raw.size());
  if (v.is_bytes || v.is_null || v.type == FieldType::chars || v.raw.size() > 8) return;
  std::uint64_t n = 0;
  std::memcpy(&n, v.raw.data(), v.raw.size());
  if (v.enumeration != EnumId::none)
    r.enums[v.enumeration].insert(static_cast<std::int32_t>(static_cast<std::uint32_t>(n)));
  if (n <= 64) r.counters[name].insert(n);
}

const Reached& reached() {
  static const Reached all = [] {
    Reached r;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
      RandomChoices c(seed);
      const Buffer image = gen_image(c);
      r.bytes += image.size();
      const auto view = decode(image.view());
      EXPECT_TRUE(view.has_value()) << seed << ": " << view.error().text();
      if (!view) continue;
      const auto tree = to_tree(*view);
      const auto again = encode(*tree);
      EXPECT_EQ(again->text(), image.text()) << seed;
      std::uint64_t queues = 0;
      for (std::size_t i = 0; i < view->records(); ++i) {
        const DirEntry& e = view->record_at(i);
        r.kinds.insert(e.kind);
        r.counts[e.kind].insert(e.count);
        queues += e.kind == Kind::dma;
        if (e.kind == Kind::engine) r.rest.insert((e.size - 320) % 64);
      }
      r.queues.insert(queues);
      walk(*view, [&](const FieldVisit& v) { visit(v, r); });
    }
    return r;
  }();
  return all;
}

std::set<std::int64_t> codes(EnumId id) {
  std::set<std::int64_t> out;
  for (const Enumerator& e : enum_row(id).values) out.insert(e.code);
  return out;
}

TEST(GenImage, IsValidAndComesBackTheSame) { EXPECT_GT(reached().bytes, 0u); }

TEST(GenImage, IsMadeOfItsChoices) {
  RandomChoices a(5), b(5);
  EXPECT_EQ(gen_image(a).text(), gen_image(b).text());
  ByteChoices dry({});
  const Buffer small = gen_image(dry);
  EXPECT_TRUE(decode(small.view()).has_value());
  EXPECT_LT(small.size(), 3000u);
}

TEST(GenImage, ComesApartIntoRecords) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    const Buffer image = gen_image(c);
    const auto raw = read_raw(image.view());
    ASSERT_TRUE(raw.has_value());
    EXPECT_EQ(raw->write().text(), image.text());
  }
}

TEST(GenImage, ReachesEveryKindOfRecord) { EXPECT_EQ(reached().kinds.size(), kMaxKind); }

TEST(GenImage, ReachesEveryEnumerator) {
  for (const EnumId id : {EnumId::EngineType, EnumId::MrType, EnumId::BackingBuf, EnumId::RingType, EnumId::DescOp,
                          EnumId::CarveoutType, EnumId::Dtype})
    EXPECT_EQ(reached().enums.at(id), codes(id)) << enum_row(id).spec_name;
  EXPECT_EQ(reached().enums.at(EnumId::ArchType), (std::set<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(reached().enums.at(EnumId::DescType), (std::set<std::int64_t>{0}));
}

TEST(GenImage, ReachesEveryBound) {
  const auto& counters = reached().counters;
  const auto reaches = [&](const char* name, std::uint64_t lo, std::uint64_t hi) {
    const std::set<std::uint64_t>& seen = counters.at(name);
    for (const std::uint64_t v : {lo, lo + 1, hi - 1, hi}) EXPECT_TRUE(seen.count(v)) << name << " " << v;
    EXPECT_EQ(*seen.rbegin(), hi) << name;
  };
  reaches("num_dims", 1, 8);
  reaches("num_sources", 1, 32);
  reaches("semaphore_cnt", 0, 32);
  reaches("pseudo_serialization_semaphore_cnt", 0, 32);
  reaches("num_functions", 0, 25);
  EXPECT_FALSE(counters.at("num_dims").count(0));
  EXPECT_FALSE(counters.at("num_sources").count(0));
  EXPECT_TRUE(reached().queues.count(0) && reached().queues.count(32));
  EXPECT_TRUE(reached().counts.at(Kind::ucode_functions).count(255));
  EXPECT_TRUE(reached().lengths.at("name").count(0) && reached().lengths.at("name").count(255));
  EXPECT_TRUE(reached().lengths.at("dtype").count(15));
  EXPECT_TRUE(reached().lengths.at("prefix_str").count(511));
  EXPECT_GT(reached().rest.size(), 8u);
}

TEST(GenImage, ReachesEveryPointerAsNull) {
  for (const RecordId id : {RecordId::kbin_t, RecordId::kbin_mem_ref, RecordId::kbin_act_function_set_t,
                            RecordId::kbin_buffer_t, RecordId::kbin_replica_group_t, RecordId::kbin_replica_subgroup_t,
                            RecordId::kbin_src_target_pairs_t, RecordId::kbin_replica_group_set_t,
                            RecordId::kbin_ucode_lib_t, RecordId::kbin_dma_desc_t})
    for (const Field& f : record(id).fields)
      if (f.type == FieldType::pointer && f.null != Nullability::required) {
        EXPECT_TRUE(reached().null_fields.count(std::string(f.name))) << record(id).name << "." << f.name;
      }
}

TEST(GenImage, HasWhatIsWanted) {
  const struct {
    images::Wants want;
    Kind kind;
  } rows[] = {{images::kQueues, Kind::dma},          {images::kInstances, Kind::ring_instance},
              {images::kBuffer, Kind::bytes},        {images::kList, Kind::u32s},
              {images::kActSets, Kind::act_function_sets}, {images::kDve, Kind::dve_config},
              {images::kCarveouts, Kind::sb_carveouts},    {images::kGroups, Kind::replica_subgroups},
              {images::kPairs, Kind::replica_group_set},   {images::kLibs, Kind::ucode_functions}};
  for (const auto& row : rows)
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      RandomChoices c(seed);
      const auto image = encode(images::gen_tree(c, {}, row.want));
      ASSERT_TRUE(decode(image->view()).has_value());
      EXPECT_TRUE(read_raw(image->view())->find(row.kind, 0).has_value()) << row.want;
    }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomChoices c(seed);
    const Tree tree = images::gen_tree(c, {}, images::kDve | images::kBlob | images::kLibs);
    EXPECT_EQ(tree.root().dve_config->datapath_table.buffer, nullptr);
    EXPECT_NE(tree.blob_bytes(tree.root().engine[2]) % 64, 0u);
    const auto image = encode(tree);
    const auto view = decode(image->view());
    EXPECT_NE(view->record_at(view->records() - 1).size % 16, 0u);
  }
}

}  // namespace
}  // namespace assay::harness
