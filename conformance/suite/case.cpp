// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/case.h"

#include <iterator>

namespace assay::conformance {
namespace {

constexpr std::string_view kOps[] = {"dtype", "lower", "lower_neff", "decode", "neff_ip", "resolve", "udma"};
constexpr std::string_view kOrigins[] = {"fixed", "regression", "generated"};
constexpr std::string_view kOutcomes[] = {"pass", "fail", "error", "unproven", "unsupported", "skipped"};
static_assert(std::size(kOps) == static_cast<std::size_t>(Op::udma) + 1);
static_assert(std::size(kOrigins) == static_cast<std::size_t>(Origin::generated) + 1);
static_assert(std::size(kOutcomes) == static_cast<std::size_t>(Outcome::skipped) + 1);

}  // namespace

std::string_view name_of(Op op) { return kOps[static_cast<std::size_t>(op)]; }
std::string_view name_of(Origin origin) { return kOrigins[static_cast<std::size_t>(origin)]; }
std::string_view name_of(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::optional<Op> op_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kOps); ++i)
    if (kOps[i] == name) return static_cast<Op>(i);
  return std::nullopt;
}

}  // namespace assay::conformance
