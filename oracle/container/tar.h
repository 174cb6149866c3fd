// SPDX-License-Identifier: Apache-2.0
// A strict walk through a tar archive: v7, ustar, pax and GNU long names (CON-015). It yields what
// the archive says, member by member; which members are kept is decided elsewhere.
//
// Own code and not libarchive's reader, which cannot be made to meet the rows: it expands sparse
// members and passes unknown types off as regular ones (CON-014 skips what is not regular), drops
// malformed pax records with a warning that looks like the harmless one on encodings, so that a
// member silently gets another path, tests more fields of the first header than of later ones, and
// wants padding behind the last member's last byte. libarchive still writes the archives, and
// tests hold the two against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "oracle/base/bytes.h"
#include "oracle/base/result.h"
#include "oracle/container/source.h"
#include "oracle/container/tar_fields.h"

namespace assay::container {

struct TarEntry {
  std::string path;          // as written: not stripped, not checked
  std::uint64_t size = 0;    // bytes of data; the source may hold as many
  std::uint64_t offset = 0;  // of the header, in the expanded archive
  bool regular = false;      // a file with data; everything else is to be skipped (CON-014)
};

class TarReader {
 public:
  // `overhead_limit` bounds the bytes that are no member's: headers, padding, skipped data, what
  // follows the end (limit_expanded_bytes).
  TarReader(ByteSource& source, std::uint64_t overhead_limit)
      : source_(source), overhead_limit_(overhead_limit) {}

  // The next member, passing over data of the last one that was not read, or nothing at the
  // archive's end; the source's own checks have then been made. Refusals are placed at the header
  // they speak of.
  Result<std::optional<TarEntry>> next();

  // The data of the member next() returned; once per member.
  Result<Buffer> read();

 private:
  struct Pending;

  Result<bool> read_header();  // false at the end
  Result<> read_special(std::uint8_t type, Pending& pending);
  Result<> read_sparse_map();
  Result<std::uint64_t> data_size(std::uint8_t type, const Pending& pending) const;
  std::string path_of(Pending& pending) const;
  Result<Buffer> take(std::uint64_t size);
  Result<std::uint64_t> skip(std::uint64_t size);  // returns the bytes passed: fewer at the end
  Result<> charge(std::uint64_t size);
  Result<> must_be_there(std::uint64_t size) const;  // before memory is taken for it
  tl::unexpected<Refusal> damaged(std::string what) const;

  ByteSource& source_;
  const std::uint64_t overhead_limit_;
  std::uint64_t overhead_ = 0;
  std::uint64_t position_ = 0;   // in the expanded archive
  std::uint64_t header_at_ = 0;  // of the header in header_
  std::uint64_t unread_ = 0;     // data bytes of the member next() returned
  std::uint64_t padding_ = 0;    // that follows them
  PaxRecords global_;
  std::uint8_t header_[kTarBlock] = {};
};

}  // namespace assay::container
