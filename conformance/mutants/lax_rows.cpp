// SPDX-License-Identifier: Apache-2.0
// Accepts what one requirement refuses. Which refusal is whose is told by the oracle behind.
#include "conformance/mutants/tables.h"

namespace assay::conformance {
namespace {

const harness::Edit kLower{harness::LaxLowering{}};

const SuiteMutant kMutants[] = {
    {"CON-001-lax", "CON-001", "takes a buffer of fewer than 1024 bytes", kLower},
    {"CON-002-lax", "CON-002", "does not look at header_size", kLower},
    {"CON-003-lax", "CON-003", "takes any major version", kLower},
    {"CON-004-lax", "CON-004", "does not look at the feature bits", kLower},
    {"CON-005-lax", "CON-005", "takes a data_size beyond the buffer", kLower},
    {"CON-006-lax", "CON-006", "takes any pkg_version", kLower},
    {"CON-010-lax", "CON-010", "compares no digest", kLower},
    {"CON-016-lax", "CON-016", "takes any .npy header", kLower},
    {"CON-017-lax", "CON-017", "takes a neff.json without a node that names the KELF descriptor", kLower},
    {"CON-019-lax", "CON-019", "takes a KELF descriptor without its keys", kLower},
    {"CON-022-lax", "CON-022", "takes two graphs of one name", kLower},
    {"CON-023-lax", "CON-023", "takes any target", kLower},
    {"CON-025-lax", "CON-025", "takes a target that is not the instance's", kLower},
    {"IO-001-lax", "IO-001", "takes a neff.json without its lists", kLower},
    {"IO-003-lax", "IO-003", "takes a head of no node", kLower},
    {"IO-004-lax", "IO-004", "takes an entry id outside the lists, and any number of dimensions", kLower},
    {"JSN-001-lax", "JSN-001", "takes invalid UTF-8", kLower},
    {"JSN-002-lax", "JSN-002", "takes what is no JSON", kLower},
    {"JSN-003-lax", "JSN-003", "takes integers beyond 64 bits", kLower},
    {"JSN-005-lax", "JSN-005", "takes anything for an integer", kLower},
    {"JSN-006-lax", "JSN-006", "takes what does not fit its field", kLower},
    {"JSN-016-lax", "JSN-016", "takes a value of any type", kLower},
    {"SEC-004-lax", "SEC-004", "takes an engine key that names no member", kLower},
    {"SEC-005-lax", "SEC-005", "takes an instr key that names no member", kLower},
    {"UCL-001-lax", "UCL-001", "takes a ucode_lib that names no member", kLower},
    {"UCL-002-lax", "UCL-002", "takes a library without its keys", kLower},
    {"UCL-003-lax", "UCL-003", "takes a library without its content", kLower},
    {"UCL-004-lax", "UCL-004", "takes any ulib_to_ucode_version", kLower},
    {"UCL-005-lax", "UCL-005", "takes any cpu_id and total_cpus", kLower},
    {"UCL-008-lax", "UCL-008", "takes functions without their keys, and any number of them", kLower},
    {"SBC-001-lax", "SBC-001", "takes a carveout without its keys, and of any type", kLower},
    {"SBC-002-lax", "SBC-002", "takes a CAYMAN graph without runtime_statebuffer_reservation", kLower},
    {"ACT-002-lax", "ACT-002", "takes a set that is not found", kLower},
    {"ACT-004-lax", "ACT-004", "takes a set without its members", kLower},
    {"ACT-005-lax", "ACT-005", "takes a profile without its list, and any length of it", kLower},
    {"DVE-001-lax", "DVE-001", "takes a table that names no member", kLower},
};

}  // namespace

std::span<const SuiteMutant> lax_rows() { return kMutants; }

}  // namespace assay::conformance
