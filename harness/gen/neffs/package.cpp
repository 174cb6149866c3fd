// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/neffs/package.h"

#include <openssl/evp.h>

#include <algorithm>

namespace assay::harness::neffs {
namespace {

void put64(std::string& to, std::uint64_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) to[at + i] = static_cast<char>(value >> 8 * i & 0xFF);
}

std::string gen_tail(Choices& c) {
  switch (c.below(8)) {
    case 0: return "";
    case 1: return std::string(c.edge(1, kBlock), '\0');
    case 2: return std::string(kBlock, '\0') + noise(c, c.below(700));
    case 3: return std::string(10240, '\0');
    default: return std::string(2 * kBlock, '\0');
  }
}

}  // namespace

std::string Package::tar() const {
  std::string s;
  for (const Entry& e : entries) s += e.bytes();
  if (tail.empty() && !entries.empty()) {
    const std::size_t data = entries.back().header.data.size();
    s.resize(s.size() - std::min(unpadded, (kBlock - data % kBlock) % kBlock));
  }
  s += tail;
  if (cut) s.resize(std::min<std::size_t>(s.size(), *cut));
  return s;
}

std::uint64_t Package::header_at(std::size_t entry) const {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < entry; ++i) at += entries[i].bytes().size();
  return entry < entries.size() ? at + entries[entry].header_at() : at;
}

std::uint64_t Package::end_at() const { return header_at(entries.size()); }

GzipStream Package::stream() const { return gzip(compression, tar()); }

std::string Package::archive() const {
  if (archive_bytes) return *archive_bytes;
  return compression.empty() ? tar() : stream().bytes;
}

std::string Package::file() const {
  const std::string bytes = archive();
  std::string f(kHeader, '\0');
  if (!rest.empty())
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = rest[i % rest.size()];
  put64(f, kPkgVersionAt, pkg_version);
  put64(f, kHeaderSizeAt, header_size);
  put64(f, kDataSizeAt, data_size.value_or(bytes.size()));
  put64(f, kMajorAt, major);
  put64(f, kFeatureBitsAt, feature_bits);
  std::string digits = digest_of(pkg_version, bytes);
  if (digest == Digest::swapped) digits = word_swapped(digits);
  if (pkg_version != 1) digits.replace(16, hash_rest.size(), hash_rest);
  f.replace(kHashAt, 32, hash.value_or(digits));
  f += bytes + after;
  if (file_size) f.resize(std::min(f.size(), *file_size));
  return f;
}

std::string digest_of(std::uint64_t pkg_version, std::string_view archive) {
  std::string hash(32, '\0');
  EVP_Digest(archive.data(), archive.size(), reinterpret_cast<unsigned char*>(hash.data()), nullptr,
             pkg_version == 1 ? EVP_sha256() : EVP_md5(), nullptr);
  return hash;
}

std::string word_swapped(std::string hash) {
  for (std::size_t i = 0; i + 4 <= hash.size(); i += 4) std::reverse(hash.begin() + static_cast<std::ptrdiff_t>(i),
                                                                     hash.begin() + static_cast<std::ptrdiff_t>(i + 4));
  return hash;
}

void write_all(Choices& c, Package& p, Form form) {
  p.entries.clear();
  for (const auto& [path, data] : p.files) {
    const std::size_t at = c.below(p.entries.size() + 1);
    p.entries.insert(p.entries.begin() + static_cast<std::ptrdiff_t>(at), file_entry(c, path, data, form));
  }
}

std::size_t add_file(Choices& c, Package& p, const std::string& path, const std::string& data, Form form) {
  const std::size_t at = c.below(p.entries.size() + 1);
  p.entries.insert(p.entries.begin() + static_cast<std::ptrdiff_t>(at), file_entry(c, path, data, form));
  p.files[path] = data;
  return at;
}

void add_entry(Choices& c, Package& p, Entry e) {
  const std::size_t at = c.below(p.entries.size() + 1);
  p.entries.insert(p.entries.begin() + static_cast<std::ptrdiff_t>(at), std::move(e));
}

void compress(Choices& c, Package& p) { p.compression = gen_gzip(c); }

std::size_t pick_entry(Choices& c, const Package& p, bool with_data) {
  const std::size_t first = c.below(p.entries.size());
  // A model's manifests have data, so there is one.
  for (std::size_t i = 0; i < p.entries.size(); ++i) {
    const std::size_t at = (first + i) % p.entries.size();
    if (!with_data || !p.entries[at].header.data.empty()) return at;
  }
  return first;
}

Package gen_package(Choices& c) {
  Package p;
  const Model model = gen_model(c);
  p.options = model.options;
  p.options.verify_digest = false;  // until a kind asks for it
  for (const auto& [path, member] : model.members) p.files[path] = member.text();
  write_all(c, p, {});
  p.tail = gen_tail(c);
  p.unpadded = c.below(kBlock);
  p.pkg_version = c.between(1, 2);
  if (c.chance(90) == (p.pkg_version == 2)) compress(c, p);
  p.major = c.chance(60) ? 2 : c.below(3);
  if (c.chance(30)) p.feature_bits = std::uint64_t{1} << (c.chance(20) ? 63 : c.below(27));
  if (c.chance(30)) p.header_size = c.edge(0, kHeader);
  if (c.chance(40)) p.rest = noise(c, 1 + c.below(40));
  if (c.chance(40)) p.digest = Digest::swapped;
  if (c.chance(30)) p.hash_rest = noise(c, 16);
  if (c.chance(30)) p.after = noise(c, c.edge(1, 600));
  return p;
}

}  // namespace assay::harness::neffs
