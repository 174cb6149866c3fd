// SPDX-License-Identifier: Apache-2.0
// Generated cases: number i of a seed depends on i and the seed alone, so that a list of them can be made again
// from what a certificate records. What they expect is what the oracle answers. None is drawn twice for an
// implementation's sake: they are made before any is asked.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/suite/case.h"

namespace assay::conformance {

// Case `index` of `seed`: "generated/SEED/INDEX", and before it, of a refusal, its twin "generated/SEED/INDEX.twin".
// Its requirements are the row that refuses, or the row of the whole answer where it is accepted. The flag "should":
// the case as a whole rests on a row that is no must, and decides none; else `ignore` lists the paths that do.
// `is_must` tells the level of a row. Throws std::bad_alloc at most.
std::vector<Case> generated_case(std::uint64_t seed, std::uint64_t index,
                                 bool (*is_must)(std::string_view requirement));

// Cases 0..count-1, twins among them.
std::vector<Case> generated_cases(std::uint64_t seed, std::uint64_t count,
                                  bool (*is_must)(std::string_view requirement));

}  // namespace assay::conformance
