// SPDX-License-Identifier: Apache-2.0
// What targets count of their inputs, for fuzzers/measure. Nothing is decided by it.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/lower/lower.h"

extern "C" {
// Inputs so far; of these, those that reached lowering: container, JSON text and manifests were read, so
// that the lowering of a definition began (an image: the checksum is right); and those accepted.
extern std::uint64_t assay_fuzz_executions, assay_fuzz_reached, assay_fuzz_accepted;
}

namespace assay::fuzz {

// With ASSAY_FUZZ_STATS set the three are printed at the program's end, and how many models were lowered.
void start_statistics();

void reached();
void accepted();  // reached as well

// What was lowered, and its graphs' images. It counts as a model once: what another document says in
// other words, to the same images and tensors, is none of its own.
void note_model(const Lowered& lowered, const std::vector<Buffer>& images);

}  // namespace assay::fuzz
