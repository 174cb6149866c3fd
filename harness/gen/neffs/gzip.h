// SPDX-License-Identifier: Apache-2.0
// A writer of gzip streams (RFC 1952) of one or more members: each kind of deflate block and each
// part of the header on demand, and where everything lies, so that it can be spoilt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/choice/choices.h"

namespace assay::harness::neffs {

enum class Deflate : std::uint8_t {
  stored,   // blocks of at most `level` * 100 bytes
  fixed,    // one block of literals in the fixed code
  library,  // whatever libdeflate makes of it at `level`, 1..12
};

// Bits of the flags byte.
inline constexpr std::uint8_t kText = 1, kHeaderCrc = 2, kExtra = 4, kFileName = 8, kComment = 16;

struct GzipMember {
  Deflate method = Deflate::library;
  int level = 6;
  std::uint8_t flags = 0;
  std::uint64_t cut = 0;        // where its data ends, modulo what there is; the last one takes the rest
  std::size_t zeros_after = 0;  // bytes
};

// Offsets in the stream.
struct GzipPlace {
  std::size_t start, body, trailer, end;
};
struct GzipStream {
  std::string bytes;
  std::vector<GzipPlace> members;
};

GzipStream gzip(const std::vector<GzipMember>& members, std::string_view data);
std::vector<GzipMember> gen_gzip(Choices& c);  // one member mostly

}  // namespace assay::harness::neffs
