// SPDX-License-Identifier: Apache-2.0
// The little language of the hand-written sources: edits of a small model, its options and its file. Internal
// to the generator of the vector files; README.md in this directory lists the verbs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/gen/model.h"

namespace assay::conformance::vectors {

using harness::Json;

// A model with the options of one request.
struct Setting {
  harness::Model model;
  std::string definition = "sg00/def.json";
  std::uint32_t target = 2, subgraph = 0;  // of lower
  std::uint64_t pkg_version = 1;           // of lower_neff: the form of the file
  std::vector<Json> file_edits;            // made to the bytes of the packed file, or of the lowered image
};

// Values with $a, $n, $o and $hex written out.
Json expanded(const Json& value);

// One edit: an array of verb and arguments. An error is one line.
std::optional<std::string> apply(const Json& edit, Setting& setting);

// Edits of bytes: u8, u16, u32, u64, xor at an offset, cut to a length, append so many bytes.
std::optional<std::string> apply_to_bytes(const Json& edit, std::string& bytes);

}  // namespace assay::conformance::vectors
