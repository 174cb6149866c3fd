// SPDX-License-Identifier: Apache-2.0
#include "oracle/container/tar_fields.h"

#include <charconv>

namespace assay::container {
namespace {

constexpr std::size_t kSumAt = 148, kSumBytes = 8;

std::optional<std::uint64_t> base256(ByteView field) {
  if (field[0] & 0x40) return std::nullopt;  // negative
  std::uint64_t value = field[0] & 0x3F;
  for (const std::uint8_t b : field.subspan(1)) {
    if (value >> 56 != 0) return std::nullopt;
    value = value << 8 | b;
  }
  return value;
}

}  // namespace

std::optional<std::uint64_t> tar_number(ByteView field) {
  if (!field.empty() && (field[0] & 0x80)) return base256(field);
  std::uint64_t value = 0;
  bool leading = true;
  for (const std::uint8_t b : field) {
    if (leading && b == ' ') continue;
    leading = false;
    if (b == 0 || b == ' ') break;
    if (b < '0' || b > '7') return std::nullopt;
    value = value << 3 | (b - '0');  // at most 12 digits
  }
  return value;
}

bool tar_checksum_holds(TarBlock header) {
  const auto stored = tar_number(header.subspan(kSumAt, kSumBytes));
  if (!stored) return false;
  std::uint32_t sum = 0, high = 0;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool inside = i >= kSumAt && i < kSumAt + kSumBytes;
    sum += inside ? ' ' : header[i];
    high += inside ? 0 : header[i] >> 7;
  }
  // A signed sum may be negative, which no archiver can write: the comparison then fails.
  return *stored == sum || (sum >= 256 * high && *stored == sum - 256 * high);
}

std::string_view tar_text(ByteView field) {
  const std::string_view text = as_text(field);
  return text.substr(0, text.find('\0'));
}

std::optional<std::uint64_t> pax_number(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || digits.empty()) return std::nullopt;
  return value;
}

// A record is "LENGTH KEY=VALUE\n", LENGTH counting all of it.
bool parse_pax(std::string_view data, PaxRecords& into) {
  while (!data.empty()) {
    const auto space = data.substr(0, 20).find(' ');
    if (space == std::string_view::npos) return false;
    const auto length = pax_number(data.substr(0, space));
    if (!length || *length > data.size() || *length < space + 2) return false;
    std::string_view record = data.substr(0, *length);
    data.remove_prefix(*length);
    if (record.back() != '\n') return false;
    record = record.substr(space + 1, *length - space - 2);
    const auto equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = record.substr(0, equals), value = record.substr(equals + 1);
    if (key == "path") into.path.emplace(value);
    if (key == "size") into.size.emplace(value);
    if (key.substr(0, 11) == "GNU.sparse.") into.sparse = true;
  }
  return true;
}

}  // namespace assay::container
