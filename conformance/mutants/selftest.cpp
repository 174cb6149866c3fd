// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/selftest.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <new>
#include <optional>

namespace assay::conformance {
namespace {

// One piece of work: a hostile implementation or a mutant. Hostile ones first, they wait most.
struct Task {
  const Hostile* hostile = nullptr;
  const SuiteMutant* mutant = nullptr;
};

std::vector<Task> tasks_of(const std::vector<std::string>& only) {
  const auto wanted = [&](std::string_view name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  std::vector<Task> out;
  for (const Hostile& h : hostiles())
    if (wanted(h.name)) out.push_back({&h, nullptr});
  for (const SuiteMutant& m : suite_mutants())
    if (wanted(m.id)) out.push_back({nullptr, &m});
  return out;
}

// The number of the next task, shared by all processes.
class SharedCounter {
 public:
  SharedCounter() {
    void* p = ::mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    counter_ = new (p) Counter(0);
  }
  ~SharedCounter() { ::munmap(counter_, sizeof(Counter)); }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  std::size_t next() { return counter_->fetch_add(1); }

 private:
  using Counter = std::atomic<std::size_t>;
  static_assert(Counter::is_always_lock_free);
  Counter* counter_;
};

struct Work {
  const Suite& suite;
  Catalogue catalogue;
  const SelfTestOptions& options;
  const std::vector<Task>& tasks;
  const Choice& choice;
  SharedCounter& counter;
};

void write_line(int out, std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(out, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);
    done += static_cast<std::size_t>(n);
  }
}

// A job's process: "17 {row}" for each task it takes.
[[noreturn]] void work_on(const Work& w, pid_t parent, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  try {
    for (std::size_t i = w.counter.next(); i < w.tasks.size(); i = w.counter.next()) {
      const Task& t = w.tasks[i];
      write_line(out, std::to_string(i) + " ");  // taken
      const std::string row = t.hostile != nullptr
                                  ? line_of(try_hostile(*t.hostile, w.suite.cases, w.catalogue))
                                  : line_of(try_mutant(*t.mutant, w.suite, w.choice, w.catalogue, w.options.full));
      write_line(out, std::to_string(i) + " " + row);
    }
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

struct Job {
  pid_t pid = 0;
  int out = -1;
  std::string buffer;
  std::optional<std::size_t> at;  // the task it has taken and not yet told
};

std::optional<Job> start(const Work& w) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    work_on(w, parent, ends[1]);
  }
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return std::nullopt;
  }
  return Job{pid, ends[0], {}, {}};
}

void end(Job& j) {
  if (j.out >= 0) ::close(j.out);
  j.out = -1;
  ::kill(j.pid, SIGKILL);
  while (::waitpid(j.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// Collects rows until all jobs have ended.
class Collector {
 public:
  Collector(const Work& w, SelfTest& out) : w_(w), out_(out) {
    for (const Task& t : w.tasks) {
      if (t.hostile != nullptr) {
        at_.push_back(out_.hostile.size());
        HostileRow row;
        row.name = t.hostile->name;
        row.what = t.hostile->what;
        out_.hostile.push_back(std::move(row));
      } else {
        at_.push_back(out_.mutants.size());
        MutantRow row;
        row.id = t.mutant->id;
        row.requirement = t.mutant->requirement;
        row.what = t.mutant->what;
        row.should = differs_in_should_alone(t.mutant->id);
        out_.mutants.push_back(std::move(row));
      }
    }
  }

  void run() {
    const unsigned n = std::clamp(w_.options.jobs, 1U, 64U);
    for (unsigned i = 0; i < n; ++i)
      if (auto j = start(w_)) jobs_.push_back(std::move(*j));
    while (!jobs_.empty()) {
      if (w_.options.interrupted && w_.options.interrupted()) {
        out_.interrupted = true;
        for (Job& j : jobs_) end(j);
        jobs_.clear();
        return;
      }
      listen();
      if (w_.options.progress) w_.options.progress(told_, w_.tasks.size());
    }
  }

 private:
  void listen() {
    std::vector<pollfd> fds;
    for (const Job& j : jobs_) fds.push_back({j.out, POLLIN, 0});
    if (::poll(fds.data(), fds.size(), 100) <= 0) return;
    for (std::size_t i = fds.size(); i-- > 0;) {
      if (fds[i].revents == 0) continue;
      char chunk[16 << 10];
      const ssize_t n = ::read(jobs_[i].out, chunk, sizeof chunk);
      if (n < 0 && errno == EINTR) continue;
      if (n > 0) {
        jobs_[i].buffer.append(chunk, static_cast<std::size_t>(n));
        take_lines(jobs_[i]);
        continue;
      }
      // It ended; where it died over a task, that row says so and another job goes on.
      Job gone = std::move(jobs_[i]);
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
      end(gone);
      if (!gone.at) continue;
      blame(*gone.at);
      if (auto j = start(w_)) jobs_.push_back(std::move(*j));
    }
  }

  void take_lines(Job& j) {
    for (auto newline = j.buffer.find('\n'); newline != std::string::npos; newline = j.buffer.find('\n')) {
      const std::string line = j.buffer.substr(0, newline);
      j.buffer.erase(0, newline + 1);
      const auto space = line.find(' ');
      const std::size_t task = std::strtoull(line.c_str(), nullptr, 10);
      if (space == std::string::npos || task >= w_.tasks.size()) continue;
      if (space + 1 == line.size()) {
        j.at = task;
        continue;
      }
      j.at.reset();
      const std::string text = line.substr(space + 1);
      const std::size_t at = at_[task];
      if (w_.tasks[task].hostile != nullptr) read_line(text, out_.hostile[at]);
      else read_line(text, out_.mutants[at]);
      ++told_;
    }
  }

  void blame(std::size_t task) {
    const std::string why = "the runner's own process died over it";
    if (w_.tasks[task].hostile != nullptr) {
      out_.hostile[at_[task]].problems = {why};
      out_.hostile[at_[task]].ran = true;
    } else {
      out_.mutants[at_[task]].why = why;
      out_.mutants[at_[task]].ran = true;
    }
    ++told_;
  }

  const Work& w_;
  SelfTest& out_;
  std::vector<std::size_t> at_;  // of a task's row
  std::vector<Job> jobs_;
  std::size_t told_ = 0;
};

bool is_killed(const MutantRow& r) { return !r.should && r.kill == Kill::killed; }
bool is_judged(const MutantRow& r) { return r.ran && r.kill != Kill::error; }

template <class Rows, class Is>
std::size_t number(const Rows& rows, Is is) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), is));
}

}  // namespace

std::size_t SelfTest::killable() const {
  return number(mutants, [](const MutantRow& r) { return !r.should; });
}
std::size_t SelfTest::killed() const { return number(mutants, is_killed); }
std::size_t SelfTest::by_name() const {
  return number(mutants, [](const MutantRow& r) { return is_killed(r) && r.naming > 0; });
}
std::size_t SelfTest::reported() const {
  return number(mutants, [](const MutantRow& r) { return r.kill == Kill::reported; });
}
std::size_t SelfTest::hostile_right() const {
  return number(hostile, [](const HostileRow& r) { return r.right; });
}
std::size_t SelfTest::not_judged() const {
  return number(mutants, std::not_fn(is_judged)) + number(hostile, [](const HostileRow& r) { return !r.ran; });
}
bool SelfTest::sound() const {
  return !interrupted && !unsound() && not_judged() == 0 && !(mutants.empty() && hostile.empty());
}
bool SelfTest::unsound() const {
  return !without_case.empty() || !without_mutant.empty() ||
         number(mutants, [](const MutantRow& r) { return is_judged(r) && !r.right(); }) > 0 ||
         number(hostile, [](const HostileRow& r) { return r.ran && !r.right; }) > 0;
}

SelfTest run_selftest(const Suite& suite, Catalogue catalogue, const SelfTestOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  SelfTest out;
  const std::vector<Task> tasks = tasks_of(options.only);
  out.whole = options.only.empty();
  if (out.whole) {
    const std::vector<TraceRow> rows = trace(catalogue, suite.cases, suite_mutants());
    out.without_case = without_case(rows);
    out.without_mutant = without_mutant(rows);
  }
  const Choice choice(suite);
  SharedCounter counter;
  const Work work{suite, catalogue, options, tasks, choice, counter};
  Collector(work, out).run();
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return out;
}

}  // namespace assay::conformance
