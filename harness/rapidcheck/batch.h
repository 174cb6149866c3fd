// SPDX-License-Identifier: Apache-2.0
// One property on a run of generated cases, by RapidCheck: a case is drawn whole from one 64-bit
// seed, and shrinks through its own cursor alone. The same specification gives the same cases and the
// same smaller ones. Counts, time and listeners are the caller's; nothing is printed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/cases/reduce_case.h"
#include "harness/properties/property.h"

namespace assay::harness {

struct BatchSpec {
  const Property* property = nullptr;
  const Subject* subject = nullptr;
  std::uint64_t seed = 0;           // of the batch
  std::uint64_t cases = 0;
  std::uint64_t reduce_checks = 0;  // candidates tried to make a failure smaller
};

// Called around each case; empty ones are not.
struct BatchEvents {
  std::function<bool()> go_on;                          // false: no more cases, and no smaller ones
  std::function<void(std::uint64_t seed)> generating;   // RandomChoices(seed) gives the case
  std::function<void(const Case&)> checking;            // a generated one
  std::function<void()> reducing;                       // a smaller one is about to be made or checked
  std::function<bool(const Signature&)> worth_reducing;  // false: known already
};

struct BatchFailure {
  std::uint64_t case_seed = 0;
  Case smallest;
  Verdict verdict;  // of the smallest
  Signature signature;
  std::uint64_t checks = 0;  // candidates tried
};

struct BatchResult {
  std::uint64_t cases = 0;       // generated and checked, the failing one among them
  std::uint64_t cannot_say = 0;  // of those
  std::string why;               // of the last cannot_say
  std::optional<BatchFailure> failure;  // the first: the batch ends with it
  std::string error;             // memory ran out, say: the batch ends with it
};

BatchResult run_batch(const BatchSpec& spec, const BatchEvents& events = {});

// The case that a seed stands for.
Case case_from_seed(const Property& property, std::uint64_t seed);
// A seed of parts, for batches of a run: the same under every compiler.
std::uint64_t mixed_seed(std::uint64_t seed, std::string_view name, std::uint64_t batch, std::uint64_t done);

}  // namespace assay::harness
