// SPDX-License-Identifier: Apache-2.0
// The digest: what it covers, how it may be stored, and that it is checked on request only.
#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

constexpr std::size_t kHash = 172;

Options checking() {
  Options o;
  o.verify_digest = true;
  return o;
}

std::string hex(const std::array<std::uint8_t, 32>& hash) {
  std::string s;
  for (const std::uint8_t b : hash) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", b);
    s += text;
  }
  return s;
}

struct Package {
  std::uint64_t pkg_version;
  std::size_t digest_bytes;
  std::string archive;

  std::string file(const std::array<std::uint8_t, 32>& hash) const {
    std::string f = neff_file(pkg_version, archive);
    std::memcpy(f.data() + kHash, hash.data(), hash.size());
    return f;
  }
};

std::vector<Package> packages() {
  const std::string tar = tar_member("a", "hello") + kZeroBlock + kZeroBlock;
  return {{1, 32, tar}, {2, 16, gzip(tar)}};
}

// RFC 1321 and FIPS 180-4 test values.
TEST(ContainerDigest, KnownValues) {
  ASSAY_COVERS("CON-010");
  EXPECT_EQ(hex(digest_of(1, as_bytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(digest_of(2, as_bytes("abc"))),
            "900150983cd24fb0d6963f7d28e17f72" + std::string(32, '0'));
}

TEST(ContainerDigest, PlainAndWordSwapped) {
  ASSAY_COVERS("CON-010", "CON-011");
  for (const Package& p : packages()) {
    auto hash = digest_of(p.pkg_version, as_bytes(p.archive));
    expect_files(read_neff_bytes(p.file(hash), checking()), {{"a", "hello"}});
    auto swapped = hash;
    for (std::size_t i = 0; i < hash.size(); ++i) swapped[i] = hash[i / 4 * 4 + 3 - i % 4];
    ASSERT_NE(hash, swapped);
    expect_files(read_neff_bytes(p.file(swapped), checking()), {{"a", "hello"}});
    // Half of it one way and half the other is neither.
    auto mixed = hash;
    std::copy(swapped.begin(), swapped.begin() + 4, mixed.begin());
    expect_refused(read_neff_bytes(p.file(mixed), checking()), Reason::digest_mismatch, kHash);
  }
}

TEST(ContainerDigest, EveryByteOfItCountsAndNoMore) {
  ASSAY_COVERS("CON-010");
  for (const Package& p : packages()) {
    const auto right = digest_of(p.pkg_version, as_bytes(p.archive));
    for (std::size_t i = 0; i < 32; ++i) {
      auto hash = right;
      hash[i] ^= 0x40;
      const auto r = read_neff_bytes(p.file(hash), checking());
      if (i < p.digest_bytes) {
        expect_refused(r, Reason::digest_mismatch, kHash);
      } else {
        expect_files(r, {{"a", "hello"}});
      }
      expect_files(read_neff_bytes(p.file(hash)), {{"a", "hello"}});  // not asked for
    }
  }
}

TEST(ContainerDigest, CoversTheStoredBytesAlone) {
  ASSAY_COVERS("CON-010");
  for (const Package& p : packages()) {
    const auto hash = digest_of(p.pkg_version, as_bytes(p.archive));
    // Bytes behind the archive are not covered, ...
    expect_files(read_neff_bytes(p.file(hash) + "more", checking()), {{"a", "hello"}});
    // ... and neither is what the archive expands to.
    const auto expanded =
        digest_of(p.pkg_version, as_bytes(tar_member("a", "hello") + kZeroBlock + kZeroBlock));
    const auto r = read_neff_bytes(p.file(expanded), checking());
    EXPECT_EQ(r.has_value(), p.pkg_version == 1);
  }
  // The version picks the kind, whatever the payload is.
  const std::string raw = packages()[0].archive;
  expect_files(read_neff_bytes(Package{2, 16, raw}.file(digest_of(2, as_bytes(raw))), checking()),
               {{"a", "hello"}});
  expect_refused(read_neff_bytes(Package{2, 16, raw}.file(digest_of(1, as_bytes(raw))), checking()),
                 Reason::digest_mismatch);
}

TEST(ContainerDigest, OfNothingIsATrap) {
  ASSAY_COVERS("CON-010");
  for (const std::uint64_t version : {1, 2}) {
    std::string f = neff_file(version, "");
    f += "x";
    const auto hash = digest_of(version, {});
    std::memcpy(f.data() + kHash, hash.data(), hash.size());
    const Refusal r = expect_refused(read_neff_bytes(f, checking()), Reason::digest_of_nothing);
    EXPECT_EQ(r.row().outcome, Outcome::trapped);
    expect_files(read_neff_bytes(f), {});
    // One byte more of payload, and there is something to ask for.
    set_u64(f, 16, 1);
    expect_refused(read_neff_bytes(f, checking()), Reason::digest_mismatch);
  }
}

TEST(ContainerDigest, RealFileIsWordSwapped) {
  ASSAY_COVERS("CON-010", "CON-011");
  std::string f = real_neff();
  const auto r = read_neff_bytes(f, checking());
  ASSERT_TRUE(r) << r.error().text();
  const auto plain = digest_of(2, as_bytes(std::string_view(f).substr(1024)));
  EXPECT_NE(std::memcmp(plain.data(), f.data() + kHash, 16), 0);
  f[kHash] ^= 1;
  expect_refused(read_neff_bytes(f, checking()), Reason::digest_mismatch);
}

}  // namespace
}  // namespace assay::test
