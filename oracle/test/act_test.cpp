// SPDX-License-Identifier: Apache-2.0
// ACT: activation tables. What a profile holds: act_profiles_test.
#include "oracle/test/act_model.h"
#include "oracle/test/covers.h"

namespace assay::test {
namespace {

TEST(Act, Semaphore) {
  ASSAY_COVERS("ACT-001");
  for (const Json& names : {Json::array(), Json::array({"exp"})}) {  // with and without a set
    Model m = act_model();
    m.edit("act.json", [&](Json& j) { j["activation_function_sets"] = names; });
    for (const std::uint32_t n : {0U, 12U, 4294967295U}) {
      auto t = must_lower(edited(m, set_in("act.json", "/act_semaphore", n)));
      ASSERT_TRUE(t);
      EXPECT_EQ(t->root().act_function_sets.act_tbl_semaphore, n);
    }
    expect_ignored(m, set_in("act.json", "/act_semaphore", 0));
    const std::string at = "act.json/act_semaphore";
    expect_all_refused(
        m,
        {{"2^32", set_in("act.json", "/act_semaphore", 4294967296U), Reason::integer_too_wide, at},
         {"-1", set_in("act.json", "/act_semaphore", -1), Reason::not_an_integer, at},
         {"null", set_in("act.json", "/act_semaphore", nullptr), Reason::not_an_integer, at}});
  }
}

TEST(Act, SetsInTheOrderOfTheirNames) {
  ASSAY_COVERS("ACT-002", "ACT-004");
  Model m = act_model();
  m.edit("act.json", [](Json& j) { j["activation_function_sets"] = {"gelu", "exp"}; });
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const auto& all = t->root().act_function_sets;
  ASSERT_EQ(all.num_function_sets, 2U);
  EXPECT_STREQ(all.sets[0].name, "gelu");
  EXPECT_EQ(all.sets[0].bkt_tbl, nullptr);  // an empty member
  EXPECT_EQ(all.sets[0].bkt_sz, 0U);
  EXPECT_EQ(text_of(all.sets[0].ctl_tbl, all.sets[0].ctl_sz), "gelu ctrl");
  EXPECT_EQ(all.sets[0].num_functions, 0);
  EXPECT_STREQ(all.sets[1].name, "exp");
  EXPECT_EQ(text_of(all.sets[1].bkt_tbl, all.sets[1].bkt_sz), "exp bkt");
  EXPECT_EQ(text_of(all.sets[1].ctl_tbl, all.sets[1].ctl_sz), "exp ctrl");
  EXPECT_EQ(all.sets[1].num_functions, 1);
  EXPECT_EQ(all.sets[1].profile_data[0].func_id, 7U);
}

TEST(Act, SetsAreFoundByName) {
  ASSAY_COVERS("ACT-002", "JSN-015", "JSN-016", "JSN-019");
  const auto names = [](const Json& value) {
    return set_in("act.json", "/activation_function_sets", value);
  };
  const std::string at = "act.json/activation_function_sets";
  expect_all_refused(
      act_model(),
      {{"unknown", names({"exp", "relu"}), Reason::act_set_unknown, at + "/1"},
       {"other case", names(Json::array({"EXP"})), Reason::act_set_unknown, at + "/0"},
       {"empty", names(Json::array({""})), Reason::act_set_unknown, at + "/0"},
       {"file name", names(Json::array({"bkt.bin"})), Reason::act_set_unknown, at + "/0"},
       {"number", names(Json::array({1})), Reason::wrong_type, at + "/0"},
       {"null inside", names(Json::array({nullptr})), Reason::null_value, at + "/0"},
       {"NUL", names(Json::array({std::string("exp\0", 4)})), Reason::nul_in_string, at + "/0"},
       {"text", names("exp"), Reason::wrong_type, at},
       {"null", names(nullptr), Reason::null_value, at}});
}

TEST(Act, InfoMember) {
  ASSAY_COVERS("ACT-002", "JSN-015", "JSN-016");
  const auto info = [](const std::string& text) {
    return [=](Model& m) { m.files["act_info.json"] = text; };
  };
  expect_all_refused(
      act_model(),
      {{"absent", drop_in("act.json", "/act_info"), Reason::act_info_missing, "act.json"},
       {"missing", without_member("act_info.json"), Reason::act_info_missing, "act.json/act_info"},
       {"null", set_in("act.json", "/act_info", nullptr), Reason::null_value, "act.json/act_info"},
       {"number", set_in("act.json", "/act_info", 1), Reason::wrong_type, "act.json/act_info"},
       {"no object", info("[]"), Reason::wrong_type, "act_info.json"},
       {"no sets", info("{}"), Reason::act_set_unknown, "act_info.json"},
       {"sets no array", info(R"({"act_func_sets":{}})"), Reason::wrong_type,
        "act_info.json/act_func_sets"},
       {"set no object", info(R"({"act_func_sets":[1]})"), Reason::wrong_type,
        "act_info.json/act_func_sets/0"},
       {"name no string", info(R"({"act_func_sets":[{"name":1}]})"), Reason::wrong_type,
        "act_info.json/act_func_sets/0/name"}});
  expect_refused(act_model(), info("{"), Reason::json_syntax, "sg00/act_info.json");
}

TEST(Act, EntriesBehindTheSetAreNotLookedAt) {
  ASSAY_COVERS("ACT-002", "ACT-007", "JSN-012");
  const std::string end = "/act_func_sets/-";
  for (const Json& value : values_of_every_type())
    expect_ignored(act_model(), set_in("act_info.json", end, value));
  expect_ignored(act_model(), set_in("act_info.json", "/act_func_sets/1", {{"name", 1}}));
}

TEST(Act, AnInfoNobodyNeedsIsNotRead) {
  ASSAY_COVERS("ACT-003", "SEC-008");
  for (const Change& none : {drop_in("act.json", "/activation_function_sets"),
                             set_in("act.json", "/activation_function_sets", Json::array())}) {
    const Model m = edited(act_model(), none);
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(t->root().act_function_sets.sets, nullptr);
    EXPECT_EQ(t->root().act_function_sets.num_function_sets, 0U);
    expect_ignored(m, without_member("act_info.json"));
    expect_ignored(m, [](Model& model) { model.files["act_info.json"] = "no JSON"; });
    for (const Json& value : values_of_every_type())
      expect_ignored(m, set_in("act.json", "/act_info", value));
  }
}

TEST(Act, TablesOfASet) {
  ASSAY_COVERS("ACT-002", "ACT-004", "JSN-015", "JSN-016");
  const std::pair<std::string, std::string> keys[] = {
      {"bkt_bin", "bkt.bin"}, {"ctrl_bin", "ctrl.bin"}, {"profile_json", "profile.json"}};
  for (const auto& [key, member] : keys) {
    const std::string set_at = "/act_func_sets/0", at = set_at + "/" + key;
    expect_all_refused(
        act_model(),
        {{"no key", drop_in("act_info.json", at), Reason::act_set_key_missing,
          "act_info.json" + set_at},
         {"gone", without_member(member), Reason::act_member_missing, "act_info.json" + at},
         {"misnamed", set_in("act_info.json", at, "x"), Reason::act_member_missing,
          "act_info.json" + at},
         {"null", set_in("act_info.json", at, nullptr), Reason::null_value, "act_info.json" + at},
         {"number", set_in("act_info.json", at, 1), Reason::wrong_type, "act_info.json" + at}});
  }
  // A set that no name asks for may lack everything.
  Model m = act_model();
  m.edit("act_info.json", [](Json& j) {
    const Json unused = {{"name", "unused"}};
    j["act_func_sets"].insert(j["act_func_sets"].begin(), unused);
  });
  EXPECT_TRUE(image_of(m) == image_of(act_model()));
}

TEST(Act, OneNameTwice) {
  ASSAY_COVERS("ACT-007");
  // In act_info the first counts.
  Model m = act_model();
  m.edit("act_info.json", [](Json& j) {
    Json other = j["act_func_sets"][1];
    other["name"] = "exp";
    j["act_func_sets"].push_back(other);
  });
  EXPECT_TRUE(image_of(m) == image_of(act_model()));
  m.edit("act_info.json", [](Json& j) { std::swap(j["act_func_sets"][0], j["act_func_sets"][2]); });
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(text_of(t->root().act_function_sets.sets[0].ctl_tbl,
                    t->root().act_function_sets.sets[0].ctl_sz),
            "gelu ctrl");
  // Asked for twice, it is two records, each with blobs of its own.
  t = must_lower(
      edited(act_model(), set_in("act.json", "/activation_function_sets", {"exp", "gelu", "exp"})));
  ASSERT_TRUE(t);
  const auto& all = t->root().act_function_sets;
  ASSERT_EQ(all.num_function_sets, 3U);
  EXPECT_STREQ(all.sets[2].name, "exp");
  EXPECT_EQ(text_of(all.sets[2].bkt_tbl, all.sets[2].bkt_sz), "exp bkt");
  EXPECT_EQ(all.sets[2].num_functions, 1);
  EXPECT_EQ(all.sets[2].profile_data[0].func_id, 7U);
  EXPECT_NE(all.sets[0].bkt_tbl, all.sets[2].bkt_tbl);
}

TEST(Act, NamesAreCutInTheRecordAlone) {
  ASSAY_COVERS("ACT-008");
  const std::string s254(254, 's'), s255(255, 's');
  const std::pair<std::string, std::string> names[] = {{s254, s254},
                                                       {s255, s255},
                                                       {s255 + "s", s255},
                                                       {s255 + "t", s255},
                                                       {s254 + "é", s254 + "\xC3"},
                                                       {"", ""}};
  for (const auto& row : names) {
    const auto& name = row.first;
    const auto& stored = row.second;
    Model m = act_model();
    m.edit("act_info.json", [&](Json& j) { j["act_func_sets"][0]["name"] = name; });
    m.edit("act.json",
           [&](Json& j) { j["activation_function_sets"] = Json::array({name}); });
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(std::string(t->root().act_function_sets.sets[0].name), stored);
    if (name.size() > 255)
      expect_refused_at(m, set_in("act.json", "/activation_function_sets/0", s255),
                        Reason::act_set_unknown, "act.json/activation_function_sets/0");
  }
}

TEST(Act, OtherEnginesKeysAreNotRead) {
  ASSAY_COVERS("ACT-009", "JSN-012");
  for (const char* engine : {"pe", "pool", "dve", "sp"}) {
    Model m = small_model();
    m.def[engine] = "e.json";
    m.files["e.json"] = "{}";
    for (const char* key : {"/act_semaphore", "/activation_function_sets", "/act_info"})
      for (const Json& value : values_of_every_type())
        expect_ignored(m, set_in("e.json", key, value));
    expect_ignored(m, set_in("e.json", "/act_semaphore", 12));
    expect_ignored(m, set_in("e.json", "/activation_function_sets", Json::array({"exp"})));
  }
}

TEST(Act, SetsAreChargedForWhatTheyBecome) {
  Model m = act_model();
  m.edit("act.json",
         [](Json& j) { j["activation_function_sets"] = std::vector<std::string>(1000, "exp"); });
  must_lower(m);
  m.options.limits.image_bytes = 1000 * 2192;  // the records fit, their blobs do not
  const auto refused = lower_model(m);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::limit_image_bytes);
  EXPECT_EQ(refused.error().row().status, NrtStatus::resource);
}

}  // namespace
}  // namespace assay::test
