// SPDX-License-Identifier: Apache-2.0
// KBIN images: a tree's file form, its verifier, and views of it. encode and decode share the
// record table and no code, so that one checks the other. Nothing here lowers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/records/fields.h"
#include "oracle/tree/tree.h"

namespace assay {

// Offsets of the image header's fields and its constants (image.md).
namespace image {
inline constexpr char kMagic[9] = "KBINIMG1";
inline constexpr std::uint64_t kHeaderSize = 80, kRoot = 80, kRecordAlign = 16;
inline constexpr std::uint64_t kMagicAt = 0, kHeaderSizeAt = 8, kFlagsAt = 12, kImageSizeAt = 16,
                               kRootAt = 24, kDirOffsetAt = 32, kRelocOffsetAt = 40,
                               kDirCountAt = 48, kRelocCountAt = 52, kTargetAt = 56,
                               kSubgraphAt = 60, kCrcAt = 64, kReservedAt = 68;
inline constexpr std::uint64_t kDirEntryBytes = 24, kRelocBytes = 8;
}  // namespace image

// Writes the tree's image (IMG-001). Refuses only by Limits::image_bytes, and where a count passes
// the header's 32 bits. The tree must be well formed, as lower() and to_tree() make it.
Result<Buffer> encode(const Tree& tree, const Limits& limits = {});

struct ImageHeader {
  std::uint64_t image_size, root, dir_offset, reloc_offset;
  std::uint32_t dir_count, reloc_count, target, subgraph, crc32;
};

struct DirEntry {
  std::uint64_t offset, size;  // bytes
  Kind kind;
  std::uint32_t count;
};

// One thing wrong with an image.
struct Finding {
  Reason reason;           // its row names the IMG requirement
  std::string path;        // record path ("mem_ref_set.mem[3].size"), "header", "directory[4]" ...
  std::uint64_t offset;    // bytes from the start of the image
  std::string detail;      // expected and actual
};

// A walkable image: the IMG rows on header, directory, records, pointers, strings and counts
// hold, so that every record can be reached without a further check. Borrows the bytes.
class View {
 public:
  ByteView bytes() const { return bytes_; }
  const ImageHeader& header() const { return header_; }
  std::size_t records() const { return dir_.size(); }
  const DirEntry& record_at(std::size_t i) const { return dir_[i]; }
  // The record a pointer slot leads to: slot is the image offset of an 8-byte slot. nullptr: NULL.
  const DirEntry* follow(std::uint64_t slot) const;
  const DirEntry* find(std::uint64_t record_offset) const;  // nullptr when no record starts there

 private:
  friend struct Inspector;
  ByteView bytes_;
  ImageHeader header_{};
  std::vector<DirEntry> dir_;
};

struct Inspection {
  std::vector<Finding> findings;  // in the order the rows are checked; at most max_findings
  bool truncated = false;         // more findings than max_findings
  std::optional<View> view;       // present when the image can be walked, whatever else is found
};

// Verifies every IMG row, on any bytes. Allocates at most a small multiple of the image's size.
Inspection inspect(ByteView image, std::size_t max_findings = 100);

// The strict decoder: a View, or a refusal with the first finding (place.offset, place.field).
Result<View> decode(ByteView image);

// Copies a view into a tree: encode(to_tree(decode(image))) == image for every valid image.
Result<Tree> to_tree(const View& view);

// One value met on a walk, in tree order.
struct FieldVisit {
  const std::string& path;    // "mem_ref_set.mem[3].size"; array slots one by one
  const Record& in;           // record that holds it
  const Field* field;         // nullptr for a tail or for a string, byte or u32[] record
  FieldType type;             // chars: a char array or string up to its NUL, base64 in JSON
  bool is_bytes;              // a blob or u8 array: `raw` is the whole value
  bool is_null;               // a NULL pointer
  EnumId enumeration;
  Grade grade;                // the lower of layout and value evidence
  std::uint64_t offset;       // bytes from the start of the image
  ByteView raw;               // the value's bytes; strings without their NUL
};
using FieldVisitor = std::function<void(const FieldVisit&)>;

// Visits every value in use: slots in use, the active union members, NULL pointers as such;
// blobs, strings and u8 arrays as one value each (conformance.md, paths).
void walk(const View& view, const FieldVisitor& visit);

// "17", "-3", "true", "\"pool\"", "high 4 bytes ..." for people: what a visit's value reads like,
// enum values as "NAME (code)".
std::string value_text(const FieldVisit& visit);

struct Difference {
  std::string path;
  std::string a, b;                    // value_text of either side, or "absent"
  Grade grade;
  std::uint64_t offset_a, offset_b;    // 0 where absent
};
struct DiffReport {
  std::vector<Difference> high, lower;  // lower: medium and ruling fields
  std::uint64_t compared = 0;           // paths
};
// Compares two views path by path (conformance.md, "Comparison"): values, and NULL or not.
DiffReport diff(const View& a, const View& b);

struct Note {
  std::string requirement, path, text;
};
// What later stages would object to: wishes, no findings (SBC-004).
std::vector<Note> later_stage_notes(const View& view);

std::uint32_t crc32_of(ByteView bytes);  // the zlib/PNG one

}  // namespace assay
