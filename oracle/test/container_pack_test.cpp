// SPDX-License-Identifier: Apache-2.0
// The packer against the reader, and the reader and the packer against libarchive.
#include <archive.h>
#include <archive_entry.h>

#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

Files all_sorts() {
  Files f;
  for (const std::size_t n : {0, 1, 511, 512, 513, 70000})
    f["size/" + std::to_string(n)] = std::string(n, 's');
  for (const std::size_t n : {99, 100, 101, 155, 255, 256, 257, 300, 5000}) {
    f[std::string(n, 'n')] = std::to_string(n);
    f["d/" + std::string(n, 'm')] = "below";
    f[std::string(n, 'p') + "/" + std::string(100, 'q')] = "prefix";
  }
  f["\xC3\xA9"] = "utf-8";
  f["\xE9\xFF"] = "bytes";
  f[std::string(120, '\xE9')] = "long bytes";
  f["a b\n=c"] = "odd";
  f["neff.json"] = std::string("\0\x1F\x8B", 3);
  return f;
}

PackOptions version(std::uint64_t v) {
  PackOptions o;
  o.pkg_version = v;
  return o;
}

std::string packed(const Files& files, const PackOptions& options) {
  const auto r = pack(members_of(files), options);
  EXPECT_TRUE(r) << r.error().text();
  return r ? std::string(r->text()) : std::string();
}

Options checking() {
  Options o;
  o.verify_digest = true;
  return o;
}

TEST(ContainerPack, RoundTrip) {
  ASSAY_COVERS("CON-008", "CON-010", "CON-012", "CON-015");
  const Files files = all_sorts();
  for (const std::uint64_t v : {1, 2}) {
    const std::string file = packed(files, version(v));
    expect_files(read_neff_bytes(file, checking()), files);
    EXPECT_EQ(packed(files, version(v)), file);
    const auto again = read_neff_bytes(file);
    ASSERT_TRUE(again);
    EXPECT_EQ(packed(files_of(*again), version(v)), file);
    expect_files(read_neff_bytes(packed({}, version(v)), checking()), {});
  }
}

TEST(ContainerPack, Header) {
  ASSAY_COVERS("CON-001", "CON-010");
  PackOptions o;
  o.pkg_version = 1;
  o.major = 1;
  o.minor = 7;
  o.feature_bits = 0x123456789ABCDEF0;
  o.name = "net";
  const std::string file = packed({{"a", "hello"}}, o);
  std::string expected(1024, '\0');
  set_u64(expected, 0, 1);
  set_u64(expected, 8, 1024);
  set_u64(expected, 16, file.size() - 1024);
  set_u64(expected, 24, 1);
  set_u64(expected, 32, 7);
  set_u64(expected, 544, 0x123456789ABCDEF0);
  expected.replace(220, 3, "net");
  const auto hash = digest_of(1, as_bytes(std::string_view(file).substr(1024)));
  std::memcpy(expected.data() + 172, hash.data(), 32);
  EXPECT_EQ(file.substr(0, 1024), expected);
  // A raw tar: header, data, two end blocks; no time, no owner.
  EXPECT_EQ(file.size(), 1024U + 512 + 512 + 1024);
  const std::string h = file.substr(1024, 512);
  EXPECT_EQ(std::stoul(h.substr(108, 7), nullptr, 8), 0U);
  EXPECT_EQ(std::stoul(h.substr(116, 7), nullptr, 8), 0U);
  EXPECT_EQ(std::stoul(h.substr(136, 11), nullptr, 8), 0U);
  EXPECT_EQ(h.substr(265, 64), std::string(64, '\0'));
  EXPECT_EQ(h.substr(257, 5), "ustar");
  // gzip without a time.
  const std::string zipped = packed({{"a", "hello"}}, version(2));
  EXPECT_EQ(zipped.substr(1024, 8), std::string("\x1F\x8B\x08\0\0\0\0\0", 8));
}

TEST(ContainerPack, NameIsCutBeforeItsNul) {
  ASSAY_COVERS("CON-001");
  PackOptions o;
  for (const std::size_t n : {254, 255, 256, 300}) {
    o.name = std::string(n, 'n');
    const std::string field = packed({}, o).substr(220, 256);
    const std::size_t kept = std::min<std::size_t>(n, 255);
    EXPECT_EQ(field, std::string(kept, 'n') + std::string(256 - kept, '\0'));
  }
}

TEST(ContainerPack, WhatIsRefused) {
  ASSAY_COVERS("CON-006", "CON-014");
  const Members one = members_of({{"a", "x"}});
  for (const std::uint64_t v : {0, 3})
    expect_refused(pack(one, version(v)), Reason::neff_pkg_version);
  for (const std::string& path :
       {std::string(), std::string("/a"), std::string("a/.."), std::string("../a"),
        std::string("./a"), std::string("a/"), std::string("a\0b", 3)}) {
    expect_refused(pack(members_of({{path, "x"}}), {}), Reason::unsafe_path);
  }
  for (const std::string& path :
       {std::string("a"), std::string("a/b"), std::string(".a"), std::string("..a")})
    expect_files(read_neff_bytes(packed({{path, "x"}}, {})), {{path, "x"}});
  // Packed as compilers do, dropped as every reader does.
  expect_files(read_neff_bytes(packed({{"wavegraph-bin.json", "x"}}, {})), {});
}

TEST(ContainerPack, RealModel) {
  ASSAY_COVERS("CON-008", "CON-010");
  const auto r = read_neff_bytes(real_neff());
  ASSERT_TRUE(r);
  for (const std::uint64_t v : {1, 2})
    expect_files(read_neff_bytes(packed(files_of(*r), version(v)), checking()), files_of(*r));
}

// libarchive as a second opinion on what the packer writes.
Files read_with_libarchive(std::string_view bytes) {
  Files files;
  archive* a = archive_read_new();
  archive_read_support_format_tar(a);
  archive_read_support_format_empty(a);
  archive_read_support_filter_gzip(a);
  EXPECT_EQ(archive_read_open_memory(a, bytes.data(), bytes.size()), ARCHIVE_OK);
  archive_entry* e = nullptr;
  int status = 0;
  while ((status = archive_read_next_header(a, &e)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
    std::string data(static_cast<std::size_t>(archive_entry_size(e)), '\0');
    EXPECT_EQ(archive_read_data(a, data.data(), data.size()), static_cast<la_ssize_t>(data.size()));
    files[archive_entry_pathname(e)] = data;
  }
  EXPECT_EQ(status, ARCHIVE_EOF) << archive_error_string(a);
  archive_read_free(a);
  return files;
}

TEST(ContainerPack, LibarchiveReadsIt) {
  ASSAY_COVERS("CON-008");
  const Files files = all_sorts();
  for (const std::uint64_t v : {1, 2})
    EXPECT_EQ(read_with_libarchive(std::string_view(packed(files, version(v))).substr(1024)),
              files);
}

// And on the forms of tar: what it writes in each of them is read.
std::string write_with_libarchive(const Files& files, const std::string& format, bool zip) {
  std::vector<char> out(std::size_t{4} << 20);
  std::size_t used = 0;
  archive* a = archive_write_new();
  EXPECT_EQ(archive_write_set_format_by_name(a, format.c_str()), ARCHIVE_OK);
  if (zip) archive_write_add_filter_gzip(a);
  EXPECT_EQ(archive_write_open_memory(a, out.data(), out.size(), &used), ARCHIVE_OK);
  const auto write = [&](const std::string& path, unsigned type, const std::string& data) {
    archive_entry* e = archive_entry_new();
    archive_entry_copy_pathname(e, path.c_str());
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0755);
    archive_entry_set_mtime(e, 1700000000, 123456789);
    archive_entry_set_uname(e, "someone");
    const bool small_numbers = format == "v7tar" || format == "ustar";
    archive_entry_set_uid(e, small_numbers ? 1 : std::int64_t{1} << 40);  // base-256 or pax
    if (type == AE_IFLNK) archive_entry_copy_symlink(e, "target");
    archive_entry_set_size(e, static_cast<la_int64_t>(data.size()));
    const int status = archive_write_header(a, e);
    EXPECT_GE(status, ARCHIVE_FAILED) << format << " " << path << ": " << archive_error_string(a);
    if (status >= ARCHIVE_WARN) archive_write_data(a, data.data(), data.size());
    archive_entry_free(e);
  };
  write("directory/", AE_IFDIR, "");
  write("link", AE_IFLNK, "");
  write("pipe", AE_IFIFO, "");
  for (const auto& [path, data] : files) write("./" + path, AE_IFREG, data);
  archive_write_close(a);
  archive_write_free(a);
  return {out.data(), used};
}

TEST(ContainerPack, FormsOfTarThatLibarchiveWrites) {
  ASSAY_COVERS("CON-012", "CON-014", "CON-015");
  const Files short_names{{"a", "hello"}, {"d/b", std::string(1000, 'b')}, {"e", ""}};
  Files long_names = short_names;
  long_names["d/" + std::string(90, 'p') + "/" + std::string(90, 'n')] = "prefix";
  Files any_names = long_names;
  any_names[std::string(3000, 'n')] = "long";
  any_names["\xE9\xFF"] = "bytes";
  for (const bool zip : {false, true}) {
    expect_files(read_archive_bytes(write_with_libarchive(short_names, "v7tar", zip)), short_names);
    expect_files(read_archive_bytes(write_with_libarchive(long_names, "ustar", zip)), long_names);
    for (const char* format : {"gnutar", "pax", "paxr"})
      expect_files(read_archive_bytes(write_with_libarchive(any_names, format, zip)), any_names);
  }
}

}  // namespace
}  // namespace assay::test
