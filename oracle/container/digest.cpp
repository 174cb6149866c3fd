// SPDX-License-Identifier: Apache-2.0
// The digest of a stored archive (CON-010, CON-011).
#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>

#include "oracle/container/container.h"
#include "oracle/container/guard.h"

namespace assay {
namespace {

constexpr std::size_t kSha256Bytes = 32, kMd5Bytes = 16;

using Hash = std::array<std::uint8_t, 32>;
static_assert(sizeof(Hash) == sizeof(neff_header_t::hash));

std::size_t digest_bytes(std::uint64_t pkg_version) {
  return pkg_version == 1 ? kSha256Bytes : kMd5Bytes;
}

bool compute(std::uint64_t pkg_version, ByteView archive, Hash& out) {
  out = {};
  const EVP_MD* const kind = pkg_version == 1 ? EVP_sha256() : EVP_md5();
  return EVP_Digest(archive.data(), archive.size(), out.data(), nullptr, kind, nullptr) == 1;
}

Hash word_swapped(const Hash& hash) {
  Hash out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = hash[i ^ 3];
  return out;
}

}  // namespace

std::array<std::uint8_t, 32> digest_of(std::uint64_t pkg_version, ByteView archive) {
  Hash hash;
  return compute(pkg_version, archive, hash) ? hash : Hash{};
}

Result<> verify_digest(const neff_header_t& header, ByteView archive) {
  return container::guarded([&]() -> Result<> {
    const auto at = [] { return Place{"header", {}, offsetof(neff_header_t, hash), {}}; };
    if (archive.empty()) return refuse(Reason::digest_of_nothing, at());
    Hash hash;
    if (!compute(header.pkg_version, archive, hash)) return refuse(Reason::out_of_memory, at());
    const auto matches = [&](const Hash& h) {
      return std::equal(h.begin(), h.begin() + digest_bytes(header.pkg_version), header.hash);
    };
    if (matches(hash) || matches(word_swapped(hash))) return {};
    return refuse(Reason::digest_mismatch, at());
  });
}

}  // namespace assay
