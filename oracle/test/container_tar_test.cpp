// SPDX-License-Identifier: Apache-2.0
// tar itself: the forms of it that are read, and each kind of damage beside its sound twin.
#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

const std::string kA = tar_member("a", "hello");
const Files kAlone{{"a", "hello"}};

TEST(ContainerTar, Ends) {
  ASSAY_COVERS("CON-015");
  // One zero block ends it, and missing ones are no fault.
  for (const std::string& tar : {kA, kA + kZeroBlock, kA + kZeroBlock + kZeroBlock})
    expect_files(read_archive_bytes(tar), kAlone);
  // What follows the end is not read, be it a member or damage.
  expect_files(read_archive_bytes(kA + kZeroBlock + tar_member("b", "x")), kAlone);
  expect_files(read_archive_bytes(kA + kZeroBlock + std::string(700, 'x')), kAlone);
  // Nothing at all, and nothing but the end.
  for (const std::size_t n : {0, 1, 511, 512, 1024, 10240})
    expect_files(read_archive_bytes(std::string(n, '\0')), {});
  // An end that is cut short is a missing one, unless it is none.
  for (const std::size_t n : {1, 100, 511}) {
    expect_files(read_archive_bytes(kA + std::string(n, '\0')), kAlone);
    expect_refused(read_archive_bytes(kA + std::string(n - 1, '\0') + "x"), Reason::archive_damaged,
                   1024);
  }
}

TEST(ContainerTar, EveryCut) {
  ASSAY_COVERS("CON-015");
  const std::string tar = kA + tar_member("b", std::string(700, 'b')) + kZeroBlock;
  const std::size_t b = 1024, b_end = 1024 + 512 + 700;
  for (std::size_t n = 0; n <= tar.size(); ++n) {
    SCOPED_TRACE(n);
    const auto r = read_archive_bytes(tar.substr(0, n));
    if (n == 0) {
      expect_files(r, {});
    } else if (n < 512 + 5) {
      expect_refused(r, Reason::archive_damaged, 0);
    } else if (n <= b) {  // padding may lack
      expect_files(r, kAlone);
    } else if (n < b_end) {
      expect_refused(r, Reason::archive_damaged, b);
    } else {
      expect_files(r, {{"a", "hello"}, {"b", std::string(700, 'b')}});
    }
  }
}

TEST(ContainerTar, Checksum) {
  ASSAY_COVERS("CON-015");
  TarHeader h;
  h.checksum_off_by = 1;
  expect_refused(read_archive_bytes(tar_member("a", "hello", h)), Reason::archive_damaged, 0);
  expect_refused(read_archive_bytes(kA + tar_member("b", "", h)), Reason::archive_damaged, 1024);
  h.checksum_off_by = 0;
  expect_files(read_archive_bytes(kA + tar_member("b", "", h)), {{"a", "hello"}, {"b", ""}});
  // Old archivers summed signed bytes.
  h.signed_checksum = true;
  expect_files(read_archive_bytes(tar_member("\xE9", "", h)), {{"\xE9", ""}});
  h.checksum_off_by = 1;
  expect_refused(read_archive_bytes(tar_member("\xE9", "", h)), Reason::archive_damaged, 0);
  // Every byte of a header counts.
  for (std::size_t i = 0; i < 512; ++i) {
    std::string tar = kA;
    tar[i] ^= 2;
    const bool in_its_own_end = i == 154 || i == 155;  // behind the digits
    if (!in_its_own_end) expect_refused(read_archive_bytes(tar), Reason::archive_damaged, 0);
  }
}

TEST(ContainerTar, V7AndContiguous) {
  ASSAY_COVERS("CON-015");
  TarHeader h;
  h.magic = "";
  h.type = '\0';
  h.prefix = "not a prefix";
  expect_files(read_archive_bytes(tar_member("a", "hello", h)), kAlone);
  h.type = '0';
  expect_files(read_archive_bytes(tar_member("a", "hello", h)), kAlone);
}

TEST(ContainerTar, UstarPrefix) {
  ASSAY_COVERS("CON-015");
  TarHeader h;
  h.prefix = "some/dir";
  expect_files(read_archive_bytes(tar_member("a", "hello", h)), {{"some/dir/a", "hello"}});
  h.prefix = std::string(155, 'p');
  const std::string name(100, 'n');  // both without a NUL
  expect_files(read_archive_bytes(tar_member(name, "hello", h)),
               {{h.prefix + "/" + name, "hello"}});
  // GNU keeps times there.
  h.magic = "ustar  ";
  h.prefix = octal(1, 11);
  expect_files(read_archive_bytes(tar_member("a", "hello", h)), kAlone);
}

TEST(ContainerTar, GnuLongNames) {
  ASSAY_COVERS("CON-015");
  const std::string name(300, 'n');
  expect_files(read_archive_bytes(tar_special('L', name + '\0') + kA), {{name, "hello"}});
  expect_files(read_archive_bytes(tar_special('L', name) + kA), {{name, "hello"}});
  // For one member alone; a long link's target is nobody's path.
  expect_files(read_archive_bytes(tar_special('L', name) + kA + tar_member("b", "")),
               {{name, "hello"}, {"b", ""}});
  expect_files(read_archive_bytes(tar_special('K', "target") + kA), kAlone);
  expect_files(read_archive_bytes(tar_special('K', "target") + tar_special('L', name) + kA),
               {{name, "hello"}});
  expect_refused(read_archive_bytes(kA + tar_special('L', name)), Reason::archive_damaged);
  expect_refused(read_archive_bytes(kA + tar_special('L', name).substr(0, 600)),
                 Reason::archive_damaged, 1024);
  expect_refused(read_archive_bytes(kA + tar_special('L', name) + kZeroBlock + kA),
                 Reason::archive_damaged);
}

TEST(ContainerTar, PaxPathAndSize) {
  ASSAY_COVERS("CON-015");
  const std::string name(300, 'n');
  const std::string path = pax_record("path", name);
  expect_files(read_archive_bytes(tar_special('x', path) + kA), {{name, "hello"}});
  expect_files(read_archive_bytes(tar_special('x', path) + kA + tar_member("b", "")),
               {{name, "hello"}, {"b", ""}});
  // Two headers for one member add up; a later record and a pax path come first.
  expect_files(
      read_archive_bytes(tar_special('x', path) + tar_special('x', pax_record("mtime", "1")) + kA),
      {{name, "hello"}});
  expect_files(read_archive_bytes(tar_special('x', path + pax_record("path", "b")) + kA),
               {{"b", "hello"}});
  expect_files(read_archive_bytes(tar_special('x', path) + tar_special('L', "gnu") + kA),
               {{name, "hello"}});
  expect_files(read_archive_bytes(tar_special('x', pax_record("path", "")) + kA), kAlone);
  // The size replaces the header's, for data that is there.
  TarHeader h;
  h.name = "a";
  const std::string data = padded("hello");
  for (const char* size : {"5", "0000000000000000005"})
    expect_files(read_archive_bytes(tar_special('x', pax_record("size", size)) + h.bytes() + data),
                 kAlone);
  expect_files(read_archive_bytes(tar_special('x', pax_record("size", "")) + kA), kAlone);
  for (const char* size : {"513", "-5", "5.0", "+5", "18446744073709551616", "0x5", " 5", "x"})
    expect_refused(
        read_archive_bytes(tar_special('x', pax_record("size", size)) + h.bytes() + data),
        Reason::archive_damaged);
}

TEST(ContainerTar, PaxGlobal) {
  ASSAY_COVERS("CON-015");
  // Holds for every member behind it that says nothing else.
  const std::string g = tar_special('g', pax_record("path", "g"));
  expect_files(read_archive_bytes(kA + g + tar_member("b", "x") +
                                  tar_special('x', pax_record("path", "c")) + tar_member("d", "y")),
               {{"a", "hello"}, {"g", "x"}, {"c", "y"}});
  expect_files(read_archive_bytes(g + tar_special('x', pax_record("path", "")) + kA), kAlone);
  // It needs no member behind it.
  expect_files(read_archive_bytes(kA + tar_special('g', pax_record("comment", "c"))), kAlone);
  expect_refused(read_archive_bytes(kA + tar_special('x', pax_record("comment", "c"))),
                 Reason::archive_damaged);
}

TEST(ContainerTar, PaxRecords) {
  ASSAY_COVERS("CON-015");
  for (const std::string& good :
       {std::string(), pax_record("comment", ""), pax_record("", "x"), pax_record("k", "a=b"),
        pax_record("k", "two\nlines"), pax_record("k", std::string(1, '\0')),
        pax_record("k", std::string(2000, 'v')) + pax_record("l", "w"), std::string("0008 k=\n")})
    expect_files(read_archive_bytes(tar_special('x', good) + kA), kAlone);
  for (const std::string& bad :
       {std::string("x"), std::string("6 k=vx"), std::string("\0", 1), std::string("6 k=v"),
        std::string("7 k=v\n"), std::string("5 k=v\n"), std::string("6 kkv\n"),
        std::string(" 6 k=v\n"), std::string("0 k=v\n"), std::string("-6 k=v\n"),
        std::string("6\tk=v\n"), std::string("1 "), std::string("2 "), std::string("3 \n"),
        std::string("99999999999999999999 k=v\n"), std::string("18446744073709551615 k=v\n"),
        std::string("6 k=v\n6 k=v"), std::string("6 k=v\nx")}) {
    SCOPED_TRACE(bad);
    for (const char type : {'x', 'g'})
      expect_refused(read_archive_bytes(tar_special(type, bad) + kA), Reason::archive_damaged, 0);
  }
}

TEST(ContainerTar, Numbers) {
  ASSAY_COVERS("CON-015");
  TarHeader h;
  h.name = "a";
  const std::string data = padded("hello");
  for (const std::string& five :
       {std::string("00000000005\0", 12), std::string("00000000005 "), std::string("000000000005"),
        std::string("          5 "), std::string("5"), std::string("5 garbage"),
        std::string("           5"), std::string("\x80\0\0\0\0\0\0\0\0\0\0\5", 12)}) {
    h.size = five;
    expect_files(read_archive_bytes(h.bytes() + data), kAlone);
  }
  for (const std::string& zero : {std::string(), std::string(12, ' '), std::string(12, '\0')}) {
    h.size = zero;
    expect_files(read_archive_bytes(h.bytes()), {{"a", ""}});
  }
  for (const std::string& bad :
       {std::string("00000000008"), std::string("5x"), std::string("-5"), std::string("0x5"),
        std::string("\t5"), std::string(12, '\xFF'), std::string("\xC0\0\0\0\0\0\0\0\0\0\0\5", 12),
        std::string("\x80\0\0\1\0\0\0\0\0\0\0\5", 12),
        std::string("\xBF\0\0\0\0\0\0\0\0\0\0\5", 12)}) {
    h.size = bad;
    expect_refused(read_archive_bytes(h.bytes() + data), Reason::archive_damaged, 0);
  }
  // A size above 8 GiB in base-256 is read as such, and then is not there.
  h.size = std::string("\x80\0\0\0\0\0\0\2\0\0\0\0", 12);
  const Refusal r =
      expect_refused(read_archive_bytes(h.bytes() + data), Reason::archive_damaged, 0);
  EXPECT_NE(r.detail.find("8589934592"), std::string::npos) << r.detail;
}

}  // namespace
}  // namespace assay::test
