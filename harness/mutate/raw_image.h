// SPDX-License-Identifier: Apache-2.0
// An image taken apart into its records, to be edited and put together again, wrong or not: records
// of any size and order, pointers by record, checksum and lists repaired. What corrupts, reduces and
// fuzzes images, and what imitates wrong implementations, edits this. It verifies nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/records/fields.h"

namespace assay::harness {

struct RawRecord {
  struct Pointer {
    std::uint64_t slot = 0;    // bytes from the start of the record
    std::size_t to = 0;        // index into RawImage::records
    std::uint64_t into = 0;    // bytes past that record's start; 0 in a valid image
    std::uint32_t listed = 1;  // how often the relocation list has the slot
  };
  static constexpr std::size_t kNull = ~std::size_t{0};  // as `to`: nothing is written, `listed` holds
  Kind kind = Kind::none;
  std::uint32_t count = 0;           // as in the directory
  std::vector<std::uint8_t> bytes;   // pointer slots are 0 here
  std::vector<Pointer> pointers;     // the non-NULL ones, ascending slot
  std::vector<std::uint8_t> behind;  // bytes before the next record is aligned; none in a valid image
};

struct RawImage {
  std::uint32_t target = 0, subgraph = 0;  // of the header
  std::vector<RawRecord> records;          // in directory order, the root first

  // Lays the records out one after the other, 16-aligned, with directory, relocation list, header
  // and checksum that agree with them.
  Buffer write() const;
  // Index of the record of a path's start, as dump paths have it ("dma[0]", "mem_ref_set"): nullopt
  // when there is none. For tests and mutants.
  std::optional<std::size_t> find(Kind kind, std::size_t nth) const;  // the nth of its kind
};

// Takes a walkable image apart; nullopt for any other. write() of it gives back a valid image's bytes.
std::optional<RawImage> read_raw(ByteView image);

// Whether these are at least a header's bytes, with the right checksum of the others.
bool checksum_holds(ByteView image);
// Puts the right checksum into the header of an image of at least 80 bytes.
void repair_checksum(Buffer& image);

}  // namespace assay::harness
