// SPDX-License-Identifier: Apache-2.0
#include "harness/rapidcheck/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <system_error>
#include <tuple>

#include "harness/cases/cases.h"
#include "harness/rapidcheck/batch.h"
#include "harness/rapidcheck/board.h"

namespace assay::harness {
namespace {

using namespace run;

struct Process {
  pid_t pid = -1;
  int fd = -1;
  std::string stream;
  bool too_slow = false, interrupted = false;
};

class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        plan_(options),
        jobs_(std::clamp<std::uint64_t>(options.jobs, 1, std::max<std::uint64_t>(plan_.batches(), 1))),
        board_(options.properties.size(), jobs_) {
    if (options_.subject == nullptr) options_.subject = &oracle_subject();
    for (const Property* p : options_.properties) report_.properties.push_back({p, 0, 0, 0});
  }

  RunReport go() {
    const std::int64_t begin = now_ns();
    if (!board_.ok()) {
      report_.error = "no memory to be shared between processes";
      return std::move(report_);
    }
    processes_.resize(jobs_);
    for (std::size_t i = 0; i < processes_.size(); ++i) start(i, {});
    while (std::any_of(processes_.begin(), processes_.end(), [](const Process& p) { return p.pid > 0; })) {
      if (options_.seconds && now_ns() - begin >= in_ns(*options_.seconds)) board_.stop() = 1;
      if (!report_.interrupted && options_.interrupted && options_.interrupted()) interrupt();
      listen();
      kill_slow_ones();
      if (options_.progress) options_.progress(cases_so_far(), report_.found.size());
    }
    for (std::size_t i = 0; i < report_.properties.size(); ++i) {
      report_.properties[i].cases = board_.tally(i).cases;
      report_.properties[i].seconds = static_cast<double>(board_.tally(i).nanoseconds) / kSecond;
    }
    report_.cases = cases_so_far();
    report_.seconds = static_cast<double>(now_ns() - begin) / kSecond;
    const auto order = [&](const FoundFailure& f) {
      const auto at = std::find(options_.properties.begin(), options_.properties.end(), f.property);
      return std::tuple(at - options_.properties.begin(), f.batch, f.at);
    };
    std::sort(report_.found.begin(), report_.found.end(),
              [&](const FoundFailure& a, const FoundFailure& b) { return order(a) < order(b); });
    return std::move(report_);
  }

 private:
  static constexpr std::int64_t kSecond = 1'000'000'000, kGrace = 2 * kSecond;

  static std::int64_t in_ns(std::uint64_t seconds) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(seconds, 1'000'000'000)) * kSecond;
  }

  void interrupt() {
    report_.interrupted = true;
    interrupted_at_ = now_ns();
    board_.stop() = 1;
  }

  void start(std::size_t i, const Resume& resume) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return no_process();
    board_.slot(i).phase = Phase::idle;
    const pid_t pid = ::fork();
    if (pid == 0) {
      // Of the other processes nothing is kept open: their ends must be seen.
      for (const Process& p : processes_)
        if (p.fd >= 0) ::close(p.fd);
      ::close(ends[0]);
      work(options_, plan_, board_, i, ends[1], resume, known_);
    }
    ::close(ends[1]);
    if (pid < 0) {
      ::close(ends[0]);
      return no_process();
    }
    processes_[i] = {pid, ends[0], {}, false, false};
  }

  void no_process() {
    report_.error = "no process to be had: " + std::generic_category().message(errno);
    board_.stop() = 1;
  }

  std::uint64_t cases_so_far() {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < options_.properties.size(); ++i) n += board_.tally(i).cases;
    return n;
  }

  void listen() {
    std::vector<pollfd> waiting;
    std::vector<std::size_t> who;
    for (std::size_t i = 0; i < processes_.size(); ++i)
      if (processes_[i].pid > 0) {
        waiting.push_back({processes_[i].fd, POLLIN, 0});
        who.push_back(i);
      }
    ::poll(waiting.data(), waiting.size(), 200);
    for (std::size_t k = 0; k < waiting.size(); ++k)
      if (waiting[k].revents != 0) hear(who[k]);
  }

  void hear(std::size_t i) {
    Process& p = processes_[i];
    char chunk[1 << 16];
    const ssize_t n = ::read(p.fd, chunk, sizeof chunk);
    if (n > 0) p.stream.append(chunk, static_cast<std::size_t>(n));
    while (auto told = unpack_told(p.stream)) take(std::move(*told));
    if (n > 0 || (n < 0 && errno == EINTR)) return;
    int status = 0;
    while (::waitpid(p.pid, &status, 0) < 0 && errno == EINTR) {
    }
    ::close(p.fd);
    // It may have died of something else just before it was killed.
    const bool too_slow = p.too_slow && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    const std::string how = too_slow ? fmt::format("took more than {} s", options_.case_seconds)
                                       : how_it_ended(status);
    // Whoever did not end in time after an interruption is no failure.
    const bool is_ours = p.interrupted && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    p = {};
    if (!how.empty() && !is_ours) died(i, how);
  }

  // A process ended before its work did: the case it was at is the failure, and another goes on.
  void died(std::size_t i, const std::string& how) {
    Slot& slot = board_.slot(i);
    const Phase phase = slot.phase;
    if (phase == Phase::idle) {
      report_.error = "a process " + how + " between two cases";
      return;
    }
    const Item item = plan_.item(slot.item);
    ++board_.tally(item.property).deaths;
    FoundFailure f;
    f.property = options_.properties[item.property];
    f.died = true;
    f.case_seed = slot.case_seed;
    f.batch = item.batch;
    f.at = slot.at;
    f.violation = {"", "the process", "a verdict", how, std::string(f.property->name)};
    if (phase == Phase::generating) f.violation.actual += " while the case was made";
    if (phase == Phase::reducing) f.violation.actual += " while a failing case was made smaller";
    f.signature = "died\n" + std::string(f.property->name) + "\n" + f.violation.actual;
    if (phase != Phase::generating && !is_known(f.signature)) keep_case(f, how);
    merge(std::move(f));
    if (board_.stop() == 0) start(i, {slot.item, slot.at});
  }

  void keep_case(FoundFailure& f, const std::string& how) {
    try {
      Case c = case_from_seed(*f.property, f.case_seed);
      if (how.find("took more") == std::string::npos)
        reduce_death(*f.property, *options_.subject, c, how, options_.case_seconds, options_.interrupted);
      if (auto files = files_of(c, f.violation.text())) f.files = std::move(*files);
    } catch (const std::exception&) {
      // Without its files the failure is told all the same, with its seed.
    }
  }

  void kill_slow_ones() {
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      Process& p = processes_[i];
      const Slot& slot = board_.slot(i);
      const std::int64_t since = slot.since;
      if (p.pid > 0 && report_.interrupted && !p.interrupted && now_ns() - interrupted_at_ >= kGrace) {
        p.interrupted = true;
        ::kill(p.pid, SIGKILL);
      }
      if (p.pid <= 0 || slot.phase == Phase::idle || p.too_slow || p.interrupted) continue;
      if (now_ns() - since < in_ns(options_.case_seconds)) continue;
      p.too_slow = true;
      ::kill(p.pid, SIGKILL);
    }
  }

  void take(Told told) {
    if (!told.error.empty()) {
      report_.error = told.error;
      return;
    }
    const std::size_t property = plan_.item(told.item).property;
    report_.properties[property].cannot_say += told.cannot_say;
    for (const auto& [kind, labels] : told.distribution)
      for (const auto& [label, n] : labels) report_.distribution[kind][label] += n;
    if (!told.failure) return;
    told.failure->property = options_.properties[property];
    merge(std::move(*told.failure));
  }

  bool is_known(const std::string& signature) const {
    return std::find(known_.begin(), known_.end(), signature) != known_.end();
  }

  // Of failures of one signature the earliest in the run is kept, whoever was first to tell.
  void merge(FoundFailure f) {
    const auto at = std::find(known_.begin(), known_.end(), f.signature);
    if (at == known_.end()) {
      known_.push_back(f.signature);
      report_.found.push_back(std::move(f));
      if (options_.found) options_.found(report_.found.back());
      return;
    }
    FoundFailure& known = report_.found[static_cast<std::size_t>(at - known_.begin())];
    const std::uint64_t times = known.times + 1;
    const bool better = !f.files.empty() && std::tie(f.batch, f.at) < std::tie(known.batch, known.at);
    if (better) known = std::move(f);
    known.times = times;
    if (better && options_.found) options_.found(known);
  }

  RunOptions options_;
  Plan plan_;
  std::size_t jobs_;
  Board board_;
  std::vector<Process> processes_;
  std::vector<std::string> known_;  // signatures, in the order of report_.found
  RunReport report_;
  std::int64_t interrupted_at_ = 0;
};

}  // namespace

RunReport run_properties(const RunOptions& options) {
  if (options.properties.empty()) return {};
  return Run(options).go();
}

}  // namespace assay::harness
