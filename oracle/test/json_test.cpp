// SPDX-License-Identifier: Apache-2.0
// Which documents are JSON here, and where a bad one is bad (JSN-001..004, 010, 011, 017, 018).
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "oracle/manifest/json.h"
#include "oracle/test/covers.h"
#include "oracle/test/model.h"

namespace assay::test {
namespace {

using namespace std::string_literals;

struct Bad {
  std::string text;
  Reason reason;
  std::uint64_t offset;  // bytes from the start of the document
};

Result<Document> parse(const std::string& text) {
  return Document::parse("m.json", Buffer(std::string_view(text)));
}

void expect_good(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const auto doc = parse(text);
    EXPECT_TRUE(doc.has_value()) << text << ": " << doc.error().text();
  }
}

void expect_bad(const std::vector<Bad>& rows) {
  for (const Bad& row : rows) {
    const std::string shown = row.text.substr(0, 60);
    const auto doc = parse(row.text);
    if (doc) {
      ADD_FAILURE() << shown << " accepted";
      continue;
    }
    const Refusal& r = doc.error();
    EXPECT_EQ(row_of(r.reason).id, row_of(row.reason).id) << shown << ": " << r.text();
    EXPECT_EQ(r.row().status, NrtStatus::invalid);
    EXPECT_EQ(r.place.member, "m.json");
    EXPECT_EQ(r.place.offset, row.offset) << shown << ": " << r.text();
  }
}

// A value behind a key that no lowering reads.
std::string in_ignored_key(const std::string& value) {
  std::string text = small_model().def.dump();
  text.pop_back();
  return text + R"(,"ignored":)" + value + "}";
}

// The document that holds `bad` in an ignored key is refused, the one that holds `good` lowers.
void expect_value_refused(const std::string& bad, const std::string& good, Reason reason) {
  SCOPED_TRACE(bad.substr(0, 60));
  Model twin = small_model();
  twin.raw = in_ignored_key(good);
  expect_refused(
      twin, [&](Model& m) { m.raw = in_ignored_key(bad); }, reason, "sg00/def.json+");
}

TEST(Json, Utf8) {
  ASSAY_COVERS("JSN-001");
  expect_good({"[\"\xC2\x80\"]", "[\"\xDF\xBF\"]", "[\"\xE0\xA0\x80\"]", "[\"\xED\x9F\xBF\"]",
               "[\"\xEE\x80\x80\"]", "[\"\xEF\xBF\xBF\"]", "[\"\xF0\x90\x80\x80\"]",
               "[\"\xF4\x8F\xBF\xBF\"]", "{\"\xC3\xA9\":1}", "[\"\x7F\"]"});
  std::vector<Bad> rows;
  for (const std::string bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xE0\x80\x80", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xEF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xF0\x9F\x98"}) {
    const auto as_value = parse("[\"" + bytes + "\"]"), as_key = parse("{\"" + bytes + "\":0}");
    for (const auto* doc : {&as_value, &as_key}) {
      ASSERT_FALSE(doc->has_value())
          << Json(bytes).dump(-1, ' ', true, Json::error_handler_t::replace);
      EXPECT_EQ(row_of(doc->error().reason).id, "json-utf8") << doc->error().text();
      EXPECT_GE(*doc->error().place.offset, 2u);
      EXPECT_LE(*doc->error().place.offset, 2 + bytes.size());
    }
  }
  expect_value_refused("\"\xC3\"", "\"\xC3\xA9\"", Reason::json_utf8);
}

// Foreign bytes between the tokens: those that are UTF-8 are bad syntax, the others are JSN-001's.
TEST(Json, Utf8OutsideStrings) {
  ASSAY_COVERS("JSN-001", "JSN-002");
  expect_good({"[1, 2]"});
  expect_bad({{"[1,\xff 2]", Reason::json_utf8, 3},
              {"[1, 2]\xc3", Reason::json_utf8, 6},
              {"\x80", Reason::json_utf8, 0},
              {"[1,\xc3\xa9 2]", Reason::json_syntax, 3}});
}

TEST(Json, Syntax) {
  ASSAY_COVERS("JSN-002");
  expect_good({"{}", "[]", " \t\r\n{} \t\r\n", "[1,2]", "{\"a\":[{}]}", "5", "\"x\"", "null",
               "true", "[-0,0,0.5,-1e5,1E+2,0e0,0.0]", R"(["\"\\\/\b\f\n\r\t\u00e9\u00E9"])"});
  const Reason s = Reason::json_syntax;
  expect_bad({{"", Reason::json_empty, 0},
              {" \t\r\n", Reason::json_empty, 0},
              {"{}x", s, 2},
              {"{} {}", s, 3},
              {"{},", s, 2},
              {"[]]", s, 2},
              {"1 2", s, 2},
              {"[1,]", s, 3},
              {"{\"a\":1,}", s, 7},
              {"[,1]", s, 1},
              {"{,}", s, 1},
              {"[1,,2]", s, 3},
              {"[1 2]", s, 3},
              {"{\"a\" 1}", s, 5},
              {"{\"a\":}", s, 5},
              {"{\"a\"}", s, 4},
              {"{a:1}", s, 1},
              {"{1:1}", s, 1},
              {"['a']", s, 1},
              {"[\"a]", s, 4},
              {"[", s, 1},
              {"]", s, 0},
              {"{", s, 1},
              {"{\"a\":1", s, 6},
              {"[1}", s, 2},
              {"{]", s, 1},
              {"[/*c*/]", s, 1},
              {"//c\n[]", s, 0},
              {"[]#c", s, 2},
              {"[NaN]", s, 1},
              {"[Infinity]", s, 1},
              {"[-Infinity]", s, 2},
              {"[nan]", s, 2},
              {"[True]", s, 1},
              {"[tru]", s, 4},
              {"[nullx]", s, 5},
              {"[undefined]", s, 1},
              {"[01]", s, 2},
              {"[-01]", s, 3},
              {"[+1]", s, 1},
              {"[.5]", s, 1},
              {"[5.]", s, 3},
              {"[1e]", s, 3},
              {"[1e+]", s, 4},
              {"[-]", s, 2},
              {"[0x1]", s, 2},
              {"[1_0]", s, 2},
              {"[1.5.5]", s, 4},
              {"[\"\t\"]", s, 2},
              {"[\"\n\"]", s, 2},
              {"[\"\x1F\"]", s, 2},
              {R"(["\x41"])", s, 3},
              {R"(["\u12"])", s, 6},
              {R"(["\u12G4"])", s, 6},
              {R"(["\U0041"])", s, 3},
              {R"(["\'"])", s, 3},
              {"[\x0B]", s, 1},
              {"[\x0C]", s, 1},
              {"[\xC2\xA0]", s, 1},
              {"\xFE\xFF", Reason::json_utf8, 0}});
  Model twin = small_model();
  for (const char* text : {"", "  \n", "{} trailing", "{", "{}}"})
    expect_refused(
        twin, [&](Model& m) { m.raw = text[0] == 0 ? "\n" : text; },
        text[0] == 0 || text[0] == ' ' ? Reason::json_empty : s, "sg00/def.json+");
  // What the words of the parser's message are built from does not mislead the diagnosis.
  expect_bad({{R"(["surrogate" x])", s, 13}, {R"(["ill-formed UTF-8" x])", s, 20}});
}

TEST(Json, EmptyMemberOfNoMemory) {
  ASSAY_COVERS("JSN-002");
  const auto doc = Document::parse("m.json", Buffer());
  ASSERT_FALSE(doc.has_value());
  EXPECT_EQ(doc.error().reason, Reason::json_empty);
}

TEST(Json, RawNulBytes) {
  ASSAY_COVERS("JSN-002");
  const Reason s = Reason::json_syntax;
  expect_bad({{"{}\0"s, s, 2},
              {"{}\0x"s, s, 2},
              {"{}\0{}"s, s, 2},
              {"{} \n\0"s, s, 4},
              {"\0{}"s, s, 0},
              {"{\0}"s, s, 1},
              {"[\"a\0b\"]"s, s, 3},
              {"[1\0]"s, s, 2},
              {"[1,\0 2]"s, s, 3},
              {"\0"s, s, 0}});
  // Padding behind a document, as a reader of C strings would accept it.
  Model twin = small_model();
  expect_refused(
      twin, [](Model& m) { m.raw = m.def.dump() + std::string(64, '\0'); }, s, "sg00/def.json+");
}

TEST(Json, IntegerLiterals) {
  ASSAY_COVERS("JSN-003");
  const Reason r = Reason::json_integer_range;
  expect_good({"[18446744073709551615]", "[9223372036854775807]", "[9223372036854775808]",
               "[-9223372036854775808]", "18446744073709551615", "{\"a\":0}"});
  expect_bad({{"[18446744073709551616]", r, 1},
              {"18446744073709551616", r, 0},
              {"[0, 18446744073709551616 ]", r, 4},
              {"[-9223372036854775809]", r, 1},
              {"-9223372036854775809", r, 0},
              {"[99999999999999999999]", r, 1},
              {"[184467440737095516150]", r, 1},
              {"[" + std::string(30, '9') + "]", r, 1},
              {"[-" + std::string(30, '9') + "]", r, 1},
              {"[" + std::string(400, '9') + "]", r, 1},
              {std::string(400, '9'), r, 0},
              {"[\n18446744073709551616\n]", r, 2}});
  for (const char* good : {"18446744073709551615", "-9223372036854775808"})
    for (const std::string wrap : {"%", "[[%]]", "{\"k\":[%]}"}) {
      const auto put = [&](std::string literal) {
        return std::string(wrap).replace(wrap.find('%'), 1, literal);
      };
      expect_value_refused(put(good[0] == '-' ? "-9223372036854775809" : "18446744073709551616"),
                           put(good), r);
    }
  // Inside a string the digits are only text.
  Model text = small_model();
  text.raw = in_ignored_key("\"18446744073709551616\"");
  must_lower(text);
}

TEST(Json, IntegerRangeInEveryDocument) {
  ASSAY_COVERS("JSN-003");
  for (const char* name : {"pe.json", "act.json", "act_info.json", "profile.json", "dve.json"}) {
    SCOPED_TRACE(name);
    const auto add = [&](Model& m, const char* literal) {
      std::string& text = m.files.at(name);
      text.insert(text.rfind('}'), std::string(R"(,"ignored":)") + literal);
    };
    Model twin = full_model();
    add(twin, "18446744073709551615");
    expect_refused(
        twin,
        [&](Model& m) {
          std::string& text = m.files.at(name);
          text.replace(text.find("18446744073709551615"), 20, "18446744073709551616");
        },
        Reason::json_integer_range, std::string("sg00/") + name + "+");
  }
}

TEST(Json, NumbersBeyondADouble) {
  ASSAY_COVERS("JSN-004");
  const Reason r = Reason::json_number_range;
  expect_good({"[1.7976931348623157e308]", "[-1.7976931348623157e308]", "[1e308]", "[1e-400]",
               "[0e400]", "[0.0e999999999]", "[" + std::string(300, '9') + ".0]",
               "[1e-99999999999999999999]"});
  expect_bad({{"[1e400]", r, 1},
              {"[-1e400]", r, 1},
              {"1E+400", r, 0},
              {"[1.8e308]", r, 1},
              {"[0, 1e400 ]", r, 4},
              {"[1e99999999999999999999]", r, 1},
              {"[" + std::string(400, '9') + ".0]", r, 1},
              {"[0.00000001e410]", r, 1}});
  expect_value_refused("1e400", "1e308", r);
  expect_value_refused("{\"k\":[-1.0e309]}", "{\"k\":[-1.0e308]}", r);
}

std::string nested(int arrays, int objects) {
  std::string open, close;
  for (int i = 0; i < arrays; ++i) open += '[', close += ']';
  for (int i = 0; i < objects; ++i) open += R"({"k":)", close += '}';
  return open + "0" + std::string(close.rbegin(), close.rend());
}

TEST(Json, Depth) {
  ASSAY_COVERS("JSN-010");
  expect_good({nested(1023, 0), nested(0, 1023), nested(500, 523)});
  for (const auto& [arrays, objects] :
       {std::pair(1025, 0), {0, 1025}, {512, 513}, {1026, 0}, {5000, 5000}, {1000000, 0}}) {
    const auto doc = parse(nested(arrays, objects));
    ASSERT_FALSE(doc.has_value()) << arrays << " " << objects;
    EXPECT_EQ(row_of(doc.error().reason).id, "json-depth") << doc.error().text();
  }
  expect_bad({{nested(1025, 0), Reason::json_depth, 1024}});
  // Never closed: a reader that recurses, or keeps a stack per level, must still answer.
  EXPECT_FALSE(parse(std::string(1 << 20, '[')).has_value());
  // The document's own object is one level.
  expect_value_refused(nested(1024, 0), nested(1022, 0), Reason::json_depth);
}

TEST(Json, DocumentOfFourGiB) {
  ASSAY_COVERS("JSN-011");
  // Address space only: nothing is read or written but the padding behind the bytes.
  const auto doc = Document::parse("m.json", Buffer(std::size_t{1} << 32));
  ASSERT_FALSE(doc.has_value());
  EXPECT_EQ(row_of(doc.error().reason).id, "json-too-large");
  EXPECT_EQ(doc.error().place.member, "m.json");
  EXPECT_TRUE(parse("{}").has_value());
}

TEST(Json, DocumentOneByteBelowFourGiB) {
  ASSAY_COVERS("JSN-011");
  if (std::getenv("ASSAY_LONG") == nullptr)
    GTEST_SKIP() << "parses 4 GiB and needs 9 times that address space: set ASSAY_LONG=1";
  Buffer bytes((std::size_t{1} << 32) - 1);
  std::memset(bytes.data(), ' ', bytes.size());
  std::memcpy(bytes.data() + bytes.size() - 2, "[]", 2);
  try {
    const auto doc = Document::parse("m.json", bytes);
    EXPECT_TRUE(doc.has_value()) << doc.error().text();
  } catch (const std::bad_alloc&) {
    GTEST_SKIP() << "not enough memory";
  }
}

TEST(Json, ByteOrderMark) {
  ASSAY_COVERS("JSN-017");
  expect_bad({{"\xEF\xBB\xBF{}", Reason::json_bom, 0}, {"\xEF\xBB\xBF", Reason::json_bom, 0}});
  EXPECT_FALSE(parse(" \xEF\xBB\xBF{}").has_value());
  EXPECT_FALSE(parse("{}\xEF\xBB\xBF").has_value());
  expect_good({"[\"\xEF\xBB\xBF\"]"});
  expect_refused(
      small_model(), [](Model& m) { m.raw = "\xEF\xBB\xBF" + m.def.dump(); }, Reason::json_bom,
      "sg00/def.json+0");
}

TEST(Json, Surrogates) {
  ASSAY_COVERS("JSN-018");
  expect_good({R"(["\ud800\udc00"])", R"(["\uDBFF\uDFFF"])", R"(["\ud83d\ude00x"])",
               R"(["\ud7ff\ue000"])", R"(["\\ud800"])", R"(["\\\\udc00"])",
               R"({"\ud83d\ude00":1})"});
  for (const std::string s :
       {R"(\ud800)", R"(\udbff)", R"(\udc00)", R"(\uDFFF)", R"(\ud800x)", R"(\ud800\u0041)",
        R"(\ud800\ud800)", R"(\ud800\ue000)", R"(\udbff\ud7ff)", R"(\udc00\ud800)",
        R"(\ud83d\ude00\ude00)", R"(\ud800\n)", R"(\\\ud800)", R"(\ud800\\udc00)"}) {
    for (const std::string& text :
         {"[\"" + s + "\"]", "{\"" + s + "\":0}", "{\"k\":[{\"" + s + "\":\"\"}]}"}) {
      const auto doc = parse(text);
      ASSERT_FALSE(doc.has_value()) << text;
      EXPECT_EQ(row_of(doc.error().reason).id, "json-surrogate") << doc.error().text();
    }
    expect_value_refused("\"" + s + "\"", R"("\ud83d\ude00")", Reason::json_surrogate);
  }
}

TEST(Json, ARefusalKeepsNothingOfTheDocument) {
  ASSAY_COVERS("JSN-002", "LOW-010");
  // A place owns its text: the document it speaks of may be gone.
  Refusal kept{Reason::json_syntax, {}, {}};
  {
    const std::string name = "gone/" + std::string(40, 'n');
    const auto doc = Document::parse(name, Buffer(std::string_view("[1,")));
    ASSERT_FALSE(doc.has_value());
    kept = doc.error();
  }
  EXPECT_EQ(kept.place.member, "gone/" + std::string(40, 'n'));
  EXPECT_EQ(kept.text(),
            "refused: not RFC 8259 JSON at gone/" + std::string(40, 'n') + "+3 (JSN-002)");
}

}  // namespace
}  // namespace assay::test
