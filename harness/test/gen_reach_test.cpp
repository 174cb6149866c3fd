// SPDX-License-Identifier: Apache-2.0
// What generated models reach: every enum value a def.json can produce, every operation on every
// target, every kind of record, and the edges of the rules, over a fixed number of cases.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "oracle/dtype/dtype.h"
#include "oracle/image/image.h"
#include "oracle/records/kbin.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kCases = 4000;

struct Reached {
  std::map<EnumId, std::set<std::int64_t>> enums;
  std::set<std::pair<std::int64_t, std::int64_t>> op_on_target;  // target, op
  std::map<std::int64_t, std::set<std::uint64_t>> sources;       // by target: num_sources
  std::map<std::string, std::set<std::uint64_t>> values;         // small integer fields by name
  std::map<std::string, std::set<std::uint64_t>> large;          // u64 fields at or above 2^32
  std::set<Kind> kinds;
  std::set<std::size_t> name_bytes;  // of cut names and functions, where long
  std::set<std::uint64_t> blob_rest;
  std::set<std::int64_t> io_dtypes;
  std::set<std::size_t> io_ranks, profiles, graphs;
  bool null_carveouts = false;
};

std::int64_t integer_of(const FieldVisit& v) {
  switch (v.raw.size()) {
    case 1: return v.raw[0];
    case 2: return load<std::uint16_t>(v.raw.data());
    case 4: return load<std::int32_t>(v.raw.data());
    default: return load<std::int64_t>(v.raw.data());
  }
}

void visit(const FieldVisit& v, std::uint32_t target, Reached& r) {
  if (v.type == FieldType::chars && v.raw.size() >= 254) r.name_bytes.insert(v.raw.size());
  if (v.is_null || v.is_bytes || v.field == nullptr || v.type == FieldType::chars || v.type == FieldType::pointer ||
      v.type == FieldType::record)
    return;
  const std::int64_t n = integer_of(v);
  if (v.enumeration != EnumId::none) r.enums[v.enumeration].insert(n);
  if (v.enumeration == EnumId::DescOp) r.op_on_target.emplace(target, n);
  const std::string name(v.field->name.substr(v.field->name.rfind('.') + 1));
  if (name == "num_sources") r.sources[target].insert(static_cast<std::uint64_t>(n));
  if (v.type == FieldType::u64 && static_cast<std::uint64_t>(n) >= 1ULL << 32)
    r.large[name].insert(static_cast<std::uint64_t>(n));
  else if (v.field->count == 1) r.values[name].insert(static_cast<std::uint64_t>(n));
}

void look_at(const Model& model, Reached& r) {
  const auto lowered = lower_model(model);
  ASSERT_TRUE(lowered.has_value()) << lowered.error().text();
  r.graphs.insert(lowered->graphs.size());
  for (const auto* tensors : {&lowered->io.inputs, &lowered->io.outputs})
    for (const Tensor& t : *tensors) {
      r.io_dtypes.insert(code(t.dtype));
      r.io_ranks.insert(t.shape.size());
    }
  for (const LoweredGraph& g : lowered->graphs) {
    const auto image = encode(g.tree);
    ASSERT_TRUE(image.has_value()) << image.error().text();
    const auto view = decode(image->view());
    ASSERT_TRUE(view.has_value()) << view.error().text();
    for (std::size_t i = 0; i < view->records(); ++i) {
      r.kinds.insert(view->record_at(i).kind);
      if (view->record_at(i).kind == Kind::engine) r.blob_rest.insert((view->record_at(i).size - 320) % 64);
    }
    r.null_carveouts |= g.tree.root().sb_carveouts == nullptr;
    walk(*view, [&](const FieldVisit& v) { visit(v, view->header().target, r); });
  }
}

const Reached& reached() {
  static const Reached all = [] {
    Reached r;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
      RandomChoices c(seed);
      look_at(gen_model(c), r);
    }
    return r;
  }();
  return all;
}

using Codes = std::set<std::int64_t>;

TEST(GenReach, EveryEnumValueADefinitionCanProduce) {
  const auto& enums = reached().enums;
  const std::map<EnumId, Codes> wanted = {
      {EnumId::EngineType, {0, 1, 2, 3, 4}},
      {EnumId::ArchType, {2, 3, 4}},
      {EnumId::MrType, {1, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
      {EnumId::BackingBuf, {0, 1, 2, 3}},
      {EnumId::RingType, {6, 7, 8, 9, 11, 15}},
      {EnumId::DescType, {0}},
      {EnumId::DescOp, {0, 1, 2, 3, 4, 5}},
      {EnumId::CarveoutType, {1}},
      {EnumId::Dtype, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
  };
  for (const auto& [id, codes] : wanted) EXPECT_EQ(enums.at(id), codes) << enum_row(id).spec_name;
  EXPECT_EQ(enums.size(), wanted.size());
  EXPECT_EQ(reached().io_dtypes, (Codes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}));
}

TEST(GenReach, EveryOperationOnEveryTarget) {
  EXPECT_EQ(reached().op_on_target.size(), 18U);
  for (const auto& [target, counts] : reached().sources) {
    EXPECT_TRUE(counts.count(1) != 0 && counts.count(max_fma_sources(target)) != 0 && counts.count(32) != 0) << target;
    EXPECT_EQ(*counts.rbegin(), 32U);
  }
}

TEST(GenReach, EveryKindOfRecordALoweringMakes) {
  for (std::uint32_t k = 1; k < kMaxKind; ++k)  // the last one is of other makers
    EXPECT_EQ(reached().kinds.count(static_cast<Kind>(k)), 1U) << k;
}

TEST(GenReach, EdgesOfTheRules) {
  const auto has = [](const char* field, std::initializer_list<std::uint64_t> values) {
    const auto it = reached().values.find(field);
    ASSERT_NE(it, reached().values.end()) << field;
    for (const std::uint64_t v : values) EXPECT_EQ(it->second.count(v), 1U) << field << " " << v;
  };
  has("num_dims", {1, 2, 3, 4, 5, 6, 7, 8});
  has("queue_set_cnt", {0, 1, 16});
  has("semaphore_cnt", {0, 1, 2, 32});
  has("flags", {0, 1, 2, 3, 4, 5, 6, 7});  // queues; 0 and 6 of libraries
  has("num_functions", {0, 1, 25, 255});
  has("total_cpus", {0, 1, 8});
  has("priority_class", {0, 255});
  has("alignment", {0, 1, 2, 1u << 31});
  has("num_groups", {0, 1, 2});
  has("num_subgroups", {0, 1});
  has("num_participants", {0, 1, 4});
  has("num_pairs", {0, 1});
  has("num_libs", {0, 1, 2});
  has("num_function_sets", {0, 1, 2, 3});
  has("num_streams", {0, 1});
  has("reset_engine_round_robin", {0, 1});
  has("block_end_desc", {0, 1});
  has("use_constant", {0, 1});
  has("io_ref", {0, 1});
  has("ndesc", {0, 1, 2});
  has("ring_instance_count", {0, 1, 2});
  has("fp8_range_extension", {0, 1});
  has("size", {0, 1, 8, 4294967295});
  for (const char* field : {"size", "off", "offset", "sizes", "shape", "local_scratchpad_size",
                            "shared_scratchpad_size", "num_streams", "start_partition"})
    EXPECT_EQ(reached().large.count(field), 1U) << field;
  EXPECT_EQ(reached().large.at("size").count(4294967296), 1U);
  EXPECT_EQ(reached().large.at("size").count(~std::uint64_t{0}), 1U);
}

TEST(GenReach, NamesBlobsAndShapes) {
  // A prefix of 511, a name cut at 255 and a function at 256.
  for (const std::size_t n : {254, 255, 256, 300, 510, 511}) EXPECT_EQ(reached().name_bytes.count(n), 1U) << n;
  for (const std::uint64_t n : {0, 1, 63}) EXPECT_EQ(reached().blob_rest.count(n), 1U) << n;
  for (const std::size_t n : {0, 1, 32}) EXPECT_EQ(reached().io_ranks.count(n), 1U) << n;
  EXPECT_TRUE(reached().null_carveouts);
  EXPECT_EQ(reached().graphs, (std::set<std::size_t>{1, 2}));
}

// Shapes of the documents themselves: what the images do not tell apart.
struct Written {
  std::set<std::string> var_dtypes, desc_dtypes, var_types, queue_types, targets, destinations, kelfs;
  std::set<std::size_t> queues, ranks;
  int two_tables = 0, object_tables = 0, ucode_member = 0, npy = 0, absent_engine = 0, no_instr = 0, engine_blocks = 0;
};

void look_at_blocks(const Json& dma, Written& w) {
  for (const Json& b : dma) {
    std::string kind = b.contains("queue") ? (b["queue"] == "" ? "empty queue" : "queue") : "";
    if (b.contains("instance_name")) kind += b["instance_name"] == "" ? " empty instance" : " instance";
    w.destinations.insert(kind);
    for (const Json& d : b["desc"]) {
      if (const auto to = d.find("to_dtype"); to != d.end()) w.desc_dtypes.insert(to->get<std::string>());
    }
  }
}

TEST(GenReach, EveryWayToWriteIt) {
  Written w;
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    RandomChoices c(seed);
    const Model m = gen_model(c);
    for (const auto& [path, member] : m.members) {
      if (!member.is_json() || !member.doc.is_object() || !member.doc.contains("graphs")) continue;
      w.kelfs.insert(m.members.count("neff.json") != 0 ? "neff.json" : path);
      w.targets.insert(member.doc["target"].get<std::string>());
    }
    for (const GraphPaths& g : graphs_of(m)) {
      const Json& def = m.members.at(g.definition).doc;
      for (const Json& v : def["var"]) {
        w.var_types.insert(v["type"].get<std::string>());
        const auto& type = v["type"];
        const bool reads = type != "pointer" && type != "list" && type != "dge-table" && type != "remote";
        if (reads && v.contains("dtype")) w.var_dtypes.insert(v["dtype"].get<std::string>());
        if (reads && v.contains("shape")) w.ranks.insert(v["shape"].size());
        if (type == "file") w.npy += v["file_name"].get<std::string>().ends_with(".npy") ? 1 : 0;
      }
      const Json queues = def.value("dma_queue", Json::object());
      w.queues.insert(queues.size());
      for (const Json& q : queues) w.queue_types.insert(q["type"].get<std::string>());
      look_at_blocks(def.value("dma", Json::array()), w);
      w.ucode_member += def.contains("ucode_lib") && def["ucode_lib"].is_string() ? 1 : 0;
      w.absent_engine += g.engines.size() < 5 ? 1 : 0;
      for (const auto& [engine, path] : g.engines) {
        const Json& e = m.members.at(path).doc;
        w.no_instr += e.contains("instr") ? 0 : 1;
        const Json dma = e.value("dma", Json::array());
        w.engine_blocks += static_cast<int>(dma.size());
        look_at_blocks(dma, w);
        if (engine != "dve" || !e.contains("dve_tables")) continue;
        (e["dve_tables"].is_array() ? w.two_tables : w.object_tables) += 1;
      }
    }
  }
  EXPECT_EQ(w.var_types.size(), 10U);
  EXPECT_EQ(w.queue_types.size(), 6U);
  EXPECT_EQ(w.var_dtypes.size(), 17U);   // 19 without the two of 16 bytes
  EXPECT_EQ(w.desc_dtypes.size(), 19U);
  EXPECT_EQ(w.ranks.size(), 9U);
  EXPECT_EQ(w.targets, (std::set<std::string>{"", "*", "cayman", "mariana", "sunda", "v2", "v3", "v4"}));
  EXPECT_EQ(w.kelfs, (std::set<std::string>{"kelf-0.json", "kelf-a.json", "neff.json"}));
  for (const char* d : {"queue", "queue instance", "queue empty instance", " instance", "empty queue instance"})
    EXPECT_EQ(w.destinations.count(d), 1U) << d;
  for (const std::size_t n : {0, 1, 4, 31, 32}) EXPECT_EQ(w.queues.count(n), 1U) << n;
  for (const int n : {w.two_tables, w.object_tables, w.ucode_member, w.npy, w.absent_engine, w.no_instr, w.engine_blocks})
    EXPECT_GT(n, 50);
}

}  // namespace
}  // namespace assay::harness
