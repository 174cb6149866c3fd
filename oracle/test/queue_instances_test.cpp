// SPDX-License-Identifier: Apache-2.0
// Ring instances: the ones a queue lists and the ones its blocks make, and which of them a block
// goes to.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

// Two data queues "a" and "b"; "a" lists x and y, "b" lists z. No block.
Model instance_model() {
  Model m = dma_model();
  m.def.erase("dma");
  m.def["dma_queue"] = {{"a", {{"type", "data"}, {"owner", "pe"}, {"queue_instances", {"x", "y"}}}},
                        {"b", {{"type", "data"}, {"owner", "pe"}, {"queue_instances", {"z"}}}}};
  return m;
}

Json block(Json keys, std::uint32_t id = 1) {
  keys["id"] = id;
  keys["desc"] = Json::array({desc_of_op("copy")});
  return keys;
}

// "name:block,block name:" of a queue's instances, in order.
std::string instances_text(Tree& t, std::size_t queue) {
  std::string s;
  for (std::uint32_t i = 0; i < queue_at(t, queue).ring_instance_count; ++i) {
    const kbin_dma_ring_instance_t& instance = instance_at(t, queue, i);
    s += (s.empty() ? "" : " ") + std::string(instance.name) + ":";
    for (std::uint32_t j = 0; j < instance.ndesc; ++j)
      s += (j == 0 ? "" : ",") + std::to_string(desc_at(t, queue, i, j).block_id);
  }
  return s;
}

// Where the blocks went: the instances of queue a, then of queue b.
void expect_instances(const Json& blocks, const std::string& a, const std::string& b) {
  SCOPED_TRACE(blocks.dump());
  Model m = instance_model();
  m.def["dma"] = blocks;
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(instances_text(*t, 0), a);
  EXPECT_EQ(instances_text(*t, 1), b);
}

TEST(QueueInstances, ListedOnesInOrder) {
  ASSAY_COVERS("DMQ-020", "LOW-006");
  expect_instances(Json::array(), "x: y:", "z:");
  Model m = instance_model();
  m.def["dma_queue"]["a"]["queue_instances"] = {"y", "", "x", "é"};
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(instances_text(*t, 0), "y: : x: é:");
}

TEST(QueueInstances, ListIsAnArrayOfStrings) {
  ASSAY_COVERS("DMQ-020", "JSN-015", "JSN-016", "JSN-019");
  const std::string at = "/dma_queue/a/queue_instances";
  expect_all_refused(
      instance_model(),
      {{"string", set(at, "x"), Reason::wrong_type, at},
       {"null", set(at, nullptr), Reason::null_value, at},
       {"object", set(at, Json::object()), Reason::wrong_type, at},
       {"number inside", set(at, {"x", 1}), Reason::wrong_type, at + "/1"},
       {"null inside", set(at, {"x", nullptr}), Reason::null_value, at + "/1"},
       {"NUL inside", set(at, {std::string("x\0y", 3)}), Reason::nul_in_string, at + "/0"}});
}

TEST(QueueInstances, OneNameOnce) {
  ASSAY_COVERS("DMQ-021");
  expect_refused_at(instance_model(), set("/dma_queue/a/queue_instances", {"x", "y", "x"}),
                    Reason::instance_twice, "/dma_queue/a");
  expect_refused_at(instance_model(), set("/dma_queue/b/queue_instances", {"x"}),
                    Reason::instance_twice, "/dma_queue/b");
  expect_accepted(instance_model(), set("/dma_queue/b/queue_instances", {"X", "x "}));
}

TEST(QueueInstances, NoneAtAll) {
  ASSAY_COVERS("DMQ-022");
  for (const Change& change :
       {drop("/dma_queue/a/queue_instances"), set("/dma_queue/a/queue_instances", Json::array())}) {
    auto t = must_lower(edited(instance_model(), change));
    ASSERT_TRUE(t);
    EXPECT_EQ(queue_at(*t, 0).ring_instance_count, 0U);
    EXPECT_EQ(queue_at(*t, 1).ring_instance_count, 1U);
  }
}

TEST(QueueInstances, NamesAreCutInTheRecordAlone) {
  ASSAY_COVERS("DMQ-023");
  const std::string s254(254, 'n'), s255(255, 'n');
  const std::pair<std::string, std::string> names[] = {
      {s254, s254},
      {s255, s255},
      {s255 + "n", s255},
      {s255 + "nm", s255},  // the same cut form as the one before
      {std::string(1000, 'p'), std::string(255, 'p')},
      {s254 + "é", s254 + "\xC3"},  // cut inside a character
  };
  Model m = instance_model();
  m.def["dma_queue"]["a"]["queue_instances"] = Json::array();
  for (const auto& [name, stored] : names)
    m.def["dma_queue"]["a"]["queue_instances"].push_back(name);
  m.def["dma"] = Json::array();
  for (std::uint32_t i = 0; i < std::size(names); ++i)
    m.def["dma"].push_back(block({{"instance_name", names[i].first}}, i));
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  for (std::uint32_t i = 0; i < std::size(names); ++i) {
    const kbin_dma_ring_instance_t& instance = instance_at(*t, 0, i);
    EXPECT_EQ(std::string(instance.name), names[i].second);
    EXPECT_EQ(instance.name[255], '\0');
    ASSERT_EQ(instance.ndesc, 1U);
    EXPECT_EQ(desc_at(*t, 0, i, 0).block_id, i);
  }
  expect_refused_at(m, set("/dma/4/instance_name", std::string(255, 'p')), Reason::instance_unknown,
                    "/dma/4/instance_name");
}

TEST(QueueInstances, ABlockOfAQueueAlone) {
  ASSAY_COVERS("DMB-003", "DMB-006");
  expect_instances(Json::array({block({{"queue", "a"}}, 5)}), "x: y: a:5", "z:");
  expect_instances(
      {block({{"queue", "a"}}, 5), block({{"queue", "b"}}, 6), block({{"queue", "a"}}, 7)},
      "x: y: a:5,7", "z: b:6");
  Model m = instance_model();
  m.def["dma"] = Json::array({block({{"queue", "a"}})});
  expect_refused_at(m, set("/dma/0/queue", "c"), Reason::queue_unknown, "/dma/0/queue");
  expect_refused_at(m, set("/dma/0/queue", "A"), Reason::queue_unknown, "/dma/0/queue");
  expect_refused_at(m, set("/dma/0/queue", "x"), Reason::queue_unknown, "/dma/0/queue");
  expect_refused_at(m, drop("/dma_queue"), Reason::queue_unknown, "/dma/0/queue");
  expect_refused_at(m, set("/dma/0/queue", nullptr), Reason::null_value, "/dma/0/queue");
}

TEST(QueueInstances, ABlockThatNamesOnlyAnInstance) {
  ASSAY_COVERS("DMB-004");
  expect_instances({block({{"instance_name", "y"}}, 5), block({{"instance_name", "z"}}, 6)},
                   "x: y:5", "z:6");
  expect_instances(Json::array({block({{"instance_name", "y"}, {"queue", ""}}, 5)}), "x: y:5",
                   "z:");
  Model m = instance_model();
  m.def["dma"] = Json::array({block({{"instance_name", "y"}})});
  for (const char* name : {"w", "Y", "a", "y "})
    expect_refused_at(m, set("/dma/0/instance_name", name), Reason::instance_unknown,
                      "/dma/0/instance_name");
  expect_refused_at(m, set("/dma/0/instance_name", nullptr), Reason::null_value,
                    "/dma/0/instance_name");
  expect_refused_at(m, set("/dma/0/instance_name", 1), Reason::wrong_type, "/dma/0/instance_name");
  expect_refused_at(m, set("/dma_queue/a/queue_instances", {"x"}), Reason::instance_unknown,
                    "/dma/0/instance_name");
}

TEST(QueueInstances, AListedInstanceWinsOverTheQueue) {
  ASSAY_COVERS("DMB-005", "JSN-013");
  expect_instances(Json::array({block({{"instance_name", "z"}, {"queue", "a"}}, 5)}),
                   "x: y:", "z:5");
  expect_instances(Json::array({block({{"instance_name", "z"}, {"queue", "nowhere"}}, 5)}),
                   "x: y:", "z:5");
  Model m = instance_model();
  m.def["dma"] = Json::array({block({{"instance_name", "z"}})});
  expect_never_read(m, {"/dma/0/queue"});
}

TEST(QueueInstances, AnUnlistedInstanceIsMadeInTheQueueNamed) {
  ASSAY_COVERS("DMB-006", "DMB-004");
  expect_instances(
      {block({{"instance_name", "new"}, {"queue", "a"}}, 5),
       block({{"instance_name", "new"}, {"queue", "b"}}, 6),  // one of the same name there
       block({{"instance_name", "new"}, {"queue", "a"}}, 7)},
      "x: y: new:5,7", "z: new:6");
  Model m = instance_model();
  m.def["dma"] = {block({{"instance_name", "new"}, {"queue", "a"}}),
                  block({{"instance_name", "new"}, {"queue", "a"}})};
  // Made, not listed: it is not found by its name alone.
  expect_refused_at(m, drop("/dma/1/queue"), Reason::instance_unknown, "/dma/1/instance_name");
  expect_refused_at(m, set("/dma/0/queue", "c"), Reason::queue_unknown, "/dma/0/queue");
}

TEST(QueueInstances, TheInstanceNamedLikeItsQueue) {
  ASSAY_COVERS("DMB-006");
  // Made by a block without instance_name, it is the one such a name means for the same queue.
  expect_instances({block({{"queue", "a"}}, 5), block({{"queue", "a"}, {"instance_name", "a"}}, 6)},
                   "x: y: a:5,6", "z:");
  // A block of queue b may name an instance like queue a.
  expect_instances({block({{"queue", "b"}, {"instance_name", "a"}}, 5), block({{"queue", "a"}}, 6)},
                   "x: y: a:6", "z: a:5");
  // Listed under its queue's name, it is the one meant; listed elsewhere, it is not.
  Model m = instance_model();
  m.def["dma_queue"]["a"]["queue_instances"] = {"x", "a"};
  m.def["dma_queue"]["b"]["queue_instances"] = {"c"};
  m.def["dma_queue"]["c"] = {{"type", "data"}, {"owner", "pe"}};
  m.def["dma"] = {block({{"queue", "a"}}, 5), block({{"queue", "c"}}, 6),
                  block({{"queue", "b"}, {"instance_name", "a"}}, 7)};
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(instances_text(*t, 0), "x: a:5,7");
  EXPECT_EQ(instances_text(*t, 1), "c:");
  EXPECT_EQ(instances_text(*t, 2), "c:6");
}

}  // namespace
}  // namespace assay::test
