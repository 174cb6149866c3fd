// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/json_read.h"

#include <gtest/gtest.h>

#include "harness/choice/choices.h"
#include "harness/mutate/text_mutator.h"

namespace assay::harness {
namespace {

void expect_alike(std::string text) {
  const Json expected = Json::parse(text, nullptr, false);
  const std::string before = text;
  const auto read = read_json(text);
  ASSERT_EQ(text, before);
  ASSERT_EQ(read.has_value(), !expected.is_discarded()) << text;
  if (!read) return;
  ASSERT_EQ(*read, expected) << text;
  const auto dump = [](const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); };
  ASSERT_EQ(dump(*read), dump(expected)) << text;
}

TEST(JsonRead, IsAsTheLibraryReadsIt) {
  for (const char* text :
       {"null", "[true,false]", "\"\"", "\"\\u0000\\ud83d\\ude00\\/\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\xff\"",
        "\"\x01\"", "0", "-0", "-0.0", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "5e-324", "1e-400",
        "0.1", "1.0", "100e-2", "2.2250738585072011e-308", "00", "1.", ".5", "+1", "1e", "Infinity", "NaN", "",
        " ", "[1,]", "[", "{\"a\":1,\"a\":{\"b\":[]},\"\":2}", "{\"a\":1,}", "{a:1}", "[] []", "\xef\xbb\xbf[]", "tru", "'a'",
        "/**/1", "{\"z\":1,\"a\":2,\"m\":{\"y\":0,\"x\":1}}"})
    expect_alike(text);
  expect_alike(std::string("[]\0", 3));
  expect_alike(std::string("\"a\0b\"", 5));
}

TEST(JsonRead, IsAsTheLibraryReadsEditedTexts) {
  const std::string seeds[] = {R"({"a":[0,-1,1.5,"x\n\u00e9",{"b":null,"c":[true,false]}],"key":18446744073709551615})",
                               R"([[[{"k":"\\\"","n":-9223372036854775808}],1e10,0.25],{"":{}},[]])"};
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    RandomChoices c(seed);
    std::string text = seeds[seed % 2];
    for (std::uint64_t n = 1 + c.below(3); n > 0; --n) mutate_text(c, text, 4096);
    accepted += Json::accept(text) ? 1 : 0;
    expect_alike(text);
  }
  EXPECT_GT(accepted, 800);
  EXPECT_LT(accepted, 3900);
}

TEST(JsonRead, HasALimitOfDepth) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  for (const std::size_t n : {std::size_t{1}, std::size_t{1022}, std::size_t{1023}, std::size_t{1024}, std::size_t{1025}, kMostJsonDepth})
    expect_alike(nested(n));
  std::string deep = nested(kMostJsonDepth + 1);
  EXPECT_FALSE(read_json(deep).has_value());
  std::string shallow = nested(kMostJsonDepth);
  EXPECT_TRUE(read_json(shallow).has_value());
}

// What was read before, and how long it was, makes no difference.
TEST(JsonRead, KeepsNothing) {
  for (const std::size_t n : {std::size_t{3}, std::size_t{300000}, std::size_t{5}, std::size_t{70000}})
    expect_alike("[\"" + std::string(n, 'a') + "\",1" + (n % 2 ? "]" : ""));
}

}  // namespace
}  // namespace assay::harness
