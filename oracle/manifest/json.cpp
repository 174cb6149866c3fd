// SPDX-License-Identifier: Apache-2.0
#include "oracle/manifest/json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <bit>
#include <limits>
#include <new>

#include "oracle/base/asan.h"
#include "oracle/base/pages.h"

namespace assay {
namespace {

namespace dom = simdjson::dom;

static_assert(sizeof(dom::element) == sizeof(JsonValue));
static_assert(std::is_trivially_copyable_v<dom::element>);
static_assert(std::is_trivially_copyable_v<dom::array::iterator>);
static_assert(sizeof(dom::array::iterator) == sizeof(JsonValue));
static_assert(sizeof(dom::object::iterator) == sizeof(JsonValue));
static_assert(Buffer::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::uint64_t kMaxDocumentBytes = 0xFFFFFFFF;  // JSN-011
constexpr std::uint64_t kSmallDocument = 1 << 18;
#ifdef ASSAY_ASAN
constexpr bool kKeepSpares = false;  // who reads a document that is gone is to be seen
#else
constexpr bool kKeepSpares = true;
#endif

dom::element element_of(JsonValue v) { return std::bit_cast<dom::element>(v); }
JsonValue value_of(dom::element e) { return std::bit_cast<JsonValue>(e); }

const char* type_name(JsonType t) {
  switch (t) {
    case JsonType::null: return "null";
    case JsonType::boolean: return "a boolean";
    case JsonType::integer: return "an integer";
    case JsonType::number: return "a number with fraction or exponent";
    case JsonType::string: return "a string";
    case JsonType::array: return "an array";
    case JsonType::object: return "an object";
  }
  return "?";
}

std::string expected_but(const char* wanted, JsonType is) {
  return fmt::format("expected {}, is {}", wanted, type_name(is));
}

void append_pointer_token(std::string& out, std::string_view key) {
  out += '/';
  for (const char c : key) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
}

}  // namespace

JsonType type_of(JsonValue v) {
  switch (element_of(v).type()) {
    case dom::element_type::ARRAY: return JsonType::array;
    case dom::element_type::OBJECT: return JsonType::object;
    case dom::element_type::INT64:
    case dom::element_type::UINT64: return JsonType::integer;
    case dom::element_type::DOUBLE: return JsonType::number;
    case dom::element_type::STRING: return JsonType::string;
    case dom::element_type::BOOL: return JsonType::boolean;
    case dom::element_type::NULL_VALUE: return JsonType::null;
  }
  return JsonType::null;
}

Place Node::place() const {
  std::string pointer;
  const Node* chain[1100];  // documents nest at most 1024 deep
  std::size_t n = 0;
  const Node* at = this;
  for (; at->parent_ != nullptr && n < std::size(chain); at = at->parent_) chain[n++] = at;
  while (n > 0) {
    const Node& step = *chain[--n];
    if (step.is_element_) pointer += fmt::format("/{}", step.index_);
    else append_pointer_token(pointer, step.key_);
  }
  return {std::string(at->member_), std::move(pointer), std::nullopt, {}};
}

template <class T>
Result<T> Node::integer() const {
  const dom::element e = element_of(value_);
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  if (type() != JsonType::integer)
    return refuse(Reason::not_an_integer, expected_but("an integer literal", type()));
  Wide wide{};
  if (e.get(wide) != simdjson::SUCCESS)
    return refuse(Reason::not_an_integer, std::is_signed_v<T> ? "above 2^63-1" : "negative");
  if (wide < static_cast<Wide>(std::numeric_limits<T>::min()) ||
      wide > static_cast<Wide>(std::numeric_limits<T>::max()))
    return refuse(Reason::integer_too_wide,
                  fmt::format("{} does not fit {} bits", wide, sizeof(T) * 8));
  return static_cast<T>(wide);
}
template Result<std::uint8_t> Node::integer() const;
template Result<std::uint16_t> Node::integer() const;
template Result<std::uint32_t> Node::integer() const;
template Result<std::uint64_t> Node::integer() const;
template Result<std::int32_t> Node::integer() const;
template Result<std::int64_t> Node::integer() const;

Result<double> Node::number() const {
  double d = 0;
  const JsonType t = type();
  if ((t != JsonType::integer && t != JsonType::number) || element_of(value_).get(d)) {
    if (t == JsonType::null) return refuse(Reason::null_value);
    return refuse(Reason::wrong_type, expected_but("a number", t));
  }
  return d;
}

Result<bool> Node::boolean() const {
  bool b = false;
  if (element_of(value_).get(b) != simdjson::SUCCESS)
    return refuse(Reason::not_a_boolean, fmt::format("is {}", type_name(type())));
  return b;
}

Result<std::string_view> Node::string() const {
  std::string_view s;
  if (element_of(value_).get(s) != simdjson::SUCCESS) {
    if (type() == JsonType::null) return refuse(Reason::null_value);
    return refuse(Reason::wrong_type, expected_but("a string", type()));
  }
  if (s.find('\0') != std::string_view::npos) return refuse(Reason::nul_in_string);
  return s;
}

Result<> Node::expect(JsonType wanted) const {
  const JsonType is = type();
  if (is == wanted) return {};
  if (is == JsonType::null) return refuse(Reason::null_value);
  return refuse(Reason::wrong_type, expected_but(type_name(wanted), is));
}

namespace {

// Takes the memory the parser would take itself, to have large pages in it. Its sizes are
// simdjson's: per byte of the document a position of 4 bytes, a tape word of 8, and 5/3 of text.
simdjson::error_code take_memory(dom::parser& parser, dom::document& document, std::size_t size) {
  if (const auto error = parser.allocate(size)) return error;
  if (const auto error = document.allocate(size)) return error;
  use_large_pages(parser.implementation->structural_indexes.get(), 4 * size);
  use_large_pages(document.tape.get(), 8 * size);
  use_large_pages(document.string_buf.get(), 5 * size / 3);
  return simdjson::SUCCESS;
}

simdjson::simdjson_result<dom::element> parse_into(dom::parser& parser, dom::document& document,
                                                   const Buffer& bytes) {
  // A Buffer is padded as simdjson wants it: no copy.
  return parser.parse_into_document(document, bytes.data(), bytes.size(), false);
}

}  // namespace

struct Document::Parser {
  dom::document document;
  dom::element root;

  // Memory of small documents, kept for the next ones of the thread: a model has dozens, and
  // simdjson would take and give back 14 times their bytes each time.
  struct Spares {
    dom::parser parser;
    std::unique_ptr<Parser> documents[4];
  };
  static Spares& spares() {
    static thread_local Spares s;
    return s;
  }
};

Document::Document() {
  for (auto& spare : Parser::spares().documents)
    if (parser_ == nullptr) parser_ = std::move(spare);
  if (parser_ == nullptr) parser_ = std::make_unique<Parser>();
}

Document::~Document() {
  if (!kKeepSpares || parser_ == nullptr || parser_->document.capacity() > kSmallDocument) return;
  for (auto& spare : Parser::spares().documents)
    if (spare == nullptr) {
      spare = std::move(parser_);
      return;
    }
}

Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Result<Document> Document::parse(std::string_view member, const Buffer& bytes) {
  // Before anything is allocated for it: simdjson would ask for nine times the document first.
  if (bytes.size() > kMaxDocumentBytes)
    return assay::refuse(Reason::json_too_large, {std::string(member), {}, {}, {}},
                         fmt::format("{} bytes", bytes.size()));
  Document d;
  d.member_ = member;
  dom::document& document = d.parser_->document;
  simdjson::error_code error = simdjson::SUCCESS;
  if (kKeepSpares && bytes.size() <= kSmallDocument) {
    error = parse_into(Parser::spares().parser, document, bytes).get(d.parser_->root);
  } else {
    // This parser's memory is given back at once: only the document is read from now on.
    dom::parser parser;
    error = take_memory(parser, document, bytes.size());
    if (error == simdjson::SUCCESS) error = parse_into(parser, document, bytes).get(d.parser_->root);
  }
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) return tl::unexpected<Refusal>(diagnose_json(member, bytes.view()));
  return d;
}

Node Document::root() const { return Node(member_, value_of(parser_->root)); }

ArrayCursor::ArrayCursor(JsonValue array) {
  const dom::array a = element_of(array).get_array().value_unsafe();
  at_ = std::bit_cast<JsonValue>(a.begin());
  end_ = std::bit_cast<JsonValue>(a.end());
}

bool ArrayCursor::next(JsonValue& element) {
  auto it = std::bit_cast<dom::array::iterator>(at_);
  if (!(it != std::bit_cast<dom::array::iterator>(end_))) return false;
  element = value_of(*it);
  at_ = std::bit_cast<JsonValue>(++it);
  return true;
}

ObjectCursor::ObjectCursor(JsonValue object) {
  const dom::object o = element_of(object).get_object().value_unsafe();
  at_ = std::bit_cast<JsonValue>(o.begin());
  end_ = std::bit_cast<JsonValue>(o.end());
}

bool ObjectCursor::next(std::string_view& key, JsonValue& value) {
  auto it = std::bit_cast<dom::object::iterator>(at_);
  if (!(it != std::bit_cast<dom::object::iterator>(end_))) return false;
  key = it.key();
  value = value_of(it.value());
  at_ = std::bit_cast<JsonValue>(++it);
  return true;
}

std::size_t count_of(JsonValue v) {
  // simdjson's own count saturates at 2^24; a walk over the elements does not.
  std::size_t n = 0;
  JsonValue value;
  std::string_view key;
  if (type_of(v) == JsonType::array)
    for (ArrayCursor c(v); c.next(value);) ++n;
  else
    for (ObjectCursor c(v); c.next(key, value);) ++n;
  return n;
}

void find_keys(JsonValue object, std::span<const std::string_view> wanted, JsonValue* found) {
  const dom::object o = element_of(object).get_object().value_unsafe();
  for (auto it = o.begin(), end = o.end(); it != end; ++it) {
    const std::string_view key = it.key();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].size() != key.size() || wanted[i] != key) continue;
      if (found[i].document == nullptr) found[i] = value_of(it.value());
      break;
    }
  }
}

}  // namespace assay
