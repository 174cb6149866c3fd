// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "cli/io.h"
#include "cli/text.h"

namespace assay::cli {

namespace {

constexpr auto kTick = std::chrono::seconds(1);

}  // namespace

ProgressText::ProgressText() : on_(is_terminal(STDERR_FILENO)), begin_(Clock::now()), last_(begin_) {}

void ProgressText::draw(std::string_view phase) {
  constexpr std::size_t kWidth = 70;  // a longer line would wrap and could not be cleared
  const auto now = Clock::now();
  if (!on_ || now - last_ < kTick) return;
  last_ = now;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begin_);
  std::string text = escape_text(phase);
  if (text.size() > kWidth) text = escape_text(text.substr(0, kWidth)) + "...";
  write_all(STDERR_FILENO, as_bytes(fmt::format("\r\x1b[K{} [{} s]", text, seconds.count())));
  shown_ = true;
}

void ProgressText::clear() {
  if (std::exchange(shown_, false)) write_all(STDERR_FILENO, as_bytes(std::string_view("\r\x1b[K")));
}

ProgressLine::ProgressLine() {
  if (!text_.on()) return;
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
  std::unique_lock<std::mutex> lock(mutex_);
  while (!wake_.wait_for(lock, kTick, [this] { return stopping_; })) text_.draw(phase_);
  text_.clear();
}

}  // namespace assay::cli
