// SPDX-License-Identifier: Apache-2.0
// A run of one target under an engine: what is asked of it, what it tells, and the two engines. The
// processes are watched from outside: a deadline, and why each of them ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/fuzz_findings.h"

namespace assay::cli {

struct FuzzPlan {
  FuzzTarget target;
  std::uint64_t jobs = 1, seed = 1;
  std::optional<std::uint64_t> seconds, runs;
  std::string output, corpus;  // directories, absolute; they are there
};

struct FuzzCounts {
  std::uint64_t executions = 0, corpus = 0, edges = 0, slow_units = 0;
};

struct FuzzRun {
  FuzzCounts counts;
  double seconds = 0;
  bool interrupted = false;
  std::string error;  // why this was no run, or none to the end; empty: there is nothing to say
  std::string log;    // of the engine, where there is an error
  std::string unkept;  // why inputs of interest are perhaps not in the corpus; empty: they are
};

using FuzzTick = std::function<void(const FuzzCounts&, double seconds)>;

FuzzRun run_libfuzzer(const FuzzPlan& plan, Findings& findings, const FuzzTick& tick);
FuzzRun run_afl(const FuzzPlan& plan, Findings& findings, const FuzzTick& tick);

// Seconds that an engine has to end by itself once time is up, before it is told to.
double fuzz_grace(const FuzzTarget& target);
// The end of an output that says nothing else, on one line.
std::string last_words(const std::string& output);
// Moves an input that ends the target out of the corpus, to OUT/removed. False: it is not there (any more).
bool take_from_corpus(const FuzzPlan& plan, const std::string& name);

}  // namespace assay::cli
