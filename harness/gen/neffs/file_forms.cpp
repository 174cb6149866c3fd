// SPDX-License-Identifier: Apache-2.0
// Forms of the compression, the header and the digest that are read (CON-002 .. CON-011, CON-015).
#include "harness/gen/neffs/package.h"

namespace assay::harness::neffs {
namespace {

constexpr std::nullopt_t kRead = std::nullopt;

void set_method(Choices& c, Package& p, Deflate method) {
  compress(c, p);
  for (GzipMember& m : p.compression) m.method = method;
}

// The digest of `pkg_version` is asked for, over an archive stored the usual way or the other.
void set_digest(Choices& c, Package& p, std::uint64_t pkg_version, Digest form) {
  p.options.verify_digest = true;
  p.pkg_version = pkg_version;
  p.digest = form;
  if (c.chance(70) && (pkg_version == 2) == p.compression.empty()) {
    if (pkg_version == 2) compress(c, p);
    else p.compression.clear();
  }
}

const Kind kKinds[] = {
    // gzip
    {{"gzip", kRead}, [](Choices& c, Package& p) { compress(c, p); }, nullptr},
    {{"gzip-stored", kRead}, [](Choices& c, Package& p) { set_method(c, p, Deflate::stored); }, nullptr},
    {{"gzip-fixed-code", kRead}, [](Choices& c, Package& p) { set_method(c, p, Deflate::fixed); }, nullptr},
    {{"gzip-every-level", kRead}, [](Choices& c, Package& p) { set_method(c, p, Deflate::library); }, nullptr},
    {{"gzip-long-data", kRead},
     [](Choices& c, Package& p) {
       // Longer than a reader's own steps, in few bytes.
       const std::string part = noise(c, 700);
       std::string data;
       for (std::uint64_t n = c.edge(40, 600); n-- > 0;) data += part;
       add_file(c, p, "long", data + noise(c, c.below(512)));
       set_method(c, p, c.chance(70) ? Deflate::library : Deflate::stored);
     },
     nullptr},
    {{"gzip-members", kRead},
     [](Choices& c, Package& p) {
       compress(c, p);
       while (p.compression.size() < 3) p.compression.push_back(p.compression.back());
       for (GzipMember& m : p.compression) m.cut = c.edge(0, 3000);
     },
     nullptr},
    {{"gzip-empty-members", kRead},
     [](Choices& c, Package& p) {
       compress(c, p);
       GzipMember none = p.compression.front();
       none.cut = 0;
       p.compression.insert(p.compression.begin(), none);
     },
     nullptr},
    {{"gzip-zeros-behind", kRead},
     [](Choices& c, Package& p) {
       compress(c, p);
       if (c.chance(50)) p.compression.insert(p.compression.begin(), p.compression.front());
       for (GzipMember& m : p.compression) m.zeros_after = c.edge(1, 5000);
     },
     nullptr},
    {{"gzip-header-parts", kRead},
     [](Choices& c, Package& p) {
       compress(c, p);
       for (GzipMember& m : p.compression) m.flags = static_cast<std::uint8_t>(c.between(1, 31));
     },
     nullptr},
    // CON-009
    {{"version-2-with-raw-tar", kRead},
     [](Choices& c, Package& p) {
       p.pkg_version = 2;
       p.compression.clear();
       p.options.verify_digest = c.chance(50);
     },
     nullptr},
    {{"version-1-with-gzip", kRead},
     [](Choices& c, Package& p) {
       p.pkg_version = 1;
       compress(c, p);
       p.options.verify_digest = c.chance(50);
     },
     nullptr},
    // header
    {{"header-size-any", kRead},
     [](Choices& c, Package& p) { p.header_size = c.edge(0, kHeader + p.archive().size() - 1); }, nullptr},
    {{"major-0-or-1", kRead},
     [](Choices& c, Package& p) {
       p.major = c.below(2);
       p.feature_bits = c.chance(50) ? ~std::uint64_t{0} : c.bits();  // skips the test of these
     },
     nullptr},
    {{"feature-bits-known", kRead},
     [](Choices& c, Package& p) {
       static constexpr std::uint64_t kBits[] = {0x8000000007FFFFFF, 0x7FFFFFF, std::uint64_t{1} << 63};
       p.major = 2;
       p.feature_bits = c.chance(50) ? c.pick(kBits) : std::uint64_t{1} << c.below(27);
     },
     nullptr},
    {{"fields-nobody-reads", kRead},
     [](Choices& c, Package& p) { p.rest = c.chance(30) ? "\xFF" : noise(c, 1 + c.below(700)); }, nullptr},
    {{"bytes-after-data-size", kRead},
     [](Choices& c, Package& p) {
       switch (c.below(4)) {
         case 0: p.after = noise(c, c.edge(1, 3000)); break;
         case 1: p.after = file_entry(c, "late", "unread").bytes(); break;
         case 2: p.after.assign(c.edge(1, 2000), '\0'); break;
         default: p.after = gzip(gen_gzip(c), noise(c, 600)).bytes; break;
       }
       p.options.verify_digest = c.chance(50);
     },
     nullptr},
    {{"data-size-0", kRead},
     [](Choices&, Package& p) {
       p.after = p.archive();
       if (p.after.empty()) p.after = "x";
       p.archive_bytes = "";
       p.files.clear();
       if (p.header_size >= kHeader + p.after.size()) p.header_size = 0;
     },
     nullptr},
    // digest
    {{"digest-sha-256", kRead}, [](Choices& c, Package& p) { set_digest(c, p, 1, Digest::plain); }, nullptr},
    {{"digest-sha-256-swapped", kRead}, [](Choices& c, Package& p) { set_digest(c, p, 1, Digest::swapped); }, nullptr},
    {{"digest-md5", kRead}, [](Choices& c, Package& p) { set_digest(c, p, 2, Digest::plain); }, nullptr},
    {{"digest-md5-swapped", kRead}, [](Choices& c, Package& p) { set_digest(c, p, 2, Digest::swapped); }, nullptr},
    {{"digest-md5-with-garbage-behind", kRead},
     [](Choices& c, Package& p) {
       set_digest(c, p, 2, c.chance(50) ? Digest::plain : Digest::swapped);
       p.hash_rest = noise(c, 15) + '\1';
     },
     nullptr},
    {{"no-bounds", kRead},
     [](Choices&, Package& p) {
       p.options.limits.expanded_bytes = ~std::uint64_t{0};
       p.options.limits.members = ~std::uint64_t{0};
     },
     nullptr},
    {{"digest-wrong-but-not-asked", kRead}, [](Choices& c, Package& p) { p.hash = noise(c, 32); }, nullptr},
};

}  // namespace

std::span<const Kind> file_forms() { return kKinds; }

}  // namespace assay::harness::neffs
