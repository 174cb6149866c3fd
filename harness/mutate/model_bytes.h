// SPDX-License-Identifier: Apache-2.0
// A model in a compact, self-contained byte form, for fuzz inputs and their corpora. It is no
// container: what a NEFF may hold and this may not is listed below, and limits are not stored.
//
//   byte 0        bits 0-2 options.arch + 1 (0: none), 3 allow_legacy, 4 verify_digest,
//                 5 assume_no_signals, 6 fp8 overrides follow, 7 zero
//   fp8           a byte of which are there (bits 0-5, in the order of FP8-004), a byte of the four
//                 flags (where there), then the two numbers, 4 bytes each (where there)
//   members       to the end, paths ascending: number 2 * length of the path + (1 for JSON), path,
//                 number of bytes, bytes (documents as JSON text)
// Numbers are LEB128 in their shortest form, at most 4 bytes.
#pragma once

#include <optional>
#include <string>

#include "harness/gen/model.h"

namespace assay::harness {

std::string to_bytes(const Model& model);
std::size_t size_of(const Model& model);  // of to_bytes(), without making it

// Any bytes: nullopt where they are no model, more than kMostModelBytes, or hold a document nested
// deeper than kMostJsonDepth. Of duplicate keys in a document the last counts.
inline constexpr std::size_t kMostModelBytes = 4 << 20;
std::optional<Model> from_bytes(ByteView bytes);

}  // namespace assay::harness
