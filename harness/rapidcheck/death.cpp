// SPDX-License-Identifier: Apache-2.0
// Cases that kill the process that checks them, made smaller at the price of a process each.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>

#include "harness/cases/reduce_case.h"
#include "harness/rapidcheck/board.h"

namespace assay::harness::run {
namespace {

constexpr std::int64_t kBudget = 20'000'000'000;  // ns for one death
constexpr std::uint64_t kAsleep = 10;          // times the seconds of work
constexpr int kChecks = 2000, kNotSo = 7, kThrew = 8;

// What the machine lacked: no fault of the case.
constexpr std::string_view kNoPipe = "no pipe to be had", kNoProcess = "no process to be had",
                           kNoEnd = "how the process ended is not to be had", kStopped = "interrupted";
bool is_of_the_machine(std::string_view how) {
  return how == kNoPipe || how == kNoProcess || how == kNoEnd || how == kStopped;
}

// True when there is something to be read, false when it is to stop before that.
bool wait_for(int fd, const std::function<bool()>& stop) {
  constexpr int kAsk = 100;  // ms
  pollfd waiting{fd, POLLIN, 0};
  while (stop && ::poll(&waiting, 1, kAsk) <= 0)
    if (stop()) return false;
  return true;
}

// How a process ended that did this; "" when it was done, and true. What it wrote to the descriptor
// that it is given comes back in `written`. Once `stop` (may be empty) says so it is killed.
std::string in_a_process(const std::function<bool(int)>& what, std::uint64_t seconds,
                         const std::function<bool()>& stop, std::string* written = nullptr) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::string(kNoPipe);
  const pid_t pid = ::fork();
  if (pid < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return std::string(kNoProcess);
  }
  if (pid == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) {
      ::dup2(null, STDOUT_FILENO);
      ::dup2(null, STDERR_FILENO);
    }
    // What works too long, and what sleeps: a process that is stopped for a while does neither.
    const rlimit cpu{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &cpu);
    ::alarm(static_cast<unsigned>(kAsleep * seconds));
    ::signal(SIGALRM, SIG_DFL);
    // A terminal interrupts this process as well; that is no death of the case.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    try {
      ::_exit(what(ends[1]) ? 0 : kNotSo);
    } catch (const std::exception&) {
      ::_exit(kThrew);
    }
  }
  ::close(ends[1]);
  char chunk[1 << 12];
  bool stopped = !wait_for(ends[0], stop);
  for (ssize_t n; !stopped && (n = ::read(ends[0], chunk, sizeof chunk)) != 0;) {
    if (n > 0 && written != nullptr) written->append(chunk, static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
    stopped = !wait_for(ends[0], stop);
  }
  if (stopped) ::kill(pid, SIGKILL);
  ::close(ends[0]);
  int status = 0;
  pid_t ended;
  while ((ended = ::waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
  }
  if (stopped) return std::string(kStopped);
  return ended == pid ? how_it_ended(status) : std::string(kNoEnd);
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
                  std::uint64_t seconds, const std::function<bool()>& stop) {
  const std::int64_t end = now_ns() + kBudget;
  const auto dies = [&](const Case& candidate) {
    return in_a_process([&](int) { return !property.judge(subject, candidate).is_violated(); }, seconds, stop) == how;
  };
  if (!dies(c)) return;  // not in a process of its own: then it is kept as it came
  // The oracle is asked in this process only what it survived in another.
  const bool oracle_lives = in_a_process([&](int) { return OracleView(c), true; }, seconds, stop).empty();
  std::optional<OracleView> oracle;
  if (oracle_lives) oracle.emplace(c);
  Cursor cursor;
  for (int checks = 0; checks < kChecks && now_ns() < end && !(stop && stop()); ++checks) {
    auto candidate = next_smaller(c, cursor);
    if (!candidate) return;
    if (oracle && (!in_a_process([&](int) { return oracle->same_sort(*candidate); }, seconds, stop).empty() ||
                   !oracle->same_sort(*candidate)))
      continue;
    if (!dies(*candidate)) continue;
    c = std::move(*candidate);
    cursor.accept();
  }
}

}  // namespace assay::harness::run

namespace assay::harness {

Verdict judge_apart(const Property& property, const Subject& subject, const Case& c, std::uint64_t seconds,
                    const std::function<bool()>& interrupted) {
  std::string written;
  const std::string how = run::in_a_process(
      [&](int fd) {
        const Verdict v = property.judge(subject, c);
        std::string all =
            fmt::format("{} {} {}\n", static_cast<int>(v.kind), v.violations.size(), v.why.size()) + v.why;
        for (const Violation& x : v.violations)
          for (const std::string* part : {&x.requirement, &x.place, &x.expected, &x.actual, &x.property})
            all += *part + '\0';
        return run::write_out(fd, all);
      },
      seconds, interrupted, &written);
  if (run::is_of_the_machine(how)) return Verdict::cannot_say(how);
  if (!how.empty())
    return Verdict::violated({"", "the process", "a verdict", how, std::string(property.name)});
  int kind = 0;
  std::size_t violations = 0, why = 0;
  if (std::sscanf(written.c_str(), "%d %zu %zu", &kind, &violations, &why) != 3)
    return Verdict::cannot_say("the process told no verdict");
  Verdict v;
  v.kind = static_cast<Verdict::Kind>(kind);
  std::size_t at = written.find('\n') + 1;
  v.why = written.substr(at, why);
  at += why;
  const auto part = [&] {
    const auto end = std::min(written.find('\0', at), written.size());
    std::string text = written.substr(at, end - at);
    at = std::min(end + 1, written.size());
    return text;
  };
  while (violations-- > 0) {
    Violation x;
    for (std::string* to : {&x.requirement, &x.place, &x.expected, &x.actual, &x.property}) *to = part();
    v.violations.push_back(std::move(x));
  }
  return v;
}

}  // namespace assay::harness
