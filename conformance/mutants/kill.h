// SPDX-License-Identifier: Apache-2.0
// Whether the suite fails a mutant, and by its name: one row of the kill table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/mutants/choice.h"
#include "conformance/mutants/trial.h"

namespace assay::conformance {

enum class Kill : std::uint8_t {
  killed,    // a case that names its requirement fails with it among the failures, and it is right elsewhere
  alive,     // no case that names its requirement fails
  unnamed,   // one fails, but for other requirements alone
  astray,    // killed by name, but it passes no accepting case of some other area
  reported,  // its requirement is told by no failure but in a report: what differs is of medium evidence, a should
  error,     // it could not be asked
};
std::string_view name_of(Kill kill);

struct MutantRow {
  std::string id, requirement, what;
  Kill kill = Kill::error;
  std::string by;                 // the first case that killed it, or that reports its requirement
  std::size_t cases = 0;          // asked
  std::size_t failing = 0;        // of those
  std::size_t naming = 0;         // failing cases that name its requirement and tell it
  std::vector<std::string> astray;  // other areas without an accepting case that it passes
  std::string why;                // of error
  bool ran = false;               // it was come to
  bool should = false;            // all that differs rests on medium fields: can be reported only

  // Killed by name; one of a should part: reported.
  bool right() const { return should ? kill == Kill::reported : kill == Kill::killed && naming > 0; }
};

// A mutant whose answers differ in nothing but paths of medium evidence, which decide no must row (conformance.md,
// Comparison): it can be reported and never killed.
bool differs_in_should_alone(std::string_view mutant);

// Never throws but std::bad_alloc. `full`: every case of the suite.
MutantRow try_mutant(const SuiteMutant& mutant, const Suite& suite, const Choice& choice, Catalogue catalogue,
                     bool full);
// The same of any implementation that is taken for that mutant.
MutantRow try_as_mutant(const SuiteMutant& mutant, const Command& command, const Suite& suite, const Choice& choice,
                        Catalogue catalogue, bool full);

// The verdict on results of cases; `row.astray` is filled by who can ask more.
void judge_mutant(std::span<const Case> cases, std::span<const Result> results, MutantRow& row);

}  // namespace assay::conformance
