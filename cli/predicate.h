// SPDX-License-Identifier: Apache-2.0
// A user's command as a yes or no: run by the shell in a process group of its own, bounded in time.
// What it prints is dropped. While one of these lives, SIGINT and SIGTERM do not end the process:
// they end the command and are remembered.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

#include "cli/io.h"

namespace assay::cli {

// Whether {} stands in a command where it is no word of its own and would not be replaced.
bool has_bound_braces(const std::string& command);

class Predicate {
 public:
  // A lone word {} in `command` stands for the case's path; without one it is appended.
  Predicate(const std::string& command, std::uint64_t timeout_seconds);
  ~Predicate();
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;

  // Whether the command exits with 0 for the case at `path`, which is in $ASSAY_CASE as well. An
  // error where it could not be started.
  Io<bool> holds(const std::string& path);
  const std::string& last() const { return last_; }  // "exited with 3", "took more than 10 s"
  // Of the run before: the command could not be run at all (exit codes 126 and 127), or did not end in time.
  bool could_not_run() const { return could_not_run_; }
  bool was_late() const { return was_late_; }

  static bool interrupted();
  static int signal();  // that interrupted; 0: none

 private:
  std::string command_, last_;
  bool could_not_run_ = false, was_late_ = false;
  std::uint64_t timeout_;
  struct sigaction before_[3];
};

}  // namespace assay::cli
