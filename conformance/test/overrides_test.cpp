// SPDX-License-Identifier: Apache-2.0
// A wrong field of fp8_conv_cfg names the row that gives its value: the section's, or an option's.
#include <gtest/gtest.h>

#include "conformance/certificate/judge.h"
#include "conformance/test/small_suite.h"
#include "oracle/image/image.h"
#include "oracle/tree/tree.h"

namespace assay::conformance {
namespace {

Case with_override() {
  harness::Model m;
  m.put("kelf-0.json", {{"version", "1.0"}, {"target", "sunda"},
                        {"graphs", {{{"name", "g"}, {"definition", "def.json"}}}}});
  m.put("def.json", {{"var", {{"out", {{"type", "output"}, {"var_id", 0}, {"size", 4}}}}},
                     {"fp8_conversion_config", {{"emax_fp8_e4m3", 8}, {"emax_fp8_e5m2", 15}, {"fp8_sns", true}}}});
  m.options.fp8.emax_fp8_e4m3 = 3;
  m.options.fp8.fp8_sns = false;
  return test::lower_case("fp8", {"FP8-004"}, m);
}

template <class Edit>
std::string rows_after(Edit edit) {
  const Case c = with_override();
  const auto image = image_of(c.answer);
  if (!image) return "no image";
  auto tree = to_tree(*decode(image->view()));
  edit(tree->root().fp8_conv_cfg);
  Answer a;
  a.status = harness::ReplyStatus::ok;
  a.body = body_of_image(encode(*tree)->view());
  return test::rows_of(judge(c, a, test::whole_catalogue()).violations);
}

TEST(Overrides, AFieldThatAnOptionReplacesIsTheOptionsRow) {
  EXPECT_EQ(rows_after([](kbin_fp8_conv_cfg_t&) {}), "");
  EXPECT_EQ(rows_after([](kbin_fp8_conv_cfg_t& f) { f.emax_fp8_e4m3 = 8; }), "FP8-004");
  EXPECT_EQ(rows_after([](kbin_fp8_conv_cfg_t& f) { f.sns = true; }), "FP8-004");
  EXPECT_EQ(rows_after([](kbin_fp8_conv_cfg_t& f) { f.emax_fp8_e5m2 = 3; }), "FP8-001");
}

}  // namespace
}  // namespace assay::conformance
