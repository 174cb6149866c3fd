// SPDX-License-Identifier: Apache-2.0
// DVE: the four tables of the dve engine.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const char* const kKeys[] = {"opcode_table", "control_fast_table", "control_slow_table",
                             "datapath_table"};

// A dve engine whose member has these tables; members t0..t3 hold "", "1", "22", "333"; the odd
// one, told apart by its length, is "old".
Model dve_model(const Json& tables) {
  Model m = small_model();
  m.def["dve"] = "dve.json";
  m.files["dve.json"] = Json{{"dve_tables", tables}}.dump();
  for (int i = 0; i < 4; ++i)
    m.files["t" + std::to_string(i)] = std::string(i, static_cast<char>('0' + i));
  m.files["old"] = "control";
  return m;
}
const Json kAll = {{"opcode_table", "t1"},
                   {"control_fast_table", "t2"},
                   {"control_slow_table", "t3"},
                   {"datapath_table", "t0"}};

std::vector<std::string> tables_of(const Model& m) {
  auto t = must_lower(m);
  if (!t || t->root().dve_config == nullptr) return {};
  const kbin_dve_config_t& d = *t->root().dve_config;
  std::vector<std::string> all;
  for (const kbin_buffer_t* b :
       {&d.opcode_table, &d.control_fast_table, &d.control_slow_table, &d.datapath_table}) {
    EXPECT_EQ(b->buffer == nullptr, b->size == 0);
    all.emplace_back(reinterpret_cast<const char*>(b->buffer), b->size);
  }
  return all;
}
using Tables = std::vector<std::string>;

TEST(Dve, TablesInTheirOrder) {
  ASSAY_COVERS("DVE-001", "DVE-004");
  EXPECT_EQ(tables_of(dve_model(Json::array({kAll}))), (Tables{"1", "22", "333", ""}));
  for (const ArchType target : kTargets) {
    Model m = dve_model(Json::array({kAll}));
    m.target = target;
    EXPECT_EQ(tables_of(m), (Tables{"1", "22", "333", ""}));
  }
}

TEST(Dve, MembersAreRaw) {
  ASSAY_COVERS("DVE-001");
  Model m = dve_model(Json::array({kAll}));
  m.files["t1"] = std::string("\0\xFF\x93NUMPY\0", 9);
  EXPECT_EQ(tables_of(m)[0], m.files["t1"]);
}

TEST(Dve, AMissingMemberIsRefused) {
  ASSAY_COVERS("DVE-001", "JSN-015", "JSN-016");
  const Model m = dve_model(Json::array({kAll}));
  const char* const members[] = {"t1", "t2", "t3", "t0"};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string key = std::string("/dve_tables/0/") + kKeys[i];
    expect_all_refused(
        m,
        {{"gone", without_member(members[i]), Reason::dve_member_missing, "dve.json" + key},
         {"misnamed", set_in("dve.json", key, "t9"), Reason::dve_member_missing, "dve.json" + key},
         {"null", set_in("dve.json", key, nullptr), Reason::null_value, "dve.json" + key},
         {"number", set_in("dve.json", key, 1), Reason::wrong_type, "dve.json" + key}});
  }
}

TEST(Dve, EachKeyIsOptional) {
  ASSAY_COVERS("DVE-002");
  const Tables all = {"1", "22", "333", ""};
  EXPECT_EQ(tables_of(dve_model(Json::array({Json::object()}))), Tables(4));
  for (std::size_t i = 0; i < 4; ++i) {
    Json without = kAll;
    without.erase(kKeys[i]);
    Tables want = all;
    want[i] = "";
    EXPECT_EQ(tables_of(dve_model(Json::array({without}))), want) << kKeys[i];
    const Json alone = {{kKeys[i], "t3"}};
    want = Tables(4);
    want[i] = "333";
    EXPECT_EQ(tables_of(dve_model(Json::array({alone}))), want) << kKeys[i];
  }
}

TEST(Dve, TheOldControlTable) {
  ASSAY_COVERS("DVE-003", "JSN-013");
  const Json old = {{"opcode_table", "t1"}, {"datapath_table", "t3"}, {"control_table", "old"}};
  EXPECT_EQ(tables_of(dve_model(Json::array({old}))), (Tables{"1", "control", "", "333"}));
  EXPECT_EQ(tables_of(dve_model(Json::array({{{"control_table", "old"}}}))),
            (Tables{"", "control", "", ""}));
  // Beside a slow table alone it still stands for the fast one.
  Json slow = old;
  slow["control_slow_table"] = "t2";
  EXPECT_EQ(tables_of(dve_model(Json::array({slow}))), (Tables{"1", "control", "22", "333"}));
  expect_refused_at(dve_model(Json::array({old})), without_member("old"),
                    Reason::dve_member_missing, "dve.json/dve_tables/0/control_table");
  // Beside the fast table it is not read.
  const Model both = dve_model(Json::array({kAll}));
  for (const Json& value : values_of_every_type())
    expect_ignored(both, set_in("dve.json", "/dve_tables/0/control_table", value));
}

TEST(Dve, AnArrayOfOneOrTheObjectItself) {
  ASSAY_COVERS("DVE-004", "DVE-005", "JSN-015", "JSN-016");
  const Model m = dve_model(Json::array({kAll}));
  EXPECT_TRUE(image_of(m) == image_of(dve_model(kAll)));
  const auto to = [](const Json& value) { return set_in("dve.json", "/dve_tables", value); };
  const std::string at = "dve.json/dve_tables";
  expect_all_refused(
      m,
      {{"none", to(Json::array()), Reason::dve_tables_length, at},
       {"two", to(Json::array({kAll, kAll})), Reason::dve_tables_length, at},
       {"null", to(nullptr), Reason::null_value, at},
       {"text", to("t1"), Reason::wrong_type, at},
       {"array of text", to(Json::array({"t1"})), Reason::wrong_type, at + "/0"},
       {"array of null", to(Json::array({nullptr})), Reason::null_value, at + "/0"},
       {"array of array", to(Json::array({Json::array({kAll})})), Reason::wrong_type, at + "/0"}});
}

TEST(Dve, WithoutTablesThereIsNoConfig) {
  ASSAY_COVERS("DVE-006");
  auto t = must_lower(edited(dve_model(kAll), drop_in("dve.json", "/dve_tables")));
  ASSERT_TRUE(t);
  EXPECT_EQ(t->root().dve_config, nullptr);
  t = must_lower(edited(dve_model(kAll), drop("/dve")));
  ASSERT_TRUE(t);
  EXPECT_EQ(t->root().dve_config, nullptr);
}

TEST(Dve, OtherEnginesTablesAreNotRead) {
  ASSAY_COVERS("ACT-009", "JSN-012");
  for (const char* engine : {"pe", "act", "pool", "sp"}) {
    Model m = small_model();
    m.def[engine] = "e.json";
    m.files["e.json"] = "{}";
    for (const Json& value : values_of_every_type())
      expect_ignored(m, set_in("e.json", "/dve_tables", value));
    expect_ignored(m, set_in("e.json", "/dve_tables", Json::array({kAll})));  // of missing members
  }
  const Model m = dve_model(kAll);
  for (const Json& value : values_of_every_type())
    expect_ignored(m, set_in("dve.json", "/dve_tables/name", value));
}

}  // namespace
}  // namespace assay::test
