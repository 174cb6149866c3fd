// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/json.h"

#include <openssl/evp.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace assay::conformance::wire {
namespace {

// Builds the document value by value and stops at the first thing that is not allowed.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(number_integer_t v) override { return put(v); }
  bool number_unsigned(number_unsigned_t v) override { return put(v); }
  bool number_float(number_float_t v, const string_t&) override { return put(v); }
  bool string(string_t& v) override { return put(std::move(v)); }
  bool binary(binary_t&) override { return fail("binary"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& v) override {
    const auto [it, added] = open_.back()->get_ref<Json::object_t&>().emplace(std::move(v), nullptr);
    slot_ = &it->second;
    return added || fail("the key \"" + shortened(it->first) + "\" twice");
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return fail("no JSON from byte " + std::to_string(position) + " on");
  }

  Json root;
  std::string error;

 private:
  bool fail(std::string what) {
    if (error.empty()) error = std::move(what);
    return false;
  }
  Json* place(Json&& v) {
    if (++values_ > kMaxValues) return fail("more than 16,000,000 values"), nullptr;
    if (open_.empty()) return &(root = std::move(v));
    if (open_.back()->is_array()) {
      auto& array = open_.back()->get_ref<Json::array_t&>();
      array.push_back(std::move(v));
      return &array.back();
    }
    return &(*slot_ = std::move(v));
  }
  bool put(Json&& v) { return place(std::move(v)) != nullptr; }
  bool open(Json&& v) {
    if (open_.size() >= kMaxDepth) return fail("nested deeper than 16");
    Json* const at = place(std::move(v));
    if (at == nullptr) return false;
    open_.push_back(at);  // stays valid: only the innermost grows, and it is the last of its parent
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  Json* slot_ = nullptr;
  std::size_t values_ = 0;
};

constexpr std::int64_t kExact = std::int64_t{1} << 53;

bool in_alphabet(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

// "-?[1-9][0-9]*" in full, as the only spelling of its number.
template <class T>
std::optional<T> decimal(const std::string& text) {
  T v{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, v);
  if (error != std::errc{} || at != end || std::to_string(v) != text) return std::nullopt;
  return v;
}

}  // namespace

Read<Json> parse(std::string_view text) {
  Builder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
  return wrong(builder.error.empty() ? "no JSON" : builder.error);
}

std::string print(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string shortened(std::string_view text) {
  std::string out(text.substr(0, 60));
  for (char& c : out)
    if (c < 0x20 || c > 0x7e) c = '?';
  if (text.size() > out.size()) out += "...";
  return out;
}

std::string to_base64(ByteView bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  // The length is an int there: in pieces, each but the last a multiple of three.
  constexpr std::size_t kPiece = std::size_t{3} << 26;
  std::size_t at = 0;
  for (std::size_t from = 0; from < bytes.size(); from += kPiece) {
    const ByteView piece = bytes.subspan(from, std::min(kPiece, bytes.size() - from));
    at += static_cast<std::size_t>(::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + at), piece.data(),
                                                     static_cast<int>(piece.size())));
  }
  out.resize(at);
  return out;
}

bool is_base64(std::string_view text) {
  if (text.size() % 4 != 0) return false;
  std::size_t n = text.size();
  for (int i = 0; i < 2 && n > 0 && text[n - 1] == '='; ++i) --n;
  for (std::size_t i = 0; i < n; ++i)
    if (!in_alphabet(text[i])) return false;
  // What the last digit holds beyond the last byte.
  constexpr std::string_view kOf16 = "AQgw", kOf4 = "AEIMQUYcgkosw048";
  if (text.size() - n == 2) return kOf16.find(text[n - 1]) != std::string_view::npos;
  if (text.size() - n == 1) return kOf4.find(text[n - 1]) != std::string_view::npos;
  return true;
}

std::optional<Buffer> from_base64(std::string_view text) {
  if (!is_base64(text) || text.size() > std::size_t{1} << 30) return std::nullopt;
  if (text.empty()) return Buffer(std::size_t{0});
  std::vector<unsigned char> out(text.size() / 4 * 3);
  const int n = ::EVP_DecodeBlock(out.data(), reinterpret_cast<const unsigned char*>(text.data()),
                                  static_cast<int>(text.size()));
  if (n < 0) return std::nullopt;
  const std::size_t padding = text[text.size() - 2] == '=' ? 2 : text.back() == '=' ? 1 : 0;
  return Buffer(ByteView(out).first(static_cast<std::size_t>(n) - padding));
}

Json integer(std::int64_t value) {
  if (value > kExact || value < -kExact) return std::to_string(value);
  return value;
}

Json integer(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(kExact)) return std::to_string(value);
  return value;
}

std::optional<std::int64_t> signed_of(const Json& value) {
  if (value.is_string()) {
    const auto v = decimal<std::int64_t>(value.get_ref<const std::string&>());
    return v && (*v > kExact || *v < -kExact) ? v : std::nullopt;
  }
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kExact))
    return std::nullopt;
  const auto v = value.get<std::int64_t>();
  return v < -kExact ? std::nullopt : std::optional(v);
}

std::optional<std::uint64_t> unsigned_of(const Json& value) {
  if (value.is_string()) {
    const auto v = decimal<std::uint64_t>(value.get_ref<const std::string&>());
    return v && *v > static_cast<std::uint64_t>(kExact) ? v : std::nullopt;
  }
  const auto v = signed_of(value);
  if (!v || *v < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*v);
}

std::optional<std::uint32_t> u32_of(const Json& value) {
  const auto v = unsigned_of(value);
  if (!v || *v > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*v);
}

const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

}  // namespace assay::conformance::wire
