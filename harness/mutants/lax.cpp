// SPDX-License-Identifier: Apache-2.0
// Accepts what one requirement refuses. Which refusal is whose is told by the subject behind.
#include "harness/mutants/tables.h"

namespace assay::harness::wrong {
namespace {

constexpr LaxLowering kLower{};
constexpr LaxDecoding kDecode{};

const Mutant kMutants[] = {
    {"DT-007-lax", "DT-007", "takes an unknown dtype in a descriptor", kLower},
    {"VAR-001-lax", "VAR-001", "takes a def.json without var", kLower},
    {"VAR-002-lax", "VAR-002", "takes a variable without type or var_id", kLower},
    {"VAR-004-lax", "VAR-004", "takes var_ids with a hole", kLower},
    {"VAR-005-lax", "VAR-005", "takes a sub-graph without an output", kLower},
    {"VAR-007-lax", "VAR-007", "takes a variable without its size", kLower},
    {"VAR-008-lax", "VAR-008", "takes a pointer to no variable", kLower},
    {"VAR-012-lax", "VAR-012", "takes an alignment that is no power of two in 32 bits", kLower},
    {"VAR-015-lax", "VAR-015", "takes a dtype of 16 bytes and more", kLower},
    {"VAR-017-lax", "VAR-017", "takes a shape of more than 8 dimensions", kLower},
    {"VAR-019-lax", "VAR-019", "takes a list variable without list", kLower},
    {"VAR-022-lax", "VAR-022", "takes a file variable without its member", kLower},
    {"VAR-024-lax", "VAR-024", "takes a virtual variable without backing_variable_off", kLower},
    {"DMQ-002-lax", "DMQ-002", "takes more than 32 queues", kLower},
    {"DMQ-003-lax", "DMQ-003", "takes an owner that is no engine", kLower},
    {"DMQ-009-lax", "DMQ-009", "takes num_queues and queue_instances on an in, out or embedding_update queue", kLower},
    {"DMQ-012-lax", "DMQ-012", "takes a set of act_load queues, and two such queues", kLower},
    {"DMQ-013-lax", "DMQ-013", "takes embedding_update without its semaphore", kLower},
    {"DMQ-015-lax", "DMQ-015", "takes more than 32 semaphores", kLower},
    {"DMQ-017-lax", "DMQ-017", "knows no limit of descriptor generation", kLower},
    {"DMB-002-lax", "DMB-002", "takes a block without id, desc or destination", kLower},
    {"DMB-003-lax", "DMB-003", "takes a block for an unknown queue", kLower},
    {"DMB-004-lax", "DMB-004", "takes a block for an instance that no queue lists", kLower},
    {"DMB-017-lax", "DMB-017", "takes an unknown op", kLower},
    {"DMB-020-lax", "DMB-020", "takes a descriptor of no variable", kLower},
    {"DMB-023-lax", "DMB-023", "takes patterns of no dimension, of unequal lengths, of size 0", kLower},
    {"DMB-026-lax", "DMB-026", "takes a compute descriptor without from_arr", kLower},
    {"DMB-028-lax", "DMB-028", "takes no source and too many", kLower},
    {"DMB-030-lax", "DMB-030", "takes a compute pattern without dtype", kLower},
    {"LOW-007-lax", "LOW-007", "takes target 0", kLower},
    {"IMG-003-lax", "IMG-003", "takes any header", kDecode},
    {"IMG-004-lax", "IMG-004", "takes any image_size", kDecode},
    {"IMG-005-lax", "IMG-005", "takes any root", kDecode},
    {"IMG-006-lax", "IMG-006", "takes lists anywhere", kDecode},
    {"IMG-007-lax", "IMG-007", "checks no checksum", kDecode},
    {"IMG-008-lax", "IMG-008", "takes any target", kDecode},
    {"IMG-009-lax", "IMG-009", "takes records anywhere", kDecode},
    {"IMG-010-lax", "IMG-010", "does not look between records", kDecode},
    {"IMG-011-lax", "IMG-011", "takes records of any size", kDecode},
    {"IMG-012-lax", "IMG-012", "takes any directory count", kDecode},
    {"IMG-013-lax", "IMG-013", "takes any pointer", kDecode},
    {"IMG-014-lax", "IMG-014", "takes a NULL anywhere", kDecode},
    {"IMG-015-lax", "IMG-015", "does not compare counts and pointers", kDecode},
    {"IMG-016-lax", "IMG-016", "takes records in any order", kDecode},
    {"IMG-017-lax", "IMG-017", "does not look at the relocation list", kDecode},
    {"IMG-018-lax", "IMG-018", "does not look at strings", kDecode},
    {"IMG-019-lax", "IMG-019", "takes any code for an enumerator, any byte for a bool", kDecode},
    {"IMG-020-lax", "IMG-020", "does not look at padding", kDecode},
    {"IMG-021-lax", "IMG-021", "takes counts of any size", kDecode},
    {"IMG-022-lax", "IMG-022", "takes any ninstr", kDecode},
    {"IMG-023-lax", "IMG-023", "takes any var_id", kDecode},
    {"IMG-024-lax", "IMG-024", "takes holes in dma[]", kDecode},
};

}  // namespace

std::span<const Mutant> lax_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
