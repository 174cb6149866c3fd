// SPDX-License-Identifier: Apache-2.0
// DMB: the function a block runs in, how long it holds, and when the round robin is reset.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const char* const kOps[] = {"copy", "fma", "add", "min", "max", "transpose"};

// Queues "a" (instances x, y) and "b"; no block.
Model function_model() {
  Model m = dma_model();
  m.def["dma_queue"] = {{"a", {{"type", "data"}, {"owner", "pe"}, {"queue_instances", {"x", "y"}}}},
                        {"b", {{"type", "data"}, {"owner", "pe"}}}};
  m.def["dma"] = Json::array();
  return m;
}

Json block(const Json& keys, std::size_t descriptors = 1, const std::string& op = "copy") {
  Json b = keys;
  b["id"] = 1;
  b["desc"] = Json::array();
  for (std::size_t i = 0; i < descriptors; ++i) b["desc"].push_back(desc_of_op(op));
  return b;
}

std::string function_of(Tree& t, std::size_t queue, std::size_t instance, std::size_t i) {
  const char* name = desc_at(t, queue, instance, i).function_name;
  return name == nullptr ? "NULL" : name;
}

TEST(Functions, NameOfItsOwnBlock) {
  ASSAY_COVERS("DMB-010");
  Model m = function_model();
  m.def["dma"] = {block({{"queue", "b"}}), block({{"queue", "b"}, {"function_start", "f"}}, 2),
                  block({{"queue", "b"}, {"function_start", "g é"}})};
  for (const ArchType target : kTargets) {
    m.target = target;
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(function_of(*t, 1, 0, 0), "NULL");
    EXPECT_EQ(function_of(*t, 1, 0, 1), "f");
    EXPECT_EQ(function_of(*t, 1, 0, 2), "f");
    EXPECT_EQ(function_of(*t, 1, 0, 3), "g é");
    // Two descriptors of one function have a string each.
    EXPECT_NE(desc_at(*t, 1, 0, 1).function_name, desc_at(*t, 1, 0, 2).function_name);
  }
  const std::string key = "/dma/1/function_start";
  expect_all_refused(m, {{"true", set(key, true), Reason::wrong_type, key},
                         {"null", set(key, nullptr), Reason::null_value, key},
                         {"NUL", set(key, std::string("f\0g", 3)), Reason::nul_in_string, key}});
}

TEST(Functions, HoldsForTheQueuesLaterBlocksAndNotForAnothers) {
  ASSAY_COVERS("DMB-011");
  Model m = function_model();
  m.def["dma"] = {
      block({{"instance_name", "x"}, {"function_start", "f"}}),  // a.x 0: f
      block({{"queue", "b"}}),                                   // b   0: none
      block({{"instance_name", "y"}}),                           // a.y 0: f, another instance of a
      block({{"instance_name", "y"}, {"queue", "b"}}),           // a.y 1: f, the queue it goes to
      block({{"instance_name", "x"}, {"function_start", ""}}),   // a.x 1: f, empty is as absent
      block({{"queue", "a"}, {"function_start", "g"}}, 0),  // no descriptor, holds all the same
      block({{"instance_name", "x"}}),                      // a.x 2: g
      block({{"instance_name", "x"}, {"queue", "b"}, {"function_start", "h"}}),  // a.x 3: h
      block({{"queue", "b"}}),                                                   // b   1: none
  };
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const char* const x[] = {"f", "f", "g", "h"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(function_of(*t, 0, 0, i), x[i]) << i;
  EXPECT_EQ(function_of(*t, 0, 1, 0), "f");
  EXPECT_EQ(function_of(*t, 0, 1, 1), "f");
  EXPECT_EQ(function_of(*t, 1, 0, 0), "NULL");
  EXPECT_EQ(function_of(*t, 1, 0, 1), "NULL");
}

TEST(Functions, HoldsOverTheMembersInTheirOrder) {
  ASSAY_COVERS("DMB-001", "DMB-011");
  Model m = function_model();
  m.def["dma"] = Json::array({block({{"queue", "b"}, {"function_start", "from def"}})});
  const std::pair<const char*, Json> members[] = {
      {"pe", {{"queue", "b"}}},  // from def
      {"act", {{"queue", "b"}, {"function_start", "act's"}}},
      {"pool", {{"queue", "b"}}},  // act's
      {"sp", {{"queue", "b"}}},    // act's
  };
  for (const auto& [engine, keys] : members) {
    m.def[engine] = std::string(engine) + ".json";
    m.files[std::string(engine) + ".json"] = Json{{"dma", Json::array({block(keys)})}}.dump();
  }
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const char* const want[] = {"from def", "from def", "act's", "act's", "act's"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(function_of(*t, 1, 0, i), want[i]) << i;
}

TEST(Functions, NamesAreCutTo256Bytes) {
  ASSAY_COVERS("DMB-011");
  const std::string s255(255, 'f'), s256(256, 'f');
  const std::pair<std::string, std::string> names[] = {
      {s255, s255},
      {s256, s256},
      {s256 + "f", s256},
      {std::string(5000, 'f'), s256},
      {s255 + "é", s255 + "\xC3"},  // cut inside a character
      {s255 + "g", s255 + "g"},
  };
  for (const auto& [name, stored] : names) {
    Model m = function_model();
    m.def["dma"] = {block({{"queue", "b"}, {"function_start", name}}), block({{"queue", "b"}})};
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(function_of(*t, 1, 0, 0), stored);
    EXPECT_EQ(function_of(*t, 1, 0, 1), stored);
  }
}

// reset_engine_round_robin over target x op x own function x inherited one x section_start_desc.
TEST(Functions, ResetEngineRoundRobin) {
  ASSAY_COVERS("DMB-012", "DMB-013", "DMB-014");
  for (const ArchType target : kTargets) {
    for (const char* op : kOps) {
      for (int bits = 0; bits < 8; ++bits) {
        const bool own = bits & 1, inherited = bits & 2, section = bits & 4;
        Model m = function_model();
        m.target = target;
        if (inherited) m.def["dma"].push_back(block({{"queue", "b"}, {"function_start", "f"}}, 0));
        Json b = block({{"queue", "b"}}, 2, op);
        b["desc"].push_back(desc_of_op("copy"));
        if (own) b["function_start"] = "g";
        if (section) b["section_start_desc"] = true;
        m.def["dma"].push_back(b);
        auto t = must_lower(m);
        ASSERT_TRUE(t);
        const bool block_resets = target != ArchType::SUNDA && (own || inherited || section);
        const bool op_resets = target != ArchType::SUNDA && op == std::string("transpose");
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_EQ(desc_at(*t, 1, 0, i).reset_engine_round_robin,
                    block_resets || (i < 2 && op_resets))
              << code(target) << " " << op << " " << bits << " descriptor " << i;
      }
    }
  }
}

TEST(Functions, SectionStartIsOfItsBlockAlone) {
  ASSAY_COVERS("DMB-014", "JSN-013", "JSN-014");
  Model m = function_model();
  m.def["dma"] = {block({{"queue", "b"}, {"section_start_desc", true}}), block({{"queue", "b"}})};
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_TRUE(desc_at(*t, 1, 0, 0).reset_engine_round_robin);
  EXPECT_FALSE(desc_at(*t, 1, 0, 1).reset_engine_round_robin);
  expect_ignored(m, set("/dma/1/section_start_desc", false));
  const std::string key = "/dma/0/section_start_desc";
  for (const Json& value : {Json(1), Json(nullptr), Json("true")})
    expect_refused_at(m, set(key, value), Reason::not_a_boolean, key);
  m.target = ArchType::SUNDA;  // there it decides no byte
  expect_never_read(m, {key});
}

}  // namespace
}  // namespace assay::test
