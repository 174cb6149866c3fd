// SPDX-License-Identifier: Apache-2.0
#include "oracle/container/source.h"

#include <algorithm>

namespace assay::container {
namespace {

constexpr std::uint8_t kMagic[2] = {0x1F, 0x8B};
constexpr std::size_t kFlagsAt = 3;
constexpr std::uint8_t kReservedFlags = 0xE0;
// No deflate stream expands further: 258 bytes of a match take two bits at least.
constexpr std::uint64_t kMaxExpansion = 1032;
// Bytes per call of igzip: short enough for its CRC to find them in a cache.
constexpr std::size_t kStep = std::size_t{256} << 10;
constexpr std::size_t kMaxInput = std::size_t{1} << 30;  // igzip counts in 32 bits

const char* message_of(int error) {
  switch (error) {
    case ISAL_INVALID_BLOCK:
      return "invalid block";
    case ISAL_INVALID_SYMBOL:
      return "invalid symbol";
    case ISAL_INVALID_LOOKBACK:
      return "distance too far back";
    case ISAL_INCORRECT_CHECKSUM:
      return "wrong CRC or length";
    default:
      return "invalid gzip header";
  }
}

}  // namespace

Result<std::size_t> MemorySource::read(std::span<std::uint8_t> to) {
  const std::size_t n = std::min(to.size(), rest_.size());
  if (n != 0) std::memcpy(to.data(), rest_.data(), n);
  rest_ = rest_.subspan(n);
  return n;
}

// igzip's state is set when a member begins, the scratch when it is inflated into.
GzipSource::GzipSource(ByteView bytes) : rest_(bytes), size_(bytes.size()) {}

tl::unexpected<Refusal> GzipSource::damaged(const char* what) const {
  return refuse(Reason::gzip_damaged, {"compressed archive", {}, size_ - rest_.size(), {}}, what);
}

std::uint64_t GzipSource::at_most() const {
  // igzip holds back some output, and some input that may still expand.
  constexpr std::uint64_t kOutput = sizeof igzip_.tmp_out_buffer;
  constexpr std::uint64_t kInput = sizeof igzip_.tmp_in_buffer + sizeof igzip_.read_in;
  std::uint64_t n = 0;
  if (!checked_mul(rest_.size() + kInput, kMaxExpansion, n) ||
      !checked_add(n, kOutput + ready_.size(), n))
    return UINT64_MAX;
  return n;
}

Result<std::size_t> GzipSource::read(std::span<std::uint8_t> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    if (ready_.empty()) {
      const auto rest = to.subspan(done);
      // What is long goes to its place at once; what is short would slow igzip down.
      const bool direct = rest.size() >= kScratch;
      ASSAY_TRY_LET(n, inflate_into(direct ? rest : std::span<std::uint8_t>(scratch_)));
      if (n == 0) break;
      if (direct) {
        done += n;
        continue;
      }
      ready_ = {scratch_, n};
    }
    const std::size_t n = std::min(ready_.size(), to.size() - done);
    std::memcpy(to.data() + done, ready_.data(), n);
    ready_ = ready_.subspan(n);
    done += n;
  }
  return done;
}

// Fills `to` as far as the stream goes.
Result<std::size_t> GzipSource::inflate_into(std::span<std::uint8_t> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    if (!inside_) {
      ASSAY_TRY_LET(more, begin_member());
      if (!more) break;
    }
    const auto room = static_cast<std::uint32_t>(std::min(to.size() - done, kStep));
    const std::uint8_t* const from = rest_.data();
    igzip_.next_out = to.data() + done;
    igzip_.avail_out = room;
    igzip_.next_in = const_cast<std::uint8_t*>(from);
    igzip_.avail_in = static_cast<std::uint32_t>(std::min(rest_.size(), kMaxInput));
    const int error = isal_inflate(&igzip_);
    // By the pointer: the counts are wrong after some errors.
    rest_ = ByteView(static_cast<const std::uint8_t*>(igzip_.next_in), from + rest_.size());
    if (error != ISAL_DECOMP_OK) return damaged(message_of(error));
    const std::size_t n = room - igzip_.avail_out;
    done += n;
    if (igzip_.block_state == ISAL_BLOCK_FINISH) {
      end_member();
    } else if (n == 0 && rest_.data() == from) {
      return damaged("cut short");
    }
  }
  return done;
}

Result<bool> GzipSource::begin_member() {
  // Ruling: zero bytes may also stand between two gzip members, not only behind the last.
  const auto at = std::find_if(rest_.begin(), rest_.end(), [](std::uint8_t b) { return b != 0; });
  rest_ = ByteView(at, rest_.end());
  if (rest_.empty()) return false;
  if (!std::equal(kMagic, kMagic + std::min<std::size_t>(2, rest_.size()), rest_.begin()))
    return damaged("neither zero nor another gzip member");
  // igzip passes over flags it does not know; RFC 1952 wants an error.
  if (rest_.size() > kFlagsAt && (rest_[kFlagsAt] & kReservedFlags) != 0)
    return damaged("reserved flags");
  isal_inflate_init(&igzip_);
  igzip_.crc_flag = ISAL_GZIP;
  inside_ = true;
  return true;
}

// Gives back what igzip read beyond the member's trailer.
void GzipSource::end_member() {
  const std::size_t ahead = static_cast<std::size_t>(igzip_.read_in_length) / 8;
  rest_ = ByteView(rest_.data() - ahead, rest_.size() + ahead);
  inside_ = false;
}

}  // namespace assay::container
