// SPDX-License-Identifier: Apache-2.0
// The dtype maps and per-target limits (enums.json, "tables"). Total functions: a code outside a
// table's domain is nullopt where the original traps.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/dtype/enums.h"

namespace assay {

// kbin_dtype_to_sdma_dtype: 1..15; anything else traps (DT-011).
std::optional<std::int32_t> kbin_dtype_to_sdma_dtype(std::int64_t kbin_dtype);

// kbin_cce_op_to_sdma_cce_op: FMA, ADD, MIN, MAX; anything else traps (DT-012).
std::optional<std::int32_t> kbin_cce_op_to_sdma_cce_op(std::int64_t kbin_op);

// kbin_get_dtype_size: bytes per element, through the SDMA code; 0 outside 1..15, no trap (DT-013).
std::uint32_t kbin_get_dtype_size(std::int64_t kbin_dtype);

// nrt_dtype_size: bytes per element of a graph I/O dtype; UNKNOWN is 1 (DT-004). nullopt for a
// code that no I/O string produces.
std::optional<std::uint32_t> nrt_dtype_size(std::int64_t nrt_dtype);

// Limits per target; the argument is 2, 3 or 4 (SUNDA, CAYMAN, MARIANA), anything else gives 0.
std::uint32_t max_fma_sources(std::int64_t target);
std::uint32_t max_cce_elements(std::int64_t target);
std::uint32_t max_hw_dge_count(std::int64_t target);

// Device-memory class of an engine's instruction stream; nullopt outside 0..4.
std::optional<std::uint32_t> engine_instr_usage_class(std::int64_t engine);

}  // namespace assay
