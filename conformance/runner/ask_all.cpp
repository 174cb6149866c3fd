// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "conformance/runner/session.h"

namespace assay::conformance {
namespace {

void merge(Notes& into, const Notes& from) {
  into.starts += from.starts;
  const auto add = [](auto& to, const auto& values) {
    for (const auto& v : values)
      if (std::find(to.begin(), to.end(), v) == to.end()) to.push_back(v);
  };
  add(into.given_up, from.given_up);
  add(into.remarks, from.remarks);
  // Whoever was first must not show.
  std::sort(into.given_up.begin(), into.given_up.end());
  std::sort(into.remarks.begin(), into.remarks.end());
}

}  // namespace

Read<Asked> ask_all(const Command& command, const ChildLimits& limits, const std::string& suite, unsigned jobs,
                    std::span<const Question> questions, const std::function<void(std::size_t, Ending)>& tell,
                    const std::atomic<bool>* stop) {
  const std::size_t n = std::clamp<std::size_t>(jobs, 1, 64);
  std::mutex mutex;
  std::optional<Hello> hello;  // of the first
  Notes notes;
  std::string failed;
  const auto work = [&](std::size_t job) {
    std::vector<Question> mine;
    for (std::size_t i = job; i < questions.size(); i += n) mine.push_back(questions[i]);
    if (mine.empty() && job != 0) return;
    auto session = Session::start(command, limits, suite, stop);
    if (session)
      session->ask(mine, [&](std::size_t index, Ending ending) {
        const std::lock_guard lock(mutex);
        tell(job + index * n, std::move(ending));
      });
    const std::lock_guard lock(mutex);
    if (!session) {
      failed = session.error();
      return;
    }
    if (!hello) hello = session->hello();
    else if (const auto other = difference(*hello, session->hello()); !other.empty()) failed = other;
    merge(notes, session->notes());
  };
  std::vector<std::thread> threads;
  for (std::size_t job = 1; job < n; ++job)
    threads.emplace_back([&, job] {
      try {
        work(job);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = "out of memory";
      }
    });
  try {
    work(0);
  } catch (...) {
    const std::lock_guard lock(mutex);
    failed = "out of memory";
  }
  for (std::thread& t : threads) t.join();
  if (!failed.empty()) return tl::unexpected<std::string>(failed);
  if (!hello) return tl::unexpected<std::string>("no process answered");
  return Asked{std::move(*hello), std::move(notes)};
}

}  // namespace assay::conformance
