// SPDX-License-Identifier: Apache-2.0
// What a variable's member holds.
#include "oracle/test/covers.h"
#include "oracle/test/packages.h"

namespace assay::test {
namespace {

std::string npy(std::size_t header_length, const std::string& rest) {
  std::string s("\x93NUMPY\x01\x00", 8);
  s += static_cast<char>(header_length & 0xFF);
  s += static_cast<char>(header_length >> 8);
  return s + rest;
}

// The payload, or the refusal's reason id; bytes read past the member's end are ASan's to find.
std::string payload(const std::string& name, const std::string& bytes) {
  const Buffer exact{std::string_view(bytes)};
  const auto r = payload_of(name, exact.view());
  return r ? std::string(as_text(*r)) : "! " + std::string(r.error().row().id);
}

TEST(ContainerNpy, PayloadStartsBehindTheHeader) {
  ASSAY_COVERS("CON-016");
  EXPECT_EQ(payload("w.npy", npy(4, "headdata")), "data");
  EXPECT_EQ(payload("w.npy", npy(0, "data")), "data");
  EXPECT_EQ(payload("w.npy", npy(300, std::string(300, 'h') + "data")), "data");  // both bytes
  EXPECT_EQ(payload("w.npy", npy(0xFFFF, std::string(0xFFFF, 'h') + "data")), "data");
  EXPECT_EQ(payload("a/b/w.npy", npy(4, "headdata")), "data");
  EXPECT_EQ(payload(".npy", npy(4, "headdata")), "data");
}

TEST(ContainerNpy, HeaderUpToTheEnd) {
  ASSAY_COVERS("CON-016");
  EXPECT_EQ(payload("w.npy", npy(4, "head")), "");
  EXPECT_EQ(payload("w.npy", npy(5, "head")), "! npy-header");
  EXPECT_EQ(payload("w.npy", npy(0, "")), "");
  EXPECT_EQ(payload("w.npy", npy(1, "")), "! npy-header");
  EXPECT_EQ(payload("w.npy", npy(0xFFFF, std::string(0xFFFE, 'h'))), "! npy-header");
  for (std::size_t n = 2; n < 10; ++n)
    EXPECT_EQ(payload("w.npy", npy(0, "").substr(0, n)), "! npy-header") << n;
}

TEST(ContainerNpy, TwoBytesOfMagic) {
  ASSAY_COVERS("CON-016");
  EXPECT_EQ(payload("w.npy", ""), "! npy-magic");
  EXPECT_EQ(payload("w.npy", "\x93"), "! npy-magic");
  for (const std::size_t i : {0, 1}) {
    std::string s = npy(4, "headdata");
    s[i] ^= 1;
    EXPECT_EQ(payload("w.npy", s), "! npy-magic");
  }
  // The rest of the format's own magic and version do not matter.
  for (const std::size_t i : {2, 3, 4, 5, 6, 7}) {
    std::string s = npy(4, "headdata");
    s[i] ^= 1;
    EXPECT_EQ(payload("w.npy", s), "data");
  }
}

TEST(ContainerNpy, OtherMembersAreRaw) {
  ASSAY_COVERS("CON-016");
  const std::string s = npy(4, "headdata");
  for (const char* name : {"w.bin", "w.NPY", "wnpy", "w.npy.bin", "npy", "w.npyx", ""})
    EXPECT_EQ(payload(name, s), s) << name;
  EXPECT_EQ(payload("w.bin", ""), "");
}

TEST(ContainerNpy, RefusalSaysWhere) {
  ASSAY_COVERS("CON-016");
  const Refusal r =
      expect_refused(payload_of("sg00/w.npy", as_bytes("no npy")), Reason::npy_magic, 0);
  EXPECT_EQ(r.place.member, "sg00/w.npy");
  expect_refused(payload_of("sg00/w.npy", as_bytes(npy(5, "head"))), Reason::npy_header, 8);
}

TEST(ContainerNpy, RealConstant) {
  ASSAY_COVERS("CON-016");
  const auto members = read_neff_bytes(real_neff());
  ASSERT_TRUE(members);
  const std::string name = "sg00/value_sg0000_identity_82_CRSM.npy";
  const Buffer* const b = members->find(name);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->size(), 32896U);
  const auto p = payload_of(name, b->view());
  ASSERT_TRUE(p) << p.error().text();
  EXPECT_EQ(p->size(), 128U * 128 * 2);  // an identity matrix in 16-bit floats
}

}  // namespace
}  // namespace assay::test
