// SPDX-License-Identifier: Apache-2.0
// The header gate: each of its tests on both sides, and their order.
#include <functional>

#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

constexpr std::uint64_t kPkgVersion = 0, kHeaderSize = 8, kDataSize = 16, kMajor = 24;
constexpr std::uint64_t kHash = 172, kFeatureBits = 544;
constexpr std::uint64_t kMost = UINT64_MAX;

const Files kFiles{{"a", "hello"}};

std::string sound_file() { return neff_file(1, tar_member("a", "hello")); }

std::string with(std::uint64_t at, std::uint64_t value) {
  std::string f = sound_file();
  set_u64(f, at, value);
  return f;
}

NrtStatus status_of(const Result<Members>& r) {
  return r ? NrtStatus::success : r.error().row().status;
}

TEST(ContainerHeader, FieldsAreRead) {
  ASSAY_COVERS("CON-001");
  static_assert(sizeof(neff_header_t) == 1024);
  std::string f(1025, '\0');
  for (std::size_t i = 0; i < 556; ++i) f[i] = static_cast<char>(i * 7 + 1);
  set_u64(f, kPkgVersion, 2);
  set_u64(f, kHeaderSize, 77);
  set_u64(f, kDataSize, 1);
  set_u64(f, kMajor, 1);
  const auto h = read_header(as_bytes(f));
  ASSERT_TRUE(h) << h.error().text();
  EXPECT_EQ(h->pkg_version, 2U);
  EXPECT_EQ(h->header_size, 77U);
  EXPECT_EQ(h->data_size, 1U);
  EXPECT_EQ(h->neff_version_major, 1U);
  const auto* b = reinterpret_cast<const std::uint8_t*>(f.data());
  EXPECT_EQ(h->neff_version_minor, load<std::uint64_t>(b + 32));
  EXPECT_EQ(std::memcmp(h->neff_build_version, b + 40, 128), 0);
  EXPECT_EQ(h->num_tpb, load<std::uint32_t>(b + 168));
  EXPECT_EQ(std::memcmp(h->hash, b + 172, 32), 0);
  EXPECT_EQ(std::memcmp(h->uuid, b + 204, 16), 0);
  EXPECT_EQ(std::memcmp(h->name, b + 220, 256), 0);
  EXPECT_EQ(h->requested_tpb_count, load<std::uint32_t>(b + 476));
  EXPECT_EQ(std::memcmp(h->tpb_per_node, b + 480, 64), 0);
  EXPECT_EQ(h->feature_bits, load<std::uint64_t>(b + 544));
  EXPECT_EQ(h->vnc_size, load<std::uint32_t>(b + 552));
}

TEST(ContainerHeader, ShorterThanAHeader) {
  ASSAY_COVERS("CON-001", "CON-002");
  expect_refused(read_neff_bytes(""), Reason::neff_too_short);
  std::string f = sound_file();
  set_u64(f, kHeaderSize, 0);
  set_u64(f, kDataSize, 0);
  expect_refused(read_neff_bytes(f.substr(0, 1)), Reason::neff_too_short);
  expect_refused(read_neff_bytes(f.substr(0, 1023)), Reason::neff_too_short);
  expect_files(read_neff_bytes(f.substr(0, 1024)), {});
  // With the usual header_size a bare header is refused all the same, but for that.
  set_u64(f, kHeaderSize, 1024);
  expect_refused(read_neff_bytes(f.substr(0, 1024)), Reason::neff_header_size, 8);
  expect_files(read_neff_bytes(f.substr(0, 1025)), {});
}

TEST(ContainerHeader, HeaderSize) {
  ASSAY_COVERS("CON-002", "CON-008");
  const std::uint64_t size = sound_file().size();
  expect_refused(read_neff_bytes(with(kHeaderSize, size)), Reason::neff_header_size, 8);
  expect_refused(read_neff_bytes(with(kHeaderSize, size + 1)), Reason::neff_header_size, 8);
  expect_refused(read_neff_bytes(with(kHeaderSize, kMost)), Reason::neff_header_size, 8);
  // The archive starts at +1024 whatever it says.
  for (const std::uint64_t v : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1023},
                                std::uint64_t{1024}, std::uint64_t{1025}, size - 1})
    expect_files(read_neff_bytes(with(kHeaderSize, v)), kFiles);
}

TEST(ContainerHeader, Major) {
  ASSAY_COVERS("CON-003");
  for (const std::uint64_t v : {0, 1, 2}) expect_files(read_neff_bytes(with(kMajor, v)), kFiles);
  for (const std::uint64_t v : {std::uint64_t{3}, std::uint64_t{1} << 32, kMost}) {
    const auto r = read_neff_bytes(with(kMajor, v));
    expect_refused(r, Reason::neff_version_major, 24);
    EXPECT_EQ(status_of(r), NrtStatus::unsupported_neff_version);
  }
}

TEST(ContainerHeader, EachFeatureBit) {
  ASSAY_COVERS("CON-004");
  for (int bit = 0; bit < 64; ++bit) {
    for (const std::uint64_t major : {0, 1, 2}) {
      SCOPED_TRACE("bit " + std::to_string(bit) + ", major " + std::to_string(major));
      std::string f = with(kMajor, major);
      set_u64(f, kFeatureBits, std::uint64_t{1} << bit);
      const auto r = read_neff_bytes(f);
      if (major == 2 && bit >= 27 && bit <= 62) {
        expect_refused(r, Reason::neff_feature_bits, 544);
        EXPECT_EQ(status_of(r), NrtStatus::unsupported_neff_version);
      } else {
        expect_files(r, kFiles);
      }
    }
  }
  expect_files(read_neff_bytes(with(kFeatureBits, 0x8000000007FFFFFF)), kFiles);
  expect_refused(read_neff_bytes(with(kFeatureBits, kMost)), Reason::neff_feature_bits);
}

TEST(ContainerHeader, DataSize) {
  ASSAY_COVERS("CON-005", "CON-008");
  const std::uint64_t size = sound_file().size() - 1024;
  expect_files(read_neff_bytes(with(kDataSize, size)), kFiles);
  expect_refused(read_neff_bytes(with(kDataSize, size + 1)), Reason::neff_data_size, 16);
  expect_refused(read_neff_bytes(with(kDataSize, kMost)), Reason::neff_data_size, 16);
  expect_refused(read_neff_bytes(with(kDataSize, kMost - 1023)), Reason::neff_data_size, 16);
  // Less: what follows is no part of the archive, be it a member or damage.
  expect_files(read_neff_bytes(sound_file() + "damage"), kFiles);
  expect_files(read_neff_bytes(sound_file() + tar_member("b", "2")), kFiles);
  expect_files(read_neff_bytes(neff_file(2, gzip(tar_member("a", "hello"))) + "damage"), kFiles);
  expect_files(read_neff_bytes(with(kDataSize, 0)), {});
  expect_refused(read_neff_bytes(with(kDataSize, 512)), Reason::archive_damaged);
}

TEST(ContainerHeader, PkgVersion) {
  ASSAY_COVERS("CON-006", "CON-008");
  for (const std::uint64_t v :
       {std::uint64_t{0}, std::uint64_t{3}, (std::uint64_t{1} << 32) + 1, kMost}) {
    const auto r = read_neff_bytes(with(kPkgVersion, v));
    expect_refused(r, Reason::neff_pkg_version, 0);
    EXPECT_EQ(status_of(r), NrtStatus::unsupported_neff_version);
  }
  expect_files(read_neff_bytes(with(kPkgVersion, 1)), kFiles);
  expect_files(read_neff_bytes(neff_file(2, gzip(tar_member("a", "hello")))), kFiles);
}

TEST(ContainerHeader, CompressionIsThePayloadsOwn) {
  ASSAY_COVERS("CON-009");
  expect_files(read_neff_bytes(with(kPkgVersion, 2)), kFiles);
  expect_files(read_neff_bytes(neff_file(1, gzip(tar_member("a", "hello")))), kFiles);
}

TEST(ContainerHeader, Precedence) {
  ASSAY_COVERS("CON-007");
  struct Fault {
    Reason reason;
    std::function<void(std::string&)> make;
  };
  const std::vector<Fault> faults = {
      {Reason::neff_too_short, [](std::string& f) { f.resize(1023); }},
      {Reason::neff_header_size, [](std::string& f) { set_u64(f, kHeaderSize, kMost); }},
      {Reason::neff_version_major, [](std::string& f) { set_u64(f, kMajor, 3); }},
      {Reason::neff_feature_bits, [](std::string& f) { set_u64(f, kFeatureBits, 1 << 27); }},
      {Reason::neff_data_size, [](std::string& f) { set_u64(f, kDataSize, kMost); }},
      {Reason::neff_pkg_version, [](std::string& f) { set_u64(f, kPkgVersion, 3); }},
      {Reason::digest_mismatch, [](std::string& f) { f[kHash] ^= 1; }},
  };
  Options options;
  options.verify_digest = true;
  const std::string archive = tar_member("a", "hello");
  std::string sound = neff_file(1, archive);
  const auto hash = digest_of(1, as_bytes(archive));
  std::memcpy(sound.data() + kHash, hash.data(), 32);
  expect_files(read_neff_bytes(sound, options), kFiles);
  for (std::size_t first = 0; first < faults.size(); ++first) {
    for (std::size_t second = first; second < faults.size(); ++second) {
      SCOPED_TRACE(std::string(row_of(faults[first].reason).id) + " before " +
                   std::string(row_of(faults[second].reason).id));
      std::string f = sound;
      // The later test's fault first: cutting the file short takes nothing of the others away.
      faults[second].make(f);
      if (first != second) faults[first].make(f);
      expect_refused(read_neff_bytes(f, options), faults[first].reason);
    }
  }
}

}  // namespace
}  // namespace assay::test
