// SPDX-License-Identifier: Apache-2.0
// A def.json in bytes that must not be accepted: one fault each, the rest as it was.
#include <algorithm>
#include <cctype>
#include <type_traits>
#include <vector>

#include "harness/gen/gen.h"
#include "harness/gen/json_scan.h"

namespace assay::harness {
namespace {

// Where things stand in a compact dump.
struct Positions {
  std::vector<std::size_t> strings;  // right behind an opening quote, keys included
  std::vector<std::size_t> tokens;   // right behind a bracket, comma or colon outside strings
  std::vector<std::size_t> closers;  // at a closing bracket

  explicit Positions(const std::string& text) {
    scan_outside_strings(text, [this](std::size_t i, char ch) {
      if (ch == '"') strings.push_back(i + 1);
      if (ch == '}' || ch == ']') closers.push_back(i);
      if (ch == '{' || ch == '[' || ch == ',' || ch == ':') tokens.push_back(i + 1);
      return true;
    });
  }
};

std::string dump(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

// ---- faults of the text ----

enum class At : std::uint8_t { in_string, at_token, before_closer, unread_value, at_end, at_start, whole };

struct TextFault {
  std::string_view kind;
  Reason reason;
  At at;
  std::string_view bytes;
};

using namespace std::string_view_literals;
constexpr TextFault kTextFaults[] = {
    {"trailing-garbage", Reason::json_syntax, At::at_end, "x"sv},
    {"trailing-garbage", Reason::json_syntax, At::at_end, ","sv},
    {"trailing-garbage", Reason::json_syntax, At::at_end, "}"sv},
    {"second-document", Reason::json_syntax, At::at_end, " {}"sv},
    {"second-document", Reason::json_syntax, At::at_end, "\n0"sv},
    {"trailing-nul", Reason::json_syntax, At::at_end, "\0"sv},
    {"raw-nul", Reason::json_syntax, At::at_token, "\0"sv},
    {"raw-nul-in-string", Reason::json_syntax, At::in_string, "\0"sv},
    {"empty", Reason::json_empty, At::whole, ""sv},
    {"blank", Reason::json_empty, At::whole, " \r\n\t"sv},
    {"bare-word", Reason::json_syntax, At::whole, "nil"sv},
    {"byte-order-mark", Reason::json_bom, At::at_start, "\xEF\xBB\xBF"sv},
    {"block-comment", Reason::json_syntax, At::at_token, "/* c */"sv},
    {"line-comment", Reason::json_syntax, At::at_token, "// c\n"sv},
    {"trailing-comma", Reason::json_syntax, At::before_closer, ","sv},
    {"form-feed", Reason::json_syntax, At::at_token, "\f"sv},
    {"nan", Reason::json_syntax, At::unread_value, "NaN"sv},
    {"infinity", Reason::json_syntax, At::unread_value, "Infinity"sv},
    {"infinity", Reason::json_syntax, At::unread_value, "-Infinity"sv},
    {"plus-sign", Reason::json_syntax, At::unread_value, "+1"sv},
    {"leading-zero", Reason::json_syntax, At::unread_value, "01"sv},
    {"leading-zero", Reason::json_syntax, At::unread_value, "-01"sv},
    {"no-integer-part", Reason::json_syntax, At::unread_value, ".5"sv},
    {"no-fraction", Reason::json_syntax, At::unread_value, "5."sv},
    {"no-exponent", Reason::json_syntax, At::unread_value, "5e"sv},
    {"hexadecimal", Reason::json_syntax, At::unread_value, "0x10"sv},
    {"single-quotes", Reason::json_syntax, At::unread_value, "'a'"sv},
    {"capital-literal", Reason::json_syntax, At::unread_value, "True"sv},
    {"half-literal", Reason::json_syntax, At::unread_value, "nul"sv},
    {"no-value", Reason::json_syntax, At::unread_value, ""sv},
    {"bad-escape", Reason::json_syntax, At::in_string, "\\x41"sv},
    {"bad-escape", Reason::json_syntax, At::in_string, "\\u12G4"sv},
    {"control-in-string", Reason::json_syntax, At::in_string, "\n"sv},
    {"control-in-string", Reason::json_syntax, At::in_string, "\x1F"sv},
    {"bad-utf8", Reason::json_utf8, At::in_string, "\x80"sv},
    {"bad-utf8", Reason::json_utf8, At::in_string, "\xFF"sv},
    {"overlong-utf8", Reason::json_utf8, At::in_string, "\xC0\xAF"sv},
    {"overlong-utf8", Reason::json_utf8, At::in_string, "\xE0\x80\xAF"sv},
    {"surrogate-in-utf8", Reason::json_utf8, At::in_string, "\xED\xA0\x80"sv},
    {"utf8-above-10ffff", Reason::json_utf8, At::in_string, "\xF4\x90\x80\x80"sv},
    {"bad-utf8-outside-strings", Reason::json_utf8, At::at_token, "\xFF"sv},
    {"bad-utf8-outside-strings", Reason::json_utf8, At::at_end, "\xC3"sv},
    {"letter-outside-strings", Reason::json_syntax, At::at_token, "\xC3\xA9"sv},
    {"cut-utf8", Reason::json_utf8, At::unread_value, "\"\xE2\x82\""sv},
    {"lone-surrogate", Reason::json_surrogate, At::in_string, "\\ud800"sv},
    {"lone-surrogate", Reason::json_surrogate, At::in_string, "\\udc00"sv},
    {"lone-surrogate", Reason::json_surrogate, At::in_string, "\\uD83Dx"sv},
    {"lone-surrogate", Reason::json_surrogate, At::in_string, "\\ud800\\u0041"sv},
    {"lone-surrogate", Reason::json_surrogate, At::unread_value, "\"\\udbff\""sv},
    {"integer-2-64", Reason::json_integer_range, At::unread_value, "18446744073709551616"sv},
    {"integer-below-2-63", Reason::json_integer_range, At::unread_value, "-9223372036854775809"sv},
    {"integer-30-digits", Reason::json_integer_range, At::unread_value, "[100000000000000000000000000000]"sv},
    {"integer-2-64-alone", Reason::json_integer_range, At::whole, "18446744073709551616"sv},
    {"number-1e400", Reason::json_number_range, At::unread_value, "1e400"sv},
    {"number-1e400", Reason::json_number_range, At::unread_value, "[-1.5E+400]"sv},
};

std::string with_unread(const std::string& text, std::string_view token) {
  std::string s = "{\"#unread\":";
  s += token;
  if (text.size() > 2) s += ',';  // "{}" has no other member
  s.append(text, 1, std::string::npos);
  return s;
}

BadText apply(Choices& c, const Json& document, const TextFault& f) {
  std::string text = dump(document);
  const Positions p(text);
  const auto insert = [&](const std::vector<std::size_t>& places) {
    text.insert(places[c.below(places.size())], f.bytes);
  };
  switch (f.at) {
    case At::in_string: insert(p.strings); break;
    case At::at_token: insert(p.tokens); break;
    case At::before_closer: insert(p.closers); break;
    case At::unread_value: text = with_unread(text, f.bytes); break;
    case At::at_end: text += f.bytes; break;
    case At::at_start: text.insert(0, f.bytes); break;
    case At::whole: text = f.bytes; break;
  }
  return {std::move(text), f.kind, f.reason};
}

BadText cut_short(Choices& c, const Json& document) {
  std::string text = dump(document);
  const Positions p(text);
  text.resize(p.closers[c.below(p.closers.size())]);
  return {std::move(text), "cut-short", Reason::json_syntax};
}

// An integer that no double holds either.
BadText too_long(Choices& c, const Json& document) {
  const std::string digits = (c.below(2) == 0 ? "-" : "") + std::string(310 + c.below(100), '7');
  return {with_unread(dump(document), digits), "integer-of-310-digits", Reason::json_integer_range};
}

BadText too_deep(Choices& c, const Json& document) {
  const std::size_t depth = 1025 + c.below(200);
  const bool objects = c.below(2) == 1;
  std::string value;
  for (std::size_t i = 0; i < depth; ++i) value += objects ? "{\"a\":" : "[";
  value += objects ? "0" : "";
  for (std::size_t i = 0; i < depth; ++i) value += objects ? '}' : ']';
  return {with_unread(dump(document), value), "depth-over-1024", Reason::json_depth};
}

// ---- faults of one consumed value ----

struct ValueFault {
  std::string_view kind;
  Reason reason;
  std::string_view literal;
};

constexpr ValueFault kUnsignedFaults[] = {
    {"integer-as-5.0", Reason::not_an_integer, "5.0"},
    {"integer-as-1e2", Reason::not_an_integer, "1e2"},
    {"integer-as-0.0", Reason::not_an_integer, "0.0"},
    {"integer-as-minus-1", Reason::not_an_integer, "-1"},
    {"integer-as-true", Reason::not_an_integer, "true"},
    {"integer-as-string", Reason::not_an_integer, "\"5\""},
    {"integer-as-null", Reason::not_an_integer, "null"},
    {"integer-as-array", Reason::not_an_integer, "[5]"},
    {"consumed-2-64", Reason::json_integer_range, "18446744073709551616"},
    {"consumed-1e400", Reason::json_number_range, "1e400"},
};
constexpr ValueFault kNarrowFaults[] = {
    {"too-wide-for-u32", Reason::integer_too_wide, "4294967296"},
    {"too-wide-for-u32", Reason::integer_too_wide, "18446744073709551615"},
    {"too-wide-for-u32", Reason::integer_too_wide, "9223372036854775808"},
};

// The document with a literal that no Json can hold where `path` leads.
std::string with_literal(Json document, const Json::json_pointer& path, std::string_view literal) {
  // No string of a model holds a vertical tab and this word.
  static const std::string kMark = "\vliteral\v";
  document[path] = kMark;
  std::string text = dump(document);
  const std::string mark = dump(Json(kMark));
  text.replace(text.find(mark), mark.size(), literal);
  return text;
}

// A variable whose size is read as it stands: every sub-graph has an output.
Json::json_pointer output_of(const Json& document) {
  const Json& var = document.at("var");
  for (auto it = var.begin(); it != var.end(); ++it)
    if (const auto type = it->find("type"); type != it->end() && *type == "output")
      return Json::json_pointer("/var") / it.key();
  return Json::json_pointer("/var") / var.begin().key();
}

BadText bad_integer(Choices& c, const Json& document) {
  const Json& var = document.at("var");
  if (c.below(2) == 0) {
    const ValueFault& f = c.pick(kUnsignedFaults);
    return {with_literal(document, output_of(document) / "size", f.literal), f.kind, f.reason};
  }
  auto it = var.begin();
  std::advance(it, static_cast<std::ptrdiff_t>(c.below(var.size())));
  const auto path = Json::json_pointer("/var") / it.key() / "var_id";
  const ValueFault& f = c.below(2) == 0 ? c.pick(kUnsignedFaults) : c.pick(kNarrowFaults);
  return {with_literal(document, path, f.literal), f.kind, f.reason};
}

struct TypeFault {
  std::string_view kind;
  Reason reason;
  const char* key;  // at the root
  std::string_view literal;
};
constexpr TypeFault kTypeFaults[] = {
    {"array-for-object", Reason::wrong_type, "var", "[]"},
    {"string-for-object", Reason::wrong_type, "var", "\"var\""},
    {"null-for-object", Reason::null_value, "var", "null"},
    {"array-for-object", Reason::wrong_type, "dma_queue", "[]"},
    {"object-for-array", Reason::wrong_type, "replica_groups", "{}"},
    {"number-for-array", Reason::wrong_type, "replica_groups", "[[3]]"},
    {"null-for-array", Reason::null_value, "src_target_pairs", "[null]"},
    {"boolean-as-1", Reason::not_a_boolean, "fp8_conversion_config", "{\"ocp_sat\":1}"},
    {"boolean-as-string", Reason::not_a_boolean, "fp8_conversion_config", "{\"fp8_sis\":\"true\"}"},
    {"boolean-as-null", Reason::not_a_boolean, "fp8_conversion_config", "{\"fp8_sns\":null}"},
    {"number-for-string", Reason::wrong_type, "ucode_lib", "[{\"library\":5,\"ulib_to_ucode_version\":\"1.0\",\"opcode\":1}]"},
    {"array-for-integer", Reason::not_an_integer, "cc_streams", "{\"num_streams\":[]}"},
    {"integer-as-5.0", Reason::not_an_integer, "cc_streams", "{\"num_streams\":5.0}"},
};

BadText bad_type(Choices& c, const Json& document) {
  switch (c.below(4)) {
    case 0: {
      const Json::json_pointer type = output_of(document) / "type";
      switch (c.below(3)) {
        case 0: return {with_literal(document, type, "5"), "number-for-string", Reason::wrong_type};
        case 1: return {with_literal(document, type, "null"), "null-for-string", Reason::null_value};
        default: return {with_literal(document, type, "\"output\\u0000\""), "nul-in-string", Reason::nul_in_string};
      }
    }
    default: {
      const TypeFault& f = c.pick(kTypeFaults);
      return {with_literal(document, Json::json_pointer(std::string("/") + f.key), f.literal), f.kind, f.reason};
    }
  }
}

// The first entry of var or dma_queue once more, under a name that differs in its escapes only.
BadText name_twice(const Json& document, const char* section, std::string_view kind, Reason reason) {
  const Json& entries = document.at(section);
  const std::string& name = entries.begin().key();
  std::string again = "{";
  const std::string key = dump(Json(name));
  again += !name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0
               ? "\"\\u00" + std::string(1, "0123456789abcdef"[name[0] >> 4 & 15]) + "0123456789abcdef"[name[0] & 15] + key.substr(2)
               : key;
  again += ':' + dump(entries.front()) + ',';
  const std::string all = dump(entries);
  return {with_literal(document, Json::json_pointer(std::string("/") + section), again + all.substr(1)), kind, reason};
}

// Those that stand in no table.
constexpr MisspellingKind kOthers[] = {{"cut-short", Reason::json_syntax},
                                       {"integer-of-310-digits", Reason::json_integer_range},
                                       {"depth-over-1024", Reason::json_depth},
                                       {"null-for-string", Reason::null_value},
                                       {"nul-in-string", Reason::nul_in_string},
                                       {"queue-name-twice", Reason::queue_name_twice},
                                       {"var-name-twice", Reason::var_name_twice}};

}  // namespace

std::span<const MisspellingKind> misspelling_kinds() {
  static const std::vector<MisspellingKind> kinds = [] {
    std::vector<MisspellingKind> out;
    const auto add = [&](const auto& table) {
      for (const auto& row : table) {
        MisspellingKind k;
        if constexpr (std::is_same_v<std::decay_t<decltype(row)>, MisspellingKind>) k = row;
        else k = {row.kind, row.reason};
        const auto same = [&](const MisspellingKind& o) { return o.name == k.name && o.reason == k.reason; };
        if (std::none_of(out.begin(), out.end(), same)) out.push_back(k);
      }
    };
    add(kTextFaults);
    add(kUnsignedFaults);
    add(kNarrowFaults);
    add(kTypeFaults);
    add(kOthers);
    return out;
  }();
  return kinds;
}

BadText misspell(Choices& c, const Json& document) {
  const auto has = [&](const char* section) {
    return document.is_object() && document.contains(section) && document.at(section).is_object() &&
           !document.at(section).empty();
  };
  switch (c.below(16)) {
    case 0: return cut_short(c, document);
    case 1: return c.below(4) == 0 ? too_long(c, document) : too_deep(c, document);
    case 2:
    case 3:
    case 4:
      if (has("var")) return bad_integer(c, document);
      break;
    case 5:
    case 6:
    case 7:
      if (has("var")) return bad_type(c, document);
      break;
    case 8:
      if (has("dma_queue") && c.below(2) == 0)
        return name_twice(document, "dma_queue", "queue-name-twice", Reason::queue_name_twice);
      if (has("var")) return name_twice(document, "var", "var-name-twice", Reason::var_name_twice);
      break;
    default: break;
  }
  return apply(c, document, c.pick(kTextFaults));
}

}  // namespace assay::harness
