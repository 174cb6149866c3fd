// SPDX-License-Identifier: Apache-2.0
// DMB: the three keys of a transpose.
#include <algorithm>

#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const std::string kOp = kDesc + "/transpose_op", kElement = kDesc + "/transpose_element_size",
                  kShape = kDesc + "/transpose_shape";

const kbin_dma_desc_transpose_info_t& info_of(Tree& t) {
  return desc_at(t, 0, 0, 0).u.info.transpose;
}

Model transpose_model() { return desc_model(desc_of_op("transpose")); }

TEST(Transpose, AbsentKeysAreZero) {
  ASSAY_COVERS("DMB-039", "DMB-040", "LOW-009");
  auto t = must_lower(transpose_model());
  ASSERT_TRUE(t);
  for (const std::uint8_t b : desc_at(*t, 0, 0, 0).u.info.raw) EXPECT_EQ(b, 0);
}

TEST(Transpose, Order) {
  ASSAY_COVERS("DMB-040", "JSN-015", "JSN-016");
  std::string order = "WXYZ";
  int n = 0;
  do {
    auto t = must_lower(edited(transpose_model(), set(kOp, order)));
    ASSERT_TRUE(t);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(info_of(*t).transpose_op), 4), order);
    ++n;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(n, 24);
  for (const char* bad :
       {"", "W", "WXY", "WXYZW", "WXYZ ", "wxyz", "WXYX", "WWWW", "ABCD", "NCHW", "WXY\xC3\x89"})
    expect_refused_at(transpose_model(), set(kOp, bad), Reason::transpose_op, kOp);
  expect_refused_at(transpose_model(), set(kOp, nullptr), Reason::null_value, kOp);
  expect_refused_at(transpose_model(), set(kOp, {"W", "X", "Y", "Z"}), Reason::wrong_type, kOp);
  expect_refused_at(transpose_model(), set(kOp, std::string("WXY\0", 4)), Reason::nul_in_string,
                    kOp);
}

TEST(Transpose, ElementSizeIs32Bits) {
  ASSAY_COVERS("DMB-040");
  for (const std::uint32_t n : {0U, 4U, 4294967295U}) {
    auto t = must_lower(edited(transpose_model(), set(kElement, n)));
    ASSERT_TRUE(t);
    EXPECT_EQ(info_of(*t).element_size, n);
  }
  expect_all_refused(transpose_model(),
                     {{"2^32", set(kElement, 4294967296U), Reason::integer_too_wide, kElement},
                      {"-1", set(kElement, -1), Reason::not_an_integer, kElement},
                      {"null", set(kElement, nullptr), Reason::not_an_integer, kElement}});
}

TEST(Transpose, ShapeHasFourElements) {
  ASSAY_COVERS("DMB-039", "JSN-015", "JSN-016");
  auto t = must_lower(edited(transpose_model(), set(kShape, {1, 0, 4294967295U, 4})));
  ASSERT_TRUE(t);
  const std::uint32_t want[] = {1, 0, 4294967295U, 4};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(info_of(*t).shape[i], want[i]);
  for (const Json& bad :
       {Json::array(), Json::array({1}), Json::array({1, 2, 3}), Json::array({1, 2, 3, 4, 5})})
    expect_refused_at(transpose_model(), set(kShape, bad), Reason::transpose_shape, kShape);
  expect_all_refused(
      transpose_model(),
      {{"2^32", set(kShape, {1, 2, 3, 4294967296U}), Reason::integer_too_wide, kShape + "/3"},
       {"-1", set(kShape, {-1, 2, 3, 4}), Reason::not_an_integer, kShape + "/0"},
       {"number", set(kShape, 4), Reason::wrong_type, kShape},
       {"null", set(kShape, nullptr), Reason::null_value, kShape}});
}

TEST(Transpose, OtherOpsDoNotReadTheKeys) {
  ASSAY_COVERS("DMB-040", "JSN-012");
  for (const char* op : {"copy", "cast", "fma", "add", "min", "max"})
    expect_never_read(desc_model(desc_of_op(op)), {kOp, kElement, kShape});
}

TEST(Transpose, CountsOfTheComputeOpsAreNoPartOfIt) {
  ASSAY_COVERS("DMB-036", "DMB-040");
  auto t = must_lower(
      edited(transpose_model(), set(kOp, "ZYXW") + set(kElement, 2) + set(kShape, {9, 8, 7, 6})));
  ASSERT_TRUE(t);
  const auto& raw = desc_at(*t, 0, 0, 0).u.info.raw;
  const std::uint8_t want[] = {'Z', 'Y', 'X', 'W', 2, 0, 0, 0, 9, 0, 0, 0,
                               8,   0,   0,   0,   7, 0, 0, 0, 6, 0, 0, 0};
  EXPECT_TRUE(std::equal(std::begin(want), std::end(want), raw));
  EXPECT_TRUE(std::all_of(raw + sizeof want, std::end(raw), [](std::uint8_t b) { return b == 0; }));
}

}  // namespace
}  // namespace assay::test
