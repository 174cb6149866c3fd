// SPDX-License-Identifier: Apache-2.0
// The header gate (CON-001..CON-008) and all of a NEFF file in one call.
#include <fmt/format.h>

#include <cstddef>

#include "oracle/container/container.h"
#include "oracle/container/guard.h"

namespace assay {
namespace {

constexpr std::uint64_t kMaxMajor = 2;

// A refusal at a header field.
tl::unexpected<Refusal> at_header(Reason reason, std::uint64_t offset, std::string detail) {
  return refuse(reason, {"header", {}, offset, {}}, std::move(detail));
}

// CON-007: in this order.
Result<neff_header_t> checked_header(ByteView file) {
  const std::uint64_t size = file.size();
  if (size < kHeaderBytes)
    return refuse(Reason::neff_too_short, {"header", {}, {}, {}}, fmt::format("{} bytes", size));
  const auto h = load<neff_header_t>(file.data());
  if (h.header_size >= size)
    return at_header(Reason::neff_header_size, offsetof(neff_header_t, header_size),
                     fmt::format("{} of {} bytes", h.header_size, size));
  if (h.neff_version_major > kMaxMajor)
    return at_header(Reason::neff_version_major, offsetof(neff_header_t, neff_version_major),
                     fmt::format("{}", h.neff_version_major));
  const std::uint64_t unsupported = h.feature_bits & kUnsupportedFeatureBits;
  if (h.neff_version_major == kMaxMajor && unsupported != 0)
    return at_header(Reason::neff_feature_bits, offsetof(neff_header_t, feature_bits),
                     fmt::format("{:#018x}", unsupported));
  if (h.data_size > size - kHeaderBytes)
    return at_header(Reason::neff_data_size, offsetof(neff_header_t, data_size),
                     fmt::format("{} of {} bytes", h.data_size, size - kHeaderBytes));
  if (h.pkg_version != 1 && h.pkg_version != 2)
    return at_header(Reason::neff_pkg_version, offsetof(neff_header_t, pkg_version),
                     fmt::format("{}", h.pkg_version));
  return h;
}

}  // namespace

Result<neff_header_t> read_header(ByteView file) {
  return container::guarded([&] { return checked_header(file); });
}

// CON-008: never more than data_size bytes, and at +1024 whatever header_size says.
ByteView archive_of(ByteView file, const neff_header_t& header) {
  return file.subspan(kHeaderBytes, static_cast<std::size_t>(header.data_size));
}

Result<Members> read_neff(ByteView file, const Options& options) {
  ASSAY_TRY_LET(header, read_header(file));
  const ByteView archive = archive_of(file, header);
  if (options.verify_digest) ASSAY_TRY(verify_digest(header, archive));
  return read_archive(archive, options.limits);
}

}  // namespace assay
