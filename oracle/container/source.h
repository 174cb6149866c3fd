// SPDX-License-Identifier: Apache-2.0
// Where the expanded bytes of an archive come from: memory as it stands, or a gzip stream that is
// inflated straight into the reader's memory, so that a large member is written once and a bomb
// is seen before it takes memory. Sources know no tar.
//
// igzip (ISA-L) does the inflating, not libarchive's gzip filter: that one ignores the CRC and
// what follows the last gzip member (CON-015), and zlib beneath it takes more than twice the time.
#pragma once

#include <isa-l/igzip_lib.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "oracle/base/bytes.h"
#include "oracle/base/result.h"

namespace assay::container {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills `to` from its front and returns how many bytes that were: fewer than asked only at the
  // archive's end. Refuses with gzip_damaged, placed in the compressed archive.
  virtual Result<std::size_t> read(std::span<std::uint8_t> to) = 0;

  // An upper bound of the bytes still to come; exact for an archive that is not compressed.
  virtual std::uint64_t at_most() const = 0;

  // True when bytes nobody wants must still be read for the source's own checks.
  virtual bool must_be_drained() const = 0;
};

class MemorySource final : public ByteSource {
 public:
  // `bytes` outlives the source.
  explicit MemorySource(ByteView bytes) : rest_(bytes) {}
  Result<std::size_t> read(std::span<std::uint8_t> to) override;
  std::uint64_t at_most() const override { return rest_.size(); }
  bool must_be_drained() const override { return false; }

 private:
  ByteView rest_;
};

// One or more gzip members (RFC 1952), zero bytes allowed behind each. About 150 KB, meant for the
// stack: taking them from the heap costs a tenth of a small model's expansion.
class GzipSource final : public ByteSource {
 public:
  // `bytes` outlives the source.
  explicit GzipSource(ByteView bytes);
  Result<std::size_t> read(std::span<std::uint8_t> to) override;
  std::uint64_t at_most() const override;
  bool must_be_drained() const override { return true; }

 private:
  Result<std::size_t> inflate_into(std::span<std::uint8_t> to);
  Result<bool> begin_member();  // false: none is left
  void end_member();
  tl::unexpected<Refusal> damaged(const char* what) const;

  static constexpr std::size_t kScratch = std::size_t{32} << 10;

  ByteView rest_;                  // input not yet given to igzip
  const std::size_t size_;         // of all input
  bool inside_ = false;            // of a gzip member
  std::span<std::uint8_t> ready_;  // inflated bytes in scratch_ that nobody has read yet
  inflate_state igzip_;
  std::uint8_t scratch_[kScratch];
};

}  // namespace assay::container
