// SPDX-License-Identifier: Apache-2.0
// DMQ: what a queue's record holds, and what a queue is refused for. Instances:
// queue_instances_test.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const char* const kTypes[] = {"in", "out", "data", "act_load", "embedding_update", "dynamic"};

// dma_model with its queue of another type, no block on it.
Model queue_model(const std::string& type) {
  Model m = dma_model();
  m.def.erase("dma");
  Json& q = m.def["dma_queue"]["q"];
  q["type"] = type;
  if (type == "embedding_update") q["embedding_update_sync_semaphore"] = 6;
  if (type == "dynamic") q["dynamic_dma"] = Json::object();
  return m;
}

TEST(DmaQueues, AbsentSectionIsAnEmptyOne) {
  ASSAY_COVERS("DMQ-001");
  expect_ignored(small_model(), set("/dma_queue", Json::object()));
  auto t = must_lower(small_model());
  ASSERT_TRUE(t);
  for (const kbin_dma_t* d : t->root().dma) EXPECT_EQ(d, nullptr);
}

TEST(DmaQueues, SectionIsAnObjectOfObjects) {
  ASSAY_COVERS("DMQ-001", "JSN-015", "JSN-016");
  expect_all_refused(queue_model("data"),
                     {{"array", set("/dma_queue", Json::array()), Reason::wrong_type, "/dma_queue"},
                      {"null", set("/dma_queue", nullptr), Reason::null_value, "/dma_queue"},
                      {"queue", set("/dma_queue/q", "data"), Reason::wrong_type, "/dma_queue/q"}});
}

TEST(DmaQueues, RecordsAreInByteOrderOfTheNames) {
  ASSAY_COVERS("DMQ-001");
  Model m = small_model();
  // Against byte order: by document, by case, by length and by code point folding.
  m.raw =
      R"({"var":{"out":{"type":"output","var_id":0,"size":4}},"runtime_statebuffer_reservation":[],
    "dma_queue":{"é":{"type":"in","owner":"pe","semaphore":5},
    "b":{"type":"in","owner":"pe","semaphore":4},
    "a0":{"type":"in","owner":"pe","semaphore":3},"a":{"type":"in","owner":"pe","semaphore":2},
    "B":{"type":"in","owner":"pe","semaphore":1},"":{"type":"in","owner":"pe","semaphore":0}}})";
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  for (std::uint32_t i = 0; i < 6; ++i) {
    ASSERT_NE(t->root().dma[i], nullptr);
    EXPECT_EQ(queue_at(*t, i).semaphores[0], i);
  }
  for (std::size_t i = 6; i < KBIN_MAX_DMA; ++i) EXPECT_EQ(t->root().dma[i], nullptr);
}

TEST(DmaQueues, ThirtyTwoAtMost) {
  ASSAY_COVERS("DMQ-002");
  Model m = small_model();
  for (int i = 0; i < 32; ++i)
    m.def["dma_queue"]["q" + std::to_string(i)] = {{"type", "in"}, {"owner", "pe"}};
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_NE(t->root().dma[31], nullptr);
  expect_refused_at(m, set("/dma_queue/q32", {{"type", "in"}, {"owner", "pe"}}),
                    Reason::too_many_queues, "/dma_queue");
}

TEST(DmaQueues, OwnerIsAnEngine) {
  ASSAY_COVERS("DMQ-003", "DMQ-004");
  const Model m = queue_model("data");
  const std::pair<const char*, std::uint32_t> owners[] = {
      {"pe", 0}, {"act", 1}, {"pool", 2}, {"dve", 3}, {"sp", 4}};
  for (const auto& [name, want] : owners) {
    auto t = must_lower(edited(m, set("/dma_queue/q/owner", name)));
    ASSERT_TRUE(t);
    EXPECT_EQ(queue_at(*t, 0).owner, want) << name;
  }
  for (const char* name : {"", "PE", "pe ", "tensor", "p", "Act"})
    expect_refused_at(m, set("/dma_queue/q/owner", name), Reason::owner_unknown,
                      "/dma_queue/q/owner");
  expect_all_refused(
      m, {{"absent", drop("/dma_queue/q/owner"), Reason::owner_missing, "/dma_queue/q"},
          {"null", set("/dma_queue/q/owner", nullptr), Reason::null_value, "/dma_queue/q/owner"},
          {"number", set("/dma_queue/q/owner", 0), Reason::wrong_type, "/dma_queue/q/owner"}});
}

TEST(DmaQueues, TypePicksTheRing) {
  ASSAY_COVERS("DMQ-005", "DMQ-007");
  const std::uint32_t want[] = {7, 8, 6, 11, 15, 6};
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    auto t = must_lower(queue_model(kTypes[i]));
    ASSERT_TRUE(t);
    EXPECT_EQ(queue_at(*t, 0).ring_type, want[i]) << kTypes[i];
  }
  const Model m = queue_model("data");
  for (const char* type : {"", "IN", "data ", "indirect_memcpy", "DATA", "model", "act"})
    expect_refused_at(m, set("/dma_queue/q/type", type), Reason::queue_type_unknown,
                      "/dma_queue/q/type");
  expect_all_refused(
      m, {{"absent", drop("/dma_queue/q/type"), Reason::queue_type_missing, "/dma_queue/q"},
          {"null", set("/dma_queue/q/type", nullptr), Reason::null_value, "/dma_queue/q/type"},
          {"number", set("/dma_queue/q/type", 6), Reason::wrong_type, "/dma_queue/q/type"}});
}

TEST(DmaQueues, IndirectMemcpyOnDataOnly) {
  ASSAY_COVERS("DMQ-006", "DMQ-019", "JSN-012");
  const std::string key = "/dma_queue/q/indirect_memcpy";
  const Model m = queue_model("data");
  auto t = must_lower(edited(m, set(key, true)));
  ASSERT_TRUE(t);
  EXPECT_EQ(queue_at(*t, 0).ring_type, 9U);
  expect_ignored(m, set(key, false));
  for (const Json& value : {Json(1), Json("true"), Json(nullptr)})
    expect_refused_at(m, set(key, value), Reason::not_a_boolean, key);
  for (const char* type : kTypes)
    if (type != std::string("data")) expect_never_read(queue_model(type), {key});
}

TEST(DmaQueues, DynamicScratch) {
  ASSAY_COVERS("DMQ-007", "DMQ-019");
  const std::string at = "/dma_queue/q/dynamic_dma", off = at + "/SB_scratch_partition_offset",
                    size = at + "/SB_scratch_partition_size";
  const Model m = queue_model("dynamic");
  const auto scratch = [&](const Change& change) {
    auto t = must_lower(edited(m, change));
    if (!t) return std::pair(1U, 1U);
    return std::pair(queue_at(*t, 0).dge_sb_scratch_addr, queue_at(*t, 0).dge_sb_scratch_size);
  };
  EXPECT_EQ(scratch(set(at, Json::object())), std::pair(0U, 0U));
  EXPECT_EQ(scratch(drop(at)), std::pair(0U, 0U));
  EXPECT_EQ(scratch(set(off, 4294967295U)), std::pair(4294967295U, 0U));
  EXPECT_EQ(scratch(set(size, 4294967295U)), std::pair(0U, 4294967295U));
  EXPECT_EQ(scratch(set(off, 16) + set(size, 32)), std::pair(16U, 32U));
  expect_all_refused(m, {{"offset", set(off, 4294967296U), Reason::integer_too_wide, off},
                         {"size", set(size, 4294967296U), Reason::integer_too_wide, size},
                         {"offset is text", set(off, "16"), Reason::not_an_integer, off},
                         {"null", set(at, nullptr), Reason::null_value, at},
                         {"array", set(at, Json::array()), Reason::wrong_type, at}});
  for (const char* type : kTypes)
    if (type != std::string("dynamic")) expect_never_read(queue_model(type), {at});
}

TEST(DmaQueues, NumQueues) {
  ASSAY_COVERS("DMQ-008", "DMQ-010", "DMQ-011", "DMQ-012", "DMQ-019");
  const std::string key = "/dma_queue/q/num_queues";
  for (const char* type : {"data", "dynamic"}) {
    const Model m = queue_model(type);
    for (const std::uint32_t n : {0U, 1U, 2U, 16U}) {
      auto t = must_lower(edited(m, set(key, n)));
      ASSERT_TRUE(t);
      EXPECT_EQ(queue_at(*t, 0).queue_set_cnt, n);
    }
    expect_all_refused(m, {{"17", set(key, 17), Reason::too_many_in_set, key},
                           {"2^32-1", set(key, 4294967295U), Reason::too_many_in_set, key},
                           {"2^32", set(key, 4294967296U), Reason::integer_too_wide, key},
                           {"null", set(key, nullptr), Reason::not_an_integer, key},
                           {"negative", set(key, -1), Reason::not_an_integer, key}});
  }
  for (const char* type : kTypes) {
    auto t = must_lower(queue_model(type));
    ASSERT_TRUE(t);
    EXPECT_EQ(queue_at(*t, 0).queue_set_cnt, 1U) << type;
  }
  const Model act = queue_model("act_load");
  expect_ignored(act, set(key, 1));
  expect_all_refused(act, {{"0", set(key, 0), Reason::act_load_set, key},
                           {"2", set(key, 2), Reason::act_load_set, key}});
}

TEST(DmaQueues, SingleTypesForbidSets) {
  ASSAY_COVERS("DMQ-009");
  for (const char* type : {"in", "out", "embedding_update"}) {
    const Model m = queue_model(type);
    for (const char* key : {"/dma_queue/q/num_queues", "/dma_queue/q/queue_instances"})
      for (const Json& value : {Json(1), Json::array(), Json::array({"i"}), Json(nullptr)})
        expect_refused_at(m, set(key, value), Reason::queue_set_forbidden, key);
  }
  for (const char* type : {"data", "act_load", "dynamic"})
    expect_accepted(queue_model(type),
                    set("/dma_queue/q/num_queues", 1) + set("/dma_queue/q/queue_instances", {"i"}));
}

TEST(DmaQueues, OneActLoadQueue) {
  ASSAY_COVERS("DMQ-012");
  Model m = queue_model("act_load");
  m.def["dma_queue"]["r"] = {{"type", "data"}, {"owner", "act"}};
  expect_refused_at(m, set("/dma_queue/r/type", "act_load"), Reason::act_load_twice, "/dma_queue");
}

TEST(DmaQueues, EmbeddingUpdateNeedsItsSemaphore) {
  ASSAY_COVERS("DMQ-013", "DMQ-014", "JSN-012");
  const std::string key = "/dma_queue/q/embedding_update_sync_semaphore";
  const Model m = queue_model("embedding_update");
  expect_all_refused(m, {{"absent", drop(key), Reason::sync_semaphore_missing, "/dma_queue/q"},
                         {"2^32", set(key, 4294967296U), Reason::integer_too_wide, key},
                         {"text", set(key, "6"), Reason::not_an_integer, key},
                         {"null", set(key, nullptr), Reason::not_an_integer, key}});
  expect_ignored(m, set(key, 4294967295U));  // required, checked, stored nowhere
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(queue_at(*t, 0).pseudo_serialization_semaphore_cnt, 0U);
  for (const std::uint32_t s : queue_at(*t, 0).pseudo_serialization_semaphores) EXPECT_EQ(s, 0U);
  for (const char* type : kTypes)
    if (type != std::string("embedding_update")) expect_never_read(queue_model(type), {key});
}

TEST(DmaQueues, Semaphores) {
  ASSAY_COVERS("DMQ-015", "DMQ-016", "DMQ-019", "JSN-013");
  const std::string one = "/dma_queue/q/semaphore", many = "/dma_queue/q/semaphore_set";
  const auto stored = [&](const Model& m, const Change& change) {
    auto t = must_lower(edited(m, change));
    std::vector<std::uint32_t> s;
    if (!t) return s;
    const kbin_dma_t& q = queue_at(*t, 0);
    for (std::uint32_t i = 0; i < KBIN_MAX_SEMAPHORES; ++i) {
      if (i < q.semaphore_cnt)
        s.push_back(q.semaphores[i]);
      else
        EXPECT_EQ(q.semaphores[i], 0U) << "unused slot " << i;
    }
    return s;
  };
  using List = std::vector<std::uint32_t>;
  List full(32), over(33);
  for (std::uint32_t i = 0; i < 33; ++i) over[i] = 4294967295U - i;
  std::copy(over.begin(), over.begin() + 32, full.begin());
  for (const char* type : kTypes) {
    SCOPED_TRACE(type);
    const Model m = queue_model(type);
    EXPECT_EQ(stored(m, [](Model&) {}), List{});
    EXPECT_EQ(stored(m, set(one, 0)), List{0});
    EXPECT_EQ(stored(m, set(one, 4294967295U)), List{4294967295U});
    EXPECT_EQ(stored(m, set(many, Json::array())), List{});
    EXPECT_EQ(stored(m, set(many, {7, 7, 0})), (List{7, 7, 0}));
    EXPECT_EQ(stored(m, set(many, full)), full);
    EXPECT_EQ(stored(m, set(one, 9) + set(many, {4, 5})), (List{4, 5}));
    EXPECT_EQ(stored(m, set(one, 9) + set(many, Json::array())), List{});
    EXPECT_EQ(stored(m, set(one, "not read") + set(many, {4})), List{4});
    expect_all_refused(
        m, {{"33", set(many, over), Reason::too_many_semaphores, many},
            {"2^32", set(one, 4294967296U), Reason::integer_too_wide, one},
            {"2^32 in the set", set(many, {1, 4294967296U}), Reason::integer_too_wide, many + "/1"},
            {"null", set(one, nullptr), Reason::not_an_integer, one},
            {"number for array", set(many, 1), Reason::wrong_type, many},
            {"null for array", set(many, nullptr), Reason::null_value, many}});
  }
}

TEST(DmaQueues, HardwareDescriptorGenerationLimit) {
  ASSAY_COVERS("DMQ-017", "DMQ-018");
  const Json counting[] = {
      {{"type", "dynamic"}, {"owner", "pe"}},
      {{"type", "data"}, {"owner", "pe"}, {"dge", true}},
      {{"type", "dynamic"}, {"owner", "pe"}, {"dge", true}},  // counts once
      {{"type", "dynamic"}, {"owner", "pe"}, {"dge", false}},
      {{"type", "dynamic"}, {"owner", "pe"}, {"dge", true}, {"dynamic_dma", Json::object()}},
      {{"type", "in"}, {"owner", "pe"}, {"dge", true}}};
  const Json uncounted[] = {{{"type", "dynamic"}, {"owner", "pe"}, {"dynamic_dma", Json::object()}},
                            {{"type", "data"}, {"owner", "pe"}, {"dge", false}}};
  for (const ArchType target : kTargets) {
    const int limit = target == ArchType::SUNDA ? 0 : 2;
    for (const Json& queue : counting) {
      Model m = small_model();
      m.target = target;
      m.def["dma_queue"] = Json::object();
      for (int i = 0; i < 4; ++i) m.def["dma_queue"]["free" + std::to_string(i)] = uncounted[i % 2];
      for (int i = 0; i < limit; ++i) m.def["dma_queue"]["q" + std::to_string(i)] = queue;
      expect_refused_at(m, set("/dma_queue/over", queue), Reason::too_many_hw_dge, "/dma_queue");
    }
  }
}

TEST(DmaQueues, Flags) {
  ASSAY_COVERS("DMQ-019");
  for (const char* type : kTypes) {
    for (int bits = 0; bits < 8; ++bits) {
      const bool pinned = bits & 1, dge = bits & 2, bare = bits & 4;
      const bool dynamic = type == std::string("dynamic");
      if (bare && !dynamic) continue;
      Model m = queue_model(type);
      m.def["dma_queue"]["q"]["pinned"] = pinned;
      m.def["dma_queue"]["q"]["dge"] = dge;
      if (bare) m.def["dma_queue"]["q"].erase("dynamic_dma");
      auto t = must_lower(m);
      ASSERT_TRUE(t);
      EXPECT_EQ(queue_at(*t, 0).flags,
                (pinned ? 1U : 0U) | (dge || bare ? 2U : 0U) | (dynamic ? 4U : 0U))
          << type << " " << bits;
    }
    const Model m = queue_model(type);
    expect_ignored(m, set("/dma_queue/q/pinned", false) + set("/dma_queue/q/dge", false));
    for (const char* key : {"/dma_queue/q/pinned", "/dma_queue/q/dge"})
      for (const Json& value : {Json(1), Json(nullptr), Json("true")})
        expect_refused_at(m, set(key, value), Reason::not_a_boolean, key);
  }
}

TEST(DmaQueues, OtherKeysAreNotRead) {
  ASSAY_COVERS("JSN-012");
  for (const char* type : kTypes)
    expect_never_read(queue_model(type), {"/dma_queue/q/fabric_path", "/dma_queue/q/#comment"});
}

}  // namespace
}  // namespace assay::test
