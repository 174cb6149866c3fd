// SPDX-License-Identifier: Apache-2.0
// Cases that kill the process that checks them, made smaller at the price of a process each.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <optional>

#include "harness/cases/reduce_case.h"
#include "harness/rapidcheck/board.h"

namespace assay::harness::run {
namespace {

constexpr std::int64_t kBudget = 20'000'000'000;  // ns for one death
constexpr int kChecks = 2000, kNotSo = 7;

// How a process ended that did this; "" when it was done, and true.
std::string in_a_process(const std::function<bool()>& what, std::uint64_t seconds) {
  const pid_t pid = ::fork();
  if (pid < 0) return "no process to be had";
  if (pid == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) {
      ::dup2(null, STDOUT_FILENO);
      ::dup2(null, STDERR_FILENO);
    }
    ::alarm(static_cast<unsigned>(seconds));
    ::signal(SIGALRM, SIG_DFL);
    ::_exit(what() ? 0 : kNotSo);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return how_it_ended(status);
}

}  // namespace

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    return fmt::format("died by signal {} (SIG{})", signal, name == nullptr ? "?" : name);
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code == 0 ? "" : fmt::format("exited with code {}", code);
}

void reduce_death(const Property& property, const Subject& subject, Case& c, const std::string& how,
                  std::uint64_t seconds) {
  const std::int64_t end = now_ns() + kBudget;
  const auto dies = [&](const Case& candidate) {
    return in_a_process([&] { return property.check(subject, candidate).kind != Verdict::Kind::cannot_say; },
                        seconds) == how;
  };
  if (!dies(c)) return;  // not in a process of its own: then it is kept as it came
  // The oracle is asked in this process only what it survived in another.
  const bool oracle_lives = in_a_process([&] { return OracleView(c), true; }, seconds).empty();
  std::optional<OracleView> oracle;
  if (oracle_lives) oracle.emplace(c);
  Cursor cursor;
  for (int checks = 0; checks < kChecks && now_ns() < end; ++checks) {
    auto candidate = next_smaller(c, cursor);
    if (!candidate) return;
    if (oracle && (!in_a_process([&] { return oracle->same_sort(*candidate); }, seconds).empty() ||
                   !oracle->same_sort(*candidate)))
      continue;
    if (!dies(*candidate)) continue;
    c = std::move(*candidate);
    cursor.accept();
  }
}

}  // namespace assay::harness::run
