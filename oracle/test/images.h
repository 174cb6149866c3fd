// SPDX-License-Identifier: Apache-2.0
// Images as bytes for the image tests: hand-written hex, edits in place, rebuilding with records
// moved, and what a verifier said. It uses the code under test to read paths, never to judge.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "oracle/image/image.h"

namespace assay::test {

using Bytes = std::vector<std::uint8_t>;

// The bytes of corpus/images/<name>: hex pairs, HH*N repeats, @N asserts the position, # comments.
Bytes load_hex(const std::string& name);
std::string read_corpus(const std::string& name);

// CRC-32 by its definition, as a second opinion.
std::uint32_t plain_crc32(const Bytes& bytes, std::size_t from);
void repair(Bytes& image);  // writes the checksum

Bytes encoded(const Tree& tree);  // throws when encode refuses

// An exact-size heap copy with its inspection; the view borrows the copy.
struct Inspected {
  Buffer bytes;
  Inspection result;
};
Inspected look_at(const Bytes& image, std::size_t max_findings = 100);
std::string findings_text(const Inspection& inspection);

// Accepted, walkable, and encode(to_tree(view)) gives the same bytes.
::testing::AssertionResult sound(const Bytes& image);
// Refused with a first finding of `row` ("IMG-013"); decode() must say the same.
::testing::AssertionResult refused_as(const Bytes& image, const std::string& row);

// Offsets of every path of a sound image; NULL pointers by their slot, strings by their text.
std::map<std::string, std::uint64_t> offsets_of(const Bytes& image);

std::uint32_t u32_at(const Bytes& b, std::uint64_t at);
std::uint64_t u64_at(const Bytes& b, std::uint64_t at);
void set_u32(Bytes& b, std::uint64_t at, std::uint32_t v);
void set_u64(Bytes& b, std::uint64_t at, std::uint64_t v);

// A sound image taken apart, to be put together again with something moved.
struct Parts {
  struct Link {
    std::uint64_t slot;  // bytes from the record's start
    std::size_t to;      // index into records
  };
  struct Rec {
    Bytes bytes;
    std::uint32_t kind, count;
    std::vector<Link> links;
    std::uint64_t gap = 0;  // bytes of zero before it, beyond the alignment's
  };
  Bytes header;  // 80 bytes
  std::vector<Rec> records;
  std::uint64_t gap_before_directory = 0;

  explicit Parts(const Bytes& image);
  // Records in the order given by `order` (indices; empty: as they are).
  Bytes build(const std::vector<std::size_t>& order = {}) const;
};

// Index of the record whose pointer slot stands at an image offset of a sound image.
std::size_t record_of_slot(const Bytes& image, std::uint64_t slot);

// Offset of a directory entry, and of its fields: +0 offset, +8 size, +16 kind, +20 count.
std::uint64_t entry_at(const Bytes& image, std::size_t index);

}  // namespace assay::test
