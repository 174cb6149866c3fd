// SPDX-License-Identifier: Apache-2.0
// What is written inside tar headers: numbers, the checksum, pax records. Pure functions of
// bytes; every bound of theirs is checked here. nullopt and false stand for damage.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "oracle/base/bytes.h"

namespace assay::container {

inline constexpr std::size_t kTarBlock = 512;
using TarBlock = std::span<const std::uint8_t, kTarBlock>;

// A number field: octal digits, spaces before and NUL or space after, or base-256 (GNU).
// No field, and an all-blank one, is 0. A negative number or one over 64 bits is nullopt.
std::optional<std::uint64_t> tar_number(ByteView field);

// The header's own sum, over unsigned or (old archivers) signed bytes.
bool tar_checksum_holds(TarBlock header);

// The bytes of a text field up to its first NUL.
std::string_view tar_text(ByteView field);

// The records of a pax header that matter here. A record that is there and empty takes the
// keyword back: the header's own field holds again.
struct PaxRecords {
  std::optional<std::string> path, size;
  bool sparse = false;  // any GNU.sparse.* record
};

// Adds the records in `data`, later ones over earlier ones. False when they are malformed.
bool parse_pax(std::string_view data, PaxRecords& into);

// A pax size: decimal digits that fit 64 bits.
std::optional<std::uint64_t> pax_number(std::string_view digits);

}  // namespace assay::container
