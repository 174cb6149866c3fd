// SPDX-License-Identifier: Apache-2.0
// DMB: the constant of a MIN or MAX.
#include "oracle/dtype/enums.h"
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const std::string kConstant = kDesc + "/constant", kConstantDtype = kDesc + "/constant_dtype";

struct Stored {
  bool use;
  std::uint32_t dtype, bits;
};
void expect_constant(const Model& m, const Stored& want) {
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const auto& got = desc_at(*t, 0, 0, 0).u.info.cce.u.min_max;
  EXPECT_EQ(got.use_constant, want.use);
  EXPECT_EQ(got.constant_dtype, want.dtype);
  EXPECT_EQ(got.constant, want.bits);
}

TEST(Constants, NoneByDefault) {
  ASSAY_COVERS("DMB-034", "JSN-013");
  for (const char* op : {"min", "max"}) {
    const Model m = desc_model(desc_of_op(op));
    expect_constant(m, {false, 0, 0});
    expect_never_read(m, {kConstant});  // without constant_dtype
  }
}

TEST(Constants, Bits) {
  ASSAY_COVERS("DMB-035");
  constexpr std::uint32_t kFp32 = 5, kUint32 = 10, kInt32 = 14;
  const struct {
    const char* dtype;
    const char* text;
    std::uint32_t code, bits;
  } rows[] = {
      {"float32", "1.5", kFp32, 0x3FC00000},
      {"float32", "7", kFp32, 0x40E00000},
      {"float32", "-7", kFp32, 0xC0E00000},
      {"float32", "0", kFp32, 0},
      {"float32", "-0.0", kFp32, 0x80000000},
      {"float32", "16777217", kFp32, 0x4B800000},
      {"float32", "18446744073709551615", kFp32, 0x5F800000},
      {"float32", "1.00000005960464477539", kFp32, 0x3F800000},
      {"float32", "1.00000017881393432617", kFp32, 0x3F800002},
      {"float32", "3.4028235677973362e38", kFp32, 0x7F7FFFFF},
      {"int32", "0", kInt32, 0},
      {"int32", "-0", kInt32, 0},
      {"int32", "-1", kInt32, 0xFFFFFFFF},
      {"int32", "2147483647", kInt32, 0x7FFFFFFF},
      {"int32", "-2147483648", kInt32, 0x80000000},
      {"uint32", "0", kUint32, 0},
      {"uint32", "-0", kUint32, 0},
      {"uint32", "2147483648", kUint32, 0x80000000},
      {"uint32", "4294967295", kUint32, 0xFFFFFFFF},
  };
  for (const char* op : {"min", "max"})
    for (const auto& row : rows) {
      SCOPED_TRACE(std::string(op) + " " + row.dtype + " " + row.text);
      const Change change = set(kConstantDtype, row.dtype) + literal(kConstant, row.text);
      expect_constant(edited(desc_model(desc_of_op(op)), change), {true, row.code, row.bits});
    }
}

TEST(Constants, OutOfRange) {
  ASSAY_COVERS("DMB-035", "JSN-003");
  const std::pair<const char*, const char*> rows[] = {{"float32", "3.4028235677973366e38"},
                                                      {"float32", "-3.4028235677973366e38"},
                                                      {"float32", "1e300"},
                                                      {"int32", "2147483648"},
                                                      {"int32", "-2147483649"},
                                                      {"int32", "18446744073709551615"},
                                                      {"int32", "1.0"},
                                                      {"int32", "1e2"},
                                                      {"int32", "-0.0"},
                                                      {"uint32", "4294967296"},
                                                      {"uint32", "-1"},
                                                      {"uint32", "1.0"},
                                                      {"uint32", "-2147483648"},
                                                      {"uint32", "1e2"}};
  for (const char* op : {"min", "max"})
    for (const auto& [dtype, text] : rows) {
      const Model m =
          edited(desc_model(desc_of_op(op)), set(kConstantDtype, dtype) + set(kConstant, 1));
      SCOPED_TRACE(std::string(dtype) + " " + text);
      expect_refused_at(m, literal(kConstant, text), Reason::constant_range, kConstant);
    }
}

TEST(Constants, WrongTypes) {
  ASSAY_COVERS("DMB-035", "JSN-015", "JSN-016");
  for (const char* dtype : {"float32", "int32", "uint32"}) {
    const Model m =
        edited(desc_model(desc_of_op("min")), set(kConstantDtype, dtype) + set(kConstant, 1));
    for (const Json& value :
         {Json("1"), Json(true), Json(nullptr), Json::array(), Json::object()}) {
      must_lower(m);
      const auto refused = lower_model(edited(m, set(kConstant, value)));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().place.text(), "sg00/def.json" + kConstant);
    }
  }
}

TEST(Constants, DtypeWithoutConstant) {
  ASSAY_COVERS("DMB-035");
  for (const char* op : {"min", "max"})
    for (const char* dtype : {"float32", "int32", "uint32"})
      expect_refused_at(
          edited(desc_model(desc_of_op(op)), set(kConstantDtype, dtype) + set(kConstant, 1)),
          drop(kConstant), Reason::constant_missing, kDesc);
}

TEST(Constants, OtherDtypes) {
  ASSAY_COVERS("DMB-035");
  const Model m =
      edited(desc_model(desc_of_op("max")), set(kConstantDtype, "uint32") + set(kConstant, 1));
  for (const MatcherRow& row : matcher_rows()) {
    if (row.spec_name != "defjson_dtype") continue;
    for (const MatcherEntry& e : row.entries) {
      const Change change = set(kConstantDtype, std::string(e.text));
      // The three strings, not the codes: float8_e4m3fn_x4 has uint32's and is none of them.
      if (e.text == "float32" || e.text == "int32" || e.text == "uint32")
        expect_accepted(m, change);
      else
        expect_refused_at(m, change, Reason::constant_dtype, kConstantDtype);
    }
  }
  expect_all_refused(
      m, {{"unknown", set(kConstantDtype, "fp32"), Reason::constant_dtype, kConstantDtype},
          {"empty", set(kConstantDtype, ""), Reason::constant_dtype, kConstantDtype},
          {"null", set(kConstantDtype, nullptr), Reason::null_value, kConstantDtype},
          {"code", set(kConstantDtype, 5), Reason::wrong_type, kConstantDtype}});
}

TEST(Constants, OtherOpsHaveNone) {
  ASSAY_COVERS("DMB-034", "JSN-012", "JSN-013");
  for (const char* op : {"copy", "cast", "fma", "add", "transpose"})
    expect_never_read(desc_model(desc_of_op(op)), {kConstant, kConstantDtype});
}

}  // namespace
}  // namespace assay::test
