// SPDX-License-Identifier: Apache-2.0
// Made-up inputs of a given size, the same in every run. Nothing here measures.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/base/bytes.h"
#include "oracle/container/members.h"

namespace assay::bench {

// A def.json of about `bytes` bytes that is nearly all `virtual` variables.
enum class Spelling {
  shortest,  // the required keys alone, without white space: about 90 bytes each
  usual,     // as a compiler writes them, with keys that nobody reads: about 250 bytes each
};
Buffer definition_of_bytes(std::uint64_t bytes, Spelling spelling);

// A def.json of n variables in the usual spelling, one of them the output.
Buffer definition_of_variables(std::uint64_t n);
// A def.json of one block with n descriptors.
Buffer definition_of_descriptors(std::uint64_t n);

// Members of a whole model of one graph whose bytes are nearly all weights.
Members model_of_blobs(std::uint64_t bytes);

Buffer read_file(const std::string& path);  // empty when it cannot be read

}  // namespace assay::bench
