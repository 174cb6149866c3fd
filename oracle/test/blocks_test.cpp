// SPDX-License-Identifier: Apache-2.0
// DMB: blocks - where they come from, their required keys, how their descriptors are numbered and
// ended, and the keys beyond which the facts end.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

Json block(std::uint32_t id, std::size_t descriptors = 1, const char* queue = "q") {
  Json desc = Json::array();
  for (std::size_t i = 0; i < descriptors; ++i) desc.push_back(desc_of_op("copy"));
  return {{"id", id}, {"queue", queue}, {"desc", desc}};
}

std::vector<std::uint32_t> block_ids(Tree& t, std::size_t queue = 0, std::size_t instance = 0) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < instance_at(t, queue, instance).ndesc; ++i)
    ids.push_back(desc_at(t, queue, instance, i).block_id);
  return ids;
}
using Ids = std::vector<std::uint32_t>;

TEST(DmaBlocks, OrderOfTheMembers) {
  ASSAY_COVERS("DMB-001", "DMB-007");
  Model m = dma_model();
  m.def["dma"] = {block(1), block(2)};
  std::uint32_t id = 9;
  for (const char* engine : {"sp", "dve", "pool", "act", "pe"}) {  // the other way round
    m.def[engine] = std::string(engine) + ".json";
    m.files[std::string(engine) + ".json"] = Json{{"dma", Json::array({block(id--)})}}.dump();
  }
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(block_ids(*t), (Ids{1, 2, 5, 6, 7, 8, 9}));  // pe, act, pool, dve, sp
}

TEST(DmaBlocks, DmaIsAnArrayOfObjects) {
  ASSAY_COVERS("DMB-001", "JSN-015", "JSN-016");
  Model m = dma_model();
  m.def["pe"] = "pe.json";
  m.files["pe.json"] = R"({"dma": []})";
  expect_all_refused(
      m, {{"object", set("/dma", Json::object()), Reason::wrong_type, "/dma"},
          {"null", set("/dma", nullptr), Reason::null_value, "/dma"},
          {"block", set("/dma/0", Json::array()), Reason::wrong_type, "/dma/0"},
          {"object", set_in("pe.json", "/dma", Json::object()), Reason::wrong_type, "pe.json/dma"},
          {"block", set_in("pe.json", "/dma/-", 1), Reason::wrong_type, "pe.json/dma/0"}});
  expect_ignored(m, drop_in("pe.json", "/dma"));
}

TEST(DmaBlocks, RequiredKeys) {
  ASSAY_COVERS("DMB-002", "JSN-015", "JSN-016");
  const Model m = dma_model();
  expect_all_refused(
      m, {{"no id", drop("/dma/0/id"), Reason::block_key_missing, "/dma/0"},
          {"no desc", drop("/dma/0/desc"), Reason::block_key_missing, "/dma/0"},
          {"no queue", drop("/dma/0/queue"), Reason::block_key_missing, "/dma/0"},
          {"empty queue", set("/dma/0/queue", ""), Reason::block_key_missing, "/dma/0"},
          {"both empty", set("/dma/0/queue", "") + set("/dma/0/instance_name", ""),
           Reason::block_key_missing, "/dma/0"},
          {"id 2^32", set("/dma/0/id", 4294967296U), Reason::integer_too_wide, "/dma/0/id"},
          {"id -1", set("/dma/0/id", -1), Reason::not_an_integer, "/dma/0/id"},
          {"id 1.0", set("/dma/0/id", 1.0), Reason::not_an_integer, "/dma/0/id"},
          {"id null", set("/dma/0/id", nullptr), Reason::not_an_integer, "/dma/0/id"},
          {"desc null", set("/dma/0/desc", nullptr), Reason::null_value, "/dma/0/desc"},
          {"desc object", set("/dma/0/desc", Json::object()), Reason::wrong_type, "/dma/0/desc"},
          {"no object", set(kDesc, Json::array()), Reason::wrong_type, kDesc},
          {"queue of another type", set("/dma/0/queue", 0), Reason::wrong_type, "/dma/0/queue"}});
  expect_ignored(m, set("/dma/0/instance_name", ""));
}

TEST(DmaBlocks, IdIs32BitsAndStoredOnEachDescriptor) {
  ASSAY_COVERS("DMB-002", "DMB-008");
  for (const std::uint32_t id : {0U, 4294967295U}) {
    Model m = dma_model();
    m.def["dma"] = Json::array({block(id, 2)});
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(block_ids(*t), (Ids{id, id}));
  }
}

TEST(DmaBlocks, DescriptorsKeepBlockOrder) {
  ASSAY_COVERS("DMB-007", "DMB-008", "LOW-006");
  Model m = dma_model();
  m.def["dma_queue"]["q"]["queue_instances"] = {"x", "y"};
  m.def["dma"] = {block(1, 2), block(2, 1), block(3, 0), block(1, 3), block(4, 1), block(5, 0)};
  const char* const names[] = {"x", "y", "x", "x", "y", "z"};
  std::uint64_t off = 100;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    m.def["dma"][i]["instance_name"] = names[i];
    for (Json& d : m.def["dma"][i]["desc"]) d["from_off"] = off++;
  }
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(block_ids(*t, 0, 0), (Ids{1, 1, 1, 1, 1}));  // two blocks of one id
  EXPECT_EQ(block_ids(*t, 0, 1), (Ids{2, 4}));
  const std::uint64_t x_offs[] = {100, 101, 103, 104, 105};
  const bool x_ends[] = {false, true, false, false, true};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(desc_at(*t, 0, 0, i).u.from[0].off, x_offs[i]);
    EXPECT_EQ(desc_at(*t, 0, 0, i).block_end_desc, x_ends[i]);
  }
  EXPECT_TRUE(desc_at(*t, 0, 1, 0).block_end_desc);
  EXPECT_TRUE(desc_at(*t, 0, 1, 1).block_end_desc);
  // A block without descriptors makes its instance all the same.
  ASSERT_EQ(queue_at(*t, 0).ring_instance_count, 3U);
  EXPECT_STREQ(instance_at(*t, 0, 2).name, "z");
  EXPECT_EQ(instance_at(*t, 0, 2).ndesc, 0U);
}

TEST(DmaBlocks, PriorityClassIsOneByte) {
  ASSAY_COVERS("DMB-009");
  const std::string key = "/dma/0/priority_class";
  Model m = dma_model();
  m.def["dma"][0]["desc"].push_back(desc_of_op("copy"));
  for (const std::uint8_t priority : {0, 1, 255}) {
    auto t = must_lower(edited(m, set(key, priority)));
    ASSERT_TRUE(t);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).priority_class, priority);
    EXPECT_EQ(desc_at(*t, 0, 0, 1).priority_class, priority);
  }
  expect_ignored(m, set(key, 0));
  expect_all_refused(m, {{"256", set(key, 256), Reason::integer_too_wide, key},
                         {"-1", set(key, -1), Reason::not_an_integer, key},
                         {"null", set(key, nullptr), Reason::not_an_integer, key}});
}

TEST(DmaBlocks, SignalKeysAreUnspecifiedWhateverTheyHold) {
  ASSAY_COVERS("DMB-019");
  Model m = dma_model();
  m.def["pe"] = "pe.json";
  m.files["pe.json"] = Json{{"dma", Json::array({block(7)})}}.dump();
  EXPECT_EQ(row_of(Reason::signals_unspecified).outcome, Outcome::unspecified);
  for (const std::string key : {"event", "semaphore", "remote_semaphores"}) {
    for (const Json& value : values_of_every_type()) {
      SCOPED_TRACE(key + " = " + value.dump());
      expect_refused_at(m, set("/dma/0/" + key, value), Reason::signals_unspecified,
                        "/dma/0/" + key);
      expect_refused_at(m, set_in("pe.json", "/dma/0/" + key, value), Reason::signals_unspecified,
                        "pe.json/dma/0/" + key);
    }
    // With another fault beside it the model is not accepted either.
    EXPECT_FALSE(lower_model(edited(m, set("/dma/0/" + key, 1) + drop("/dma/0/id"))));
    // Elsewhere these keys mean nothing (a queue's semaphore apart).
    expect_ignored(m, set("/" + key, 1));
    expect_ignored(m, set(kDesc + "/" + key, 1));
  }
}

TEST(DmaBlocks, SignalKeysAssumedAwayAreNoted) {
  ASSAY_COVERS("DMB-019");
  Model m = dma_model();
  m.def["dma"].push_back(block(2));
  m.def["pe"] = "pe.json";
  m.files["pe.json"] = Json{{"dma", Json::array({block(7)})}}.dump();
  const std::string want = image_of(m);
  m.options.assume_no_signals = true;
  std::vector<Place> assumed;
  ASSERT_TRUE(lower_model(m, &assumed));
  EXPECT_TRUE(assumed.empty());
  EXPECT_TRUE(image_of(m) == want);

  m.def["dma"][0]["semaphore"] = {{"id", 3}};
  m.def["dma"][1]["event"] = nullptr;
  m.def["dma"][1]["remote_semaphores"] = {1, 2};
  m.edit("pe.json", [](Json& j) { j["dma"][0]["event"] = "x"; });
  ASSERT_TRUE(lower_model(m, &assumed));
  std::string places;
  for (const Place& p : assumed) places += p.text() + "\n";
  EXPECT_EQ(places,
            "sg00/def.json/dma/0/semaphore\n"
            "sg00/def.json/dma/1/event\n"
            "sg00/def.json/dma/1/remote_semaphores\n"
            "sg00/pe.json/dma/0/event\n");
  EXPECT_TRUE(image_of(m) == want);
  // It changes nothing else: a fault is still a refusal.
  expect_refused_at(m, drop("/dma/0/id"), Reason::block_key_missing, "/dma/0");
}

TEST(DmaBlocks, OtherKeysAreNotRead) {
  ASSAY_COVERS("JSN-012");
  expect_never_read(dma_model(), {"/dma/0/comment", "/dma/0/#comment", "/dma/0/name"});
}

}  // namespace
}  // namespace assay::test
