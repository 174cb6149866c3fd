// SPDX-License-Identifier: Apache-2.0
// Which members an archive has, and under which paths; the limits on them.
#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

std::string directory_entry(const std::string& name) {
  TarHeader h;
  h.type = '5';
  return tar_member(name, "", h);
}

std::string special_member(char type, const std::string& name) {
  TarHeader h;
  h.type = type;
  h.link = "a";
  return tar_member(name, "", h);
}

Limits limits(std::uint64_t bytes, std::uint64_t members) {
  Limits l;
  l.expanded_bytes = bytes;
  l.members = members;
  return l;
}

TEST(ContainerArchive, DirectoriesAreSkipped) {
  ASSAY_COVERS("CON-012");
  const std::string a = tar_member("d/a", "hello");
  expect_files(read_archive_bytes(directory_entry("d/") + a), {{"d/a", "hello"}});
  expect_files(read_archive_bytes(directory_entry("d") + a), {{"d/a", "hello"}});
  expect_files(read_archive_bytes(directory_entry("./") + a), {{"d/a", "hello"}});
  // v7 has no such type: a final slash says it.
  TarHeader v7;
  v7.type = '\0';
  v7.magic = "";
  expect_files(read_archive_bytes(tar_member("d/", "", v7) + a), {{"d/a", "hello"}});
  expect_files(read_archive_bytes(tar_member("d/", "") + a), {{"d/a", "hello"}});
  // An unsafe path is no fault of a directory.
  expect_files(read_archive_bytes(directory_entry("../") + a), {{"d/a", "hello"}});
}

TEST(ContainerArchive, OneLeadingDotSlashIsStripped) {
  ASSAY_COVERS("CON-012");
  const Files expected{{"a", "1"}, {"./b", "2"}, {".c", "3"}, {"d/./e", "4"}, {".//f", "5"}};
  expect_files(
      read_archive_bytes(tar_member("./a", "1") + tar_member("././b", "2") + tar_member(".c", "3") +
                         tar_member("d/./e", "4") + tar_member("././/f", "5")),
      expected);
}

TEST(ContainerArchive, WavegraphIsDropped) {
  ASSAY_COVERS("CON-012");
  const std::string a = tar_member("a", "hello");
  for (const char* name :
       {"wavegraph-bin.json", "./sg00/wavegraph-bin.json", "sg00/my-wavegraph-bin.json"})
    expect_files(read_archive_bytes(tar_member(name, "{}") + a), {{"a", "hello"}});
  for (const char* name : {"wavegraph-bin.jso", "wavegraph-bin.json.x", "avegraph-bin.json",
                           "Wavegraph-bin.json", "wavegraph-bin.json/x"})
    expect_files(read_archive_bytes(tar_member(name, "{}") + a), {{"a", "hello"}, {name, "{}"}});
}

TEST(ContainerArchive, TheLastOfOnePathWins) {
  ASSAY_COVERS("CON-013");
  expect_files(
      read_archive_bytes(tar_member("a", "1") + tar_member("b", "x") + tar_member("a", "22")),
      {{"a", "22"}, {"b", "x"}});
  expect_files(read_archive_bytes(tar_member("a", "22") + tar_member("./a", "1")), {{"a", "1"}});
  expect_files(read_archive_bytes(tar_member("a", "1") + special_member('2', "a")), {{"a", "1"}});
}

TEST(ContainerArchive, WhatIsNotRegularIsSkipped) {
  ASSAY_COVERS("CON-014");
  const std::string a = tar_member("a", "hello");
  for (const char type : {'1', '2', '3', '4', '5', '6', 'V', 'M', 'D', 'N', 'Z'}) {
    SCOPED_TRACE(type);
    for (const char* name : {"l", "../l", "/l"})
      expect_files(read_archive_bytes(special_member(type, name) + a), {{"a", "hello"}});
  }
  // Links and devices have no data, whatever their size field says; others have.
  TarHeader h;
  for (const char type : {'1', '2', '3', '4', '5', '6'}) {
    h.name = "l";
    h.type = type;
    h.size = octal(700, 11);
    expect_files(read_archive_bytes(h.bytes() + a), {{"a", "hello"}});
  }
  h.type = 'D';
  expect_files(read_archive_bytes(tar_member("l", std::string(700, 'x'), h) + a), {{"a", "hello"}});
  h.type = '7';
  expect_files(read_archive_bytes(tar_member("l", "c", h) + a), {{"a", "hello"}, {"l", "c"}});
  // Names that look like something special are members.
  expect_files(read_archive_bytes(tar_member("._a", "m") + a), {{"a", "hello"}, {"._a", "m"}});
}

TEST(ContainerArchive, SparseMembersAreSkipped) {
  ASSAY_COVERS("CON-014");
  const std::string a = tar_member("a", "hello");
  TarHeader h;
  h.type = 'S';
  h.magic = "ustar  ";
  std::string sparse = tar_member("s", "data", h);
  expect_files(read_archive_bytes(sparse + a), {{"a", "hello"}});
  // With a map that goes on in two more blocks. The flag adds 1 to the checksum.
  h.checksum_off_by = 1;
  sparse = tar_member("s", "data", h);
  sparse[482] = 1;
  std::string more = kZeroBlock;
  more[504] = 1;
  sparse.insert(512, more + kZeroBlock);
  expect_files(read_archive_bytes(sparse + a), {{"a", "hello"}});
  expect_refused(read_archive_bytes(sparse.substr(0, 1024)), Reason::archive_damaged, 0);
  // pax keeps the map in records and in the data.
  for (const char* key : {"GNU.sparse.major", "GNU.sparse.map"})
    expect_files(
        read_archive_bytes(tar_special('x', pax_record(key, "1")) + tar_member("s", "x") + a),
        {{"a", "hello"}});
  expect_files(
      read_archive_bytes(tar_special('x', pax_record("GNU.other", "1")) + tar_member("s", "x") + a),
      {{"a", "hello"}, {"s", "x"}});
}

TEST(ContainerArchive, UnsafePaths) {
  ASSAY_COVERS("CON-014");
  for (const char* name : {"/a", "..", "../a", "a/..", "a/../b", "./../a", ".//a"}) {
    SCOPED_TRACE(name);
    const auto r = read_archive_bytes(tar_member("first", "") + tar_member(name, "x"));
    expect_refused(r, Reason::unsafe_path, 512);
  }
  for (const char* name : {"a", "...", "..a", "a..", "a/..b", "a/b..", "a//b", ".", "a\\..\\b"})
    expect_files(read_archive_bytes(tar_member("first", "") + tar_member(name, "x")),
                 {{"first", ""}, {name, "x"}});
}

TEST(ContainerArchive, PathsAreBytes) {
  ASSAY_COVERS("CON-012");
  for (const std::string& name : {std::string("\xE9\xFF\x01"), std::string("\xC3\xA9"),
                                  std::string("a b\nc"), std::string("A"), std::string("a=b")}) {
    expect_files(read_archive_bytes(tar_member(name, "x")), {{name, "x"}});
    expect_files(
        read_archive_bytes(tar_special('x', pax_record("path", name)) + tar_member("a", "x")),
        {{name, "x"}});
    expect_files(read_archive_bytes(tar_special('L', name + '\0') + tar_member("a", "x")),
                 {{name, "x"}});
  }
}

TEST(ContainerArchive, ExpandedBytesAreLimited) {
  ASSAY_COVERS("CON-015");
  const std::string tar =
      tar_member("a", std::string(600, 'a')) + tar_member("b", std::string(400, 'b'));
  for (const std::string& archive : {tar, gzip(tar)}) {
    EXPECT_TRUE(read_archive_bytes(archive, limits(1000, 9)));
    const Refusal r = expect_refused(read_archive_bytes(archive, limits(999, 9)),
                                     Reason::limit_expanded_bytes, 1536);
    EXPECT_EQ(r.row().status, NrtStatus::resource);
    expect_refused(read_archive_bytes(archive, limits(599, 9)), Reason::limit_expanded_bytes, 0);
    EXPECT_TRUE(read_archive_bytes(archive, limits(UINT64_MAX, UINT64_MAX)));
  }
  // What is dropped takes no memory and does not count.
  expect_files(read_archive_bytes(tar_member("wavegraph-bin.json", "1234"), limits(0, 0)), {});
}

TEST(ContainerArchive, MembersAreLimited) {
  ASSAY_COVERS("CON-015");
  const std::string tar = tar_member("a", "") + tar_member("b", "") + tar_member("a", "1") +
                          directory_entry("d/") + tar_member("c", "");
  EXPECT_TRUE(read_archive_bytes(tar, limits(9, 3)));
  const Refusal r = expect_refused(read_archive_bytes(tar, limits(9, 2)), Reason::limit_members);
  EXPECT_EQ(r.row().status, NrtStatus::resource);
  expect_files(read_archive_bytes("", limits(0, 0)), {});
}

// A declared size takes no memory before it is known to be possible.
TEST(ContainerArchive, HugeDeclaredSizes) {
  ASSAY_COVERS("CON-015");
  TarHeader h;
  h.name = "a";
  for (const std::string& size :
       {octal(077777777777, 11), std::string("\x80\0\0\0\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 12),
        std::string("\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 12)}) {
    h.size = size;
    for (const char type : {'0', 'x', 'g', 'L', 'K', 'D'}) {
      h.type = type;
      const std::string tar = h.bytes() + padded("hello");
      expect_refused(read_archive_bytes(tar), Reason::archive_damaged, 0);
      expect_refused(read_archive_bytes(tar, limits(UINT64_MAX, 9)), Reason::archive_damaged, 0);
      expect_refused(read_archive_bytes(gzip(tar)), Reason::archive_damaged, 0);
    }
  }
}

TEST(ContainerArchive, Bombs) {
  ASSAY_COVERS("CON-015");
  const std::size_t size = std::size_t{64} << 20;
  TarHeader h;
  h.name = "zeros";
  h.size = octal(size, 11);
  const std::string member = gzip(h.bytes() + std::string(size, '\0'));
  ASSERT_LT(member.size(), size / 500);
  expect_refused(read_archive_bytes(member, limits(size - 1, 9)), Reason::limit_expanded_bytes, 0);
  EXPECT_TRUE(read_archive_bytes(member, limits(size, 9)));
  // Nothing but an end, or data that is skipped: no memory, but time.
  const std::string zeros = gzip(std::string(size, '\0'));
  expect_refused(read_archive_bytes(zeros, limits(1 << 20, 9)), Reason::limit_expanded_bytes);
  expect_files(read_archive_bytes(zeros, limits(size, 9)), {});
  h.name = "wavegraph-bin.json";
  const std::string dropped = gzip(h.bytes() + std::string(size, '\0'));
  expect_refused(read_archive_bytes(dropped, limits(1 << 20, 9)), Reason::limit_expanded_bytes);
  expect_files(read_archive_bytes(dropped, limits(size, 9)), {});
  h.type = 'x';
  expect_refused(read_archive_bytes(gzip(h.bytes() + std::string(size, '\0')), limits(1 << 20, 9)),
                 Reason::limit_expanded_bytes);
}

TEST(ContainerArchive, RealModel) {
  ASSAY_COVERS("CON-008", "CON-012");
  const auto r = read_neff_bytes(real_neff());
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->size(), 72U);
  std::uint64_t total = 0;
  for (const auto& [path, bytes] : *r) total += bytes.size();
  EXPECT_EQ(total, 302546U);
  for (const auto& [path, size] :
       std::map<std::string, std::size_t>{{"neff.json", 2807},
                                          {"kelf-0.json", 253},
                                          {"sg00/def.json", 3820},
                                          {"sg01/Pool.bin", 448},
                                          {"sg01/exp_and_others_bkt.bin", 30112}}) {
    ASSERT_NE(r->find(path), nullptr) << path;
    EXPECT_EQ(r->find(path)->size(), size) << path;
  }
}

}  // namespace
}  // namespace assay::test
