// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/dictionary.h"

#include <cstdint>
#include <set>

#include "harness/mutate/models/key_rules.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

class Tokens {
 public:
  void title(std::string_view text) { out_ += "# " + std::string(text) + "\n"; }
  void add(std::string_view token) {
    if (token.empty() || token.size() > 128 || !seen_.insert(std::string(token)).second) return;
    static constexpr char kHex[] = "0123456789ABCDEF";
    out_ += '"';
    for (const char ch : token) {
      const auto b = static_cast<unsigned char>(ch);
      if (b == '"' || b == '\\') {
        out_ += '\\';
        out_ += ch;
      } else if (b < 0x20 || b >= 0x7F) {
        out_ += "\\x";
        out_ += kHex[b >> 4];
        out_ += kHex[b & 15];
      } else {
        out_ += ch;
      }
    }
    out_ += "\"\n";
  }
  template <class T>
  void add_number(T v) {
    char bytes[sizeof v];
    std::memcpy(bytes, &v, sizeof v);
    add({bytes, sizeof v});
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::set<std::string> seen_;
};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

void add_documents(Tokens& t) {
  t.title("keys");
  for (const mutating::KeyRule& r : mutating::key_rules()) t.add(quoted(r.key) + ":");
  for (const Field& f : record(RecordId::kbin_act_profile_data_t).fields)
    t.add(quoted(mutating::profile_key(f.name)) + ":");
  t.title("strings");
  for (const MatcherRow& row : matcher_rows())
    for (const MatcherEntry& e : row.entries) t.add(quoted(e.text));
  for (const char* text : {"cast", "*", "__kelf", "kelf-0.json", "neff.json", "list_str", "list_shape", "WXYZ", "1.0"})
    t.add(quoted(text));
  t.title("numbers and literals");
  for (const char* text :
       {"0", "-1", "-0", "5.0", ".0", "1e2", "e0", "255", "256", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "-9223372036854775808", "-9223372036854775809", "1e400", "true", "false", "null", "{}", "[]", "[[", "]]", ",",
        "\\u0000", "\\ud800", "\\u0061", "\xEF\xBB\xBF", "\xED\xA0\x80", ".npy", ".bin"})
    t.add(text);
}

void add_edges(Tokens& t) {
  t.title("edge integers");
  for (const int shift : {7, 8, 15, 16, 31})
    for (const int off : {-1, 0}) t.add_number(static_cast<std::uint32_t>((1u << shift) + static_cast<unsigned>(off)));
  t.add_number(~std::uint32_t{0});
  for (const std::uint64_t v : {std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{0},
                                (std::uint64_t{1} << 63) - 1})
    t.add_number(v);
}

void add_images(Tokens& t) {
  t.title("image");
  t.add({image::kMagic, 8});
  t.add_number(static_cast<std::uint32_t>(image::kHeaderSize));
  t.add_number(image::kRoot);
  for (const KindRow& k : kind_rows()) {
    t.add_number(static_cast<std::uint32_t>(k.kind));
    t.add_number(std::uint64_t{k.bytes});
  }
  for (const EnumRow& e : enum_rows())
    for (const Enumerator& v : e.values) t.add_number(v.code);
}

void add_containers(Tokens& t) {
  using namespace std::string_view_literals;
  t.title("container");
  for (const std::string_view token :
       {"ustar\00000"sv, "ustar  \0"sv, "././@LongLink"sv, "PaxHeader/"sv, " path="sv, " size="sv, "\x1F\x8B\x08\0"sv,
        "\x93NUMPY\x01\0"sv, ".npy"sv, "neff.json"sv, "kelf-0.json"sv, "kelf-a.json"sv, "sg00/def.json"sv,
        "wavegraph-bin.json"sv, "../"sv, "./"sv, "\x80\0\0\0"sv, "0000644\0"sv})
    t.add(token);
  t.add_number(std::uint64_t{1});
  t.add_number(std::uint64_t{2});
  t.add_number(std::uint64_t{1024});
}

}  // namespace

std::string dictionary_for(std::string_view target) {
  const auto is = [&](std::string_view word) { return target.find(word) != target.npos; };
  bool images = is("image"), containers = is("neff") || is("archive") || is("container");
  bool documents = is("json") || is("def") || is("model") || is("lower");
  if (!images && !containers && !documents) images = containers = documents = true;
  Tokens t;
  if (documents) add_documents(t);
  if (images) add_images(t);
  if (containers) add_containers(t);
  if (images || containers) add_edges(t);
  return t.take();
}

}  // namespace assay::harness
