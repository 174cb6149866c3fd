// SPDX-License-Identifier: Apache-2.0
// Which requirement speaks for which path of an image: one table, and the few rows that depend on
// what the oracle's image holds there. Internal to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/origins.h"
#include "oracle/base/result.h"
#include "oracle/image/image.h"
#include "oracle/tree/tree.h"

namespace assay::harness::compare {

// "dma[2].ring_instances[0].desc[4].op" as "dma[].ring_instances[].desc[].op" and {2, 0, 4}.
struct Path {
  explicit Path(std::string_view text);
  std::string shape;
  std::vector<std::uint64_t> index;
};

// The oracle's side of a comparison.
struct Expected {
  const Tree& tree;
  Origins& origins;

  // The record of the oracle's tree that a path leads through; nullptr where it has none.
  const kbin_mem_ref* variable(const Path& p) const;
  const kbin_dma_t* queue(const Path& p) const;
  const kbin_dma_ring_instance_t* instance(const Path& p) const;
  const kbin_dma_desc_t* descriptor(const Path& p) const;
};

// The row of a difference in value; both texts are value_text's.
std::string_view row_of_difference(const Difference& d, const Path& p, const Expected& e);

// The row of a finding of the verifier in an answer to `lower`, or "" where none but IMG-001 is
// meant. `image` is the answer.
std::string_view row_of_finding(const Finding& f, ByteView image, const Expected& e);

// Every row that the two functions above can name.
std::vector<std::string_view> rows_of_paths();

// The row of the record that a path's value lies in (LAY).
std::string_view row_of_layout(const Path& p);

}  // namespace assay::harness::compare
