// SPDX-License-Identifier: Apache-2.0
// gzip around the archive: every kind of damage beside its sound twin.
#include <random>

#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

const std::string kTar = tar_member("a", "hello") + kZeroBlock + kZeroBlock;
const Files kAlone{{"a", "hello"}};

// Random bytes with repetitions: every kind of deflate block, and more than one of them.
std::string mixed_data(std::size_t size) {
  std::mt19937 random(1);
  std::string s;
  while (s.size() < size) {
    const std::size_t run = 1 + random() % 300;
    if (s.size() > 300 && random() % 2 == 0) {
      s += s.substr(random() % (s.size() - 300), run);
    } else {
      for (std::size_t i = 0; i < run; ++i) s += static_cast<char>(random());
    }
  }
  s.resize(size);
  return s;
}

TEST(ContainerGzip, LevelsAndSizes) {
  ASSAY_COVERS("CON-008", "CON-015");
  // Around the reader's own steps, and with small members between large ones.
  for (const std::size_t size : {0, 1, 511, 32767, 32768, 32769, 262144, 262145, 1000000}) {
    const std::string data = mixed_data(size);
    const std::string tar =
        tar_member("s", "small") + tar_member("l", data) + tar_member("z", "last");
    for (const int level : {0, 1, 6, 12})
      expect_files(read_archive_bytes(gzip(tar, level)),
                   {{"l", data}, {"s", "small"}, {"z", "last"}});
  }
  expect_files(read_archive_bytes(gzip("")), {});
}

TEST(ContainerGzip, EveryCut) {
  ASSAY_COVERS("CON-015");
  for (const int level : {0, 6}) {
    const std::string whole = gzip(kTar, level);
    expect_files(read_archive_bytes(whole), kAlone);
    for (std::size_t n = 2; n < whole.size(); ++n) {
      const auto r = read_archive_bytes(whole.substr(0, n));
      // A cut inside the data may show as a tar that ends too early.
      ASSERT_FALSE(r) << n;
      EXPECT_EQ(r.error().row().requirement, "CON-015") << r.error().text();
    }
    // Without the first byte or with the first alone it is no gzip, and no tar either.
    expect_refused(read_archive_bytes(whole.substr(0, 1)), Reason::archive_damaged, 0);
    expect_refused(read_archive_bytes(whole.substr(1)), Reason::archive_damaged, 0);
  }
}

TEST(ContainerGzip, TrailerIsChecked) {
  ASSAY_COVERS("CON-015");
  const std::string sound = gzip(kTar);
  for (std::size_t i = sound.size() - 8; i < sound.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string s = sound;
      s[i] ^= static_cast<char>(1 << bit);
      expect_refused(read_archive_bytes(s), Reason::gzip_damaged);
    }
  }
}

// Of a sound stream every single bit matters, save those that mean nothing to a reader.
TEST(ContainerGzip, EveryBit) {
  ASSAY_COVERS("CON-015");
  const std::string sound = gzip(kTar);
  for (std::size_t i = 2; i < sound.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string s = sound;
      s[i] ^= static_cast<char>(1 << bit);
      const auto r = read_archive_bytes(s);
      const bool free = (i >= 4 && i < 10) || (i == 3 && bit == 0);  // time, XFL, OS; FTEXT
      const bool last = i == sound.size() - 9;                       // some of its bits are padding
      if (free || (last && r)) {
        expect_files(r, kAlone);
      } else {
        EXPECT_FALSE(r) << "byte " << i << ", bit " << bit;
      }
    }
  }
}

// A header with optional parts, RFC 1952: 4 extra, 8 name, 16 comment, 2 its CRC.
std::string with_flags(int flags, bool wrong_crc) {
  const std::string plain = gzip(kTar);
  std::string h = plain.substr(0, 10);
  h[3] = static_cast<char>(flags);
  if (flags & 4) h += std::string("\3\0abc", 5);
  if (flags & 8) h += std::string("name\0", 5);
  if (flags & 16) h += std::string("comment\0", 8);
  if (flags & 2) {
    const std::uint32_t crc = libdeflate_crc32(0, h.data(), h.size()) ^ (wrong_crc ? 1 : 0);
    h += static_cast<char>(crc & 0xFF);
    h += static_cast<char>(crc >> 8 & 0xFF);
  }
  return h + plain.substr(10);
}

TEST(ContainerGzip, HeaderParts) {
  ASSAY_COVERS("CON-015");
  for (int flags = 0; flags < 256; ++flags) {
    SCOPED_TRACE(flags);
    const bool reserved = (flags & 0xE0) != 0;
    if (reserved) {
      expect_refused(read_archive_bytes(with_flags(flags, false)), Reason::gzip_damaged, 0);
    } else {
      expect_files(read_archive_bytes(with_flags(flags, false)), kAlone);
      if (flags & 2)
        expect_refused(read_archive_bytes(with_flags(flags, true)), Reason::gzip_damaged);
      const std::string whole = with_flags(flags, false);
      for (std::size_t n = 2; n < 40; ++n)
        expect_refused(read_archive_bytes(whole.substr(0, n)), Reason::gzip_damaged);
    }
  }
  std::string s = gzip(kTar);
  s[2] = 7;  // a method nobody has
  expect_refused(read_archive_bytes(s), Reason::gzip_damaged);
}

TEST(ContainerGzip, WhatFollows) {
  ASSAY_COVERS("CON-015");
  const std::string sound = gzip(kTar);
  for (const std::size_t n : {1, 2, 511, 5000}) {
    const std::string zeros(n, '\0');
    expect_files(read_archive_bytes(sound + zeros), kAlone);
    expect_refused(read_archive_bytes(sound + zeros + "x"), Reason::gzip_damaged, sound.size() + n);
    expect_files(read_archive_bytes(sound + zeros + gzip("")), kAlone);
  }
  for (const char* garbage : {"x", "\x1F\x8C", "\x8B\x1F", "garbage"})
    expect_refused(read_archive_bytes(sound + garbage), Reason::gzip_damaged, sound.size());
  expect_refused(read_archive_bytes(sound + "\x1F"), Reason::gzip_damaged);
  expect_refused(read_archive_bytes(sound + gzip("more").substr(0, 15)), Reason::gzip_damaged);
  // Behind the tar's end damage still counts, because the stream is read to its own end.
  std::string second = gzip("more");
  expect_files(read_archive_bytes(sound + second), kAlone);
  second[second.size() - 8] ^= 1;
  expect_refused(read_archive_bytes(sound + second), Reason::gzip_damaged);
}

TEST(ContainerGzip, MembersAreOneStream) {
  ASSAY_COVERS("CON-015");
  const std::string data = mixed_data(100000);
  const std::string tar = tar_member("a", data) + tar_member("b", "2");
  for (const std::size_t cut : {0, 1, 511, 512, 700, 50000}) {
    const std::string one = gzip(tar.substr(0, cut)), two = gzip(tar.substr(cut));
    expect_files(read_archive_bytes(one + two), {{"a", data}, {"b", "2"}});
    expect_files(read_archive_bytes(one + gzip("") + std::string(3, '\0') + two),
                 {{"a", data}, {"b", "2"}});
    expect_refused(read_archive_bytes(one + "x" + two), Reason::gzip_damaged, one.size());
  }
  std::string many;
  for (const char c : tar.substr(0, 2000)) many += gzip(std::string(1, c));
  expect_files(read_archive_bytes(many + gzip(tar.substr(2000))), {{"a", data}, {"b", "2"}});
}

TEST(ContainerGzip, RefusalsSayWhere) {
  ASSAY_COVERS("CON-015");
  const auto r = read_archive_bytes(gzip(kTar) + "x");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().place.member, "compressed archive");
  const auto t = read_archive_bytes(gzip(tar_member("a", "hello") + "x"));
  ASSERT_FALSE(t);
  EXPECT_EQ(t.error().place.text(), "archive+1024");
}

}  // namespace
}  // namespace assay::test
