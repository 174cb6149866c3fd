// SPDX-License-Identifier: Apache-2.0
#include "oracle/container/tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay::container {
namespace {

// Fields of a header: offset and bytes.
constexpr std::size_t kName = 0, kNameBytes = 100;
constexpr std::size_t kSize = 124, kSizeBytes = 12;
constexpr std::size_t kType = 156;
constexpr std::size_t kMagic = 257;
constexpr std::size_t kPrefix = 345, kPrefixBytes = 155;
constexpr std::size_t kMoreMap = 482;       // GNU: a block of the sparse map follows
constexpr std::size_t kMoreMapBlock = 504;  // the same inside such a block

bool is_special(std::uint8_t type) {
  return type == 'x' || type == 'g' || type == 'L' || type == 'K';
}
bool is_regular(std::uint8_t type) { return type == '0' || type == '\0' || type == '7'; }
// Links, devices, directories and pipes have no data, whatever their size field says.
bool has_no_data(std::uint8_t type) { return type >= '1' && type <= '6'; }

std::uint64_t padding_of(std::uint64_t size) { return (kTarBlock - size % kTarBlock) % kTarBlock; }

}  // namespace

// What special headers said about the member they precede.
struct TarReader::Pending {
  bool any = false;
  PaxRecords pax;
  std::string long_name;
};

tl::unexpected<Refusal> TarReader::damaged(std::string what) const {
  return refuse(Reason::archive_damaged, {"archive", {}, header_at_, {}}, std::move(what));
}

Result<> TarReader::charge(std::uint64_t size) {
  if (!checked_add(overhead_, size, overhead_) || overhead_ > overhead_limit_)
    return refuse(Reason::limit_expanded_bytes, {"archive", {}, position_, {}},
                  fmt::format("more than {} bytes outside of members", overhead_limit_));
  return {};
}

Result<std::uint64_t> TarReader::skip(std::uint64_t size) {
  std::uint8_t waste[32 << 10];
  std::uint64_t done = 0;
  while (done < size) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(size - done, sizeof waste));
    ASSAY_TRY(charge(step));
    ASSAY_TRY_LET(n, source_.read({waste, step}));
    done += n;
    position_ += n;
    if (n < step) break;
  }
  return done;
}

Result<> TarReader::must_be_there(std::uint64_t size) const {
  if (size > source_.at_most()) return damaged(fmt::format("{} bytes of data, cut short", size));
  return {};
}

Result<Buffer> TarReader::take(std::uint64_t size) {
  Buffer data(static_cast<std::size_t>(size));
  ASSAY_TRY_LET(n, source_.read({data.data(), data.size()}));
  position_ += n;
  if (n < data.size()) return damaged(fmt::format("{} bytes of data, {} there", size, n));
  return data;
}

Result<Buffer> TarReader::read() {
  const std::uint64_t size = unread_;
  unread_ = 0;
  return take(size);
}

// CON-015: one zero block ends the archive, and missing end blocks are no fault.
// Ruling: a last block that is cut short and holds only zeros is a missing end block too, and so
// an archive of zero blocks alone, or of no bytes, is an archive without members.
// Ruling: what follows the end block is not read (of gzip it is inflated for the CRC).
Result<bool> TarReader::read_header() {
  header_at_ = position_;
  ASSAY_TRY(charge(kTarBlock));
  ASSAY_TRY_LET(n, source_.read(header_));
  position_ += n;
  if (!all_zero({header_, n})) {
    if (n < kTarBlock) return damaged("header cut short");
    if (!tar_checksum_holds(header_)) return damaged("wrong header checksum");
    return true;
  }
  if (source_.must_be_drained()) ASSAY_TRY(skip(UINT64_MAX));
  return false;
}

Result<> TarReader::read_special(std::uint8_t type, Pending& pending) {
  const auto size = tar_number({header_ + kSize, kSizeBytes});
  if (!size) return damaged("size is no number");
  // Their data is held in memory like a member's, so it is bounded as well.
  ASSAY_TRY(must_be_there(*size));
  ASSAY_TRY(charge(*size));
  ASSAY_TRY_LET(data, take(*size));
  ASSAY_TRY(skip(padding_of(*size)));
  if (type == 'L') pending.long_name = tar_text(data.view());
  if (type == 'x' && !parse_pax(data.text(), pending.pax)) return damaged("malformed pax record");
  if (type == 'g' && !parse_pax(data.text(), global_)) return damaged("malformed pax record");
  if (type != 'g') pending.any = true;
  return {};
}

Result<> TarReader::read_sparse_map() {
  std::uint8_t block[kTarBlock];
  for (bool more = header_[kMoreMap] != 0; more; more = block[kMoreMapBlock] != 0) {
    ASSAY_TRY(charge(kTarBlock));
    ASSAY_TRY_LET(n, source_.read(block));
    position_ += n;
    if (n < kTarBlock) return damaged("sparse map cut short");
  }
  return {};
}

Result<std::uint64_t> TarReader::data_size(std::uint8_t type, const Pending& pending) const {
  if (has_no_data(type)) return 0;
  const auto& pax = pending.pax.size ? pending.pax.size : global_.size;
  const auto size =
      pax && !pax->empty() ? pax_number(*pax) : tar_number({header_ + kSize, kSizeBytes});
  if (!size) return damaged("size is no number");
  return *size;
}

std::string TarReader::path_of(Pending& pending) const {
  auto& pax = pending.pax.path;
  if (pax && !pax->empty()) return std::move(*pax);
  if (!pax && global_.path && !global_.path->empty()) return *global_.path;
  if (!pending.long_name.empty()) return std::move(pending.long_name);
  const std::string_view name = tar_text({header_ + kName, kNameBytes});
  // Only POSIX has a prefix: GNU keeps times in those bytes, v7 nothing.
  const bool posix = std::memcmp(header_ + kMagic, "ustar", 6) == 0;
  const std::string_view prefix = posix ? tar_text({header_ + kPrefix, kPrefixBytes}) : "";
  return prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
}

Result<std::optional<TarEntry>> TarReader::next() {
  if (unread_ != 0) {
    const std::uint64_t size = unread_;
    ASSAY_TRY_LET(n, skip(size));
    if (n < size) return damaged(fmt::format("{} bytes of data, {} there", size, n));
  }
  // Ruling: a member whose data is all there is not cut short when its padding is.
  ASSAY_TRY(skip(padding_));
  unread_ = padding_ = 0;

  Pending pending;
  for (;;) {
    ASSAY_TRY_LET(more, read_header());
    if (!more) {
      if (pending.any) return damaged("no member behind its extended header");
      return std::optional<TarEntry>();
    }
    const std::uint8_t type = header_[kType];
    if (!is_special(type)) break;
    ASSAY_TRY(read_special(type, pending));
  }
  const std::uint8_t type = header_[kType];
  TarEntry entry;
  entry.offset = header_at_;
  entry.path = path_of(pending);
  ASSAY_TRY_LET(size, data_size(type, pending));
  if (type == 'S') ASSAY_TRY(read_sparse_map());
  ASSAY_TRY(must_be_there(size));
  // v7 writes a directory as a file with a final slash, and later archivers still do. Ruling: a
  // sparse file, in GNU's own form or in pax, is a member that is not regular.
  const bool slash = !entry.path.empty() && entry.path.back() == '/';
  entry.regular = is_regular(type) && !slash && !pending.pax.sparse && !global_.sparse;
  entry.size = size;
  unread_ = size;
  padding_ = padding_of(size);
  return std::optional<TarEntry>(std::move(entry));
}

}  // namespace assay::container
