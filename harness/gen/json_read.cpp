// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/json_read.h"

#include <simdjson.h>

#include <algorithm>

#include "harness/gen/json_scan.h"

namespace assay::harness {
namespace {

namespace dom = simdjson::dom;

// Of a document that simdjson read, and that is no deeper than kDepth for that.
Json document_of(dom::element e) {
  switch (e.type()) {
    case dom::element_type::ARRAY: {
      Json::array_t out;
      const dom::array array(e);
      out.reserve(array.size());
      for (const dom::element element : array) out.push_back(document_of(element));
      return out;
    }
    case dom::element_type::OBJECT: {
      Json::object_t out;
      // Most documents were written by this library, their keys in order.
      for (const auto [key, value] : dom::object(e)) out.insert_or_assign(out.end(), std::string(key), document_of(value));
      return out;
    }
    case dom::element_type::INT64: {
      const std::int64_t v = std::int64_t(e);
      return v < 0 ? Json(v) : Json(static_cast<std::uint64_t>(v));
    }
    case dom::element_type::UINT64: return std::uint64_t(e);
    case dom::element_type::DOUBLE: return double(e);
    case dom::element_type::STRING: return std::string(std::string_view(e));
    case dom::element_type::BOOL: return bool(e);
    case dom::element_type::NULL_VALUE: break;
  }
  return nullptr;
}

bool is_shallow(std::string_view text) {
  std::size_t depth = 0;
  return scan_outside_strings(text, [&](std::size_t, char ch) {
    if (ch == '{' || ch == '[') return ++depth <= kMostJsonDepth;
    if ((ch == '}' || ch == ']') && depth > 0) --depth;
    return true;
  });
}

constexpr std::size_t kDepth = 1024, kFirstCapacity = 1 << 16;

}  // namespace

std::optional<Json> read_json(std::string& text) {
  thread_local dom::parser parser;
  if (parser.capacity() < text.size() || parser.max_depth() != kDepth)
    if (parser.allocate(std::max(text.size(), kFirstCapacity), kDepth) != simdjson::SUCCESS) return std::nullopt;
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  dom::element root;
  if (parser.parse(text.data(), text.size(), false).get(root) == simdjson::SUCCESS) return document_of(root);
  // Integers beyond 64 bits, byte order marks, depths between the limits and all that is wrong.
  if (!is_shallow(text)) return std::nullopt;
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  return document;
}

}  // namespace assay::harness
