// SPDX-License-Identifier: Apache-2.0
// The mutants by family, one table each. Internal to this room.
#pragma once

#include <span>

#include "harness/mutants/mutant.h"

namespace assay::harness::wrong {

std::span<const Mutant> dtype_mutants();
std::span<const Mutant> lax_mutants();    // of lowerings and of decodings
std::span<const Mutant> field_mutants();  // single values of an image
std::span<const Mutant> tree_mutants();   // order and pointers
std::span<const Mutant> layout_mutants();
std::span<const Mutant> document_mutants();

}  // namespace assay::harness::wrong
