// SPDX-License-Identifier: Apache-2.0
// DMB: descriptors - ops, variables, offsets, dtypes of copies, tiling, the record's size.
// Patterns, compute ops and transposes have files of their own.
#include <algorithm>

#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const char* const kOps[] = {"copy", "fma", "add", "min", "max", "transpose"};

bool computes(const std::string& op) { return op != "copy" && op != "transpose" && op != "cast"; }

TEST(DmaDescriptors, OpsOnEveryTarget) {
  ASSAY_COVERS("DMB-015", "DMB-018");
  for (const ArchType target : kTargets) {
    for (std::int32_t i = 0; i < 6; ++i) {
      auto t = must_lower(desc_model(desc_of_op(kOps[i]), target));
      ASSERT_TRUE(t);
      EXPECT_EQ(desc_at(*t, 0, 0, 0).op, i) << kOps[i];
      EXPECT_EQ(desc_at(*t, 0, 0, 0).desc_type, 0U);
    }
  }
}

TEST(DmaDescriptors, AbsentOpIsCopyAndSoIsCast) {
  ASSAY_COVERS("DMB-015", "DMB-016");
  const Model copy = desc_model(desc_of_op("copy"));
  expect_ignored(copy, drop(kDesc + "/op"));
  expect_ignored(copy, set(kDesc + "/op", "cast"));
  // In every respect: dtypes are stored, what a copy does not read is not read.
  Json d = desc_of_op("copy");
  d["from_dtype"] = "float32";
  d["to_dtype"] = "bfloat16";
  d["num_tiling_dimensions"] = 3;
  d["from_arr"] = d["scale"] = d["constant_dtype"] = d["transpose_op"] = false;
  expect_ignored(desc_model(d), set(kDesc + "/op", "cast"));
}

TEST(DmaDescriptors, OtherOpsAreRefused) {
  ASSAY_COVERS("DMB-017", "JSN-015", "JSN-016");
  const std::string key = kDesc + "/op";
  const Model m = desc_model(desc_of_op("copy"));
  for (const char* op :
       {"", "COPY", "Cast", "copy ", "mul", "sub", "invalid", "fm", "fma2", "reduce"})
    expect_refused_at(m, set(key, op), Reason::op_unknown, key);
  expect_refused_at(m, set(key, nullptr), Reason::null_value, key);
  expect_refused_at(m, set(key, 0), Reason::wrong_type, key);
}

TEST(DmaDescriptors, SidesNameVariables) {
  ASSAY_COVERS("DMB-020", "JSN-015", "JSN-016");
  for (const std::string op : kOps) {
    SCOPED_TRACE(op);
    const Model m = desc_model(desc_of_op(op, 2));
    const std::string owner = computes(op) ? kDesc + "/from_arr/1" : kDesc;
    for (const auto& [object, key] : {std::pair(kDesc, "/to"), std::pair(owner, "/from")}) {
      const std::string at = object + key;
      expect_all_refused(m, {{"unknown", set(at, "nowhere"), Reason::desc_variable_unknown, at},
                             {"empty", set(at, ""), Reason::desc_variable_unknown, at},
                             {"other case", set(at, "IN"), Reason::desc_variable_unknown, at},
                             {"absent", drop(at), Reason::desc_variable_missing, object},
                             {"its id", set(at, 1), Reason::wrong_type, at},
                             {"null", set(at, nullptr), Reason::null_value, at},
                             {"NUL", set(at, std::string("in\0", 3)), Reason::nul_in_string, at}});
    }
  }
}

TEST(DmaDescriptors, IdxIsTheVariablesId) {
  ASSAY_COVERS("DMB-022");
  Model m = dma_model();
  m.raw =
      R"({"var":{"c":{"type":"tmp-buf","var_id":2,"size":8},
      "a":{"type":"output","var_id":3,"size":8},
      "d":{"type":"input","var_id":0,"size":8},"b":{"type":"state-buffer","var_id":1}},
    "runtime_statebuffer_reservation":[],"dma_queue":{"q":{"type":"data","owner":"pe"}},
    "dma":[{"id":1,"queue":"q","desc":[{"from":"a","to":"b","size":1},
      {"from":"c","to":"d","size":1},
      {"op":"add","to":"a","to_dtype":"int8","size":1,"from_arr":[{"from":"b","from_dtype":"int8"},
        {"from":"c","from_dtype":"int8"},{"from":"d","from_dtype":"int8"}]}]}]})";
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  const auto at = [&](std::size_t i) -> auto& { return desc_at(*t, 0, 0, i).u; };
  EXPECT_EQ(at(0).from[0].idx, 3U);
  EXPECT_EQ(at(0).to.idx, 1U);
  EXPECT_EQ(at(1).from[0].idx, 2U);
  EXPECT_EQ(at(1).to.idx, 0U);
  EXPECT_EQ(at(2).to.idx, 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(at(2).from[i].idx, (i + 1) % 3);
}

TEST(DmaDescriptors, OffsetsAre64Bits) {
  ASSAY_COVERS("DMB-020", "DMB-021", "JSN-003", "JSN-005");
  const std::uint64_t offs[] = {0, 1, 4294967295U, 4294967296U, 18446744073709551615U};
  for (const char* op : kOps) {
    SCOPED_TRACE(op);
    const Model m = desc_model(desc_of_op(op));
    const std::string from = computes(op) ? kDesc + "/from_arr/0/from_off" : kDesc + "/from_off";
    const std::string to = kDesc + "/to_off";
    for (const std::uint64_t off : offs) {
      auto t = must_lower(edited(m, set(from, off) + set(to, 18446744073709551615U - off)));
      ASSERT_TRUE(t);
      EXPECT_EQ(desc_at(*t, 0, 0, 0).u.from[0].off, off);
      EXPECT_EQ(desc_at(*t, 0, 0, 0).u.to.off, 18446744073709551615U - off);
    }
    const Model both = edited(m, set(from, 0) + set(to, 0));
    for (const std::string& key : {from, to}) {
      expect_ignored(both, drop(key));
      expect_refused_at(both, set(key, -1), Reason::not_an_integer, key);
      expect_refused_at(both, literal(key, "1e2"), Reason::not_an_integer, key);
      expect_refused_at(both, set(key, nullptr), Reason::not_an_integer, key);
      expect_refused(both, literal(key, "18446744073709551616"), Reason::json_integer_range);
    }
  }
}

TEST(DmaDescriptors, DtypesOfACopyAreOptional) {
  ASSAY_COVERS("DMB-031", "DT-007");
  for (const char* op : {"copy", "cast", "transpose"}) {
    SCOPED_TRACE(op);
    const Model m = desc_model(desc_of_op(op));
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.from[0].dtype, 0U);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.to.dtype, 0U);
    t = must_lower(edited(m, set(kDesc + "/from_dtype", "float8e3")));
    ASSERT_TRUE(t);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.from[0].dtype, 1U);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.to.dtype, 0U);
    t = must_lower(edited(
        m, set(kDesc + "/from_dtype", "float8_e4m3fn_x4") + set(kDesc + "/to_dtype", "int64")));
    ASSERT_TRUE(t);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.from[0].dtype, 10U);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.to.dtype, 15U);
    for (const std::string& key : {kDesc + "/from_dtype", kDesc + "/to_dtype"})
      expect_all_refused(m, {{"unknown", set(key, "float8_e5m2"), Reason::desc_dtype_unknown, key},
                             {"empty", set(key, ""), Reason::desc_dtype_unknown, key},
                             {"null", set(key, nullptr), Reason::null_value, key},
                             {"code", set(key, 5), Reason::wrong_type, key}});
  }
}

TEST(DmaDescriptors, ACopysInfoIsZero) {
  ASSAY_COVERS("DMB-037", "LOW-009");
  for (const char* op : {"copy", "cast"}) {
    Json d = desc_of_op(op);
    d["scale"] = 2.0;
    d["scale_dtype"] = "float32";
    d["constant"] = 1;
    d["constant_dtype"] = "int32";
    d["transpose_op"] = "WXYZ";
    d["transpose_element_size"] = 4;
    d["transpose_shape"] = {1, 2, 3, 4};
    d["from_arr"] = Json::array({{{"from", "in"}, {"from_dtype", "float32"}}});
    auto t = must_lower(desc_model(d));
    ASSERT_TRUE(t);
    const auto& raw = desc_at(*t, 0, 0, 0).u.info.raw;
    EXPECT_TRUE(std::all_of(std::begin(raw), std::end(raw), [](std::uint8_t b) { return b == 0; }));
    EXPECT_EQ(std::size(raw), 140U);
  }
}

TEST(DmaDescriptors, TilingDimensionsOnEveryOp) {
  ASSAY_COVERS("DMB-038");
  const std::string key = kDesc + "/num_tiling_dimensions";
  for (const char* op : {"copy", "cast", "fma", "add", "min", "max", "transpose"}) {
    SCOPED_TRACE(op);
    const Model m = desc_model(desc_of_op(op));
    for (const std::uint32_t n : {0U, 2U, 4294967295U}) {
      auto t = must_lower(edited(m, set(key, n)));
      ASSERT_TRUE(t);
      EXPECT_EQ(desc_at(*t, 0, 0, 0).u.num_tiling_dims, n);
    }
    expect_ignored(m, set(key, 0));
    expect_all_refused(m, {{"2^32", set(key, 4294967296U), Reason::integer_too_wide, key},
                           {"-1", set(key, -1), Reason::not_an_integer, key},
                           {"null", set(key, nullptr), Reason::not_an_integer, key}});
  }
}

TEST(DmaDescriptors, EachTakesItsFullSize) {
  ASSAY_COVERS("DMB-041", "LOW-005");
  for (const char* op : kOps) {
    for (const std::size_t n : {0U, 1U, 3U}) {
      Model m = dma_model();
      m.def["dma"][0]["desc"] = Json::array();
      for (std::size_t i = 0; i < n; ++i) m.def["dma"][0]["desc"].push_back(desc_of_op(op));
      auto t = must_lower(m);
      ASSERT_TRUE(t);
      const auto& all = t->allocations();
      const auto at = std::find_if(all.begin(), all.end(), [](const Allocation& a) {
        return a.kind == Kind::ring_instance;
      });
      ASSERT_NE(at, all.end());
      EXPECT_EQ(at->bytes, 264 + 5456 * n) << op;
    }
  }
}

TEST(DmaDescriptors, OtherKeysAreNotRead) {
  ASSAY_COVERS("JSN-012");
  for (const char* op : kOps)
    expect_never_read(desc_model(desc_of_op(op)),
                      {kDesc + "/event", kDesc + "/comment", kDesc + "/dtype"});
}

}  // namespace
}  // namespace assay::test
