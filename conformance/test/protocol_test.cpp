// SPDX-License-Identifier: Apache-2.0
// The protocol's messages (conformance.md, Plugging in and Operations): both directions, and everything a
// client must not take for an answer.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/protocol/json.h"
#include "conformance/protocol/messages.h"
#include "conformance/protocol/requests.h"
#include "conformance/protocol/serve.h"
#include "harness/compare/compare.h"
#include "harness/gen/gen.h"

namespace assay::conformance {
namespace {

using harness::oracle_subject;
using harness::ReplyStatus;

const Identity kOracle = {"oracle", "1", all_subject_ops()};

harness::Model model_of(std::uint64_t seed) {
  harness::RandomChoices c(seed);
  return harness::gen_model(c);
}

// The answer to a request by way of lines alone.
ReadLine<Answer> asked(Op op, const std::string& request) {
  const auto line = request_line(7, op, request);
  EXPECT_TRUE(line) << line.error();
  return read_answer(7, op, request, respond(oracle_subject(), kOracle, *line));
}

TEST(Base64, IsStrictAndRoundTrips) {
  std::string bytes;
  for (int n = 0; n < 70; ++n) {
    const std::string text = wire::to_base64(as_bytes(bytes));
    const auto back = wire::from_base64(text);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(back->text(), bytes);
    bytes += static_cast<char>(n * 37 + 200);
  }
  for (const char* bad : {"A", "AA", "AAA", "A===", "=AAA", "AA=A", "AAAA=", "AAA ", " AAA", "AA\n=", "AB==", "AAB=", "AA-_",
                          "====", "AA\xc3\xa9", "AAAA\n"})
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
  for (const char* bad : {"9007199254740993", "\"5\"", "\"09007199254740993\"", "\"+9007199254740993\"", "1.0", "true", "null",
                          "\"18446744073709551616\"", "-1", "\"\"", "\"9007199254740993 \""})
    EXPECT_FALSE(wire::unsigned_of(nlohmann::json::parse(bad))) << bad;
}

TEST(Requests, RoundTrip) {
  const harness::DtypeRequest dtype = {{{true, "float16"}, {false, std::string("a\0b\xff", 4)}}, {1, -1, INT64_MAX}, {0}, {}};
  const auto d = dtype_request(request_of(dtype));
  ASSERT_TRUE(d) << d.error();
  EXPECT_EQ(d->match[1].text, dtype.match[1].text);
  EXPECT_TRUE(d->match[0].neff_io);
  EXPECT_FALSE(d->match[1].neff_io);
  EXPECT_EQ(d->to_sdma, dtype.to_sdma);

  Members members;
  members.put("sg00/def.json", Buffer(std::string_view("{}")));
  members.put("b/\xc3\xa9", Buffer(std::size_t{0}));
  harness::LowerRequest lower{&members, "sg00/def.json", 3, true, 5, {}};
  lower.fp8.ocp_sat = false;
  lower.fp8.emax_fp8_e4m3 = 4000000000U;
  const auto text = request_of(lower);
  ASSERT_TRUE(text);
  const auto l = lower_request(*text);
  ASSERT_TRUE(l) << l.error();
  EXPECT_EQ(l->members->find("sg00/def.json")->text(), "{}");
  EXPECT_EQ(l->members->find("b/\xc3\xa9")->size(), 0U);
  EXPECT_EQ(l->request.target, 3U);
  EXPECT_EQ(l->request.subgraph, 5U);
  EXPECT_TRUE(l->request.allow_legacy);
  EXPECT_EQ(l->request.fp8.ocp_sat, false);
  EXPECT_EQ(l->request.fp8.emax_fp8_e4m3, 4000000000U);
  EXPECT_FALSE(l->request.fp8.fp8_sis);
  EXPECT_EQ(*request_of(l->request), *text);
  members.put("not \xff UTF-8", Buffer(std::size_t{0}));
  EXPECT_FALSE(request_of(lower));

  const auto n = lower_neff_request(request_of(harness::LowerNeffRequest{as_bytes("abc"), 2, false, true}));
  ASSERT_TRUE(n) << n.error();
  EXPECT_EQ(as_text(n->request.neff), "abc");
  EXPECT_EQ(n->request.arch, 2U);
  EXPECT_TRUE(n->request.verify_digest);
}

TEST(Requests, WrongOnesAreErrors) {
  for (const char* bad : {"[]", "{}", R"({"members":{},"definition":"d"})", R"({"members":[],"definition":"d","target":2})",
                          R"({"members":{"a":"?"},"definition":"d","target":2})",
                          R"({"members":{},"definition":1,"target":2})", R"({"members":{},"definition":"d","target":-1})",
                          R"({"members":{},"definition":"d","target":2,"allow_legacy":1})",
                          R"({"members":{},"definition":"d","target":2,"fp8":{"ocp_sat":1}})",
                          R"({"members":{},"definition":"d","target":2,"fp8":{"emax_fp8_e4m3":true}})",
                          R"({"members":{},"definition":"d","target":2,"fp8":{"other":1}})"})
    EXPECT_FALSE(lower_request(std::string_view(bad))) << bad;
  EXPECT_TRUE(lower_request(std::string_view(R"({"members":{},"definition":"d","target":2})")));
  for (const char* bad : {R"({"match":[{"table":"other","text":""}]})", R"({"size":[1.5]})", R"({"size":{}})"})
    EXPECT_FALSE(dtype_request(std::string_view(bad))) << bad;
}

// The oracle by lines answers what the oracle answers.
TEST(Exchange, LowersAsTheSubjectDoes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const harness::Model model = model_of(seed);
    const Members members = harness::to_members(model);
    const auto graph = harness::graphs_of(model).front();
    const harness::LowerRequest q{&members, graph.definition, 3, model.options.allow_legacy, 1, model.options.fp8};
    const auto direct = oracle_subject().lower(q);
    const auto answer = asked(Op::lower, *request_of(q));
    ASSERT_TRUE(answer) << answer.error().what;
    ASSERT_EQ(answer->status, direct.status);
    if (!direct.ok()) {
      EXPECT_EQ(answer->code, direct.code);
      EXPECT_EQ(answer->at, direct.at);
      continue;
    }
    const auto image = image_of(answer->body);
    ASSERT_TRUE(image) << image.error();
    EXPECT_EQ(image->text(), direct.value.text());
    EXPECT_EQ(answer->body, body_of_image(direct.value.view()));

    const auto fields = oracle_subject().decode(image->view());
    const auto decoded = asked(Op::decode, request_of_decode(image->view()));
    ASSERT_TRUE(decoded) << decoded.error().what;
    EXPECT_TRUE(harness::compare_fields(fields.value, **fields_of(decoded->body)).empty());

    const auto neff = harness::to_neff(model);
    ASSERT_TRUE(neff);
    const harness::LowerNeffRequest file{neff->view(), 3, model.options.allow_legacy, true};
    const auto whole = oracle_subject().lower_neff(file);
    const auto of_file = asked(Op::lower_neff, request_of(file));
    ASSERT_TRUE(of_file) << of_file.error().what;
    ASSERT_EQ(of_file->status, whole.status);
    if (!whole.ok()) continue;
    const auto value = lower_neff_of(of_file->body);
    ASSERT_TRUE(value) << value.error();
    ASSERT_EQ(value->images.size(), whole.value.images.size());
    EXPECT_TRUE(harness::compare_io(whole.value.io, value->io).empty());
    EXPECT_EQ(body_of(*value), of_file->body);
  }
}

TEST(Exchange, DtypesAsTheSubjectDoes) {
  harness::DtypeRequest q = {{{true, "float16"}, {false, "float8e3"}, {false, "what"}}, {0, 1, 16}, {1, 5}, {-1, 6}};
  const auto answer = asked(Op::dtype, request_of(q));
  ASSERT_TRUE(answer) << answer.error().what;
  const auto value = dtype_of(answer->body);
  ASSERT_TRUE(value);
  EXPECT_TRUE(harness::compare_dtypes(q, oracle_subject().dtype(q).value, *value).empty());
  EXPECT_EQ(value->match, (std::vector<std::optional<std::int64_t>>{7, 1, std::nullopt}));
}

TEST(Server, AnswersEverything) {
  for (const char* line : {"", "x", "[]", "{}", R"({"id":1})", R"({"id":1,"op":5})", R"({"id":1,"op":"fly"})",
                           R"({"id":1,"op":"lower"})", R"({"id":1,"op":"resolve"})", R"({"id":{"a":[]},"op":"dtype","size":[{}]})",
                           R"({"id":1,"op":"decode","image":"A"})", "{\"id\":1,\"op\":\"\xff\"}"}) {
    const auto j = nlohmann::json::parse(respond(oracle_subject(), kOracle, line));
    EXPECT_EQ(j["status"], "unsupported") << line;
    EXPECT_TRUE(j["id"] == 1 || j["id"].is_null()) << line;
  }
  const auto hello = read_hello(3, respond(oracle_subject(), kOracle, hello_line(3, "1.0")));
  ASSERT_TRUE(hello) << hello.error().what;
  EXPECT_EQ(hello->name, "oracle");
  EXPECT_TRUE(hello->has(Op::decode));
  EXPECT_FALSE(hello->has(Op::udma));
}

class Says final : public harness::Subject {
 public:
  explicit Says(harness::Reply<Buffer> (*says)()) : lower_(says) {}
  std::string name() const override { return "says"; }
  harness::Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest&) const override { throw 1; }
  harness::Reply<Buffer> lower(const harness::LowerRequest&) const override { return lower_(); }
  harness::Reply<harness::LowerNeffAnswer> lower_neff(const harness::LowerNeffRequest&) const override { return {}; }
  harness::Reply<std::string> decode(ByteView) const override { return harness::Reply<std::string>::of("not json"); }

 private:
  harness::Reply<Buffer> (*lower_)();
};

TEST(Server, UnspecifiedIsRefusedAndErrorsAreProblems) {
  const std::string lower = R"({"id":7,"op":"lower","members":{},"definition":"d","target":2})";
  const auto say = [&](harness::Reply<Buffer> (*f)()) {
    return *read_answer(7, Op::lower, "{}", respond(Says(f), kOracle, lower));
  };
  Answer a = say([] { return harness::Reply<Buffer>{ReplyStatus::unspecified, {}, 1, "DMB-019", "x", {}}; });
  EXPECT_EQ(a.status, ReplyStatus::refused);
  EXPECT_EQ(a.reason, "unspecified");
  EXPECT_FALSE(a.code);
  a = say([] { return harness::Reply<Buffer>{ReplyStatus::error, {}, {}, "engine[2]: \"outside\"", "", {}}; });
  EXPECT_FALSE(a.ok());
  EXPECT_EQ(a.problem, "engine[2]: \"outside\"");
  a = say([] { return harness::Reply<Buffer>{ReplyStatus::trapped, {}, {}, "", "", {}}; });
  EXPECT_EQ(a.status, ReplyStatus::trapped);
  // A subject that throws, and one whose fields are none.
  const Says broken(nullptr);
  EXPECT_EQ(read_answer(7, Op::dtype, "{}", respond(broken, kOracle, R"({"id":7,"op":"dtype"})"))->status,
            ReplyStatus::unsupported);
  EXPECT_FALSE(read_answer(7, Op::decode, "{}", respond(broken, kOracle, R"({"id":7,"op":"decode","image":""})"))->ok());
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
      {Op::lower_neff, R"({"id":7,"status":"ok","images":[],"inputs":[{"name":"","dtype":1,"shape":[1]}],"outputs":[]})",
       "inputs"},
      {Op::lower_neff,
       R"({"id":7,"status":"ok","images":[],"inputs":[],"outputs":[{"name":"","dtype":1,"shape":[-1],"size":1}]})", "outputs"},
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
  const auto a = read_answer(7, Op::dtype, request,
                             R"({"size":[4],"id":7,"to_sdma":["refused","9007199254740993"],"status":"ok","extra":{},"op":"dtype"})");
  ASSERT_TRUE(a) << a.error().what;
  EXPECT_EQ(a->body, R"({"cce_op":[],"match":[],"size":[4],"to_sdma":["refused","9007199254740993"]})");
  const auto r = read_answer(7, Op::lower, "{}", R"({"id":7,"status":"refused","code":null,"reason":null,"at":"x"})");
  ASSERT_TRUE(r) << r.error().what;
  EXPECT_FALSE(r->code);
  EXPECT_EQ(canonical(*r), R"({"status":"refused"})");
  EXPECT_TRUE(read_answer(7, Op::udma, "{}", R"({"id":7,"status":"ok","word":1,"first_word":"18446744073709551615"})"));
  EXPECT_TRUE(read_answer(7, Op::udma, "{}", R"({"id":7,"status":"ok","descriptors":["AAAA"]})"));
  EXPECT_TRUE(read_answer(7, Op::neff_ip, "{}", R"({"id":7,"status":"ok","index":3})"));
}

TEST(Client, HelloIsStrict) {
  for (const char* bad : {R"({"id":7,"name":"a","version":"1","ops":[]})", R"({"id":7,"protocol":2,"name":"a","version":"1","ops":[]})",
                          R"({"id":7,"protocol":1,"version":"1","ops":[]})", R"({"id":7,"protocol":1,"name":"a","ops":[]})",
                          R"({"id":7,"protocol":1,"name":"a","version":"1"})", R"({"id":7,"protocol":1,"name":"a","version":"1","ops":[1]})",
                          R"({"id":1,"protocol":1,"name":"a","version":"1","ops":[]})",
                          R"({"id":7,"op":"lower","protocol":1,"name":"a","version":"1","ops":[]})"})
    EXPECT_FALSE(read_hello(7, bad)) << bad;
  const auto hello = read_hello(7, R"({"id":7,"protocol":1,"name":"a","version":"1","ops":["dtype","dtype","later"]})");
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->ops, std::vector<Op>{Op::dtype});
}

TEST(Client, RequestLinesHoldOpAndRequestAlone) {
  EXPECT_EQ(*request_line(3, Op::decode, R"({"image":"AAAA"})"), R"({"id":3,"op":"decode","image":"AAAA"})");
  EXPECT_EQ(*request_line(3, Op::resolve, " { } "), R"({"id":3,"op":"resolve" })");
  for (const char* bad : {"", "{", "}", "[]", "{\"a\":\n1}", "x{}"}) EXPECT_FALSE(request_line(3, Op::decode, bad)) << bad;
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

struct Pipes {
  int in[2], out[2];
  Pipes() { EXPECT_EQ(::pipe2(in, O_CLOEXEC) | ::pipe2(out, O_CLOEXEC), 0); }
};

TEST(Serve, AnswersLinesUntilTheInputEnds) {
  Pipes p;
  std::thread server([&] {
    serve(oracle_subject(), kOracle, p.in[0], p.out[1]);
    ::close(p.out[1]);
  });
  const std::string input = hello_line(0, "1.0") + "\n\nnonsense\n" + *request_line(1, Op::dtype, R"({"size":[5]})");
  ASSERT_EQ(::write(p.in[1], input.data(), input.size()), static_cast<ssize_t>(input.size()));
  ::close(p.in[1]);  // the last line has no newline
  std::string output;
  char chunk[4096];
  for (ssize_t n; (n = ::read(p.out[0], chunk, sizeof chunk)) > 0;) output.append(chunk, static_cast<std::size_t>(n));
  server.join();
  ::close(p.in[0]), ::close(p.out[0]);
  ASSERT_EQ(std::count(output.begin(), output.end(), '\n'), 3);
  EXPECT_NE(output.find(R"("name":"oracle")"), std::string::npos);
  EXPECT_NE(output.find(R"({"id":null,"status":"unsupported")"), std::string::npos);
  EXPECT_NE(output.find(R"("size":[4])"), std::string::npos);
}

}  // namespace
}  // namespace assay::conformance
