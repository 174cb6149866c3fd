// SPDX-License-Identifier: Apache-2.0
// DMB: access patterns, on each side that has one: a copy's from and to, a source of from_arr.
#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

// One side of a model's descriptor: where its keys stand and where its record is.
struct Side {
  const char* what;
  Model model;
  std::string sizes, steps;  // pointers of the keys
  std::string object;        // pointer of the object that holds them
  bool is_to;
};

const kbin_dma_desc_info_t& pattern_of(Tree& t, const Side& s) {
  const kbin_dma_desc_t& d = desc_at(t, 0, 0, 0);
  return s.is_to ? d.u.to : d.u.from[0];
}

std::vector<Side> sides() {
  const std::string source = kDesc + "/from_arr/0";
  std::vector<Side> all;
  for (const char* op : {"copy", "transpose"}) {
    all.push_back({op, desc_model(desc_of_op(op)), kDesc + "/from_sizes", kDesc + "/from_steps",
                   kDesc, false});
    all.push_back(
        {op, desc_model(desc_of_op(op)), kDesc + "/to_sizes", kDesc + "/to_steps", kDesc, true});
  }
  for (const char* op : {"fma", "add", "min", "max"}) {
    all.push_back({op, desc_model(desc_of_op(op)), source + "/from_sizes", source + "/from_steps",
                   source, false});
    all.push_back(
        {op, desc_model(desc_of_op(op)), kDesc + "/to_sizes", kDesc + "/to_steps", kDesc, true});
  }
  return all;
}

Json numbers(std::size_t n, std::uint64_t first) {
  Json a = Json::array();
  for (std::size_t i = 0; i < n; ++i) a.push_back(first + i);
  return a;
}

TEST(Patterns, OneToFourDimensions) {
  ASSAY_COVERS("DMB-023");
  for (const Side& s : sides()) {
    for (std::size_t n = 1; n <= 4; ++n) {
      auto t =
          must_lower(edited(s.model, set(s.sizes, numbers(n, 10)) + set(s.steps, numbers(n, 100))));
      ASSERT_TRUE(t);
      const kbin_dma_desc_info_t& p = pattern_of(*t, s);
      EXPECT_EQ(p.num_dims, n);
      for (std::size_t i = 0; i < KBIN_MAX_DIMS; ++i) {  // dimension 0 first, unused slots zero
        EXPECT_EQ(p.sizes[i], i < n ? 10 + i : 0) << s.what;
        EXPECT_EQ(p.steps[i], i < n ? static_cast<std::int64_t>(100 + i) : 0) << s.what;
      }
    }
  }
}

TEST(Patterns, FiveToEightDimensions) {
  ASSAY_COVERS("DMB-024");
  for (const Side& s : sides()) {
    for (std::size_t n = 5; n <= 8; ++n) {
      auto t =
          must_lower(edited(s.model, set(s.sizes, numbers(n, 10)) + set(s.steps, numbers(n, 100))));
      ASSERT_TRUE(t);
      EXPECT_EQ(pattern_of(*t, s).num_dims, n);
      EXPECT_EQ(pattern_of(*t, s).sizes[n - 1], 10 + n - 1);
      EXPECT_EQ(pattern_of(*t, s).steps[n - 1], static_cast<std::int64_t>(100 + n - 1));
    }
  }
}

TEST(Patterns, Refusals) {
  ASSAY_COVERS("DMB-023", "DMB-025", "JSN-005", "JSN-015", "JSN-016");
  for (const Side& s : sides()) {
    SCOPED_TRACE(s.what);
    const Model m = edited(s.model, set(s.sizes, {4, 5}) + set(s.steps, {1, 4}));
    expect_all_refused(
        m, {{"more sizes", set(s.sizes, {4, 5, 6}), Reason::pattern_lengths, s.sizes},
            {"more steps", set(s.steps, {1, 4, 20}), Reason::pattern_lengths, s.sizes},
            {"none", set(s.sizes, Json::array()) + set(s.steps, Json::array()),
             Reason::pattern_dims, s.sizes},
            {"nine", set(s.sizes, numbers(9, 1)) + set(s.steps, numbers(9, 1)),
             Reason::pattern_dims, s.sizes},
            {"size 0", set(s.sizes, {4, 0}), Reason::pattern_size_zero, s.sizes + "/1"},
            {"innermost size 0", set(s.sizes, {0, 4}), Reason::pattern_size_zero, s.sizes + "/0"},
            {"negative size", set(s.sizes, {4, -5}), Reason::not_an_integer, s.sizes + "/1"},
            {"fraction", set(s.steps, {1, 4.0}), Reason::not_an_integer, s.steps + "/1"},
            {"null", set(s.steps, {nullptr, 4}), Reason::not_an_integer, s.steps + "/0"},
            {"sizes alone", drop(s.steps), Reason::pattern_half, s.sizes},
            {"steps alone", drop(s.sizes), Reason::pattern_half, s.steps},
            {"sizes no array", set(s.sizes, 4), Reason::wrong_type, s.sizes},
            {"steps no array", set(s.steps, 4), Reason::wrong_type, s.steps},
            {"sizes null", set(s.sizes, nullptr), Reason::null_value, s.sizes}});
  }
}

TEST(Patterns, SizesAreUnsignedAndStepsSigned64Bits) {
  ASSAY_COVERS("DMB-023", "JSN-003", "JSN-005");
  constexpr std::uint64_t kMaxSize = 18446744073709551615U;
  constexpr std::int64_t kMinStep = INT64_MIN, kMaxStep = INT64_MAX;
  for (const Side& s : sides()) {
    SCOPED_TRACE(s.what);
    const Model m =
        edited(s.model, set(s.sizes, {1, kMaxSize, 1}) + set(s.steps, {kMinStep, kMaxStep, 0}));
    auto t = must_lower(m);
    ASSERT_TRUE(t);
    const kbin_dma_desc_info_t& p = pattern_of(*t, s);
    EXPECT_EQ(p.sizes[0], 1U);
    EXPECT_EQ(p.sizes[1], kMaxSize);
    EXPECT_EQ(p.steps[0], kMinStep);
    EXPECT_EQ(p.steps[1], kMaxStep);
    EXPECT_EQ(p.steps[2], 0);
    expect_refused_at(m, literal(s.steps + "/1", "9223372036854775808"), Reason::not_an_integer,
                      s.steps + "/1");
    expect_refused(m, literal(s.steps + "/0", "-9223372036854775809"), Reason::json_integer_range);
    expect_refused(m, literal(s.sizes + "/1", "18446744073709551616"), Reason::json_integer_range);
  }
}

TEST(Patterns, SizeStandsForASideWithoutArrays) {
  ASSAY_COVERS("DMB-025", "DMB-033");
  constexpr std::uint64_t kMaxSize = 18446744073709551615U;
  const std::string size = kDesc + "/size";
  for (const Side& s : sides()) {
    SCOPED_TRACE(s.what);
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{4294967296}, kMaxSize}) {
      auto t = must_lower(edited(s.model, set(size, n)));
      ASSERT_TRUE(t);
      const kbin_dma_desc_info_t& p = pattern_of(*t, s);
      EXPECT_EQ(p.num_dims, 1U);
      EXPECT_EQ(p.sizes[0], n);
      EXPECT_EQ(p.steps[0], 1);
      EXPECT_EQ(p.sizes[1], 0U);
      EXPECT_EQ(p.steps[1], 0);
    }
    expect_all_refused(s.model, {{"0", set(size, 0), Reason::plain_size_zero, size},
                                 {"negative", set(size, -1), Reason::not_an_integer, size},
                                 {"null", set(size, nullptr), Reason::not_an_integer, size}});
    // Arrays win on their side, and size still stands for the other.
    auto t = must_lower(edited(s.model, set(s.sizes, {4, 5}) + set(s.steps, {1, 4})));
    ASSERT_TRUE(t);
    EXPECT_EQ(pattern_of(*t, s).num_dims, 2U);
    const kbin_dma_desc_t& d = desc_at(*t, 0, 0, 0);
    EXPECT_EQ((s.is_to ? d.u.from[0] : d.u.to).sizes[0], 64U);
  }
}

TEST(Patterns, SizeBesideArraysOnEverySideIsNotRead) {
  ASSAY_COVERS("DMB-025", "JSN-013");
  const std::string size = kDesc + "/size";
  for (const char* op : {"copy", "transpose", "fma", "add", "min", "max"}) {
    SCOPED_TRACE(op);
    Model m = desc_model(desc_of_op(op, 2));
    Json& d = m.def["dma"][0]["desc"][0];
    d.erase("size");
    const auto give = [](Json& j, const std::string& side) {
      j[side + "_sizes"] = {4};
      j[side + "_steps"] = {1};
    };
    give(d, "to");
    if (d.contains("from_arr"))
      for (Json& source : d["from_arr"]) give(source, "from");
    else
      give(d, "from");
    expect_never_read(m, {size});
    expect_ignored(m, set(size, 0));
    // Without size, a side without arrays has no dimension.
    expect_refused_at(m, drop(kDesc + "/to_sizes") + drop(kDesc + "/to_steps"),
                      Reason::pattern_dims, kDesc);
    const std::string source = d.contains("from_arr") ? kDesc + "/from_arr/1" : kDesc;
    expect_refused_at(m, drop(source + "/from_sizes") + drop(source + "/from_steps"),
                      Reason::pattern_dims, source);
  }
}

}  // namespace
}  // namespace assay::test
