// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/text_mutator.h"

#include <algorithm>
#include <optional>

namespace assay::harness {
namespace {

using namespace std::string_view_literals;

struct Span {
  std::size_t at, size;
};

bool is_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

// The first place from a drawn one on, round the end, where `wanted` holds.
template <class F>
std::optional<std::size_t> look(Choices& c, const std::string& text, F wanted) {
  if (text.empty()) return std::nullopt;
  const std::size_t from = c.below(text.size());
  for (std::size_t i = from; i < text.size(); ++i)
    if (wanted(i)) return i;
  for (std::size_t i = 0; i < from; ++i)
    if (wanted(i)) return i;
  return std::nullopt;
}
std::optional<std::size_t> look_for(Choices& c, const std::string& text, std::string_view any) {
  return look(c, text, [&](std::size_t i) { return any.find(text[i]) != any.npos; });
}

std::optional<Span> a_number(Choices& c, const std::string& text) {
  const auto digit = look_for(c, text, "0123456789");
  if (!digit) return std::nullopt;
  std::size_t begin = *digit, end = *digit;
  while (begin > 0 && is_number(text[begin - 1])) --begin;
  while (end < text.size() && is_number(text[end])) ++end;
  return Span{begin, end - begin};
}

// From an opening quote to one past the closing one.
std::size_t string_end(const std::string& text, std::size_t quote) {
  for (std::size_t i = quote + 1; i < text.size(); ++i) {
    if (text[i] == '\\') ++i;
    else if (text[i] == '"') return i + 1;
  }
  return text.size();
}

// One past the value that begins at or behind `at`; the text's end where it does not end.
std::size_t value_end(const std::string& text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        i = string_end(text, i) - 1;
        break;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (depth == 0) return i;
        if (--depth == 0) return i + 1;
        break;
      case ',':
        if (depth == 0) return i;
        break;
      default: break;
    }
  }
  return text.size();
}

// A key and its value: from the quote to the end of the value.
std::optional<Span> a_member(Choices& c, const std::string& text) {
  const auto colon = look_for(c, text, ":");
  if (!colon) return std::nullopt;
  std::size_t close = *colon;
  while (close > 0 && text[close - 1] != '"') --close;
  if (close < 2) return std::nullopt;
  const std::size_t open = text.rfind('"', close - 2);
  if (open == text.npos) return std::nullopt;
  return Span{open, value_end(text, *colon + 1) - open};
}

// ---- edits ----

bool number_spelling(Choices& c, std::string& text) {
  const auto n = a_number(c, text);
  if (!n) return false;
  std::string was = text.substr(n->at, n->size);
  static constexpr std::string_view kSame[] = {".0", "e0", "E+0", ".00", "0e-1", "e-0"};
  static constexpr std::string_view kBehind[] = {".0", "e0", "E+0", "e1", "e-1", ".", "e", "00", "0", ".5", "e400"};
  static constexpr std::string_view kBefore[] = {"-", "0", "+", "00", "-0", "0x", "."};
  static constexpr std::string_view kInstead[] = {
      "-0", "1e2", "5.0", "-1", "0", "-0.0", "1E400", "0.1e1", "01", "00", ".5"};
  switch (c.below(5)) {
    case 0:
    case 1: was += c.pick(kSame); break;  // the one value that is in place, as another kind of number
    case 2: was += c.pick(kBehind); break;
    case 3: was.insert(0, c.pick(kBefore)); break;
    default: was = c.pick(kInstead);
  }
  text.replace(n->at, n->size, was);
  return true;
}

bool number_edge(Choices& c, std::string& text) {
  const auto n = a_number(c, text);
  if (!n) return false;
  static constexpr std::string_view kEdges[] = {
      "255",
      "256",
      "65535",
      "65536",
      "2147483647",
      "2147483648",
      "4294967295",
      "4294967296",
      "9223372036854775807",
      "9223372036854775808",
      "18446744073709551615",
      "18446744073709551616",
      "-9223372036854775808",
      "-9223372036854775809",
      "-2147483649",
      "340282356779733661637539395458142568448",
      "1e308",
      "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863"
      "2766878171540458953514"
      "38246423432132688946418276846754670353751698604991057655128207624549009038932894407586850845"
      "513394230458323690322"
      "2948165808559332123347747978",
      "123456789012345678901234567890",
      "0.30000000000000000000000000004",
      "1e-400"};
  text.replace(n->at, n->size, c.pick(kEdges));
  return true;
}

bool duplicate_member(Choices& c, std::string& text) {
  const auto m = a_member(c, text);
  if (!m) return false;
  std::string copy = text.substr(m->at, m->size);
  if (c.below(3) == 0) {  // with another value
    static constexpr std::string_view kValues[] = {"null", "0", "\"\"", "[]", "{}", "true"};
    const std::size_t colon = copy.find(':', string_end(copy, 0) - 1);
    if (colon != copy.npos) copy = copy.substr(0, colon + 1) + std::string(c.pick(kValues));
  }
  if (c.below(2) == 0) text.insert(m->at, copy + ",");
  else text.insert(m->at + m->size, "," + copy);
  return true;
}

bool white_space(Choices& c, std::string& text) {
  static constexpr std::string_view kWhite[] = {" ", "\n", "\t", "\r\n", "      ", "\f", "\v", "\0"sv, "\xC2\xA0",
                                                "\xE2\x80\xA8", "/**/", "//\n", "#\n", "\xEF\xBB\xBF"};
  const auto at = look_for(c, text, "{}[],:");
  if (!at) return false;
  text.insert(*at + c.below(2), c.pick(kWhite));
  return true;
}

// A character inside a string, by its position.
std::optional<std::size_t> a_character(Choices& c, const std::string& text) {
  const auto quote = look_for(c, text, "\"");
  if (!quote) return std::nullopt;
  const std::size_t end = string_end(text, *quote);
  if (end < *quote + 3) return std::nullopt;
  return *quote + 1 + c.below(end - *quote - 2);
}

bool escape(Choices& c, std::string& text) {
  const auto at = a_character(c, text);
  if (!at || static_cast<unsigned char>(text[*at]) >= 0x80 || text[*at] == '\\') return false;
  static constexpr char kHex[] = "0123456789abcdef";
  const auto b = static_cast<unsigned char>(text[*at]);
  std::string as = "\\u00";
  as += kHex[b >> 4];
  as += c.below(2) == 0 || (b & 15) < 10 ? kHex[b & 15] : static_cast<char>(kHex[b & 15] - 32);
  if (text[*at] == '/' && c.below(2) == 0) as = "\\/";
  text.replace(*at, 1, as);
  return true;
}

bool bad_string(Choices& c, std::string& text) {
  static constexpr std::string_view kBad[] = {
      "\xFF", "\xC0\x80", "\xC1\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80", "\xF0\x9F\x98",
      "\\ud800", "\\udc00", "\\ud800\\u0041", "\\udbff\\udfff", "\\u0000", "\\x41", "\\u12", "\\", "\n", "\0"sv, "\x1F",
      "\\uD83D\\uDE00", "\xEF\xBF\xBF", "\"", "\\\""};
  const auto at = a_character(c, text);
  if (!at) return false;
  text.insert(*at, c.pick(kBad));
  return true;
}

bool nesting(Choices& c, std::string& text) {
  static constexpr std::size_t kDepths[] = {1, 2, 3, 16, 100, 500, 1000, 1022, 1023, 1024, 1025, 5000};
  const auto at = look_for(c, text, ":[,");
  if (!at) return false;
  const std::size_t begin = *at + 1, end = value_end(text, begin), depth = c.pick(kDepths);
  const bool objects = c.below(3) == 0;
  std::string open, close;
  for (std::size_t i = 0; i < depth; ++i) {
    open += objects ? "{\"\":" : "[";
    close += objects ? '}' : ']';
  }
  if (c.below(8) == 0) close.pop_back();
  text.insert(end, close);
  text.insert(begin, open);
  return true;
}

bool literal(Choices& c, std::string& text) {
  static constexpr std::string_view kLiterals[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity", "True",
                                                   "nul", "undefined", "''", "\"\"", "[]", "{}", "", "[,]", "{,}"};
  const auto colon = look_for(c, text, ":");
  if (!colon) return false;
  const std::size_t end = value_end(text, *colon + 1);
  text.replace(*colon + 1, end - *colon - 1, c.pick(kLiterals));
  return true;
}

bool punctuation(Choices& c, std::string& text) {
  static constexpr std::string_view kMarks = "{}[],:\"";
  const auto at = look_for(c, text, kMarks);
  if (!at) return false;
  switch (c.below(3)) {
    case 0: text.erase(*at, 1); break;
    case 1: text.insert(*at, 1, text[*at]); break;
    default: text[*at] = kMarks[c.below(kMarks.size())];
  }
  return true;
}

bool before_and_behind(Choices& c, std::string& text) {
  static constexpr std::string_view kBehind[] = {
      " ", "\n", "\0"sv, "x", ",", "}", "]", " {}", "\n0", "\"", "//", "\x1A"};
  static constexpr std::string_view kBefore[] = {"\xEF\xBB\xBF", " ",        "\n", "\xFF\xFE",
                                                 "\xFE\xFF",     "\0"sv,     "[",  "{",
                                                 ")]}'\n",       "\x1F\x8B", "0 "};
  if (c.below(2) == 0) text += c.pick(kBehind);
  else text.insert(0, c.pick(kBefore));
  return true;
}

bool truncation(Choices& c, std::string& text) {
  if (text.size() < 2) return false;
  if (c.below(4) == 0) text.erase(0, 1 + c.below(std::min<std::size_t>(text.size() - 1, 16)));
  else text.resize(1 + c.below(text.size() - 1));
  return true;
}

bool chunk(Choices& c, std::string& text) {
  if (text.size() < 2) return false;
  const std::size_t at = c.below(text.size()), size = 1 + c.below(std::min<std::size_t>(text.size() - at, 64));
  switch (c.below(3)) {
    case 0:
      if (size == text.size()) return false;
      text.erase(at, size);
      break;
    case 1: text.insert(c.below(text.size()), text.substr(at, size)); break;
    default: text[at] = static_cast<char>(c.below(256));
  }
  return true;
}

bool drop_member(Choices& c, std::string& text) {
  const auto m = a_member(c, text);
  if (!m) return false;
  std::size_t begin = m->at, end = m->at + m->size;
  if (end < text.size() && text[end] == ',') ++end;
  else if (begin > 0 && text[begin - 1] == ',') --begin;
  if (end - begin == text.size()) return false;
  text.erase(begin, end - begin);
  return true;
}

constexpr TextMutation kMutations[] = {
    {"number-spelling", number_spelling}, {"number-edge", number_edge}, {"duplicate-member", duplicate_member},
    {"white-space", white_space},         {"escape", escape},           {"bad-string", bad_string},
    {"nesting", nesting},                 {"literal", literal},         {"punctuation", punctuation},
    {"before-and-behind", before_and_behind}, {"truncation", truncation}, {"chunk", chunk},
    {"drop-member", drop_member},
};

}  // namespace

std::span<const TextMutation> text_mutations() { return kMutations; }

bool mutate_text(Choices& c, std::string& text, std::size_t max_bytes) {
  max_bytes = std::max<std::size_t>(max_bytes, 1);
  if (text.empty()) {
    text = std::string_view("{}").substr(0, max_bytes);
    return true;
  }
  if (text.size() > max_bytes) {
    text.resize(max_bytes);
    return true;
  }
  const std::string kept = text;
  for (int tries = 0; tries < 8; ++tries) {
    if (c.pick(text_mutations()).edit(c, text) && !text.empty() && text.size() <= max_bytes &&
        text != kept)
      return true;
    text = kept;
  }
  return false;
}

}  // namespace assay::harness
