// SPDX-License-Identifier: Apache-2.0
// Archives and NEFF files written by hand, byte by byte, so that each may be wrong in one place:
// independent of the packer and of the reader under test. Strings stand for bytes.
#pragma once

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/container/container.h"

namespace assay::test {

using Files = std::map<std::string, std::string>;

inline std::string octal(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(value));
  return text;
}

// A tar header, its fields as they are written.
struct TarHeader {
  std::string name;
  std::string size = octal(0, 11);
  char type = '0';
  std::string magic = std::string("ustar\00000", 8);
  std::string prefix;
  std::string link;
  int checksum_off_by = 0;
  bool signed_checksum = false;

  std::string bytes() const {
    std::string h(512, '\0');
    const auto put = [&](std::size_t at, const std::string& s) { h.replace(at, s.size(), s); };
    put(0, name);
    put(100, octal(0644, 7));
    put(108, octal(0, 7));
    put(116, octal(0, 7));
    put(124, size);
    put(136, octal(0, 11));
    put(148, std::string(8, ' '));
    h[156] = type;
    put(157, link);
    put(257, magic);
    put(345, prefix);
    int sum = checksum_off_by;
    for (const char c : h)
      sum += signed_checksum ? static_cast<signed char>(c) : static_cast<unsigned char>(c);
    put(148, octal(static_cast<std::uint64_t>(sum), 6) + std::string("\0 ", 2));
    return h;
  }
};

inline const std::string kZeroBlock(512, '\0');

inline std::string padded(std::string data) {
  data.resize((data.size() + 511) / 512 * 512, '\0');
  return data;
}

// A member with its data; `h` may say what is special about it.
inline std::string tar_member(const std::string& name, const std::string& data, TarHeader h = {}) {
  h.name = name;
  h.size = octal(data.size(), 11);
  return h.bytes() + padded(data);
}

inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::size_t rest = key.size() + value.size() + 3;  // space, '=', newline
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) ++length;
  return std::to_string(length) + " " + key + "=" + value + "\n";
}

// A header of type x, g, L or K with its data.
inline std::string tar_special(char type, const std::string& data) {
  TarHeader h;
  h.type = type;
  return tar_member("special", data, h);
}

inline std::string gzip(std::string_view data, int level = 6) {
  libdeflate_compressor* c = libdeflate_alloc_compressor(level);
  std::string out(libdeflate_gzip_compress_bound(c, data.size()), '\0');
  out.resize(libdeflate_gzip_compress(c, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(c);
  return out;
}

inline void set_u64(std::string& file, std::size_t at, std::uint64_t value) {
  std::memcpy(file.data() + at, &value, 8);
}

// A NEFF file around an archive, offsets as layout.json has them; no digest.
inline std::string neff_file(std::uint64_t pkg_version, std::string_view archive) {
  std::string f(1024, '\0');
  set_u64(f, 0, pkg_version);
  set_u64(f, 8, 1024);
  set_u64(f, 16, archive.size());
  set_u64(f, 24, 2);
  return f.append(archive);
}

// The call under test sees an exact-size block, so that ASan sees every byte read past it.
inline Result<Members> read_neff_bytes(std::string_view file, const Options& options = {}) {
  const Buffer exact(file);
  return read_neff(exact.view(), options);
}
inline Result<Members> read_archive_bytes(std::string_view archive, const Limits& limits = {}) {
  const Buffer exact(archive);
  return read_archive(exact.view(), limits);
}

inline Files files_of(const Members& members) {
  Files files;
  for (const auto& [path, bytes] : members) files.emplace(path, bytes.text());
  return files;
}
inline Members members_of(const Files& files) {
  Members members;
  for (const auto& [path, bytes] : files) members.put(path, Buffer(std::string_view(bytes)));
  return members;
}

// Both sides of a test: accepted with these members ...
inline void expect_files(const Result<Members>& result, const Files& files) {
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(files_of(*result), files);
}
// ... or refused for this reason, at this offset where one is given. Returns the refusal.
template <class T>
Refusal expect_refused(const Result<T>& result, Reason reason,
                       std::optional<std::uint64_t> at = {}) {
  EXPECT_FALSE(result) << "not " << row_of(reason).id;
  if (result) return {};
  EXPECT_EQ(result.error().row().id, row_of(reason).id) << result.error().text();
  if (at) {
    EXPECT_EQ(result.error().place.offset, at) << result.error().text();
  }
  return result.error();
}

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}
inline std::string real_neff() {
  return file_bytes(ASSAY_CORPUS_DIR "/models/matmul_small/matmul_small.neff");
}

}  // namespace assay::test
