// SPDX-License-Identifier: Apache-2.0
// Defects of the header and the digest (CON-001 .. CON-006, CON-010), and two at once (CON-007).
#include <deque>

#include "harness/gen/neffs/package.h"

namespace assay::harness::neffs {
namespace {

void asked(Choices&, Package& p) { p.options.verify_digest = true; }
void asked_of_1(Choices&, Package& p) {
  p.options.verify_digest = true;
  p.pkg_version = 1;
}
void asked_of_2(Choices&, Package& p) {
  p.options.verify_digest = true;
  p.pkg_version = 2;
}
void major_2(Choices&, Package& p) {
  p.major = 2;
  p.feature_bits = 0;
}

std::uint64_t size_of(const Package& p) { return p.file().size(); }

std::uint64_t cut_at(Package& p, std::size_t size) {
  p.file_size = size;
  return kUnchecked;
}
std::uint64_t feature_bit(Package& p, std::uint64_t bits) {
  p.feature_bits |= bits;
  return kFeatureBitsAt;
}
std::uint64_t wrong_bit(Choices& c, Package& p, std::size_t bytes) {
  const std::size_t at = c.below(bytes);
  std::string hash = p.file().substr(kHashAt, 32);
  hash[at] = static_cast<char>(hash[at] ^ 1 << c.below(8));
  p.hash = hash;
  return kHashAt;
}

const Kind kKinds[] = {
    {{"empty-file", Reason::neff_too_short}, nullptr, [](Choices&, Package& p) { return cut_at(p, 0); }},
    {{"file-of-1-byte", Reason::neff_too_short}, nullptr, [](Choices&, Package& p) { return cut_at(p, 1); }},
    {{"file-of-1023-bytes", Reason::neff_too_short}, nullptr, [](Choices&, Package& p) { return cut_at(p, 1023); }},
    {{"header-cut", Reason::neff_too_short}, nullptr,
     [](Choices& c, Package& p) { return cut_at(p, c.edge(2, 1022)); }},
    {{"header-size-is-file-size", Reason::neff_header_size}, nullptr,
     [](Choices&, Package& p) {
       p.header_size = size_of(p);
       return kHeaderSizeAt;
     }},
    {{"header-size-past-end", Reason::neff_header_size}, nullptr,
     [](Choices& c, Package& p) {
       p.header_size = c.edge(size_of(p) + 1, ~std::uint64_t{0});
       return kHeaderSizeAt;
     }},
    {{"bare-header", Reason::neff_header_size}, nullptr,
     [](Choices&, Package& p) {
       p.archive_bytes = "";
       p.after.clear();
       p.header_size = kHeader;
       return kHeaderSizeAt;
     }},
    {{"major-3", Reason::neff_version_major}, nullptr,
     [](Choices&, Package& p) {
       p.major = 3;
       return kMajorAt;
     }},
    {{"major-large", Reason::neff_version_major}, nullptr,
     [](Choices& c, Package& p) {
       // Those whose low bits alone would do are among them.
       static constexpr std::uint64_t kMajors[] = {std::uint64_t{1} << 63, (std::uint64_t{1} << 32) + 2, 256, 65537,
                                                   ~std::uint64_t{0}};
       p.major = c.chance(70) ? c.pick(kMajors) : c.edge(3, ~std::uint64_t{0});
       return kMajorAt;
     }},
    {{"feature-bit-27", Reason::neff_feature_bits}, major_2,
     [](Choices&, Package& p) { return feature_bit(p, std::uint64_t{1} << 27); }},
    {{"feature-bit-62", Reason::neff_feature_bits}, major_2,
     [](Choices&, Package& p) { return feature_bit(p, std::uint64_t{1} << 62); }},
    {{"feature-bit-28-to-61", Reason::neff_feature_bits}, major_2,
     [](Choices& c, Package& p) { return feature_bit(p, std::uint64_t{1} << c.edge(28, 61)); }},
    {{"feature-bits-all", Reason::neff_feature_bits}, major_2,
     [](Choices&, Package& p) { return feature_bit(p, ~std::uint64_t{0}); }},
    {{"data-size-past-end", Reason::neff_data_size}, nullptr,
     [](Choices& c, Package& p) {
       p.data_size = size_of(p) - kHeader + c.edge(1, 1025);
       return kDataSizeAt;
     }},
    {{"data-size-wraps", Reason::neff_data_size}, nullptr,
     [](Choices& c, Package& p) {
       static constexpr std::uint64_t kLess[] = {0, 1023, 1024, 1025};
       p.data_size = ~std::uint64_t{0} - (c.chance(80) ? c.pick(kLess) : c.below(5000));
       return kDataSizeAt;
     }},
    {{"pkg-version-0", Reason::neff_pkg_version}, nullptr,
     [](Choices&, Package& p) {
       p.pkg_version = 0;
       return kPkgVersionAt;
     }},
    {{"pkg-version-3", Reason::neff_pkg_version}, nullptr,
     [](Choices&, Package& p) {
       p.pkg_version = 3;
       return kPkgVersionAt;
     }},
    {{"pkg-version-large", Reason::neff_pkg_version}, nullptr,
     [](Choices& c, Package& p) {
       static constexpr std::uint64_t kVersions[] = {(std::uint64_t{1} << 32) + 1, (std::uint64_t{1} << 32) + 2, 257,
                                                     ~std::uint64_t{0}};
       p.pkg_version = c.chance(70) ? c.pick(kVersions) : c.edge(3, ~std::uint64_t{0});
       return kPkgVersionAt;
     }},
    {{"digest-sha-256-wrong-bit", Reason::digest_mismatch}, asked_of_1,
     [](Choices& c, Package& p) { return wrong_bit(c, p, 32); }},
    {{"digest-md5-wrong-bit", Reason::digest_mismatch}, asked_of_2,
     [](Choices& c, Package& p) { return wrong_bit(c, p, 16); }},
    {{"digest-none", Reason::digest_mismatch}, asked,
     [](Choices&, Package& p) {
       p.hash = std::string(32, '\0');
       return kHashAt;
     }},
    {{"digest-half-swapped", Reason::digest_mismatch}, asked,
     [](Choices&, Package& p) {
       const std::string plain = digest_of(p.pkg_version, p.archive()), swapped = word_swapped(plain);
       p.hash = swapped.substr(0, 8) + plain.substr(8);
       return kHashAt;
     }},
    {{"digest-reversed-whole", Reason::digest_mismatch}, asked,
     [](Choices&, Package& p) {
       const std::string plain = digest_of(p.pkg_version, p.archive()).substr(0, p.pkg_version == 1 ? 32 : 16);
       p.hash = std::string(plain.rbegin(), plain.rend()) + std::string(32 - plain.size(), '\0');
       return kHashAt;
     }},
    {{"digest-of-the-other-kind", Reason::digest_mismatch}, asked,
     [](Choices&, Package& p) {
       p.hash = digest_of(3 - p.pkg_version, p.archive());
       return kHashAt;
     }},
    {{"digest-of-expanded-bytes", Reason::digest_mismatch},
     [](Choices& c, Package& p) {
       p.options.verify_digest = true;
       compress(c, p);
     },
     [](Choices&, Package& p) {
       p.hash = digest_of(p.pkg_version, p.tar());
       return kHashAt;
     }},
    {{"digest-of-bytes-after", Reason::digest_mismatch},
     [](Choices& c, Package& p) {
       p.options.verify_digest = true;
       p.after = noise(c, c.edge(1, 700));
     },
     [](Choices&, Package& p) {
       p.hash = digest_of(p.pkg_version, p.archive() + p.after);
       return kHashAt;
     }},
    {{"digest-of-nothing", Reason::digest_of_nothing}, asked,
     [](Choices& c, Package& p) {
       if (c.chance(50)) p.after = p.archive() + "x";
       p.archive_bytes = "";
       if (p.header_size >= size_of(p)) p.header_size = 0;
       return kHashAt;
     }},
};

// ---- CON-007: of two faults the first in this order decides ----

struct Fault {
  std::string_view name;
  Reason reason;
  std::uint64_t offset;
  void (*make)(Package&);
};
constexpr Fault kFaults[] = {
    {"size", Reason::neff_too_short, kUnchecked, [](Package& p) { p.file_size = 1023; }},
    {"header-size", Reason::neff_header_size, kHeaderSizeAt, [](Package& p) { p.header_size = ~std::uint64_t{0}; }},
    {"major", Reason::neff_version_major, kMajorAt, [](Package& p) { p.major = 3; }},
    {"feature-bits", Reason::neff_feature_bits, kFeatureBitsAt,
     [](Package& p) { p.feature_bits |= std::uint64_t{1} << 40; }},
    {"data-size", Reason::neff_data_size, kDataSizeAt, [](Package& p) { p.data_size = ~std::uint64_t{0}; }},
    {"pkg-version", Reason::neff_pkg_version, kPkgVersionAt, [](Package& p) { p.pkg_version = 3; }},
    {"digest", Reason::digest_mismatch, kHashAt, [](Package& p) { p.hash = std::string(32, 'x'); }},
    {"archive", Reason::archive_damaged, 0,
     [](Package& p) { p.archive_bytes = std::string(700, 'x'); }},
};

template <std::size_t I, std::size_t J>
std::uint64_t both(Choices&, Package& p) {
  kFaults[J].make(p);
  kFaults[I].make(p);
  return kFaults[I].offset;
}
void ready_for_any(Choices& c, Package& p) {
  asked(c, p);
  major_2(c, p);
}

template <std::size_t I, std::size_t J>
void add_pairs(std::vector<Kind>& to, std::deque<std::string>& names) {
  if constexpr (J < std::size(kFaults)) {
    names.push_back(std::string(kFaults[I].name) + "-before-" + std::string(kFaults[J].name));
    to.push_back({{names.back(), kFaults[I].reason}, ready_for_any, both<I, J>});
    add_pairs<I, J + 1>(to, names);
  } else if constexpr (I + 2 < std::size(kFaults)) {
    add_pairs<I + 1, I + 2>(to, names);
  }
}

}  // namespace

std::span<const Kind> header_faults() {
  static std::deque<std::string> names;
  static const std::vector<Kind> all = [] {
    std::vector<Kind> v(std::begin(kKinds), std::end(kKinds));
    add_pairs<0, 1>(v, names);
    return v;
  }();
  return all;
}

}  // namespace assay::harness::neffs
