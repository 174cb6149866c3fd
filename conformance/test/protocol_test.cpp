// SPDX-License-Identifier: Apache-2.0
// The protocol's messages (conformance.md, Plugging in and Operations): requests and answers through a
// server's lines.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

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

TEST(Requests, RoundTrip) {
  const harness::DtypeRequest dtype = {
      {{true, "float16"}, {false, std::string("a\0b\xff", 4)}}, {1, -1, INT64_MAX}, {0}, {}};
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
  for (const char* bad :
       {"[]", "{}", R"({"members":{},"definition":"d"})", R"({"members":[],"definition":"d","target":2})",
        R"({"members":{"a":"?"},"definition":"d","target":2})", R"({"members":{},"definition":1,"target":2})",
        R"({"members":{},"definition":"d","target":-1})",
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
  for (const char* line :
       {"", "x", "[]", "{}", R"({"id":1})", R"({"id":1,"op":5})", R"({"id":1,"op":"fly"})",
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
  EXPECT_FALSE(
      read_answer(7, Op::decode, "{}", respond(broken, kOracle, R"({"id":7,"op":"decode","image":""})"))->ok());
}

// What doc/protocol.md shows is what the oracle answers.
TEST(Server, AnswersAsTheDocumentSays) {
  std::ifstream doc(std::string(ASSAY_SOURCE_DIR) + "/doc/protocol.md");
  std::string line, answer;
  std::size_t shown = 0;
  while (std::getline(doc, line)) {
    if (line.starts_with("    > ")) answer = respond(oracle_subject(), kOracle, line.substr(6));
    if (!line.starts_with("    < ")) continue;
    const auto cut = line.find("\xe2\x80\xa6");  // an ellipsis
    const std::size_t length = cut == std::string::npos ? cut : cut - 6;
    EXPECT_EQ(answer.substr(0, length), line.substr(6, length));
    ++shown;
  }
  EXPECT_EQ(shown, 6U);
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
