// SPDX-License-Identifier: Apache-2.0
// The same document in other bytes that mean the same.
#include <algorithm>
#include <utility>
#include <vector>

#include "harness/gen/gen.h"

namespace assay::harness {
namespace {

// One character of valid UTF-8 at s[i]: its code point, `length` bytes. 0 where it is not valid.
std::uint32_t decode_at(std::string_view s, std::size_t i, std::size_t& length) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(i + k < s.size() ? s[i + k] : '\0'); };
  const std::uint8_t b = byte(0);
  length = b < 0x80 ? 1 : b < 0xC0 ? 0 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : b < 0xF8 ? 4 : 0;
  if (length == 0) return 0;
  std::uint32_t cp = length == 1 ? b : b & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return length = 0;
    cp = cp << 6 | (byte(k) & 0x3Fu);
  }
  static constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (cp < kLeast[length] || cp > 0x10FFFF || (cp >= 0xD800 && cp < 0xE000)) length = 0;
  return cp;
}

class Speller {
 public:
  explicit Speller(Choices& c)
      : c_(c),
        space_(c.below(3) * 15),
        escape_(c.below(4) == 3 ? 100 : c.below(3) * 10),
        zero_(c.below(2) * 20),
        shuffle_(c.below(4) != 0),
        twice_(c.below(3) * 10),
        unknown_(c.below(3) * 10) {}

  std::string spell(const Json& document) {
    // Now and then a document beyond what a parser may hold ready: half a megabyte of space.
    if (c_.below(400) == 399) out_.append((std::size_t{1} << 18) + c_.below(std::uint64_t{1} << 18), ' ');
    value(document, false);
    space();
    return std::move(out_);
  }

 private:
  bool some(std::uint64_t percent) { return percent > 0 && c_.below(100) >= 100 - percent; }

  void space() {
    static constexpr std::string_view kSpace[] = {" ", "\n", "\t", "\r", "\r\n  ", "   "};
    while (some(space_)) out_ += c_.pick(kSpace);
  }

  void value(const Json& j, bool number_keeps_sign) {
    space();
    switch (j.type()) {
      case Json::value_t::object: object(j); break;
      case Json::value_t::array: array(j, number_keeps_sign); break;
      case Json::value_t::string: string(j.get_ref<const std::string&>()); break;
      case Json::value_t::number_float: fraction(j); break;
      case Json::value_t::number_integer:
      case Json::value_t::number_unsigned:
        // -0 is 0 to an integer field (JSN-005); to a scale the sign might mean something.
        if (!number_keeps_sign && j == 0 && some(zero_)) out_ += '-';
        [[fallthrough]];
      default: out_ += j.dump();
    }
  }

  void array(const Json& j, bool number_keeps_sign) {
    ++depth_;
    out_ += '[';
    bool first = true;
    for (const Json& e : j) {
      if (!std::exchange(first, false)) comma();
      value(e, number_keeps_sign);
    }
    space();
    out_ += ']';
    --depth_;
  }

  void comma() {
    space();
    out_ += ',';
  }

  void object(const Json& j) {
    // Keys of these two are names: another or a second one would mean something (JSN-008, JSN-009).
    const bool names = depth_ == 1 && (section_ == "var" || section_ == "dma_queue");
    ++depth_;
    std::vector<std::pair<const std::string*, const Json*>> order;
    for (auto it = j.begin(); it != j.end(); ++it) order.emplace_back(&it.key(), &*it);
    if (shuffle_)
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[c_.below(i)]);

    out_ += '{';
    bool first = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!names && some(unknown_)) {
        if (!std::exchange(first, false)) comma();
        unknown();
      }
      if (!std::exchange(first, false)) comma();
      if (depth_ == 1) section_ = *order[i].first;
      member(*order[i].first, *order[i].second);
      // Of the keys so far one comes again: the first is the one looked up (JSN-007).
      if (!names && some(twice_)) {
        comma();
        again(*order[c_.below(i + 1)].first);
      }
    }
    space();
    out_ += '}';
    --depth_;
  }

  void member(const std::string& key, const Json& v) {
    space();
    string(key);
    space();
    out_ += ':';
    value(v, key == "scale" || key == "constant");
  }

  void again(const std::string& key) {
    static constexpr std::string_view kValues[] = {"null", "5.0", "\"other\"", "[]", "{}", "-1", "true"};
    space();
    string(key);
    out_ += ':';
    out_ += c_.pick(kValues);
  }

  void unknown() {
    static constexpr std::string_view kMembers[] = {
        "\"#comment\":\"\\u0000\"", "\"fabric_path\":null", "\"ops\":[[],{\"type\":1}]", "\"\":-0.0",
        "\"unread \\ud83d\\ude00\":18446744073709551615", "\"Var_id\":1e308", "\"\\u0000\":false"};
    space();
    out_ += c_.pick(kMembers);
  }

  void hex(std::uint32_t unit) {
    static constexpr char kLower[] = "0123456789abcdef", kUpper[] = "0123456789ABCDEF";
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
      out_ += (c_.below(2) == 0 ? kLower : kUpper)[unit >> shift & 15];
  }

  void escaped(std::uint32_t cp) {
    static constexpr std::string_view kShort = "\"\"\\\\//\bb\ff\nn\rr\tt";
    if (cp < 0x80 && c_.below(2) == 0)
      for (std::size_t k = 0; k < kShort.size(); k += 2)
        if (static_cast<std::uint32_t>(kShort[k]) == cp) {
          out_ += '\\';
          out_ += kShort[k + 1];
          return;
        }
    if (cp >= 0x10000) {
      hex(0xD800 + ((cp - 0x10000) >> 10));
      hex(0xDC00 + ((cp - 0x10000) & 0x3FF));
    } else {
      hex(cp);
    }
  }

  void string(const std::string& s) {
    const std::size_t before = out_.size();
    out_ += '"';
    std::size_t length = 0;
    for (std::size_t i = 0; i < s.size(); i += length) {
      const std::uint32_t cp = decode_at(s, i, length);
      if (length == 0) {  // not UTF-8: as the model's own text has it
        out_.resize(before);
        out_ += Json(s).dump(-1, ' ', false, Json::error_handler_t::replace);
        return;
      }
      const bool must = cp < 0x20 || cp == '"' || cp == '\\';
      if (must || some(escape_)) escaped(cp);
      else out_.append(s, i, length);
    }
    out_ += '"';
  }

  void fraction(const Json& j) {
    static constexpr std::string_view kTails[] = {"", "0", "000", "e0", "E+0", "e-00", "0E0"};
    const std::string literal = j.dump();
    out_ += literal;
    // With a fraction and no exponent, zeros behind it change nothing.
    if (literal.find('.') != std::string::npos && literal.find('e') == std::string::npos) out_ += c_.pick(kTails);
  }

  Choices& c_;
  const std::uint64_t space_, escape_, zero_;  // percent
  const bool shuffle_;
  const std::uint64_t twice_, unknown_;  // percent
  std::uint32_t depth_ = 0;
  std::string section_;  // key of the root object's value that is being written
  std::string out_;
};

}  // namespace

std::string respell(Choices& c, const Json& document) { return Speller(c).spell(document); }

}  // namespace assay::harness
