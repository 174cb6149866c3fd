// SPDX-License-Identifier: Apache-2.0
// The proof of the catalogue: whether its properties tell every mutant from the oracle, name the
// mutant's requirement and no other, and hold on it wherever it is right. It decides nothing: what
// counts as proven is said by who reads the table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::harness {

struct KillRow {
  std::string id, requirement;
  std::optional<std::string> killed_by;  // the property of the first case that told it; none: alive
  std::uint64_t cases = 0;   // number of that case, from 1; of an alive one: cases run
  std::uint64_t others = 0;  // verdicts that name another requirement, alone or beside the own one
  std::uint64_t agreed = 0;  // cases whose property holds on it
  std::string other;         // the first violation of another requirement, one line; empty: none
};

inline constexpr std::uint64_t kAgreedEnough = 1000;

// Every mutant in front of the oracle over one sequence of cases: case i and its property depend on
// `seed` and i alone, properties in proportion to their weights. A mutant leaves once it is killed
// and has agreed kAgreedEnough times, or the cases run out. `jobs` threads share the mutants; the
// table does not depend on their number. `progress` (may be empty) is called by one thread at a time
// when a mutant has left. Once `interrupted` (may be empty; asked by all threads) says so the table is empty.
std::vector<KillRow> kill_table(std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                                const std::function<void(std::size_t done, std::size_t of)>& progress,
                                const std::function<bool()>& interrupted = {});

}  // namespace assay::harness
