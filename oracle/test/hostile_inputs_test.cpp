// SPDX-License-Identifier: Apache-2.0
// Hostile inputs below the image: every bit flip, every cut and many random edits of a def.json's
// bytes and of a packed NEFF. Nothing may die, and what is accepted is a valid image.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "oracle/container/container.h"
#include "oracle/test/covers.h"
#include "oracle/test/model.h"

namespace assay::test {
namespace {

// An edit costs most under AddressSanitizer: a fifth of them there, where --long does not want them all.
// The fuzz targets on the same bytes run under it as well.
constexpr bool kAddressSanitizer =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

std::uint64_t edits() {
  const char* n = std::getenv("ASSAY_EDITS");
  const std::uint64_t all = n == nullptr ? 50'000 : std::strtoull(n, nullptr, 10);
  return kAddressSanitizer && std::getenv("ASSAY_LONG") == nullptr ? all / 5 : all;
}

// A refusal that names a requirement, or a tree whose image is valid and re-encodes to itself.
void check_tree(const Result<Tree>& tree) {
  if (!tree) {
    ASSERT_FALSE(tree.error().row().requirement.empty());
    ASSERT_FALSE(tree.error().text().empty());
    return;
  }
  const auto image = encode(*tree);
  ASSERT_TRUE(image.has_value()) << image.error().text();
  const auto view = decode(image->view());
  ASSERT_TRUE(view.has_value()) << view.error().text();
  const auto again = to_tree(*view);
  ASSERT_TRUE(again.has_value());
  const auto second = encode(*again);
  ASSERT_TRUE(second.has_value());
  ASSERT_EQ(as_text(second->view()), as_text(image->view()));
}

// A def.json short enough to be flipped bit by bit, with every kind of value in it.
Model hostile_model() {
  Model m;
  m.target = ArchType::MARIANA;
  m.def = Json::parse(R"({
    "var": {"a": {"type": "input", "var_id": 0, "size": 4, "dtype": "int8", "shape": [2, 2]},
            "b": {"type": "output", "var_id": 1, "size": 64, "alignment": 64},
            "p": {"type": "pointer", "var_id": 2, "size": 8, "referenced_var_id": 0},
            "l": {"type": "list", "var_id": 3, "list": [1]}},
    "dma_queue": {"q": {"type": "data", "owner": "pe", "semaphore_set": [1, 2], "dge": true}},
    "dma": [{"id": 1, "queue": "q", "desc": [{"op": "fma", "to": "b", "to_dtype": "float32",
      "size": 4, "scale": -1.5, "from_arr": [{"from": "a", "from_dtype": "int8"}]}]}],
    "replica_groups": [[[0, 1]]], "fp8_conversion_config": {"ocp_sat": true}, "num_streams": 2})");
  m.raw = m.def.dump();
  return m;
}

void try_text(const Model& base, std::string text) {
  Model m = base;
  m.raw = std::move(text);
  if (m.raw.empty()) m.raw = " ";
  check_tree(lower_model(m));
}

TEST(HostileJson, EveryBitFlipAndEveryCut) {
  ASSAY_COVERS("JSN-001", "JSN-002", "LOW-010");
  const Model base = hostile_model();
  for (std::size_t i = 0; i < base.raw.size(); ++i) {
    try_text(base, base.raw.substr(0, i));
    for (int bit = 0; bit < 8; ++bit) {
      std::string t = base.raw;
      t[i] = static_cast<char>(t[i] ^ (1 << bit));
      try_text(base, t);
    }
    if (HasFatalFailure()) FAIL() << "at byte " << i;
  }
}

TEST(HostileJson, RandomEdits) {
  ASSAY_COVERS("JSN-001", "JSN-002", "LOW-010");
  const Model base = hostile_model();
  // Spliced in whole, so that a good share of the edits is still JSON and reaches the sections.
  const char* const kTokens[] = {"null", "true", "0", "-1", "1e2", "4294967296", "18446744073709551615",
                                 "18446744073709551616", "\"\"", "[]", "{}", "[[]]", "\"\\u0000\"",
                                 "\"\\ud800\"", ",", ":", "\"var\"", "\"q\"", "255", "256", "-0"};
  std::mt19937_64 rng(20261130);
  std::string t = base.raw;
  for (std::uint64_t n = edits(); n > 0; --n) {
    if (rng() % 4 == 0) t = base.raw;
    const std::size_t at = rng() % (t.size() + 1);
    switch (rng() % 4) {
      case 0:
        if (at < t.size()) t[at] = static_cast<char>(rng());
        break;
      case 1: t.erase(at, 1 + rng() % 3); break;
      case 2: t.insert(at, kTokens[rng() % std::size(kTokens)]); break;
      default: {
        // A whole number or string of the text becomes another token.
        std::size_t begin = t.find_first_of("0123456789\"", at < t.size() ? at : 0);
        if (begin == std::string::npos) break;
        std::size_t end = t[begin] == '"' ? t.find('"', begin + 1) : t.find_first_not_of("0123456789", begin);
        if (end == std::string::npos) break;
        if (t[begin] == '"') ++end;
        t.replace(begin, end - begin, kTokens[rng() % std::size(kTokens)]);
      }
    }
    if (t.size() > 4096) t = base.raw;
    try_text(base, t);
    if (HasFatalFailure()) FAIL() << t;
  }
}

Buffer packed(std::uint64_t pkg_version) {
  Members m;
  m.put("kelf-0.json", Buffer(std::string_view(
                           R"({"version":"0.5","target":"sunda","graphs":[{"name":"g","definition":"g/def.json"}]})")));
  m.put("g/def.json", Buffer(std::string_view(R"({"var":{"o":{"type":"output","var_id":0,"size":1}}})")));
  PackOptions o;
  o.pkg_version = pkg_version;
  return std::move(*pack(m, o));
}

void try_file(ByteView bytes) {
  const Buffer exact(bytes);
  Options o;
  o.verify_digest = !bytes.empty() && bytes.back() % 2 == 0;
  o.limits.expanded_bytes = 1 << 24;
  const auto lowered = lower_neff(exact.view(), o);
  if (!lowered) {
    ASSERT_FALSE(lowered.error().row().requirement.empty());
    return;
  }
  for (const LoweredGraph& g : lowered->graphs) {
    const auto image = encode(g.tree);
    ASSERT_TRUE(image.has_value());
    ASSERT_TRUE(inspect(image->view()).findings.empty());
  }
}

TEST(HostileNeff, EveryBitFlipAndEveryCut) {
  ASSAY_COVERS("CON-001", "CON-005", "CON-015");
  for (const std::uint64_t version : {1, 2}) {
    Buffer file = packed(version);
    for (std::size_t i = 0; i < file.size(); ++i) {
      try_file(file.view().first(i));
      for (int bit = 0; bit < 8; ++bit) {
        file.data()[i] ^= static_cast<std::uint8_t>(1 << bit);
        try_file(file.view());
        file.data()[i] ^= static_cast<std::uint8_t>(1 << bit);
      }
      if (HasFatalFailure()) FAIL() << "version " << version << " byte " << i;
    }
  }
}

TEST(HostileNeff, RandomEdits) {
  ASSAY_COVERS("CON-001", "CON-005", "CON-015");
  std::mt19937_64 rng(7);
  for (const std::uint64_t version : {1, 2}) {
    const Buffer base = packed(version);
    for (std::uint64_t n = edits() / 2; n > 0; --n) {
      Buffer file(base.view());
      for (std::uint64_t k = 1 + rng() % 4; k > 0; --k) {
        // Half of the edits hit the header's fields, where the gate decides.
        const std::size_t at = rng() % 2 == 0 ? rng() % 560 : rng() % file.size();
        file.data()[at] = rng() % 3 == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(rng());
      }
      const std::size_t keep = rng() % 8 == 0 ? rng() % (file.size() + 1) : file.size();
      try_file(file.view().first(keep));
      if (HasFatalFailure()) FAIL() << "version " << version;
    }
  }
}

}  // namespace
}  // namespace assay::test
