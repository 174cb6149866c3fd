// SPDX-License-Identifier: Apache-2.0
// UCL: ucode libraries, the synthesized one among them.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const std::string kLib = "/ucode_lib/0", kFunctions = "/ucode_lib/0/functions";

Model ucode_model(ArchType target = ArchType::CAYMAN) {
  Model m = small_model();
  m.target = target;
  m.files["lib.so"] = "content";
  m.files["other.so"] = "";
  m.def["ucode_lib"] =
      Json::parse(R"([{"library":"lib.so","ulib_to_ucode_version":"1.2","opcode":5}])");
  return m;
}

const kbin_ucode_lib_t& lib_at(Tree& t, std::size_t i) { return t.root().ucode_lib_set.libs[i]; }

Json functions(std::size_t n) {
  Json list = Json::array();
  for (std::size_t i = 0; i < n; ++i)
    list.push_back({{"name", "f" + std::to_string(i)}, {"opcode", i % 256}});
  return list;
}

TEST(Ucode, NoneOffMariana) {
  ASSAY_COVERS("UCL-009", "UCL-010", "JSN-013");
  for (const ArchType target : {ArchType::SUNDA, ArchType::CAYMAN}) {
    Model m = small_model();
    m.target = target;
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(t->root().ucode_lib_set.libs, nullptr);
    EXPECT_EQ(t->root().ucode_lib_set.num_libs, 0U);
    expect_ignored(m, set("/ucode_lib", Json::array()));
    expect_never_read(m, {"/ext_isa_ucode_lib_def"});
    expect_ignored(m, set("/ext_isa_ucode_lib_def", {{"functions", functions(19)}}));
  }
}

TEST(Ucode, Fields) {
  ASSAY_COVERS("UCL-001", "UCL-003", "UCL-005", "UCL-006", "UCL-008");
  Model m = ucode_model();
  m.def["ucode_lib"].push_back(
      Json::parse(R"({"library":"other.so","ulib_to_ucode_version":"1.","opcode":133,
    "cpu_id":0,"total_cpus":8,"functions":[{"name":"f","opcode":255,"sub_opcode":254},
                 {"name":"","opcode":0}]})"));
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  ASSERT_EQ(t->root().ucode_lib_set.num_libs, 2U);
  EXPECT_EQ(
      std::string(reinterpret_cast<const char*>(lib_at(*t, 0).content), lib_at(*t, 0).content_size),
      "content");
  EXPECT_EQ(lib_at(*t, 0).flags, 6U);
  EXPECT_EQ(lib_at(*t, 0).cpu_id, 0);
  EXPECT_EQ(lib_at(*t, 0).total_cpus, 0);
  EXPECT_EQ(lib_at(*t, 0).function_set.num_functions, 0);
  EXPECT_EQ(lib_at(*t, 0).function_set.functions, nullptr);
  EXPECT_EQ(lib_at(*t, 1).content, nullptr);
  EXPECT_EQ(lib_at(*t, 1).content_size, 0U);
  EXPECT_EQ(lib_at(*t, 1).flags, 0U);
  EXPECT_EQ(lib_at(*t, 1).total_cpus, 8);
  ASSERT_EQ(lib_at(*t, 1).function_set.num_functions, 2);
  const kbin_ucode_lib_function_t* f = lib_at(*t, 1).function_set.functions;
  EXPECT_STREQ(f[0].name, "f");
  EXPECT_EQ(f[0].opcode, 255);
  EXPECT_EQ(f[0].sub_opcode, 254);
  EXPECT_STREQ(f[1].name, "");
  EXPECT_EQ(f[1].sub_opcode, 0);
}

TEST(Ucode, ListMayBeAMember) {
  ASSAY_COVERS("UCL-001", "JSN-015", "JSN-016");
  const Model inlined = ucode_model();
  Model m = inlined;
  m.files["ucode.json"] = m.def["ucode_lib"].dump();
  m.def["ucode_lib"] = "ucode.json";
  EXPECT_TRUE(image_of(m) == image_of(inlined));
  const auto holds = [](const std::string& text) {
    return [=](Model& model) { model.files["ucode.json"] = text; };
  };
  expect_all_refused(
      m, {{"missing", without_member("ucode.json"), Reason::ucode_member_missing, "/ucode_lib"},
          {"empty name", set("/ucode_lib", ""), Reason::ucode_member_missing, "/ucode_lib"},
          {"no array", holds("{}"), Reason::wrong_type, "ucode.json"},
          {"null", holds("null"), Reason::null_value, "ucode.json"},
          {"a name again", holds("\"ucode.json\""), Reason::wrong_type, "ucode.json"},
          {"library", holds("[1]"), Reason::wrong_type, "ucode.json/0"},
          {"object", set("/ucode_lib", Json::object()), Reason::wrong_type, "/ucode_lib"},
          {"null", set("/ucode_lib", nullptr), Reason::null_value, "/ucode_lib"},
          {"number", set("/ucode_lib", 1), Reason::wrong_type, "/ucode_lib"}});
  expect_refused(m, holds(""), Reason::json_empty, "sg00/ucode.json");
}

TEST(Ucode, RequiredKeys) {
  ASSAY_COVERS("UCL-002", "UCL-003", "JSN-015", "JSN-016");
  expect_all_refused(
      ucode_model(),
      {{"no library", drop(kLib + "/library"), Reason::ucode_key_missing, kLib},
       {"no version", drop(kLib + "/ulib_to_ucode_version"), Reason::ucode_key_missing, kLib},
       {"no opcode", drop(kLib + "/opcode"), Reason::ucode_key_missing, kLib},
       {"no object", set(kLib, "lib.so"), Reason::wrong_type, kLib},
       {"missing member", without_member("lib.so"), Reason::ucode_content_missing,
        kLib + "/library"},
       {"another member", set(kLib + "/library", "lib"), Reason::ucode_content_missing,
        kLib + "/library"},
       {"library null", set(kLib + "/library", nullptr), Reason::null_value, kLib + "/library"},
       {"version number", set(kLib + "/ulib_to_ucode_version", 1.2), Reason::wrong_type,
        kLib + "/ulib_to_ucode_version"},
       {"opcode text", set(kLib + "/opcode", "5"), Reason::not_an_integer, kLib + "/opcode"}});
}

TEST(Ucode, VersionsMajorIsOne) {
  ASSAY_COVERS("UCL-004");
  const std::string key = kLib + "/ulib_to_ucode_version";
  for (const char* version : {"1.2", "1.", "1.0.0", "1..", "1.x"})
    expect_ignored(ucode_model(), set(key, version));
  for (const char* version :
       {"", "1", ".", ".1", "2.0", "0.1", "01.0", "1 .0", " 1.0", "11.0", "-1.0", "1,0", "x.1"})
    expect_refused_at(ucode_model(), set(key, version), Reason::ucode_version, key);
}

TEST(Ucode, CpuIdIsZero) {
  ASSAY_COVERS("UCL-005");
  const std::string key = kLib + "/cpu_id";
  expect_ignored(ucode_model(), set(key, 0));
  EXPECT_EQ(row_of(Reason::ucode_cpu_id).outcome, Outcome::trapped);
  for (const int n : {1, 7, 255})
    expect_refused_at(ucode_model(), set(key, n), Reason::ucode_cpu_id, key);
  expect_all_refused(ucode_model(), {{"256", set(key, 256), Reason::integer_too_wide, key},
                                     {"-1", set(key, -1), Reason::not_an_integer, key},
                                     {"null", set(key, nullptr), Reason::not_an_integer, key}});
}

TEST(Ucode, TotalCpus) {
  ASSAY_COVERS("UCL-005");
  const std::string key = kLib + "/total_cpus";
  for (const std::uint8_t n : {0, 1, 8}) {
    auto t = must_lower(edited(ucode_model(), set(key, n)));
    ASSERT_TRUE(t);
    EXPECT_EQ(lib_at(*t, 0).total_cpus, n);
  }
  for (const int n : {2, 3, 4, 7, 9, 16, 128, 255})
    expect_refused_at(ucode_model(), set(key, n), Reason::ucode_total_cpus, key);
  expect_all_refused(ucode_model(), {{"256", set(key, 256), Reason::integer_too_wide, key},
                                     {"-1", set(key, -1), Reason::not_an_integer, key}});
}

TEST(Ucode, FlagsFollowTheOpcode) {
  ASSAY_COVERS("UCL-006");
  const std::string key = kLib + "/opcode";
  const std::pair<std::int64_t, std::uint32_t> rows[] = {
      {-123, 0}, {133, 0},  {-124, 6}, {-122, 6},       {132, 6},          {134, 6},
      {123, 6},  {-133, 6}, {0, 6},    {2147483647, 6}, {-2147483648LL, 6}};
  for (const auto& [opcode, flags] : rows) {
    auto t = must_lower(edited(ucode_model(), set(key, opcode)));
    ASSERT_TRUE(t);
    EXPECT_EQ(lib_at(*t, 0).flags, flags) << opcode;
  }
  for (const std::int64_t opcode :
       {2147483648LL, -2147483649LL, 4294967173LL})  // the last is -123 in 32 bits
    expect_refused_at(ucode_model(), set(key, opcode), Reason::integer_too_wide, key);
  expect_refused_at(ucode_model(), set(key, 5.0), Reason::not_an_integer, key);
}

TEST(Ucode, NamesAreUnique) {
  ASSAY_COVERS("UCL-007");
  for (const ArchType target : kTargets) {
    Model m = ucode_model(target);
    m.files["all"] = "x";
    m.def["ucode_lib"].push_back(m.def["ucode_lib"][0]);
    m.def["ucode_lib"][1]["library"] = "other.so";
    expect_refused_at(m, set("/ucode_lib/1/library", "lib.so"), Reason::ucode_name_twice,
                      "/ucode_lib/1");
    if (target == ArchType::MARIANA)
      expect_refused_at(m, set("/ucode_lib/1/library", "all"), Reason::ucode_name_twice,
                        "/ucode_lib/1");
    else
      expect_accepted(m, set("/ucode_lib/1/library", "all"));
  }
}

TEST(Ucode, NumberOfFunctions) {
  ASSAY_COVERS("UCL-008");
  for (const std::size_t n : {0U, 1U, 255U}) {
    auto t = must_lower(edited(ucode_model(), set(kFunctions, functions(n))));
    ASSERT_TRUE(t);
    ASSERT_EQ(lib_at(*t, 0).function_set.num_functions, n);
    if (n > 0) {
      EXPECT_EQ(lib_at(*t, 0).function_set.functions[n - 1].opcode, n - 1);
    }
  }
  expect_ignored(ucode_model(), set(kFunctions, Json::array()));
  const Model full = edited(ucode_model(), set(kFunctions, functions(255)));
  expect_refused_at(full, set(kFunctions, functions(256)), Reason::ucode_functions, kFunctions);
}

TEST(Ucode, FunctionFields) {
  ASSAY_COVERS("UCL-008", "JSN-015", "JSN-016", "JSN-019");
  const Model m = edited(ucode_model(), set(kFunctions, functions(2)));
  const std::string f = kFunctions + "/1", name = f + "/name", opcode = f + "/opcode",
                    sub = f + "/sub_opcode";
  for (const std::string& text :
       {std::string(), std::string(254, 'n'), std::string(255, 'n'), std::string(253, 'n') + "é"}) {
    auto t = must_lower(edited(m, set(name, text)));
    ASSERT_TRUE(t);
    EXPECT_EQ(std::string(lib_at(*t, 0).function_set.functions[1].name), text);
  }
  expect_all_refused(
      m, {{"256 bytes", set(name, std::string(256, 'n')), Reason::ucode_function_name, name},
          {"255 characters, 256 bytes", set(name, std::string(254, 'n') + "é"),
           Reason::ucode_function_name, name},
          {"no name", drop(name), Reason::ucode_function_key, f},
          {"no opcode", drop(opcode), Reason::ucode_function_key, f},
          {"name null", set(name, nullptr), Reason::null_value, name},
          {"name with NUL", set(name, std::string("f\0", 2)), Reason::nul_in_string, name},
          {"opcode 256", set(opcode, 256), Reason::integer_too_wide, opcode},
          {"opcode -1", set(opcode, -1), Reason::not_an_integer, opcode},
          {"sub_opcode 256", set(sub, 256), Reason::integer_too_wide, sub},
          {"sub_opcode null", set(sub, nullptr), Reason::not_an_integer, sub},
          {"no object", set(f, "f"), Reason::wrong_type, f},
          {"no array", set(kFunctions, Json::object()), Reason::wrong_type, kFunctions},
          {"null", set(kFunctions, nullptr), Reason::null_value, kFunctions}});
  expect_ignored(m, set(sub, 0));
}

TEST(Ucode, MarianaHasOneMore) {
  ASSAY_COVERS("UCL-009", "UCL-010");
  Model bare = small_model();
  bare.target = ArchType::MARIANA;
  for (const Model& m : {bare, ucode_model(ArchType::MARIANA)}) {
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    ASSERT_EQ(t->root().ucode_lib_set.num_libs, m.def.contains("ucode_lib") ? 2U : 1U);
    const kbin_ucode_lib_t& first = lib_at(*t, 0);
    EXPECT_EQ(first.content, nullptr);
    EXPECT_EQ(first.content_size, 0U);
    EXPECT_EQ(first.flags, 6U);
    EXPECT_EQ(first.cpu_id, 0);
    EXPECT_EQ(first.total_cpus, 0);
    EXPECT_EQ(first.function_set.functions, nullptr);
    EXPECT_EQ(first.function_set.num_functions, 0);
    if (m.def.contains("ucode_lib")) {
      EXPECT_EQ(lib_at(*t, 1).content_size, 7U);
    }
  }
}

TEST(Ucode, ExtIsaFunctions) {
  ASSAY_COVERS("UCL-010", "JSN-012", "JSN-013");
  const std::string key = "/ext_isa_ucode_lib_def", list = key + "/functions";
  const Model m = edited(ucode_model(ArchType::MARIANA), set(key, Json::object()));
  EXPECT_TRUE(image_of(m) == image_of(ucode_model(ArchType::MARIANA)));
  for (const std::size_t n : {0U, 1U, 18U}) {
    auto t = must_lower(edited(m, set(list, functions(n))));
    ASSERT_TRUE(t);
    EXPECT_EQ(lib_at(*t, 0).function_set.num_functions, n);
    EXPECT_EQ(lib_at(*t, 0).content, nullptr);
    EXPECT_EQ(lib_at(*t, 0).flags, 6U);
    EXPECT_EQ(lib_at(*t, 1).function_set.num_functions, 0U);
    if (n > 0) {
      EXPECT_STREQ(lib_at(*t, 0).function_set.functions[0].name, "f0");
    }
  }
  expect_all_refused(
      edited(m, set(list, functions(18))),
      {{"19", set(list, functions(19)), Reason::ext_isa_functions, list},
       {"function", set(list + "/0/opcode", 256), Reason::integer_too_wide, list + "/0/opcode"},
       {"no array", set(list, Json::object()), Reason::wrong_type, list},
       {"no object", set(key, Json::array()), Reason::wrong_type, key},
       {"null", set(key, nullptr), Reason::null_value, key}});
  expect_never_read(m, {key + "/add_lib", key + "/library"});
}

TEST(Ucode, OtherKeysAreNotRead) {
  ASSAY_COVERS("JSN-012");
  expect_never_read(ucode_model(),
                    {kLib + "/name", kLib + "/flags", kLib + "/sub_opcode", kLib + "/content"});
}

}  // namespace
}  // namespace assay::test
