// SPDX-License-Identifier: Apache-2.0
// What a long job is at, on a terminal's last line. Silent in pipes and files, and during the
// first second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace assay::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { stop(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void at(std::string phase);  // "lowering sg00 (1 of 2)"; escaped here
  void stop();                 // clears the line; called before anything else is printed

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string phase_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace assay::cli
