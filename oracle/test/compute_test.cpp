// SPDX-License-Identifier: Apache-2.0
// DMB: FMA, ADD, MIN and MAX - their sources, dtypes and scales. Constants: constants_test.
#include <bit>
#include <cfloat>
#include <cmath>

#include "oracle/dtype/dtype.h"
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const char* const kComputeOps[] = {"fma", "add", "min", "max"};
const std::string kSources = kDesc + "/from_arr";

const kbin_dma_desc_cce_info_t& info_of(Tree& t) { return desc_at(t, 0, 0, 0).u.info.cce; }

std::uint32_t scale_bits(Tree& t, std::size_t source) {
  return std::bit_cast<std::uint32_t>(info_of(t).u.fma.scale[source]);
}

TEST(Compute, NeedsSources) {
  ASSAY_COVERS("DMB-026", "JSN-015", "JSN-016");
  for (const char* op : kComputeOps) {
    SCOPED_TRACE(op);
    expect_all_refused(
        desc_model(desc_of_op(op)),
        {{"absent", drop(kSources), Reason::from_arr_missing, kDesc},
         {"a from is none", drop(kSources) + set(kDesc + "/from", "in"), Reason::from_arr_missing,
          kDesc},
         {"object", set(kSources, Json::object()), Reason::wrong_type, kSources},
         {"null", set(kSources, nullptr), Reason::null_value, kSources},
         {"no object inside", set(kSources + "/0", "in"), Reason::wrong_type, kSources + "/0"}});
  }
}

TEST(Compute, EachSourceHasItsOwnKeys) {
  ASSAY_COVERS("DMB-026", "DMB-036");
  for (const char* op : kComputeOps) {
    SCOPED_TRACE(op);
    Json d = desc_of_op(op, 3);
    d["from_arr"][0] = {{"from", "out"}, {"from_off", 5}, {"from_dtype", "int8"}};
    d["from_arr"][1]["from_sizes"] = {4, 5};
    d["from_arr"][1]["from_steps"] = {-1, 4};
    auto t = must_lower(desc_model(d));
    ASSERT_TRUE(t);
    const auto& from = desc_at(*t, 0, 0, 0).u.from;
    EXPECT_EQ(from[0].idx, 0U);
    EXPECT_EQ(from[0].off, 5U);
    EXPECT_EQ(from[0].dtype, 12U);
    EXPECT_EQ(from[0].sizes[0], 64U);
    EXPECT_EQ(from[1].idx, 1U);
    EXPECT_EQ(from[1].off, 1U);
    EXPECT_EQ(from[1].num_dims, 2U);
    EXPECT_EQ(from[1].steps[0], -1);
    EXPECT_EQ(from[2].dtype, 4U);
    EXPECT_EQ(from[3].num_dims, 0U);
    EXPECT_EQ(desc_at(*t, 0, 0, 0).u.to.dtype, 5U);
    EXPECT_EQ(info_of(*t).num_sources, 3U);
    EXPECT_EQ(info_of(*t).num_dests, 1U);
  }
}

TEST(Compute, TheDescriptorsFromSideIsNotRead) {
  ASSAY_COVERS("DMB-027", "DMB-033", "JSN-013");
  for (const char* op : kComputeOps)
    expect_never_read(
        desc_model(desc_of_op(op)),
        {kDesc + "/from", kDesc + "/from_off", kDesc + "/from_sizes", kDesc + "/from_steps",
         kDesc + "/from_dtype", kSources + "/0/size", kSources + "/0/to"});
  for (const char* op : {"copy", "cast", "transpose"})
    expect_never_read(desc_model(desc_of_op(op)), {kSources});
}

TEST(Compute, NumberOfSources) {
  ASSAY_COVERS("DMB-028", "DMB-029", "DMB-036");
  for (const ArchType target : kTargets) {
    for (const char* op : kComputeOps) {
      const std::size_t limit = op == std::string("fma") && target != ArchType::MARIANA ? 16 : 32;
      for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{16}, limit}) {
        auto t = must_lower(desc_model(desc_of_op(op, n), target));
        ASSERT_TRUE(t);
        EXPECT_EQ(info_of(*t).num_sources, n);
        const auto& from = desc_at(*t, 0, 0, 0).u.from;
        for (std::size_t i = 0; i < KBIN_MAX_SOURCES; ++i) {
          EXPECT_EQ(from[i].off, i < n ? i : 0);
          EXPECT_EQ(from[i].num_dims, i < n ? 1U : 0U);
        }
      }
      SCOPED_TRACE(std::string(op) + " on " + std::to_string(code(target)));
      const Model twin = desc_model(desc_of_op(op, limit), target);
      for (const std::size_t n : {std::size_t{0}, limit + 1, std::size_t{33}, std::size_t{100}})
        expect_refused_at(twin, set(kDesc, desc_of_op(op, n)), Reason::source_count, kSources);
    }
  }
}

TEST(Compute, EveryPatternNeedsADtype) {
  ASSAY_COVERS("DMB-030", "DT-007");
  for (const char* op : kComputeOps) {
    SCOPED_TRACE(op);
    const std::string source = kSources + "/1", dtype = source + "/from_dtype",
                      to = kDesc + "/to_dtype";
    expect_all_refused(
        desc_model(desc_of_op(op, 2)),
        {{"source", drop(dtype), Reason::pattern_dtype_missing, source},
         {"source, descriptor's given", drop(dtype) + set(kDesc + "/from_dtype", "int8"),
          Reason::pattern_dtype_missing, source},
         {"to", drop(to), Reason::pattern_dtype_missing, kDesc},
         {"unknown", set(dtype, "fp32"), Reason::desc_dtype_unknown, dtype},
         {"unknown to", set(to, "float4_e2m1fn"), Reason::desc_dtype_unknown, to},
         {"null", set(dtype, nullptr), Reason::null_value, dtype},
         {"number", set(to, 5), Reason::wrong_type, to}});
  }
}

TEST(Compute, AddsInfoIsItsCounts) {
  ASSAY_COVERS("DMB-036", "LOW-009");
  auto t = must_lower(desc_model(desc_of_op("add", 32)));
  ASSERT_TRUE(t);
  EXPECT_EQ(info_of(*t).num_sources, 32U);
  EXPECT_EQ(info_of(*t).num_dests, 1U);
  for (const std::uint8_t b : info_of(*t).u.raw) EXPECT_EQ(b, 0);
}

// Literals and the float32 they become: half to even, the sign of zero kept.
TEST(Compute, ScaleIsADoubleRoundedToFloat32) {
  ASSAY_COVERS("DMB-032", "DMB-033");
  const std::pair<const char*, std::uint32_t> scales[] = {
      {"1", 0x3F800000},
      {"2", 0x40000000},
      {"0.5", 0x3F000000},
      {"-3e0", 0xC0400000},
      {"0.1", 0x3DCCCCCD},
      {"0", 0},
      {"0.0", 0},
      {"-0.0", 0x80000000},
      {"-0e0", 0x80000000},
      {"1.00000005960464477539", 0x3F800000},  // 1 + 2^-24: half, to even below
      {"1.00000005960464499743", 0x3F800001},  // the next double
      {"1.00000017881393432617", 0x3F800002},  // 1 + 3 * 2^-24: half, to even above
      {"1.00000017881393410412", 0x3F800001},  // the double before
      {"16777217", 0x4B800000},                // integers by the same way: 2^24 + 1
      {"16777219", 0x4B800002},
      {"18446744073709551615", 0x5F800000},
      {"-9223372036854775808", 0xDF000000},
      {"1.401298464324817e-45", 1},  // the smallest float
      {"7.006492321624085e-46", 0},  // 2^-150: half, to even
      {"7.006492321624087e-46", 1},  // the next double
      {"-7.006492321624085e-46", 0x80000000},
      {"1e-300", 0},
      {"-1e-300", 0x80000000},
      {"1.1754943508222875e-38", 0x00800000},  // the smallest normal one
      {"3.4028234663852886e38", 0x7F7FFFFF},   // the largest float
      {"3.4028235677973362e38", 0x7F7FFFFF},   // the last double that rounds to it
      {"-3.4028235677973362e38", 0xFF7FFFFF},
  };
  const Model m = desc_model(desc_of_op("fma", 2));
  for (const auto& [text, bits] : scales) {
    for (const std::string& key : {kSources + "/1/scale", kDesc + "/scale"}) {
      auto t = must_lower(edited(m, literal(key, text)));
      ASSERT_TRUE(t);
      EXPECT_EQ(scale_bits(*t, 1), bits) << text;
    }
  }
}

TEST(Compute, ScaleMustBeAFiniteFloat32) {
  ASSAY_COVERS("DMB-033", "JSN-004", "JSN-015", "JSN-016");
  const Model m = desc_model(desc_of_op("fma", 2));
  for (const std::string& key : {kSources + "/1/scale", kDesc + "/scale"}) {
    for (const double beyond : {0x1.ffffffp127, -0x1.ffffffp127, 1e39, -DBL_MAX})
      expect_refused_at(m, set(key, beyond), Reason::scale_range, key);
    expect_accepted(m, set(key, std::nextafter(0x1.ffffffp127, 0.0)));
    expect_refused_at(m, literal(key, "3.4028235677973366e38"), Reason::scale_range, key);
    expect_refused(m, literal(key, "1e400"), Reason::json_number_range);
    for (const Json& value : {Json("1.0"), Json(true), Json::array(), Json::object()})
      expect_refused_at(m, set(key, value), Reason::wrong_type, key);
    expect_refused_at(m, set(key, nullptr), Reason::null_value, key);
  }
}

TEST(Compute, ScaleDefaults) {
  ASSAY_COVERS("DMB-032", "DMB-033", "JSN-013");
  const Model m = desc_model(desc_of_op("fma", 3));
  auto t = must_lower(m);
  ASSERT_TRUE(t);
  EXPECT_EQ(info_of(*t).u.fma.scale_dtype, 5U);
  for (std::size_t i = 0; i < KBIN_MAX_SOURCES; ++i)
    EXPECT_EQ(scale_bits(*t, i), i < 3 ? 0x3F800000U : 0U) << i;

  // A source's own, then the descriptor's, then 1.0.
  t = must_lower(edited(m, set(kDesc + "/scale", 2.0) + set(kSources + "/1/scale", 0.5)));
  ASSERT_TRUE(t);
  EXPECT_EQ(scale_bits(*t, 0), 0x40000000U);
  EXPECT_EQ(scale_bits(*t, 1), 0x3F000000U);
  EXPECT_EQ(scale_bits(*t, 2), 0x40000000U);

  // Where every source has its own, the descriptor's decides no byte.
  Model own = m;
  for (Json& source : own.def["dma"][0]["desc"][0]["from_arr"]) {
    source["scale"] = 4;
    source["scale_dtype"] = "float32";
  }
  expect_never_read(own, {kDesc + "/scale", kDesc + "/scale_dtype"});
}

TEST(Compute, ScaleDtypeIsFloat32) {
  ASSAY_COVERS("DMB-032", "DMB-033", "DT-007");
  const Model m = desc_model(desc_of_op("fma", 2));
  for (const std::string& key : {kSources + "/1/scale_dtype", kDesc + "/scale_dtype"}) {
    expect_ignored(m, set(key, "float32"));
    for (const MatcherRow& row : matcher_rows()) {
      if (row.spec_name != "defjson_dtype") continue;
      EXPECT_EQ(row.entries.size(), 19U);
      for (const MatcherEntry& e : row.entries)
        if (e.text != "float32")
          expect_refused_at(m, set(key, std::string(e.text)), Reason::scale_dtype, key);
    }
    expect_all_refused(m, {{"unknown", set(key, "fp32"), Reason::desc_dtype_unknown, key},
                           {"null", set(key, nullptr), Reason::null_value, key},
                           {"code", set(key, 5), Reason::wrong_type, key}});
  }
}

TEST(Compute, OnlyFmaReadsScales) {
  ASSAY_COVERS("DMB-032", "JSN-013");
  for (const char* op : {"add", "min", "max"})
    expect_never_read(desc_model(desc_of_op(op)),
                      {kDesc + "/scale", kDesc + "/scale_dtype", kSources + "/0/scale",
                       kSources + "/0/scale_dtype"});
  for (const char* op : {"copy", "cast", "transpose"})
    expect_never_read(desc_model(desc_of_op(op)), {kDesc + "/scale", kDesc + "/scale_dtype"});
}

}  // namespace
}  // namespace assay::test
