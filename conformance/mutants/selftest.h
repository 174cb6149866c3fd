// SPDX-License-Identifier: Apache-2.0
// The suite's own proof (conformance.md): every mutant fails it by the name of its requirement, and every hostile
// implementation comes to the verdicts that are right for it. Jobs are processes, so that whatever an implementation
// does to the runner costs its own row. Who asks for it prints it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/mutants/hostile.h"
#include "conformance/mutants/kill.h"

namespace assay::conformance {

struct SelfTestOptions {
  bool full = false;      // every case to every mutant; else those of its requirement and a sample
  unsigned jobs = 2;      // 1 to 64 processes
  std::vector<std::string> only;  // ids of mutants and names of hostile implementations; empty: all
  // Called between waits, by the caller's thread: a row is done; whether to stop.
  std::function<void(std::size_t done, std::size_t of, const std::string& name)> progress;
  std::function<bool()> interrupted;
};

struct SelfTest {
  std::vector<MutantRow> mutants;  // in the order of suite_mutants()
  std::vector<HostileRow> hostile;
  std::vector<std::string> without_mutant;  // rows that count and have none; of a whole run only
  bool interrupted = false;                 // rows are missing
  double seconds = 0;

  // Of mutants that can fail a must row: those of a should part (`should`) are told apart.
  std::size_t judged() const, killed() const, by_name() const, reported() const;
  std::size_t hostile_right() const;
  // Nothing is missing: every mutant killed by name (one of a should part: reported), every hostile one right.
  bool sound() const;
};

// The suite and the catalogue are borrowed. Starts processes, and so should be called while this process has no
// other threads at work. Throws std::bad_alloc at most.
SelfTest run_selftest(const Suite& suite, Catalogue catalogue, const SelfTestOptions& options);

// The kill table, what lacks, and a last line with the counts. Ends in a newline.
std::string selftest_text(const SelfTest& test);
// {"mutants","killed","by_name","reported","hostile","hostile_right","without_mutant","sound","rows","hostile_rows"}.
std::string selftest_json(const SelfTest& test);

// Rows as text between processes. Internal to this room.
std::string line_of(const MutantRow& row);
std::string line_of(const HostileRow& row);
bool read_line(const std::string& line, MutantRow& row);
bool read_line(const std::string& line, HostileRow& row);

}  // namespace assay::conformance
