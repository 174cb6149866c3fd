// SPDX-License-Identifier: Apache-2.0
// The dtype functions and the matchers over their whole domain and beyond it both ways.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "oracle/dtype/dtype.h"
#include "oracle/test/covers.h"

namespace assay {
namespace {

using Json = nlohmann::json;
using Codes = std::map<std::string, std::int32_t>;

const Json& spec() {
  static const Json json = [] {
    std::ifstream in(std::string(ASSAY_CORPUS_DIR) + "/spec/enums.json");
    return Json::parse(in);
  }();
  return json;
}

Codes codes_of(EnumId id) {
  Codes out;
  for (const Enumerator& e : enum_row(id).values) out[std::string(e.name)] = e.code;
  return out;
}

// Codes far outside a table: neighbours, and what a cut to 32 or 8 bits would turn into a hit.
constexpr std::int64_t kBeyond[] = {-1,
                                    -2,
                                    -15,
                                    16,
                                    17,
                                    255,
                                    256,
                                    257,
                                    1 << 16,
                                    (std::int64_t{1} << 32) + 1,
                                    -(std::int64_t{1} << 32) + 1,
                                    std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max()};

TEST(Dtype, EnumsCarryTheSpecCodes) {
  ASSAY_COVERS("DT-001");
  const Codes kbin = {{"INVALID", 0}, {"FP8_E3", 1}, {"FP8_E4", 2},  {"FP8_E5", 3},
                      {"FP16", 4},    {"FP32", 5},   {"FP32r", 6},   {"BF16", 7},
                      {"UINT8", 8},   {"UINT16", 9}, {"UINT32", 10}, {"UINT64", 11},
                      {"INT8", 12},   {"INT16", 13}, {"INT32", 14},  {"INT64", 15}};
  const Codes nrt = {{"UNKNOWN", 0}, {"UINT64", 1},  {"INT8", 2},     {"UINT8", 3},
                     {"INT16", 4},   {"UINT16", 5},  {"BFLOAT16", 6}, {"FLOAT16", 7},
                     {"INT32", 8},   {"UINT32", 9},  {"FLOAT32", 10}, {"FP32R", 11},
                     {"INT64", 12},  {"FP8_E3", 13}, {"FP8_E4", 14},  {"FP8_E5", 15}};
  const Codes sdma = {{"INVALID", 0}, {"UINT64", 1},  {"INT8", 2},    {"UINT8", 3},
                      {"INT16", 4},   {"UINT16", 5},  {"BF16", 6},    {"FP16", 7},
                      {"INT32", 8},   {"UINT32", 9},  {"FP32", 10},   {"FP32r", 11},
                      {"INT64", 12},  {"FP8_E3", 13}, {"FP8_E4", 14}, {"FP8_E5", 15}};
  EXPECT_EQ(codes_of(EnumId::Dtype), kbin);
  EXPECT_EQ(codes_of(EnumId::NrtDtype), nrt);
  EXPECT_EQ(codes_of(EnumId::SdmaDtype), sdma);
}

TEST(Dtype, EveryEnumIsTheSpecsAndNamesNothingBeyondIt) {
  ASSAY_COVERS("DT-001");
  for (const EnumRow& row : enum_rows()) {
    const std::string name(row.spec_name);
    ASSERT_TRUE(spec()["enums"].contains(name)) << name;
    Codes want, is;
    for (const Json& v : spec()["enums"][name]["values"]) want[v["name"]] = v["value"];
    for (const Enumerator& e : row.values) is[std::string(e.name)] = e.code;
    EXPECT_EQ(is, want) << name;
    EXPECT_EQ(row.values.size(), want.size()) << name << ": a name twice";
  }
  // All but the status codes, which base/status.h holds.
  EXPECT_EQ(enum_rows().size() + 1, spec()["enums"].size());
  for (std::int64_t c = 0; c < 16; ++c) EXPECT_FALSE(enum_name(EnumId::Dtype, c).empty()) << c;
  for (const std::int64_t c : kBeyond) {
    EXPECT_TRUE(enum_name(EnumId::Dtype, c).empty()) << c;
    EXPECT_TRUE(enum_name(EnumId::none, c).empty()) << c;
  }
}

TEST(Dtype, KbinToSdmaIsTheTableAndTrapsOutsideIt) {
  ASSAY_COVERS("DT-011", "DT-015");
  const std::array<std::int32_t, 15> want = {13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12};
  for (std::int64_t d = 1; d <= 15; ++d)
    EXPECT_EQ(kbin_dtype_to_sdma_dtype(d), want[static_cast<std::size_t>(d - 1)]) << d;
  EXPECT_EQ(kbin_dtype_to_sdma_dtype(0), std::nullopt);
  for (const std::int64_t d : kBeyond) EXPECT_EQ(kbin_dtype_to_sdma_dtype(d), std::nullopt) << d;
  // The codes name the same type on both sides, and the map is one to one.
  std::map<std::int32_t, std::int64_t> from;
  for (std::int64_t d = 1; d <= 15; ++d) {
    const std::int32_t sdma = *kbin_dtype_to_sdma_dtype(d);
    EXPECT_EQ(enum_name(EnumId::Dtype, d), enum_name(EnumId::SdmaDtype, sdma)) << d;
    EXPECT_TRUE(from.emplace(sdma, d).second) << d;
  }
}

TEST(Dtype, CceOps) {
  ASSAY_COVERS("DT-012");
  EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(code(DescOp::FMA)), 1);
  EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(code(DescOp::ADD)), 0);
  EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(code(DescOp::MIN)), 3);
  EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(code(DescOp::MAX)), 2);
  for (const DescOp op : {DescOp::COPY, DescOp::TRANSPOSE, DescOp::INVALID})
    EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(code(op)), std::nullopt) << code(op);
  for (std::int64_t op = 5; op <= 300; ++op)
    EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(op), std::nullopt) << op;
  for (const std::int64_t op : kBeyond)
    EXPECT_EQ(kbin_cce_op_to_sdma_cce_op(op), std::nullopt) << op;
}

TEST(Dtype, SizesGoThroughTheSdmaCode) {
  ASSAY_COVERS("DT-013", "DT-014");
  const std::array<std::uint32_t, 16> want = {0, 1, 1, 1, 2, 4, 4, 2, 1, 2, 4, 8, 1, 2, 4, 8};
  for (std::int64_t d = 0; d <= 15; ++d)
    EXPECT_EQ(kbin_get_dtype_size(d), want[static_cast<std::size_t>(d)]) << d;
  EXPECT_EQ(kbin_get_dtype_size(code(Dtype::FP8_E3)), 1u) << "8 if indexed by the kbin code";
  EXPECT_EQ(kbin_get_dtype_size(code(Dtype::FP32r)), 4u);
  EXPECT_EQ(kbin_get_dtype_size(code(Dtype::INVALID)), 0u);
  for (const std::int64_t d : kBeyond) EXPECT_EQ(kbin_get_dtype_size(d), 0u) << d;
  const Json& sizes = spec()["tables"]["data_type_sizes"]["values"];
  for (std::int64_t d = 1; d <= 15; ++d)
    EXPECT_EQ(kbin_get_dtype_size(d), sizes[*kbin_dtype_to_sdma_dtype(d)].get<std::uint32_t>())
        << d;
}

TEST(Dtype, IoSizes) {
  ASSAY_COVERS("DT-004");
  const std::array<int, 16> want = {1, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, -1, 8, -1, -1, -1};
  for (std::int64_t d = 0; d <= 15; ++d) {
    const auto size = nrt_dtype_size(d);
    const int expected = want[static_cast<std::size_t>(d)];
    EXPECT_EQ(size ? static_cast<int>(*size) : -1, expected) << d;
    const Json& table = spec()["tables"]["nrt_dtype_size"]["values"];
    EXPECT_EQ(table.value(std::to_string(d), -1), expected) << d;
  }
  for (const std::int64_t d : kBeyond) EXPECT_EQ(nrt_dtype_size(d), std::nullopt) << d;
}

TEST(Dtype, NoTableMapsIoCodesToSdmaCodes) {
  ASSAY_COVERS("DT-015");
  // The tables there are; none is indexed by nrt_dtype_t but the sizes.
  for (const auto& [name, table] : spec()["tables"].items()) {
    if (name != "nrt_dtype_size") {
      EXPECT_NE(table.value("index", ""), "nrt_dtype_t") << name;
    }
  }
  EXPECT_NE(spec()["enums"]["SDMA_DTYPE"]["note"].get<std::string>().find("instruction word"),
            std::string::npos);
}

TEST(Dtype, TargetAndEngineTables) {
  ASSAY_COVERS("DT-001");
  const Json& t = spec()["tables"];
  for (std::int64_t target = -1; target <= 6; ++target) {
    const std::string key = std::to_string(target);
    EXPECT_EQ(max_fma_sources(target), t["max_fma_sources"]["values"].value(key, 0u)) << key;
    EXPECT_EQ(max_cce_elements(target), t["max_cce_elements"]["values"].value(key, 0u)) << key;
    EXPECT_EQ(max_hw_dge_count(target), t["max_hw_dge_count"]["values"].value(key, 0u)) << key;
  }
  for (std::int64_t e = 0; e < 5; ++e)
    EXPECT_EQ(
        engine_instr_usage_class(e),
        t["engine_instr_usage_class"]["values"][static_cast<std::size_t>(e)].get<std::uint32_t>());
  EXPECT_EQ(engine_instr_usage_class(5), std::nullopt);
  for (const std::int64_t e : kBeyond) {
    EXPECT_EQ(engine_instr_usage_class(e), std::nullopt) << e;
    EXPECT_EQ(max_fma_sources(e), 0u) << e;
  }
}

// Matchers as functions of text to code.
using Matcher = std::optional<std::int32_t> (*)(std::string_view);
#define MATCHER_BEGIN(cpp, result, spec_name)                            \
  std::optional<std::int32_t> run_##cpp(std::string_view text) {         \
    const auto hit = match_##cpp(text);                                  \
    return hit ? std::optional<std::int32_t>(code(*hit)) : std::nullopt; \
  }
#define MATCH(cpp, result, text, name)
#define MATCHER_END(cpp)
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCHER_END
#undef MATCH

const std::map<std::string, Matcher> kMatchers = {
#define MATCHER_BEGIN(cpp, result, spec_name) {spec_name, run_##cpp},
#define MATCH(cpp, result, text, name)
#define MATCHER_END(cpp)
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCHER_END
#undef MATCH
};

// Everything one edit away from a string of the table hits only if it is in the table itself.
void expect_exact(Matcher match, const Codes& table) {
  const auto check = [&](const std::string& text) {
    const auto at = table.find(text);
    const auto want = at == table.end() ? std::nullopt : std::optional(at->second);
    EXPECT_EQ(match(text), want) << "\"" << text << "\"";
  };
  check("");
  check(" ");
  for (const auto& [text, code] : table) {
    check(text);
    for (std::size_t n = 0; n < text.size(); ++n) {
      check(text.substr(0, n));
      check(text.substr(n + 1));
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[n] = static_cast<char>(byte);
        check(changed);
      }
    }
    for (int byte = 0; byte < 256; ++byte) {
      check(text + static_cast<char>(byte));
      check(static_cast<char>(byte) + text);
    }
    check(text + text);
    std::string upper = text;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    check(upper);
  }
}

TEST(Matchers, NeffIo) {
  ASSAY_COVERS("DT-002", "DT-003");
  const Codes table = {{"int8", 2},    {"int16", 4},    {"int32", 8},   {"int64", 12},
                       {"uint8", 3},   {"uint16", 5},   {"uint32", 9},  {"uint64", 1},
                       {"float16", 7}, {"float32", 10}, {"bfloat16", 6}};
  ASSERT_EQ(table.size(), 11u);
  expect_exact(kMatchers.at("neff_io_dtype"), table);
  for (const char* text : {"float8e3", "float8e4", "float8e5", "float32r", "float8_e4m3fn",
                           "float8_e5m2", "float4_e2m1fn_x4", "float64", "bool", ""})
    EXPECT_EQ(match_NeffIoDtype(text), std::nullopt) << text;
}

TEST(Matchers, DefJson) {
  ASSAY_COVERS("DT-006", "DT-008", "DT-009", "DT-010");
  const Codes table = {{"float8e3", 1},
                       {"float8e4", 2},
                       {"float8e5", 3},
                       {"float16", 4},
                       {"float32", 5},
                       {"float32r", 6},
                       {"bfloat16", 7},
                       {"uint8", 8},
                       {"uint16", 9},
                       {"uint32", 10},
                       {"uint64", 11},
                       {"int8", 12},
                       {"int16", 13},
                       {"int32", 14},
                       {"int64", 15},
                       {"float8_e4m3fn", 2},
                       {"float8_e4m3fn_x4", 10},
                       {"float8_e5m2_x4", 10},
                       {"float4_e2m1fn_x4", 9}};
  ASSERT_EQ(table.size(), 19u);
  expect_exact(kMatchers.at("defjson_dtype"), table);
  EXPECT_EQ(match_DefJsonDtype("float8_e4m3fn"), Dtype::FP8_E4);
  EXPECT_EQ(match_DefJsonDtype("float8_e4m3fn_x4"), Dtype::UINT32);
  EXPECT_EQ(match_DefJsonDtype("float8_e5m2_x4"), Dtype::UINT32);
  EXPECT_EQ(match_DefJsonDtype("float4_e2m1fn_x4"), Dtype::UINT16);
  EXPECT_EQ(match_DefJsonDtype("float8_e5m2"), std::nullopt);
  EXPECT_EQ(match_DefJsonDtype("float4_e2m1fn"), std::nullopt);
}

TEST(Matchers, AllOthersAreTheSpecs) {
  ASSAY_COVERS("DT-002", "DT-006");
  ASSERT_EQ(kMatchers.size(), spec()["matchers"].size());
  for (const auto& [name, match] : kMatchers) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(spec()["matchers"].contains(name));
    expect_exact(match, spec()["matchers"][name]["map"].get<Codes>());
  }
  for (const MatcherRow& row : matcher_rows()) {
    Codes is;
    for (const MatcherEntry& e : row.entries) is[std::string(e.text)] = e.code;
    EXPECT_EQ(is, spec()["matchers"][std::string(row.spec_name)]["map"].get<Codes>());
    EXPECT_EQ(is.size(), row.entries.size()) << row.spec_name << ": a text twice";
  }
}

}  // namespace
}  // namespace assay
