// SPDX-License-Identifier: Apache-2.0
// Hostile containers: every bit of a header, every cut, and random edits of archives. The claim is
// that each ends in members or in a refusal of this room, and under a sanitizer in nothing else.
#include <random>

#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

const Files kFiles{{"a", "hello"}, {"d/b", std::string(700, 'b')}, {std::string(120, 'n'), "long"}};

std::string packed(std::uint64_t version) {
  PackOptions o;
  o.pkg_version = version;
  const auto r = pack(members_of(kFiles), o);
  EXPECT_TRUE(r) << r.error().text();
  return r ? std::string(r->text()) : std::string();
}

Limits small_limits() {
  Limits l;
  l.expanded_bytes = 1 << 20;
  l.members = 100;
  return l;
}

// A result is a refusal for a container reason or a limit; never out of memory.
void expect_in_order(const Result<Members>& r) {
  if (r) return;
  const std::string requirement(r.error().row().requirement);
  EXPECT_TRUE(requirement.substr(0, 4) == "CON-" || requirement == "limit:expanded-bytes" ||
              requirement == "limit:members")
      << r.error().text();
}

// Which single-bit edits of the first 560 bytes matter, said from the requirements.
bool flip_is_refused(std::uint64_t version, std::size_t byte, int bit, std::size_t size,
                     bool digest) {
  const auto in = [&](std::size_t from, std::size_t to) { return byte >= from && byte < to; };
  if (in(0, 8)) return true;  // 1 and 2 differ in two bits
  if (in(8, 16)) return byte > 8 + 1 || (1024U ^ 1U << ((byte - 8) * 8 + bit)) >= size;
  if (in(16, 24)) return true;                    // longer than the file, or cut short
  if (in(24, 32)) return byte != 24 || bit != 1;  // 2 becomes 0
  if (in(172, 204)) return digest && (version == 1 || byte < 188);
  if (in(544, 552)) return (byte - 544) * 8 + bit >= 27 && (byte - 544) * 8 + bit <= 62;
  return false;
}

TEST(ContainerHostile, EveryBitOfTheHeader) {
  ASSAY_COVERS("CON-002", "CON-003", "CON-004", "CON-005", "CON-006", "CON-010");
  for (const std::uint64_t version : {1, 2}) {
    const std::string sound = packed(version);
    for (const bool digest : {false, true}) {
      Options options;
      options.verify_digest = digest;
      for (std::size_t byte = 0; byte < 560; ++byte) {
        for (int bit = 0; bit < 8; ++bit) {
          SCOPED_TRACE("version " + std::to_string(version) + ", byte " + std::to_string(byte) +
                       ", bit " + std::to_string(bit));
          std::string f = sound;
          f[byte] ^= static_cast<char>(1 << bit);
          const auto r = read_neff_bytes(f, options);
          expect_in_order(r);
          // A raw tar that loses an end block or padding is still whole.
          const bool shorter = version == 1 && byte >= 16 && byte < 24 && !digest;
          if (!shorter) {
            EXPECT_EQ(!r, flip_is_refused(version, byte, bit, sound.size(), digest));
          }
          if (r && !shorter) {
            EXPECT_EQ(files_of(*r), kFiles);
          }
        }
      }
    }
  }
}

TEST(ContainerHostile, CutAtEvery512thByte) {
  ASSAY_COVERS("CON-001", "CON-002", "CON-005", "CON-015");
  std::vector<std::string> files{real_neff(), packed(1), packed(2)};
  for (const std::string& file : files) {
    for (std::size_t n = 0; n < file.size(); n += 512) {
      SCOPED_TRACE(n);
      std::string f = file.substr(0, n);
      const Reason reason = n < 1024    ? Reason::neff_too_short
                            : n == 1024 ? Reason::neff_header_size
                                        : Reason::neff_data_size;
      expect_refused(read_neff_bytes(f), reason);
      if (n <= 1024) continue;
      set_u64(f, 16, n - 1024);
      expect_in_order(read_neff_bytes(f));
    }
    EXPECT_TRUE(read_neff_bytes(file));
  }
  // A cut gzip stream is refused, however much of it is left.
  std::string real = files[0];
  const std::size_t end = real.find_last_not_of('\0') + 1;
  for (std::size_t n = 1536; n < end; n += 512) {
    set_u64(real, 16, n - 1024);
    const auto r = read_neff_bytes(std::string_view(real).substr(0, n));
    ASSERT_FALSE(r) << n;
    EXPECT_EQ(r.error().row().requirement, "CON-015");
  }
}

// Edits bytes, lengths and order, and often mends the checksums so that deeper code is reached.
std::string edited(std::string s, std::mt19937& random) {
  static const char kOdd[] = {'\0', '0', '7',    'x',    'g', 'L', 'K',
                              'S',  ' ', '\x80', '\xFF', '9', '=', '\n'};
  for (std::size_t i = 1 + random() % 4; i > 0 && !s.empty(); --i) {
    const std::size_t at = random() % s.size();
    switch (random() % 6) {
      case 0:
        s[at] = static_cast<char>(random());
        break;
      case 1:
        s[at] = kOdd[random() % sizeof kOdd];
        break;
      case 2:
        s.resize(at);
        break;
      case 3:
        s.insert(at, s.substr(random() % s.size(), random() % 600));
        break;
      case 4:
        s.erase(at, random() % 600);
        break;
      default:
        s[at / 512 * 512 +
          (124 + random() % 34) % std::min<std::size_t>(512, s.size() - at / 512 * 512)] =
            kOdd[random() % sizeof kOdd];
    }
  }
  for (std::size_t at = 0; random() % 4 != 0 && at + 512 <= s.size(); at += 512) {
    if (s.compare(at + 257, 5, "ustar") != 0) continue;
    s.replace(at + 148, 8, 8, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(s[at + i]);
    s.replace(at + 148, 7, octal(sum, 6) + '\0');
  }
  return s;
}

TEST(ContainerHostile, RandomEditsOfATar) {
  ASSAY_COVERS("CON-015");
  std::string tar = packed(1).substr(1024);
  tar = tar_special('g', pax_record("comment", "c")) + tar_special('L', std::string(150, 'n')) +
        tar_special('x', pax_record("path", "p") + pax_record("size", "700")) + tar;
  std::mt19937 random(2);
  int sound = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string s = edited(tar, random);
    const auto r = read_archive_bytes(s, small_limits());
    expect_in_order(r);
    sound += r.has_value();
    // The same bytes behind gzip end the same way.
    if (i % 8 == 0) {
      const auto z = read_archive_bytes(gzip(s, 1), small_limits());
      ASSERT_EQ(z.has_value(), r.has_value());
      if (r) {
        EXPECT_EQ(files_of(*z), files_of(*r));
      }
    }
  }
  EXPECT_GT(sound, 1000);  // or the edits are too coarse to show anything
}

TEST(ContainerHostile, RandomEditsOfAGzipStream) {
  ASSAY_COVERS("CON-015");
  for (const int level : {0, 6}) {
    const std::string sound = gzip(packed(1).substr(1024), level);
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
      std::string s = sound;
      for (std::size_t n = 1 + random() % 3; n > 0; --n)
        s[random() % s.size()] = static_cast<char>(random());
      if (random() % 4 == 0) s.resize(random() % s.size());
      expect_in_order(read_archive_bytes(s, small_limits()));
    }
  }
}

}  // namespace
}  // namespace assay::test
