// SPDX-License-Identifier: Apache-2.0
// NEFF containers: the 1024-byte header, the digest, the archive, .npy payloads, directories as
// inputs, and the packer. It ends at path -> bytes; manifests are read elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "oracle/base/bytes.h"
#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/container/members.h"
#include "oracle/records/kbin.h"

namespace assay {

inline constexpr std::uint64_t kHeaderBytes = 1024;
inline constexpr std::uint64_t kUnsupportedFeatureBits = 0x7FFFFFFFF8000000;

// The header's own tests, in the order of CON-007 without the digest (CON-001..CON-006).
// `file` is the whole file. Refusals are placed at the header field's offset.
Result<neff_header_t> read_header(ByteView file);

// The stored archive: the data_size bytes at +1024 (CON-008). `file` passed read_header.
ByteView archive_of(ByteView file, const neff_header_t& header);

// Checks the digest of the stored archive (CON-010, CON-011).
Result<> verify_digest(const neff_header_t& header, ByteView archive);

// Digest bytes for hash[]: SHA-256 for pkg_version 1, MD5 (16 bytes, the rest zero) for 2.
std::array<std::uint8_t, 32> digest_of(std::uint64_t pkg_version, ByteView archive);

// Expands an archive, gzip by its own magic (CON-009, CON-012..CON-015). Offsets in refusals count
// from the start of the expanded archive, or of the compressed one for gzip damage.
Result<Members> read_archive(ByteView archive, const Limits& limits);

// All of the above: header, digest when options ask for it, archive.
Result<Members> read_neff(ByteView file, const Options& options);

// A directory's regular files as members; links are not followed (CON-012). An I/O error is not a
// refusal: it is reported in `io_error` ("path: message") and the result is empty members.
Result<Members> read_directory(const std::string& path, const Limits& limits, std::string& io_error);

// The payload of a variable's member: itself, or what a .npy holds behind its header when the
// name ends in .npy (CON-016). `member` is the name shown in refusals.
Result<ByteView> payload_of(std::string_view member, ByteView bytes);

struct PackOptions {
  std::uint64_t pkg_version = 2;  // 1: raw tar, SHA-256; 2: gzip, MD5
  std::uint64_t major = 2, minor = 0;
  std::uint64_t feature_bits = 0;
  std::string name;  // of more than 255 bytes the rest is cut
};
// Writes a NEFF file. Deterministic: the same members and options give the same bytes (ustar,
// long names as pax; times, owners and gzip's time zero; a valid digest). Refuses a pkg_version
// that is neither (neff_pkg_version) and a path that reading would refuse or change: empty,
// absolute, with a .. component, a leading ./, a final slash or a NUL (unsafe_path). Version and
// feature bits are written as given, supported or not.
Result<Buffer> pack(const Members& members, const PackOptions& options);

}  // namespace assay
