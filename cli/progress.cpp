// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <system_error>

#include "cli/io.h"
#include "cli/text.h"

namespace assay::cli {

ProgressLine::ProgressLine() {
  if (!is_terminal(STDERR_FILENO)) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No thread to be had: no progress shown.
  }
}

void ProgressLine::at(std::string phase) {
  const std::lock_guard<std::mutex> lock(mutex_);
  phase_ = std::move(phase);
}

void ProgressLine::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ProgressLine::run() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kQuiet = std::chrono::seconds(1), kTick = std::chrono::seconds(1);
  constexpr std::size_t kWidth = 70;  // a longer line would wrap and could not be cleared
  const auto begin = Clock::now();
  bool shown = false;
  std::unique_lock<std::mutex> lock(mutex_);
  auto wait = kQuiet;
  while (!wake_.wait_for(lock, wait, [this] { return stopping_; })) {
    wait = kTick;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin);
    std::string text = escape_text(phase_);
    if (text.size() > kWidth) text = escape_text(text.substr(0, kWidth)) + "...";
    const std::string line = fmt::format("\r\x1b[K{} [{} s]", text, seconds.count());
    write_all(STDERR_FILENO, as_bytes(line));
    shown = true;
  }
  if (shown) write_all(STDERR_FILENO, as_bytes(std::string_view("\r\x1b[K")));
}

}  // namespace assay::cli
