// SPDX-License-Identifier: Apache-2.0
// What a variable's member holds (CON-016).
#include <fmt/format.h>

#include "oracle/container/container.h"
#include "oracle/container/guard.h"

namespace assay {
namespace {

constexpr std::uint8_t kMagic[2] = {0x93, 0x4E};
constexpr std::size_t kLengthAt = 8;  // u16: bytes of the text behind this prefix
constexpr std::size_t kPrefix = 10;

Result<ByteView> payload(std::string_view member, ByteView bytes) {
  if (member.size() < 4 || member.substr(member.size() - 4) != ".npy") return bytes;
  const auto at = [&](std::uint64_t offset) { return Place{std::string(member), {}, offset, {}}; };
  if (bytes.size() < sizeof kMagic || bytes[0] != kMagic[0] || bytes[1] != kMagic[1])
    return refuse(Reason::npy_magic, at(0));
  if (bytes.size() < kPrefix)
    return refuse(Reason::npy_header, at(kLengthAt), fmt::format("{} bytes in all", bytes.size()));
  const std::size_t start = load<std::uint16_t>(bytes.data() + kLengthAt) + kPrefix;
  if (start > bytes.size())
    return refuse(Reason::npy_header, at(kLengthAt),
                  fmt::format("payload at {} of {} bytes", start, bytes.size()));
  return bytes.subspan(start);
}

}  // namespace

Result<ByteView> payload_of(std::string_view member, ByteView bytes) {
  return container::guarded([&] { return payload(member, bytes); });
}

}  // namespace assay
