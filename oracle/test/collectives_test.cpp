// SPDX-License-Identifier: Apache-2.0
// CCM: replica groups, source/target pairs, the stream count.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const std::string kGroups = "/replica_groups", kPairs = "/src_target_pairs";

TEST(Collectives, AbsentOnesAreZero) {
  ASSAY_COVERS("CCM-002");
  auto t = must_lower(small_model());
  ASSERT_TRUE(t);
  EXPECT_EQ(t->root().replica_groups.groups, nullptr);
  EXPECT_EQ(t->root().replica_groups.num_groups, 0U);
  EXPECT_EQ(t->root().src_target_pairs.pairs_set, nullptr);
  EXPECT_EQ(t->root().src_target_pairs.num, 0U);
  expect_ignored(small_model(), set(kGroups, Json::array()));
  expect_ignored(small_model(), set(kPairs, Json::array()));
}

TEST(Collectives, ReplicaGroups) {
  ASSAY_COVERS("CCM-001");
  Model m = small_model();
  m.def["replica_groups"] = Json::parse("[[[0,1],[],[4294967295]],[],[[7]]]");
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const kbin_replica_group_set_t& set_of = t->root().replica_groups;
  ASSERT_EQ(set_of.num_groups, 3U);
  ASSERT_EQ(set_of.groups[0].num_subgroups, 3U);
  const kbin_replica_subgroup_t* sub = set_of.groups[0].subgroups;
  ASSERT_EQ(sub[0].num_participants, 2U);
  EXPECT_EQ(sub[0].participants[0], 0U);
  EXPECT_EQ(sub[0].participants[1], 1U);
  EXPECT_EQ(sub[1].num_participants, 0U);
  EXPECT_EQ(sub[1].participants, nullptr);
  ASSERT_EQ(sub[2].num_participants, 1U);
  EXPECT_EQ(sub[2].participants[0], 4294967295U);
  EXPECT_EQ(set_of.groups[1].num_subgroups, 0U);
  EXPECT_EQ(set_of.groups[1].subgroups, nullptr);
  ASSERT_EQ(set_of.groups[2].num_subgroups, 1U);
  EXPECT_EQ(set_of.groups[2].subgroups[0].participants[0], 7U);
}

TEST(Collectives, OneGroupWithoutSubGroups) {
  ASSAY_COVERS("CCM-001");
  Model m = small_model();
  m.def["replica_groups"] = Json::parse("[[]]");
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  ASSERT_EQ(t->root().replica_groups.num_groups, 1U);
  ASSERT_NE(t->root().replica_groups.groups, nullptr);
  EXPECT_EQ(t->root().replica_groups.groups[0].num_subgroups, 0U);
  EXPECT_EQ(t->root().replica_groups.groups[0].subgroups, nullptr);
}

TEST(Collectives, ReplicaGroupRefusals) {
  ASSAY_COVERS("CCM-001", "JSN-015", "JSN-016");
  Model m = small_model();
  m.def["replica_groups"] = Json::parse("[[[0,1]]]");
  expect_all_refused(
      m,
      {{"object", set(kGroups, Json::object()), Reason::wrong_type, kGroups},
       {"null", set(kGroups, nullptr), Reason::null_value, kGroups},
       {"group", set(kGroups + "/0", 1), Reason::wrong_type, kGroups + "/0"},
       {"sub-group", set(kGroups + "/0/0", 1), Reason::wrong_type, kGroups + "/0/0"},
       {"2^32", set(kGroups + "/0/0/1", 4294967296U), Reason::integer_too_wide, kGroups + "/0/0/1"},
       {"-1", set(kGroups + "/0/0/1", -1), Reason::not_an_integer, kGroups + "/0/0/1"},
       {"nested", set(kGroups + "/0/0/1", Json::array()), Reason::not_an_integer,
        kGroups + "/0/0/1"}});
}

TEST(Collectives, PairsWithEmptyGroups) {
  ASSAY_COVERS("CCM-003", "CCM-007");
  Model m = small_model();
  m.def["src_target_pairs"] = Json::parse("[[],[[0,1],[4294967295,0],[0,1]],[]]");
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  ASSERT_EQ(t->root().src_target_pairs.num, 3U);
  const kbin_src_target_pairs_t* p = t->root().src_target_pairs.pairs_set;
  EXPECT_EQ(p[0].num_pairs, 0U);
  EXPECT_EQ(p[0].pairs, nullptr);
  ASSERT_EQ(p[1].num_pairs, 3U);
  EXPECT_EQ(p[1].pairs[0].src, 0U);
  EXPECT_EQ(p[1].pairs[0].target, 1U);
  EXPECT_EQ(p[1].pairs[1].src, 4294967295U);
  EXPECT_EQ(p[1].pairs[1].target, 0U);
  EXPECT_EQ(p[2].num_pairs, 0U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(p[i].rg_set, nullptr);
    EXPECT_EQ(p[i].aux, 0U);
  }
}

TEST(Collectives, PairsAreNotCheckedAgainstGroups) {
  ASSAY_COVERS("CCM-003");
  Model m = small_model();
  m.def["replica_groups"] = Json::parse("[[[0,1]]]");
  m.def["src_target_pairs"] = Json::parse("[[[5,6]],[[7,7]]]");
  EXPECT_TRUE(must_lower(m));
}

TEST(Collectives, PairRefusals) {
  ASSAY_COVERS("CCM-003", "JSN-015", "JSN-016");
  Model m = small_model();
  m.def["src_target_pairs"] = Json::parse("[[[0,1],[1,0]]]");
  const std::string pair = kPairs + "/0/1";
  expect_all_refused(m,
                     {{"object", set(kPairs, Json::object()), Reason::wrong_type, kPairs},
                      {"null", set(kPairs, nullptr), Reason::null_value, kPairs},
                      {"no array", set(kPairs + "/0", 1), Reason::wrong_type, kPairs + "/0"},
                      {"flat", set(pair, 1), Reason::wrong_type, pair},
                      {"none", set(pair, Json::array()), Reason::pair_length, pair},
                      {"one", set(pair, Json::array({1})), Reason::pair_length, pair},
                      {"three", set(pair, {1, 0, 2}), Reason::pair_length, pair},
                      {"2^32", set(pair, {1, 4294967296U}), Reason::integer_too_wide, pair + "/1"},
                      {"-1", set(pair, {-1, 0}), Reason::not_an_integer, pair + "/0"}});
}

std::uint64_t streams(const Change& change) {
  auto t = must_lower(edited(small_model(), change));
  return t ? t->root().cc_streams.num_streams : 0;
}

TEST(Collectives, StreamCount) {
  ASSAY_COVERS("CCM-004", "CCM-005", "CCM-006");
  constexpr std::uint64_t kMax = 18446744073709551615U;
  EXPECT_EQ(streams([](Model&) {}), 1U);
  EXPECT_EQ(streams(set("/num_streams", 3)), 3U);
  EXPECT_EQ(streams(set("/num_streams", kMax)), kMax);
  EXPECT_EQ(streams(set("/cc_streams", {{"num_streams", 4}})), 4U);
  EXPECT_EQ(streams(set("/cc_streams", {{"num_streams", kMax}})), kMax);
  EXPECT_EQ(streams(set("/cc_streams", {{"num_streams", 4}}) + set("/num_streams", 3)), 4U);
  EXPECT_EQ(streams(set("/cc_streams", Json::object())), 1U);
  EXPECT_EQ(streams(set("/cc_streams", Json::object()) + set("/num_streams", 3)), 1U);
}

TEST(Collectives, StreamCountBesideCcStreamsIsNotRead) {
  ASSAY_COVERS("CCM-005", "CCM-006", "JSN-013");
  expect_never_read(edited(small_model(), set("/cc_streams", {{"num_streams", 4}})),
                    {"/num_streams"});
  expect_never_read(edited(small_model(), set("/cc_streams", Json::object())),
                    {"/num_streams", "/cc_stream"});
}

TEST(Collectives, StreamRefusals) {
  ASSAY_COVERS("CCM-005", "JSN-003", "JSN-005", "JSN-015", "JSN-016");
  const std::string inner = "/cc_streams/num_streams", outer = "/num_streams";
  const Model cc = edited(small_model(), set("/cc_streams", {{"num_streams", 4}}));
  expect_all_refused(
      cc, {{"negative", set(inner, -1), Reason::not_an_integer, inner},
           {"fraction", set(inner, 4.0), Reason::not_an_integer, inner},
           {"null", set(inner, nullptr), Reason::not_an_integer, inner},
           {"array", set("/cc_streams", Json::array()), Reason::wrong_type, "/cc_streams"},
           {"number", set("/cc_streams", 4), Reason::wrong_type, "/cc_streams"},
           {"null for object", set("/cc_streams", nullptr), Reason::null_value, "/cc_streams"}});
  const Model plain = edited(small_model(), set(outer, 4));
  expect_all_refused(plain, {{"negative", set(outer, -1), Reason::not_an_integer, outer},
                             {"null", set(outer, nullptr), Reason::not_an_integer, outer},
                             {"text", set(outer, "4"), Reason::not_an_integer, outer}});
  expect_refused(plain, literal(outer, "18446744073709551616"), Reason::json_integer_range);
}

}  // namespace
}  // namespace assay::test
