// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <ctime>

namespace assay::cli {
namespace {

std::atomic<int> g_signal = 0;
std::atomic<bool> g_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);
std::atomic<std::time_t> g_since = 0;  // of the first, seconds
static_assert(std::atomic<std::time_t>::is_always_lock_free);

std::time_t seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

void on_signal(int signal) {
  g_interrupted = true;
  if (g_signal == 0) g_since = seconds();
  int none = 0;
  if (g_signal.compare_exchange_strong(none, signal)) return;
  if (seconds() <= g_since + 1) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void remember_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    ::sigaction(signal, &action, nullptr);
  }
}

bool was_interrupted() { return g_signal != 0; }

const std::atomic<bool>& interrupted_flag() { return g_interrupted; }

Exit interrupted_exit() { return static_cast<Exit>(128 + g_signal); }

}  // namespace assay::cli
