// SPDX-License-Identifier: Apache-2.0
// Known differences, by requirement. nlohmann's accepts, the oracle's refuses:
//   JSN-003 an integer literal that no 64 bits hold · JSN-010 more than 1024 containers in each other
//   JSN-017 a byte order mark · JSN-002 a NUL byte, and anything, behind the document
// Exactly 1024 containers may be either (arrays are taken, objects are not).
#include "fuzzers/common/dialect.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "oracle/manifest/json.h"

namespace assay::fuzz {
namespace {

using Events = std::vector<std::string>;

std::string integer_event(const std::string& digits) { return "integer " + digits; }
std::string number_event(double v) {
  std::uint64_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return "number of bits " + std::to_string(bits);
}
// The oracle reads no string with a NUL in it (JSN-019): no more than that is compared.
std::string string_event(std::string_view s) {
  return s.find('\0') != std::string_view::npos ? "string with a NUL" : "string " + std::string(s);
}

class Sax {
 public:
  Events events;
  bool beyond_64_bits = false;
  std::size_t deepest = 0;

  bool null() { return add("null"); }
  bool boolean(bool v) { return add(v ? "true" : "false"); }
  bool number_integer(std::int64_t v) { return add(integer_event(std::to_string(v))); }
  bool number_unsigned(std::uint64_t v) { return add(integer_event(std::to_string(v))); }
  bool number_float(double v, const std::string& literal) {
    beyond_64_bits |= literal.find_first_of(".eE") == std::string::npos;
    return add(number_event(v));
  }
  bool string(std::string& s) { return add(string_event(s)); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool key(std::string& s) { return add("key " + s); }
  bool start_object(std::size_t) { return enter("{"); }
  bool start_array(std::size_t) { return enter("["); }
  bool end_object() { return leave("}"); }
  bool end_array() { return leave("]"); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) { return false; }

 private:
  bool add(std::string event) {
    events.push_back(std::move(event));
    return true;
  }
  bool enter(const char* event) {
    deepest = std::max(deepest, ++depth_);
    return add(event);
  }
  bool leave(const char* event) {
    --depth_;
    return add(event);
  }
  std::size_t depth_ = 0;
};

void walk(const Node& node, Events& out) {
  switch (node.type()) {
    case JsonType::null: out.push_back("null"); return;
    case JsonType::boolean: out.push_back(*node.boolean() ? "true" : "false"); return;
    case JsonType::integer:
      if (const auto v = node.integer<std::uint64_t>()) out.push_back(integer_event(std::to_string(*v)));
      else if (const auto s = node.integer<std::int64_t>()) out.push_back(integer_event(std::to_string(*s)));
      else out.push_back("integer that is none: " + s.error().text());
      return;
    case JsonType::number: out.push_back(number_event(*node.number())); return;
    case JsonType::string: {
      const auto s = node.string();
      out.push_back(s ? string_event(*s) : "string with a NUL");
      return;
    }
    case JsonType::array: {
      out.push_back("[");
      ArrayCursor cursor(node.value());
      JsonValue value;
      for (std::size_t i = 0; cursor.next(value); ++i) walk(Node(node, i, value), out);
      out.push_back("]");
      return;
    }
    case JsonType::object: {
      out.push_back("{");
      ObjectCursor cursor(node.value());
      std::string_view key;
      JsonValue value;
      while (cursor.next(key, value)) {
        out.push_back("key " + std::string(key));
        walk(Node(node, key, value), out);
      }
      out.push_back("}");
      return;
    }
  }
}

}  // namespace

std::string disagreement(ByteView text, bool& accepted) {
  const auto document = Document::parse("def.json", Buffer(text));
  accepted = document.has_value();
  if (!document) {
    const auto again = Document::parse("def.json", Buffer(text));
    if (again || again.error().text() != document.error().text())
      return "refused in two ways: " + document.error().text();
  }
  Sax sax;
  const std::string_view s = as_text(text);
  const bool taken = nlohmann::json::sax_parse(s.begin(), s.end(), &sax);
  const char* known = sax.beyond_64_bits                         ? "JSN-003: an integer literal that no 64 bits hold"
                      : sax.deepest > 1024                       ? "JSN-010: more than 1024 containers in each other"
                      : s.substr(0, 3) == "\xef\xbb\xbf"         ? "JSN-017: a byte order mark"
                      : s.find('\0') != std::string_view::npos   ? "JSN-002: a NUL byte"
                                                                 : nullptr;
  if (document && known != nullptr) return std::string("accepted, against ") + known;
  if (document && !taken) return "accepted, but not by the other reader";
  if (!document && taken && known == nullptr && sax.deepest != 1024)
    return "the other reader accepts: " + document.error().text();
  if (!document) return {};
  Events own;
  walk(document->root(), own);
  for (std::size_t i = 0; i < std::max(own.size(), sax.events.size()); ++i) {
    const std::string a = i < own.size() ? own[i] : "nothing", b = i < sax.events.size() ? sax.events[i] : "nothing";
    if (a != b) return "read as: " + a + ", by the other reader as: " + b;
  }
  return {};
}

}  // namespace assay::fuzz
