// SPDX-License-Identifier: Apache-2.0
// What a client takes for an answer, and everything that it must not (conformance.md, Plugging in).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/protocol/json.h"
#include "conformance/protocol/messages.h"
#include "harness/choice/choices.h"

namespace assay::conformance {
namespace {

using harness::ReplyStatus;

TEST(Base64, IsStrictAndRoundTrips) {
  std::string bytes;
  for (int n = 0; n < 70; ++n) {
    const std::string text = wire::to_base64(as_bytes(bytes));
    const auto back = wire::from_base64(text);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(back->text(), bytes);
    bytes += static_cast<char>(n * 37 + 200);
  }
  for (const char* bad : {"A", "AA", "AAA", "A===", "=AAA", "AA=A", "AAAA=", "AAA ", " AAA",
                          "AA\n=", "AB==", "AAB=", "AA-_", "====", "AA\xc3\xa9", "AAAA\n"})
    EXPECT_FALSE(wire::from_base64(bad)) << bad;
}

TEST(Json, IsBoundedAndStrict) {
  EXPECT_TRUE(wire::parse(R"({"a":[1,{"b":"c"}],"d":null})"));
  for (const char* bad : {"", "{", "{}x", "{} {}", R"({"a":1,"a":2})", "[1,]", "nan", "{\"a\":\"\xff\"}"})
    EXPECT_FALSE(wire::parse(bad)) << bad;
  EXPECT_TRUE(wire::parse(std::string(16, '[') + std::string(16, ']')));
  EXPECT_FALSE(wire::parse(std::string(17, '[') + std::string(17, ']')));
  EXPECT_FALSE(wire::parse(std::string(50'000'000, '[')));
}

TEST(Json, IntegersBeyond2To53AreStrings) {
  const std::uint64_t exact = std::uint64_t{1} << 53;
  EXPECT_EQ(wire::integer(exact).dump(), "9007199254740992");
  EXPECT_EQ(wire::integer(exact + 1).dump(), "\"9007199254740993\"");
  for (const std::uint64_t v : {std::uint64_t{0}, exact, exact + 1, ~std::uint64_t{0}})
    EXPECT_EQ(wire::unsigned_of(wire::integer(v)), v);
  for (const std::int64_t v : {INT64_MIN, INT64_MAX, std::int64_t{-1}, -(std::int64_t{1} << 53)})
    EXPECT_EQ(wire::signed_of(wire::integer(v)), v);
  for (const char* bad : {"9007199254740993", "\"5\"", "\"09007199254740993\"", "\"+9007199254740993\"", "1.0",
                          "true", "null", "\"18446744073709551616\"", "-1", "\"\"", "\"9007199254740993 \""})
    EXPECT_FALSE(wire::unsigned_of(nlohmann::json::parse(bad))) << bad;
}

struct Wrong {
  Op op;
  const char* line;
  const char* what;  // part of the message
};

// Nothing of this may pass for an answer to request 7.
TEST(Client, TakesNothingElseForAnAnswer) {
  const char* const request = R"({"match":[],"to_sdma":[1,2],"cce_op":[],"size":[3]})";
  const Wrong wrongs[] = {
      {Op::dtype, R"({"status":"ok"})", "without an id"},
      {Op::dtype, R"({"id":"7","status":"refused"})", "no number"},
      {Op::dtype, R"({"id":8,"status":"refused"})", "id 8"},
      {Op::dtype, R"({"id":6,"status":"refused"})", "again"},
      {Op::dtype, R"({"id":7})", "status"},
      {Op::dtype, R"({"id":7,"status":"passed"})", "passed"},
      {Op::dtype, R"({"id":7,"status":"error"})", "error"},
      {Op::dtype, R"({"id":7,"status":"unspecified"})", "unspecified"},
      {Op::dtype, R"({"id":7,"status":"refused","op":"lower"})", "op"},
      {Op::dtype, R"({"id":7,"status":"refused","protocol":2})", "protocol"},
      {Op::dtype, R"({"id":7,"status":"refused","code":"x"})", "code"},
      {Op::dtype, R"({"id":7,"status":"refused","code":-1})", "code"},
      {Op::dtype, R"({"id":7,"status":"refused","reason":5})", "reason"},
      {Op::dtype, R"({"id":7,"status":"refused","size":[4]})", "beside"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1,2]})", "size"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1],"size":[4]})", "1 values where 2"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1,2],"size":[4],"match":[1]})", "1 values where 0"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1,"no"],"size":[4]})", "neither"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1,2.0],"size":[4]})", "neither"},
      {Op::dtype, R"({"id":7,"status":"ok","to_sdma":[1,2],"size":4})", "array"},
      {Op::lower, R"({"id":7,"status":"ok"})", "image"},
      {Op::lower, R"({"id":7,"status":"ok","image":"A"})", "base64"},
      {Op::lower, R"({"id":7,"status":"ok","image":["AAAA"]})", "base64"},
      {Op::lower, R"({"id":7,"status":"ok","image":"AAAA","fields":[]})", "scalar"},
      {Op::lower, R"({"id":7,"status":"ok","image":"AAAA","image":"AAAA"})", "twice"},
      {Op::lower_neff, R"({"id":7,"status":"ok","images":["AAAA"],"inputs":[]})", "outputs"},
      {Op::lower_neff, R"({"id":7,"status":"ok","images":[1],"inputs":[],"outputs":[]})", "base64"},
      {Op::lower_neff,
       R"({"id":7,"status":"ok","images":[],"inputs":[{"name":"","dtype":1,"shape":[1]}],"outputs":[]})", "inputs"},
      {Op::lower_neff,
       R"({"id":7,"status":"ok","images":[],"inputs":[],"outputs":[{"name":"","dtype":1,"shape":[-1],"size":1}]})",
       "outputs"},
      {Op::decode, R"({"id":7,"status":"ok","fields":{"a":{"b":1}}})", "scalar"},
      {Op::decode, R"({"id":7,"status":"ok","fields":{"a":1.5}})", "scalar"},
      {Op::decode, R"({"id":7,"status":"ok","fields":{"a":9007199254740993}})", "scalar"},
      {Op::udma, R"({"id":7,"status":"ok","word":1})", "first_word"},
      {Op::udma, R"({"id":7,"status":"ok","word":1,"first_word":1,"descriptors":[]})", "form"},
      {Op::neff_ip, R"({"id":7,"status":"ok","index":-1})", "index"},
      {Op::resolve, R"({"id":7,"status":"ok"})", "address"},
  };
  for (const Wrong& w : wrongs) {
    const auto answer = read_answer(7, w.op, w.op == Op::dtype ? request : "{}", w.line);
    ASSERT_FALSE(answer) << w.line;
    EXPECT_NE(answer.error().what.find(w.what), std::string::npos) << w.line << ": " << answer.error().what;
  }
  for (const char* noise : {"", "loading...", "7", "[7]", "{\"id\":7", "null"}) {
    const auto answer = read_answer(7, Op::dtype, request, noise);
    ASSERT_FALSE(answer) << noise;
    EXPECT_TRUE(answer.error().noise) << noise;
  }
}

TEST(Client, TakesWhatConformanceAllows) {
  const char* const request = R"({"match":[],"to_sdma":[1,2],"cce_op":[],"size":[3]})";
  const auto a = read_answer(
      7, Op::dtype, request,
      R"({"size":[4],"id":7,"to_sdma":["refused","9007199254740993"],"status":"ok","extra":{},"op":"dtype"})");
  ASSERT_TRUE(a) << a.error().what;
  EXPECT_EQ(a->body, R"({"cce_op":[],"match":[],"size":[4],"to_sdma":["refused","9007199254740993"]})");
  const auto r = read_answer(7, Op::lower, "{}", R"({"id":7,"status":"refused","code":null,"reason":null,"at":"x"})");
  ASSERT_TRUE(r) << r.error().what;
  EXPECT_FALSE(r->code);
  EXPECT_EQ(canonical(*r), R"({"status":"refused"})");
  EXPECT_TRUE(
      read_answer(7, Op::udma, "{}", R"({"id":7,"status":"ok","word":1,"first_word":"18446744073709551615"})"));
  EXPECT_TRUE(read_answer(7, Op::udma, "{}", R"({"id":7,"status":"ok","descriptors":["AAAA"]})"));
  EXPECT_TRUE(read_answer(7, Op::neff_ip, "{}", R"({"id":7,"status":"ok","index":3})"));
}

TEST(Client, HelloIsStrict) {
  for (const char* bad :
       {R"({"id":7,"name":"a","version":"1","ops":[]})", R"({"id":7,"protocol":2,"name":"a","version":"1","ops":[]})",
        R"({"id":7,"protocol":1,"version":"1","ops":[]})", R"({"id":7,"protocol":1,"name":"a","ops":[]})",
        R"({"id":7,"protocol":1,"name":"a","version":"1"})",
        R"({"id":7,"protocol":1,"name":"a","version":"1","ops":[1]})",
        R"({"id":1,"protocol":1,"name":"a","version":"1","ops":[]})",
        R"({"id":7,"op":"lower","protocol":1,"name":"a","version":"1","ops":[]})"})
    EXPECT_FALSE(read_hello(7, bad)) << bad;
  const auto hello =
      read_hello(7, R"({"id":7,"protocol":1,"name":"a","version":"1","ops":["dtype","dtype","later"]})");
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->ops, std::vector<Op>{Op::dtype});
  EXPECT_EQ(hello->unknown, std::vector<std::string>{"later"});
}

TEST(Client, RequestLinesHoldOpAndRequestAlone) {
  EXPECT_EQ(*request_line(3, Op::decode, R"({"image":"AAAA"})"), R"({"id":3,"op":"decode","image":"AAAA"})");
  EXPECT_EQ(*request_line(3, Op::resolve, " { } "), R"({"id":3,"op":"resolve" })");
  for (const char* bad : {"", "{", "}", "[]", "{\"a\":\n1}", "x{}"})
    EXPECT_FALSE(request_line(3, Op::decode, bad)) << bad;
}

TEST(Canonical, CountsWhatCounts) {
  Answer a;
  a.status = ReplyStatus::ok;
  a.body = R"({"image":"AAAA"})";
  a.reason = "never mind";
  EXPECT_EQ(canonical(a), R"({"answer":{"image":"AAAA"},"status":"ok"})");
  a.body.clear(), a.problem = "x\"y";
  EXPECT_EQ(canonical(a), R"({"problem":"x\"y","status":"ok"})");
  a = {};
  a.status = ReplyStatus::refused, a.code = 2;
  EXPECT_EQ(canonical(a), R"({"code":2,"status":"refused"})");
}

// Answers with a few bytes changed: an answer or an error, and nothing else.
TEST(Client, SurvivesAnyLine) {
  const std::string lines[] = {
      R"({"id":7,"status":"ok","match":[1],"to_sdma":["refused",-9],"cce_op":[],"size":[4]})",
      R"({"id":7,"status":"refused","code":2,"reason":"a \u0041","at":"b"})",
      R"({"id":7,"status":"ok","image":"S0JJTklNRzE=","fields":{"a[0].b":"9007199254740993","c":null,"d":true}})",
      R"({"id":7,"protocol":1,"name":"a","version":"1","ops":["dtype"]})",
      R"({"id":7,"status":"ok","images":["AA=="],"outputs":[],)"
      R"("inputs":[{"name":"YQ==","dtype":7,"shape":[2,3],"size":12}]})",
  };
  constexpr Op kOps[] = {Op::dtype, Op::lower, Op::lower_neff, Op::decode, Op::udma};
  constexpr std::string_view kBytes = "\"\\{}[],:0-9.eE=A\xff\t\n u";
  harness::RandomChoices c(5);
  std::size_t answers = 0;
  for (int i = 0; i < 15'000; ++i) {
    std::string line = c.pick(lines);
    for (std::uint64_t edits = c.below(4); edits > 0; --edits) {
      const std::size_t at = c.below(line.size());
      switch (c.below(3)) {
        case 0: line[at] = kBytes[c.below(kBytes.size())]; break;
        case 1: line.erase(at, 1 + c.below(8)); break;
        default: line.insert(at, line.substr(c.below(line.size()), c.below(20)));
      }
    }
    const auto answer =
        read_answer(7, c.pick(kOps), R"({"match":[{}],"to_sdma":[1,2],"cce_op":[],"size":[5]})", line);
    EXPECT_FALSE((answer ? canonical(*answer) : answer.error().what).empty());
    answers += answer.has_value();
    (void)read_hello(7, line);
  }
  EXPECT_GT(answers, 500U);
}

}  // namespace
}  // namespace assay::conformance
