// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/neffs/gzip.h"

#include <libdeflate.h>

#include <algorithm>

namespace assay::harness::neffs {
namespace {

void put(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> 8 * i & 0xFF);
}

std::string stored(std::string_view data, std::size_t block) {
  std::string out;
  do {
    const std::string_view part = data.substr(0, block);
    data.remove_prefix(part.size());
    out += data.empty() ? '\1' : '\0';
    put(out, part.size(), 2);
    put(out, ~part.size(), 2);
    out += part;
  } while (!data.empty());
  return out;
}

// Literals alone: 0..143 are eight bits from 0x30, 144..255 nine from 0x190, the end seven zeros.
std::string fixed(std::string_view data) {
  std::string out;
  unsigned byte = 0;
  int bits = 0;
  const auto bit = [&](unsigned b) {
    byte |= b << bits;
    if (++bits == 8) {
      out += static_cast<char>(byte);
      byte = 0;
      bits = 0;
    }
  };
  const auto code = [&](unsigned value, int length) {
    for (int i = length; i-- > 0;) bit(value >> i & 1);
  };
  bit(1), bit(1), bit(0);  // last block, fixed code
  for (const char ch : data) {
    const unsigned b = static_cast<unsigned char>(ch);
    if (b < 144) code(0x30 + b, 8);
    else code(0x190 + b - 144, 9);
  }
  code(0, 7);
  while (bits != 0) bit(0);
  return out;
}

std::string by_library(std::string_view data, int level) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(level);
  std::string out(compressor == nullptr ? 0 : libdeflate_deflate_compress_bound(compressor, data.size()), '\0');
  if (compressor != nullptr)
    out.resize(libdeflate_deflate_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out.empty() ? stored(data, 0xFFFF) : out;
}

std::string body_of(const GzipMember& m, std::string_view data) {
  switch (m.method) {
    case Deflate::stored: return stored(data, std::clamp<std::size_t>(m.level * std::size_t{100}, 1, 0xFFFF));
    case Deflate::fixed: return fixed(data);
    default: return by_library(data, m.level);
  }
}

std::string header_of(const GzipMember& m) {
  std::string h = "\x1F\x8B\x08";
  h += static_cast<char>(m.flags);
  h.append("\0\0\0\0\0\xFF", 6);
  if (m.flags & kExtra) h.append("\6\0ab\2\0cd", 8);
  if (m.flags & kFileName) h.append("model.tar\0", 10);
  if (m.flags & kComment) h.append("\xE9 comment\0", 10);
  if (m.flags & kHeaderCrc) put(h, libdeflate_crc32(0, h.data(), h.size()) & 0xFFFF, 2);
  return h;
}

}  // namespace

GzipStream gzip(const std::vector<GzipMember>& members, std::string_view data) {
  GzipStream out;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const GzipMember& m = members[i];
    const bool last = i + 1 == members.size();
    const std::string_view part = last ? data : data.substr(0, m.cut % (data.size() + 1));
    data.remove_prefix(part.size());
    GzipPlace p{out.bytes.size(), 0, 0, 0};
    out.bytes += header_of(m);
    p.body = out.bytes.size();
    out.bytes += body_of(m, part);
    p.trailer = out.bytes.size();
    put(out.bytes, libdeflate_crc32(0, part.data(), part.size()), 4);
    put(out.bytes, part.size(), 4);
    p.end = out.bytes.size();
    out.members.push_back(p);
    out.bytes.append(m.zeros_after, '\0');
  }
  return out;
}

std::vector<GzipMember> gen_gzip(Choices& c) {
  std::vector<GzipMember> members(c.chance(80) ? 1 : 1 + c.below(4));
  for (GzipMember& m : members) {
    static constexpr Deflate kMethods[] = {Deflate::library, Deflate::library, Deflate::stored, Deflate::fixed};
    m.method = c.pick(kMethods);
    m.level = static_cast<int>(c.between(1, 12));
    m.flags = c.chance(70) ? 0 : static_cast<std::uint8_t>(c.below(32));
    m.cut = c.edge(0, 20000);
    m.zeros_after = c.chance(80) ? 0 : c.edge(1, 1000);
  }
  return members;
}

}  // namespace assay::harness::neffs
