// SPDX-License-Identifier: Apache-2.0
// A NEFF file in parts, each of which a kind may replace before the file is put together: the
// members of a valid model as tar entries, the compression, the header. Sound until it is spoilt.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/gen/gen.h"
#include "harness/gen/neffs/gzip.h"
#include "harness/gen/neffs/tar.h"

namespace assay::harness::neffs {

inline constexpr std::uint64_t kUnchecked = ~std::uint64_t{0};

// Header fields, offsets in the file.
inline constexpr std::uint64_t kHeader = 1024;
inline constexpr std::uint64_t kPkgVersionAt = 0, kHeaderSizeAt = 8, kDataSizeAt = 16, kMajorAt = 24, kHashAt = 172,
                               kFeatureBitsAt = 544;

enum class Digest : std::uint8_t { plain, swapped };

struct Package {
  Options options;
  std::map<std::string, std::string> files;  // what a reader gets

  // The archive.
  std::vector<Entry> entries;
  std::string tail;                          // end blocks, and what lies behind them
  std::size_t unpadded = 0;                  // bytes that the last entry's padding lacks, without a tail
  std::optional<std::uint64_t> cut;          // bytes of the tar that are there
  std::vector<GzipMember> compression;       // none: stored as it is
  std::optional<std::string> archive_bytes;  // in place of all of these

  // The header.
  std::uint64_t pkg_version = 1, header_size = kHeader, major = 2, feature_bits = 0;
  std::optional<std::uint64_t> data_size;    // another than the archive's
  std::string rest;                          // what the fields that nobody reads are filled from
  Digest digest = Digest::plain;
  std::optional<std::string> hash;           // 32 bytes, in place of the right ones
  std::string hash_rest;                     // behind an MD5

  std::string after;                         // behind data_size bytes
  std::optional<std::size_t> file_size;      // cut there

  std::string tar() const;
  std::uint64_t header_at(std::size_t entry) const;  // of its own header, in the tar
  std::uint64_t end_at() const;                      // of the tail, in the tar
  GzipStream stream() const;                         // of a compressed one
  std::string archive() const;
  std::string file() const;
};

// SHA-256 or MD5 as pkg_version has it, the rest zero; and each 32-bit word of it reversed.
std::string digest_of(std::uint64_t pkg_version, std::string_view archive);
std::string word_swapped(std::string hash);

// A package of a generated model, in any sound form.
Package gen_package(Choices& c);

// Means of the kinds. Each leaves a sound package sound.
void write_all(Choices& c, Package& p, Form form);  // every member once, in some order
// One more member that is kept, of a path that no other has; returns its index.
std::size_t add_file(Choices& c, Package& p, const std::string& path, const std::string& data, Form form = {});
void add_entry(Choices& c, Package& p, Entry e);    // that nobody keeps, anywhere
void compress(Choices& c, Package& p);              // with whatever pkg_version it has
std::size_t pick_entry(Choices& c, const Package& p, bool with_data);

// One row per kind: prepare makes the form (of the twin, where there is a defect), defect spoils a
// copy and says where the refusal must stand.
struct Kind {
  NeffKind row;
  void (*prepare)(Choices&, Package&);
  std::uint64_t (*defect)(Choices&, Package&);
};
std::span<const Kind> tar_forms();
std::span<const Kind> file_forms();    // gzip, digest, header
std::span<const Kind> header_faults();
std::span<const Kind> tar_faults();
std::span<const Kind> gzip_faults();
std::span<const Kind> limit_faults();

}  // namespace assay::harness::neffs
