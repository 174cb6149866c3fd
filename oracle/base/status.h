// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay {

// NRT_STATUS codes a lowering can answer with (enums.json, NRT_STATUS).
enum class NrtStatus : std::uint32_t {
  success = 0,
  failure = 1,
  invalid = 2,
  resource = 4,
  unsupported_neff_version = 10,
};

// How a lowering that is not "ok" ended (lowering.md, the four results).
enum class Outcome : std::uint8_t {
  refused,      // a status and a reason, nothing produced
  trapped,      // the original aborts on an assertion; counts as refused
  unspecified,  // the facts end here: neither accepted nor refused
};

constexpr const char* name_of(NrtStatus s) {
  switch (s) {
    case NrtStatus::success: return "NRT_SUCCESS";
    case NrtStatus::failure: return "NRT_FAILURE";
    case NrtStatus::invalid: return "NRT_INVALID";
    case NrtStatus::resource: return "NRT_RESOURCE";
    case NrtStatus::unsupported_neff_version: return "NRT_UNSUPPORTED_NEFF_VERSION";
  }
  return "?";
}

constexpr const char* name_of(Outcome o) {
  switch (o) {
    case Outcome::refused: return "refused";
    case Outcome::trapped: return "trapped";
    case Outcome::unspecified: return "unspecified";
  }
  return "?";
}

}  // namespace assay
