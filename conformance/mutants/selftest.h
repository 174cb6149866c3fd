// SPDX-License-Identifier: Apache-2.0
// The suite's own proof (conformance.md): every mutant fails it by the name of its requirement, and every hostile
// implementation comes to the verdicts that are right for it. Jobs are processes, so that whatever an implementation
// does to the runner costs its own row. Who asks for it prints it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/mutants/hostile.h"
#include "conformance/mutants/trace.h"

namespace assay::conformance {

struct SelfTestOptions {
  bool full = false;      // every case to every mutant; else those of its requirement and a sample
  unsigned jobs = 2;      // 1 to 64 processes
  std::vector<std::string> only;  // ids of mutants and names of hostile implementations; empty: all
  // Called between waits, ten times a second and for each row that is done, by the caller's thread.
  std::function<void(std::size_t done, std::size_t of)> progress;
  std::function<bool()> interrupted;  // whether to stop
};

struct SelfTest {
  std::vector<MutantRow> mutants;  // in the order of suite_mutants()
  std::vector<HostileRow> hostile;
  std::vector<std::string> without_case, without_mutant;  // rows of the trace that lack one; of a whole run only
  bool whole = true;                                      // all of them were asked for
  bool interrupted = false;
  double seconds = 0;

  // Mutants that a case can fail; of those of a should part (`should`) a report alone can tell.
  std::size_t killable() const, killed() const, by_name() const, reported() const;
  std::size_t hostile_right() const;
  std::size_t not_judged() const;  // rows not come to, and mutants that could not be asked
  // Nothing is missing: every mutant killed by name (one of a should part: reported), every hostile one right.
  bool sound() const;
  // One that was judged is not so, or a requirement lacks a case or a mutant.
  bool unsound() const;
};

// The suite and the catalogue are borrowed. Starts processes, and so should be called while this process has no
// other threads at work. Throws std::bad_alloc at most.
SelfTest run_selftest(const Suite& suite, Catalogue catalogue, const SelfTestOptions& options);

// The kill table, what lacks, and a last line with the counts. Ends in a newline.
std::string selftest_text(const SelfTest& test);
// {"mutants","killed","by_name","reported","hostile","hostile_right","without_case","without_mutant","whole",
// "interrupted","not_judged","sound","seconds","rows","hostile_rows"}: rows that were come to.
std::string selftest_json(const SelfTest& test);

// Rows as text between processes. Internal to this room.
std::string line_of(const MutantRow& row);
std::string line_of(const HostileRow& row);
bool read_line(const std::string& line, MutantRow& row);
bool read_line(const std::string& line, HostileRow& row);

}  // namespace assay::conformance
