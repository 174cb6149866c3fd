// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/model_bytes.h"

#include "harness/gen/json_read.h"

namespace assay::harness {
namespace {

enum Bits : std::uint8_t { kArch = 7, kLegacy = 8, kDigest = 16, kNoSignals = 32, kFp8 = 64, kZero = 128 };
constexpr std::uint8_t kFlags = 0b111001, kNumbers = 0b000110, kAll = 0b111111;  // of the six overrides

// The four flags and two numbers, in the order of their bits.
std::optional<bool>* flag_at(Fp8Overrides& f, int i) {
  std::optional<bool>* const all[] = {&f.fp8_range_extension, nullptr, nullptr, &f.ocp_sat, &f.fp8_sis, &f.fp8_sns};
  return all[i];
}
std::optional<std::uint32_t>* number_at(Fp8Overrides& f, int i) {
  std::optional<std::uint32_t>* const all[] = {nullptr, &f.emax_fp8_e4m3, &f.emax_fp8_e5m2, nullptr, nullptr, nullptr};
  return all[i];
}

void put_number(std::string& out, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) out += static_cast<char>(n | 0x80);
  out += static_cast<char>(n);
}
std::size_t number_size(std::uint64_t n) {
  std::size_t size = 1;
  for (; n >= 0x80; n >>= 7) ++size;
  return size;
}

void put_options(std::string& out, const Options& o) {
  Fp8Overrides f = o.fp8;
  std::uint8_t there = 0, flags = 0;
  std::string numbers;
  for (int i = 0; i < 6; ++i) {
    if (auto* flag = flag_at(f, i); flag != nullptr && *flag) {
      there |= 1 << i;
      flags |= **flag ? 1 << i : 0;
    }
    if (auto* n = number_at(f, i); n != nullptr && *n) {
      there |= 1 << i;
      for (int k = 0; k < 4; ++k) numbers += static_cast<char>(**n >> (8 * k));
    }
  }
  const int arch = o.arch ? (static_cast<int>(*o.arch) + 1) & kArch : 0;
  out += static_cast<char>(arch | (o.allow_legacy ? kLegacy : 0) | (o.verify_digest ? kDigest : 0) |
                           (o.assume_no_signals ? kNoSignals : 0) | (there != 0 ? kFp8 : 0));
  if (there == 0) return;
  out += static_cast<char>(there);
  out += static_cast<char>(flags);
  out += numbers;
}

class Reader {
 public:
  explicit Reader(ByteView bytes) : bytes_(bytes) {}
  bool done() const { return at_ == bytes_.size(); }
  bool byte(std::uint8_t& b) {
    if (done()) return false;
    b = bytes_[at_++];
    return true;
  }
  bool number(std::uint64_t& n) {
    n = 0;
    std::uint8_t b = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      if (!byte(b)) return false;
      n |= std::uint64_t{b & 0x7Fu} << shift;
      if (b < 0x80) return b != 0 || shift == 0;  // shortest form only
    }
    return false;
  }
  bool text(std::uint64_t n, std::string& out) {
    if (n > bytes_.size() - at_) return false;
    out = as_text(bytes_.subspan(at_, n));
    at_ += n;
    return true;
  }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

bool read_options(Reader& in, Options& o) {
  std::uint8_t b = 0, there = 0, flags = 0;
  if (!in.byte(b) || (b & kZero) != 0 || (b & kArch) > 5) return false;
  if ((b & kArch) != 0) o.arch = static_cast<ArchType>((b & kArch) - 1);
  o.allow_legacy = (b & kLegacy) != 0;
  o.verify_digest = (b & kDigest) != 0;
  o.assume_no_signals = (b & kNoSignals) != 0;
  if ((b & kFp8) == 0) return true;
  if (!in.byte(there) || !in.byte(flags) || there == 0 || (there & ~kAll) != 0 || (flags & ~(there & kFlags)) != 0)
    return false;
  for (int i = 0; i < 6; ++i) {
    if ((there >> i & 1) == 0) continue;
    if ((kNumbers >> i & 1) == 0) {
      *flag_at(o.fp8, i) = (flags >> i & 1) != 0;
      continue;
    }
    std::uint32_t n = 0;
    for (int k = 0; k < 4; ++k) {
      if (!in.byte(b)) return false;
      n |= std::uint32_t{b} << (8 * k);
    }
    *number_at(o.fp8, i) = n;
  }
  return true;
}

// ---- the length of a dump ----

std::size_t dump_size(const std::string& s) {
  std::size_t n = s.size() + 2;
  unsigned all = 0;
  for (const char ch : s) {
    const auto b = static_cast<unsigned char>(ch);
    all |= b;
    n += b == '"' || b == '\\' ? 1 : 0;
    if (b < 0x20) n += (b >= 8 && b <= 13 && b != 11) ? 1 : 5;
  }
  if (all < 0x80) return n;
  return Json(s).dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

std::size_t digits(std::uint64_t n) {
  std::size_t size = 1;
  for (; n >= 10000; n /= 10000) size += 4;
  return size + (n >= 10) + (n >= 100) + (n >= 1000);
}

std::size_t dump_size(const Json& j) {
  switch (j.type()) {
    case Json::value_t::null: return 4;
    case Json::value_t::boolean: return j.get<bool>() ? 4 : 5;
    case Json::value_t::string: return dump_size(j.get_ref<const std::string&>());
    case Json::value_t::number_integer: {
      const auto v = j.get<std::int64_t>();
      return v < 0 ? 1 + digits(~static_cast<std::uint64_t>(v) + 1) : digits(static_cast<std::uint64_t>(v));
    }
    case Json::value_t::number_unsigned: return digits(j.get<std::uint64_t>());
    case Json::value_t::array: {
      std::size_t n = j.empty() ? 2 : 1 + j.size();
      for (const Json& element : j) n += dump_size(element);
      return n;
    }
    case Json::value_t::object: {
      std::size_t n = j.empty() ? 2 : 1 + 2 * j.size();
      for (auto it = j.begin(); it != j.end(); ++it) n += dump_size(it.key()) + dump_size(*it);
      return n;
    }
    default: return j.dump(-1, ' ', false, Json::error_handler_t::replace).size();
  }
}

}  // namespace

std::string to_bytes(const Model& model) {
  std::string out;
  put_options(out, model.options);
  for (const auto& [path, member] : model.members) {
    put_number(out, 2 * path.size() + (member.is_json() ? 1 : 0));
    out += path;
    if (member.is_json()) {
      const std::string text = member.text();
      put_number(out, text.size());
      out += text;
    } else {
      put_number(out, member.bytes.size());
      out += member.bytes;
    }
  }
  return out;
}

std::size_t size_of(const Model& model) {
  std::string options;
  put_options(options, model.options);
  std::size_t n = options.size();
  for (const auto& [path, member] : model.members) {
    const std::size_t bytes = member.is_json() ? dump_size(member.doc) : member.bytes.size();
    n += number_size(2 * path.size()) + path.size() + number_size(bytes) + bytes;
  }
  return n;
}

std::optional<Model> from_bytes(ByteView bytes) {
  if (bytes.size() > kMostModelBytes) return std::nullopt;
  Reader in(bytes);
  Model model;
  if (!read_options(in, model.options)) return std::nullopt;
  std::string path, text;
  while (!in.done()) {
    std::uint64_t head = 0, size = 0;
    if (!in.number(head) || !in.text(head >> 1, path) || !in.number(size) || !in.text(size, text)) return std::nullopt;
    if (!model.members.empty() && path <= model.members.rbegin()->first) return std::nullopt;
    ModelMember member;
    if ((head & 1) != 0) {
      auto document = read_json(text);
      if (!document) return std::nullopt;
      member.doc = std::move(*document);
    } else {
      member.bytes = std::move(text);
    }
    model.members.emplace_hint(model.members.end(), path, std::move(member));
  }
  return model;
}

}  // namespace assay::harness
