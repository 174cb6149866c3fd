// SPDX-License-Identifier: Apache-2.0
// ACT: the profiles of a function set, byte by byte.
#include "oracle/test/act_model.h"
#include "oracle/test/covers.h"

namespace assay::test {
namespace {

const std::string kFile = "profile.json", kFirst = "/profile_meta_data/0";

// Literals of layout.json: JSON key, offset and bytes in the record.
const struct Field {
  const char* key;
  std::size_t offset, bytes;
} kFields[] = {{"func_id", 0, 4},
               {"symmetry_point", 4, 4},
               {"sym_invert_sign_point", 8, 1},
               {"symmetry_opt_en", 9, 1},
               {"symmetry_opt_use_neg_region", 10, 1},
               {"pwl_control_base_pos", 16, 4},
               {"pwl_control_base_neg", 20, 4},
               {"small_pos_signal_exp_threshold", 24, 1},
               {"small_neg_signal_exp_threshold", 25, 1},
               {"large_pos_signal_exp_threshold", 26, 1},
               {"large_neg_signal_exp_threshold", 27, 1},
               {"large_pos_signal_mantissa_threshold", 28, 4},
               {"large_neg_signal_mantissa_threshold", 32, 4},
               {"pos_small_signal_pwl_control", 36, 2},
               {"neg_small_signal_pwl_control", 38, 2},
               {"pos_large_signal_pwl_control", 40, 2},
               {"neg_large_signal_pwl_control", 42, 2},
               {"fnan_result", 48, 4},
               {"fpinf_result", 52, 4},
               {"fninf_result", 56, 4},
               {"fzero_result", 60, 4},
               {"fma_const_0", 64, 4},
               {"fma_const_1", 68, 4},
               {"fma_indirection_src_sel", 72, 1},
               {"imm_bias", 73, 1}};

// The 76 bytes of profile i of the only set.
std::vector<int> profile_bytes(const Model& m, std::size_t i = 0) {
  auto t = must_lower(m);
  if (!t) return {};
  const auto* at =
      reinterpret_cast<const std::uint8_t*>(&t->root().act_function_sets.sets[0]) + 284 + 76 * i;
  return {at, at + 76};
}

Model profile_model(const Json& profile) {
  Model m = act_model();
  m.files[kFile] = Json{{"profile_meta_data", Json::array({profile})}}.dump();
  return m;
}

TEST(ActProfiles, NumberOfThem) {
  ASSAY_COVERS("ACT-005", "JSN-015", "JSN-016");
  for (const std::size_t n : {0U, 1U, 24U, 25U}) {
    Model m = act_model();
    Json list = Json::array();
    for (std::size_t i = 0; i < n; ++i) list.push_back({{"func_id", 100 + i}, {"imm_bias", 1}});
    m.files[kFile] = Json{{"profile_meta_data", list}}.dump();
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    const kbin_act_function_set_t& s = t->root().act_function_sets.sets[0];
    EXPECT_EQ(s.num_functions, n);
    for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(s.profile_data[i].func_id, i < n ? 100 + i : 0);
    if (n < 25) {
      EXPECT_EQ(profile_bytes(m, n), std::vector<int>(76, 0));
    }
    if (n != 25) continue;
    expect_refused_at(m, set_in(kFile, "/profile_meta_data/-", Json::object()),
                      Reason::act_profile_count, "profile.json/profile_meta_data");
  }
  expect_all_refused(
      act_model(),
      {{"absent", drop_in(kFile, "/profile_meta_data"), Reason::act_profile_missing, kFile},
       {"object", set_in(kFile, "/profile_meta_data", Json::object()), Reason::wrong_type,
        kFile + "/profile_meta_data"},
       {"null", set_in(kFile, "/profile_meta_data", nullptr), Reason::null_value,
        kFile + "/profile_meta_data"},
       {"profile", set_in(kFile, kFirst, 7), Reason::wrong_type, kFile + kFirst},
       {"no object", [](Model& m) { m.files[kFile] = "[]"; }, Reason::wrong_type, kFile}});
}

TEST(ActProfiles, AbsentFieldsAreZero) {
  ASSAY_COVERS("ACT-006");
  EXPECT_EQ(profile_bytes(profile_model(Json::object())), std::vector<int>(76, 0));
}

TEST(ActProfiles, EachFieldAtItsOffset) {
  ASSAY_COVERS("ACT-006", "JSN-005", "JSN-015");
  for (const Field& f : kFields) {
    SCOPED_TRACE(f.key);
    const std::uint64_t max = (std::uint64_t{1} << (8 * f.bytes)) - 1;
    std::vector<int> want(76, 0);
    for (std::size_t i = 0; i < f.bytes; ++i) want[f.offset + i] = 255;
    const Model m = profile_model({{f.key, max}});
    EXPECT_EQ(profile_bytes(m), want);
    const std::string key = kFirst + "/" + f.key;
    expect_all_refused(
        m, {{"too wide", set_in(kFile, key, max + 1), Reason::act_profile_value, kFile + key},
            {"-1", set_in(kFile, key, -1), Reason::not_an_integer, kFile + key},
            {"1.0", set_in(kFile, key, 1.0), Reason::not_an_integer, kFile + key},
            {"true", set_in(kFile, key, true), Reason::not_an_integer, kFile + key},
            {"null", set_in(kFile, key, nullptr), Reason::not_an_integer, kFile + key}});
  }
}

TEST(ActProfiles, ExpOffsetIsSigned) {
  ASSAY_COVERS("ACT-006");
  const std::string key = kFirst + "/exp_offset";
  const std::pair<std::int64_t, std::vector<int>> rows[] = {{-19, {0xED, 0xFF, 0xFF, 0xFF}},
                                                            {2147483647, {0xFF, 0xFF, 0xFF, 0x7F}},
                                                            {-2147483648LL, {0, 0, 0, 0x80}}};
  for (const auto& [value, bytes] : rows) {
    std::vector<int> want(76, 0);
    std::copy(bytes.begin(), bytes.end(), want.begin() + 12);
    EXPECT_EQ(profile_bytes(profile_model({{"exp_offset", value}})), want) << value;
  }
  for (const std::int64_t value : {2147483648LL, -2147483649LL, 4294967295LL})
    expect_refused_at(profile_model({{"exp_offset", 1}}), set_in(kFile, key, value),
                      Reason::act_profile_value, kFile + key);
}

TEST(ActProfiles, KeysThatAreNotStored) {
  ASSAY_COVERS("ACT-006", "JSN-012");
  const Model m = profile_model({{"func_id", 7}});
  for (const char* key : {"func_name", "use_multipass", "lower_bound", "upper_bound",
                          "sym_opt_use_neg_region", "comment"})
    for (const Json& value : values_of_every_type())
      expect_ignored(m, set_in(kFile, kFirst + "/" + key, value));
  for (const Json& value : values_of_every_type()) expect_ignored(m, set_in(kFile, "/name", value));
}

}  // namespace
}  // namespace assay::test
