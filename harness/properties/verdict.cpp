// SPDX-License-Identifier: Apache-2.0
#include "harness/properties/verdict.h"

#include <fmt/format.h>

namespace assay::harness {

std::string Violation::text() const {
  return fmt::format("{} at {}: expected {}, got {} ({})", requirement, place, expected, actual, property);
}

std::string Verdict::requirement() const {
  if (violations.empty()) return {};
  for (const Violation& v : violations)
    if (v.requirement != violations.front().requirement) return {};
  return violations.front().requirement;
}

}  // namespace assay::harness
