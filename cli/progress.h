// SPDX-License-Identifier: Apache-2.0
// What a long job is at, on a terminal's last line. Silent in pipes and files, and during the
// first second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace assay::cli {

// The line itself, drawn when its owner says so: for commands that fork, and so should have no second thread.
class ProgressText {
 public:
  ProgressText();
  ~ProgressText() { clear(); }
  ProgressText(const ProgressText&) = delete;
  ProgressText& operator=(const ProgressText&) = delete;

  bool on() const { return on_; }     // there is a terminal
  void draw(std::string_view phase);  // once a second at most, however often it is called; escaped here
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool on_, shown_ = false;
  Clock::time_point begin_, last_;
};

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

  ProgressText text_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string phase_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace assay::cli
