// SPDX-License-Identifier: Apache-2.0
// simdjson says that a document is bad, not where nor by which rule. This second reading, with
// nlohmann's SAX parser, runs on refused documents only and finds the first fault.
#include <simdjson.h>

#include <nlohmann/json.hpp>

#include "oracle/manifest/json.h"

namespace assay {
namespace {

// Counts what the parser has consumed, because SAX events carry no position.
class CountingIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  CountingIterator(const char* at, std::uint64_t* consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*consumed_;
    return *this;
  }
  bool operator==(const CountingIterator& o) const { return at_ == o.at_; }
  bool operator!=(const CountingIterator& o) const { return at_ != o.at_; }

 private:
  const char* at_;
  std::uint64_t* consumed_;
};

constexpr std::size_t kMaxDepth = 1024;

struct Diagnosis {
  Reason reason = Reason::json_syntax;
  std::uint64_t offset = 0;
  std::string detail;
};

class Sax {
 public:
  Sax(std::string_view text, const std::uint64_t& consumed, Diagnosis& out)
      : text_(text), consumed_(consumed), out_(out) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t) { return true; }
  bool number_unsigned(std::uint64_t) { return true; }
  bool number_float(double, const std::string& literal) {
    // nlohmann turns an integer it cannot hold into a double: its literal gives it away.
    if (literal.find_first_of(".eE") != std::string::npos) return true;
    // The literal has been read up to the character behind it, or to the end of the text.
    const char last = text_[consumed_ - 1];
    const std::uint64_t end = last >= '0' && last <= '9' ? consumed_ : consumed_ - 1;
    return fault(Reason::json_integer_range, end - literal.size(), literal);
  }
  bool string(std::string&) { return true; }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool key(std::string&) { return true; }
  bool start_object(std::size_t) { return enter(); }
  bool start_array(std::size_t) { return enter(); }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& e) {
    // The message quotes the document behind these words, and the document may say anything.
    const std::string_view what = e.what();
    const std::string_view told = what.substr(0, what.find("; last read: "));
    const auto has = [&](std::string_view part) { return told.find(part) != std::string_view::npos; };
    if (e.id == 406) {  // a literal no double holds
      const bool integer = token.find_first_of(".eE") == std::string::npos;
      return fault(integer ? Reason::json_integer_range : Reason::json_number_range,
                   position - token.size(), token);
    }
    Reason r = Reason::json_syntax;
    if (has("ill-formed UTF-8")) r = Reason::json_utf8;
    else if (has("surrogate")) r = Reason::json_surrogate;
    return fault(r, position == 0 ? 0 : position - 1, {});
  }

 private:
  bool enter() {
    if (++depth_ <= kMaxDepth) return true;
    return fault(Reason::json_depth, consumed_ == 0 ? 0 : consumed_ - 1, {});
  }
  bool leave() {
    --depth_;
    return true;
  }
  bool fault(Reason reason, std::uint64_t offset, std::string detail) {
    if (detail.size() > 40) detail = detail.substr(0, 40) + "...";
    out_ = {reason, offset, std::move(detail)};
    return false;
  }

  std::string_view text_;
  const std::uint64_t& consumed_;
  Diagnosis& out_;
  std::size_t depth_ = 0;
};

}  // namespace

Refusal diagnose_json(std::string_view member, ByteView bytes) {
  const auto at = [&](Reason reason, std::uint64_t offset, std::string detail = {}) {
    return Refusal{reason, Place{std::string(member), {}, offset, {}}, std::move(detail)};
  };
  const std::string_view text = as_text(bytes);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return at(Reason::json_empty, 0);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") return at(Reason::json_bom, 0);

  std::uint64_t consumed = 0;
  Diagnosis found;
  found.offset = text.size();
  Sax sax(text, consumed, found);
  const bool accepted = nlohmann::json::sax_parse(
      CountingIterator(text.data(), &consumed),
      CountingIterator(text.data() + text.size(), &consumed), &sax);
  // nlohmann takes a raw NUL for the end of input; and simdjson's object depth ends at 1023.
  if (accepted) {
    const auto nul = text.find('\0');
    if (nul != std::string_view::npos) return at(Reason::json_syntax, nul, "raw NUL");
    return at(Reason::json_depth, 0);
  }
  // Outside strings any such byte is foreign to the grammar; that it is none of UTF-8 says more.
  if (found.reason == Reason::json_syntax && found.offset < text.size() &&
      static_cast<std::uint8_t>(text[found.offset]) >= 0x80 && !simdjson::validate_utf8(text))
    found.reason = Reason::json_utf8;
  return at(found.reason, found.offset, found.detail);
}

}  // namespace assay
