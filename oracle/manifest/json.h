// SPDX-License-Identifier: Apache-2.0
// Typed, place-aware reading of JSON documents in the original's dialect (area JSN). The parser is
// simdjson's DOM, hidden behind opaque values so that only json.cpp pays for its header. It reads;
// it writes nothing and knows no key.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "oracle/base/bytes.h"
#include "oracle/base/result.h"

namespace assay {

// A value inside a parsed document: 16 bytes that hold a simdjson element. Borrows the document.
struct JsonValue {
  const void* document = nullptr;
  std::size_t index = 0;
};

enum class JsonType : std::uint8_t { null, boolean, integer, number, string, array, object };
JsonType type_of(JsonValue v);

// A value and the way to it. Nodes live on the stack and point at their parents: a JSON pointer is
// only spelled out when a refusal needs one. A parent must outlive its children.
class Node {
 public:
  Node() = default;
  Node(std::string_view member, JsonValue root) : value_(root), member_(member) {}
  Node(const Node& parent, std::string_view key, JsonValue v) : value_(v), parent_(&parent), key_(key) {}
  Node(const Node& parent, std::size_t index, JsonValue v)
      : value_(v), parent_(&parent), index_(index), is_element_(true) {}

  JsonValue value() const { return value_; }
  JsonType type() const { return type_of(value_); }
  Place place() const;
  tl::unexpected<Refusal> refuse(Reason reason, std::string detail = {}) const {
    return assay::refuse(reason, place(), std::move(detail));
  }

  // Numbers: integer literals in range only (JSN-005); a value that does not fit a field narrower
  // than 64 bits is JSN-006. T is one of u8, u16, u32, u64, i32, i64.
  template <class T>
  Result<T> integer() const;
  Result<double> number() const;            // any JSON number, as a double
  Result<bool> boolean() const;             // JSN-014
  Result<std::string_view> string() const;  // no NUL inside (JSN-019); borrows the document
  Result<> expect(JsonType wanted) const;   // array or object (JSN-016)

 private:
  JsonValue value_;
  const Node* parent_ = nullptr;
  std::string_view member_, key_;
  std::size_t index_ = 0;
  bool is_element_ = false;
};

// A parsed document: owns the parser's memory, borrows nothing once parsed.
class Document {
 public:
  // `member` names the document in refusals. JSN-001..004, 010, 011, 017, 018.
  static Result<Document> parse(std::string_view member, const Buffer& bytes);
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  Node root() const;  // borrows this document
  const std::string& member() const { return member_; }

 private:
  Document();
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string member_;
};

// Iterates an array's elements or an object's members, once and in document order.
class ArrayCursor {
 public:
  explicit ArrayCursor(JsonValue array);
  bool next(JsonValue& element);

 private:
  JsonValue at_, end_;
};
class ObjectCursor {
 public:
  explicit ObjectCursor(JsonValue object);
  bool next(std::string_view& key, JsonValue& value);  // key is unescaped, borrows the document

 private:
  JsonValue at_, end_;
};
std::size_t count_of(JsonValue array_or_object);

// Looks up `wanted` keys in one pass over an object; of duplicates the first counts (JSN-007).
// `found[i]` is set where wanted[i] occurs, else left with a null document.
void find_keys(JsonValue object, std::span<const std::string_view> wanted, JsonValue* found);

// An object's wanted keys. E is an enum class with a table `std::span<const std::string_view>
// keys_of(E)` and a last enumerator `count_` (manifest/keys.h).
template <class E>
class Keys {
 public:
  // `node` must be an object; the caller has checked with expect().
  explicit Keys(const Node& node) : node_(&node) {
    find_keys(node.value(), keys_of(E{}), found_);
  }
  bool has(E e) const { return found_[static_cast<std::size_t>(e)].document != nullptr; }
  Node operator[](E e) const {
    const auto i = static_cast<std::size_t>(e);
    return Node(*node_, keys_of(E{})[i], found_[i]);
  }
  const Node& node() const { return *node_; }

  // The integer behind a key, or `otherwise` where the key is absent.
  template <class T>
  Result<T> integer_or(E e, T otherwise) const {
    if (!has(e)) return otherwise;
    return (*this)[e].template integer<T>();
  }
  Result<bool> boolean_or(E e, bool otherwise) const {
    if (!has(e)) return otherwise;
    return (*this)[e].boolean();
  }

 private:
  const Node* node_;
  JsonValue found_[static_cast<std::size_t>(E::count_)] = {};
};

// Calls f(const Node&) -> Result<> for each element; the caller has checked that it is an array.
template <class F>
Result<> for_each_element(const Node& array, F f) {
  ArrayCursor cursor(array.value());
  JsonValue v;
  for (std::size_t i = 0; cursor.next(v); ++i) {
    const Node element(array, i, v);
    if (auto r = f(element); !r) return r;
  }
  return {};
}

// What simdjson refused, told in the catalogue's terms: reason and byte offset (json_diagnose.cpp).
Refusal diagnose_json(std::string_view member, ByteView bytes);

}  // namespace assay
