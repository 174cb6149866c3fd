// SPDX-License-Identifier: Apache-2.0
// Everything that may influence a lowering besides its input (lowering.md), and the project's own
// bounds. The environment is never read.
#pragma once

#include <cstdint>
#include <optional>

#include "oracle/dtype/enums.h"

namespace assay {

// Overrides of the six fp8 fields (FP8-004); an absent one leaves what the model says.
struct Fp8Overrides {
  std::optional<bool> fp8_range_extension;
  std::optional<std::uint32_t> emax_fp8_e4m3, emax_fp8_e5m2;
  std::optional<bool> ocp_sat, fp8_sis, fp8_sns;
};

// Bounds against hostile input; passing one is a refusal with status NRT_RESOURCE.
struct Limits {
  std::uint64_t expanded_bytes = std::uint64_t{4} << 30;  // of all members together
  std::uint64_t members = 1 << 20;
  std::uint64_t image_bytes = std::uint64_t{4} << 30;     // of all graphs' records together
};

struct Options {
  std::optional<ArchType> arch;  // the instance's architecture, or none
  bool allow_legacy = false;
  bool verify_digest = false;
  bool assume_no_signals = false;  // treat DMB-019's three keys as absent, and note each place
  Fp8Overrides fp8;
  Limits limits;
};

}  // namespace assay
