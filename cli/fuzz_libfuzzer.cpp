// SPDX-License-Identifier: Apache-2.0
// libFuzzer: processes of our own on one corpus. Its fork mode prints no stacks and exits with 0 on
// crashes; here each process that dies leaves an artifact, and another takes its place.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "cli/fuzz_run.h"
#include "cli/interrupt.h"
#include "harness/cases/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kArtifacts[] = {"crash", "timeout", "oom", "leak"};
constexpr std::uint64_t kMostSlow = 10;  // slow units that are kept
constexpr unsigned kTries = 3;           // lives in a row that end before the corpus is read, or for no reason

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::optional<std::uint64_t> number_at(const std::string& line, std::size_t at) {
  while (at < line.size() && line[at] == ' ') ++at;
  char* end = nullptr;
  const unsigned long long v = std::strtoull(line.c_str() + at, &end, 10);
  if (at >= line.size() || line[at] < '0' || line[at] > '9') return std::nullopt;
  return v;
}
std::optional<std::uint64_t> number_after(const std::string& line, std::string_view what) {
  const auto at = line.find(what);
  return at == std::string::npos ? std::nullopt : number_at(line, at + what.size());
}

// One process after the other on a share of the work.
struct Worker {
  std::optional<Child> child;
  std::string prefix;              // of its artifacts' names
  std::uint64_t lives = 0, before = 0, now = 0;  // executions of earlier lives, and of this one
  std::uint64_t corpus = 0, edges = 0, slow = 0;
  std::optional<std::uint64_t> share;            // of --runs
  std::optional<Clock::time_point> told;         // to end
  unsigned stuck = 0, strange = 0;
  bool initialised = false, over = false;
  pid_t pid = 0;

  // "#123\tNEW    cov: 12 ft: 30 corp: 5/60b lim: 4 exec/s: 0 rss: 30Mb ..."
  void line(const std::string& text) {
    if (!text.empty() && text[0] == '#') {
      if (const auto n = number_at(text, 1)) now = std::max(now, *n);
      if (const auto n = number_after(text, " cov: ")) edges = *n;
      if (const auto n = number_after(text, " corp: ")) corpus = *n;
      initialised |= text.find("\tINITED") != std::string::npos;
    } else if (text.compare(0, 5, "Done ") == 0) {
      if (const auto n = number_at(text, 5)) now = std::max(now, *n);
    } else if (const auto n = number_after(text, "stat::number_of_executed_units:")) {
      now = std::max(now, *n);
    }
  }
};

class Crew {
 public:
  Crew(const FuzzPlan& plan, Findings& findings) : plan_(plan), findings_(findings) {
    for (std::uint64_t i = 0; i < plan.jobs; ++i) {
      Worker w;
      w.prefix = fmt::format("{}/artifacts/{}-{}-", plan.output, ::getpid(), i);
      if (plan.runs) w.share = *plan.runs / plan.jobs + (i < *plan.runs % plan.jobs ? 1 : 0);
      w.over = w.share == std::uint64_t{0};
      workers_.push_back(std::move(w));
    }
  }

  FuzzRun run(const FuzzTick& tick) {
    for (Worker& w : workers_) start(w);
    while (std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.child.has_value(); })) {
      wait();
      for (Worker& w : workers_) watch(w);
      tick(counts(), since(begin_));
    }
    FuzzRun r;
    r.counts = counts();
    r.seconds = since(begin_);
    r.interrupted = was_interrupted();
    r.error = error_;
    r.log = last_output_;
    return r;
  }

 private:
  double left() const { return plan_.seconds ? static_cast<double>(*plan_.seconds) - since(begin_) : 1e9; }

  FuzzCounts counts() const {
    FuzzCounts c;
    for (const Worker& w : workers_) {
      c.executions += w.before + w.now;
      c.corpus = std::max(c.corpus, w.corpus);
      c.edges = std::max(c.edges, w.edges);
      c.slow_units += w.slow;
    }
    return c;
  }

  // The first that went wrong is told.
  void wrong(Worker& w, const std::string& what) {
    if (!error_.empty()) return;
    error_ = what;
    if (w.child) last_output_ = w.child->text();
  }

  void start(Worker& w) {
    if (w.over) return;
    const std::size_t index = static_cast<std::size_t>(&w - workers_.data());
    Program p = fuzz_program(plan_.target);
    const auto add = [&](std::string word) { p.arguments.push_back(std::move(word)); };
    for (const auto& [name, value] : plan_.target.options) add("-" + name + "=" + value);
    if (!plan_.target.dictionary.empty()) add("-dict=" + plan_.target.dictionary);
    add("-artifact_prefix=" + w.prefix);
    add("-reload=1");
    add("-print_final_stats=1");
    // Each life has choices of its own.
    add(fmt::format("-seed={}", (plan_.seed + index + w.lives * plan_.jobs - 1) % 0xffffffff + 1));
    if (plan_.seconds) add(fmt::format("-max_total_time={}", std::max(1, static_cast<int>(left() + 0.5))));
    if (w.share) add(fmt::format("-runs={}", *w.share - std::min(*w.share, w.before)));
    add(plan_.corpus);
    auto child = Child::start(p);
    if (!child) {
      w.over = true;
      return wrong(w, child.error());
    }
    w.child.emplace(std::move(*child));
    w.pid = w.child->pid();
    ++w.lives;
    w.now = 0;
    w.initialised = false;
    w.told.reset();
  }

  void wait() {
    std::vector<pollfd> fds;
    for (const Worker& w : workers_)
      if (w.child) fds.push_back({w.child->output(), POLLIN, 0});
    ::poll(fds.data(), fds.size(), 100);
    // A closed output is ready for ever, and a flood always.
    if (std::any_of(fds.begin(), fds.end(), [](const pollfd& f) { return (f.revents & POLLHUP) != 0; }))
      ::usleep(20000);
  }

  void watch(Worker& w) {
    if (!w.child) return;
    const auto line = [&](const std::string& text) { w.line(text); };
    w.child->read(line);
    if (w.child->ended(line)) return ended(w);
    constexpr double kPatience = 3;  // seconds between a polite signal and the last one
    const bool late = plan_.seconds && left() < -fuzz_grace(plan_.target);
    if ((late || was_interrupted()) && !w.told) {
      if (late && !was_interrupted())
        wrong(w, w.initialised ? "the target did not end in time, and had to be stopped"
                               : "the corpus was still being read when time was up");
      w.told = Clock::now();
      w.child->signal(SIGINT);
    } else if (w.told && since(*w.told) > kPatience) {
      w.child->signal(SIGKILL);
    }
  }

  // Findings, if there are any; else it must have had a reason to end.
  void ended(Worker& w) {
    const bool found = take_artifacts(w), stopped = w.told.has_value();
    const bool well = WIFEXITED(w.child->status()) && WEXITSTATUS(w.child->status()) == 0;
    const bool time_up = plan_.seconds && left() < 1.5;
    const bool all_run = w.share && w.before + w.now >= *w.share;
    w.before += found ? std::max<std::uint64_t>(w.now, 1) : w.now;
    w.now = 0;
    if (!stopped && found) {
      w.stuck = w.initialised || moved_ ? 0 : w.stuck + 1;
      if (w.stuck >= kTries) {
        wrong(w, "the target dies before it has read its corpus");
        w.over = true;
      }
    } else if (!stopped && well && (time_up || all_run)) {
      w.over = true;
      if (w.before == 0) wrong(w, "the target executed nothing");
    } else if (!stopped) {
      wrong(w, fmt::format("the target {} after {:.0f} s for no reason: {}", w.child->status_text(), since(begin_),
                           last_words(w.child->text())));
      w.over = ++w.strange >= kTries || !w.initialised;
    }
    const bool again = !w.over && !stopped && left() >= 1 && !(w.share && w.before >= *w.share);
    w.child.reset();
    if (again && !was_interrupted()) start(w);
  }

  // Whether the engine left what it died of.
  bool take_artifacts(Worker& w) {
    moved_ = false;
    bool found = false;
    const fs::path prefix(w.prefix);
    const std::string directory = prefix.parent_path().string(), lead = prefix.filename().string();
    const auto names = harness::names_in(directory);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
      if (name.compare(0, lead.size(), lead) != 0) continue;
      const std::string path = directory + "/" + name, rest = name.substr(lead.size());
      const auto is = [&](const char* kind) { return rest.rfind(std::string(kind) + "-", 0) == 0; };
      const auto kind = std::find_if(std::begin(kArtifacts), std::end(kArtifacts), is);
      if (kind != std::end(kArtifacts)) {
        found = true;
        out_of_corpus(path);
        const std::string output = w.child->text();
        findings_.take(*kind, path, output, symptom_of(*kind, output, w.pid, w.child->status_text()));
      } else if (is("slow-unit")) {
        // Slow, and no finding.
        if (++w.slow > kMostSlow) ::unlink(path.c_str());
        else ::rename(path.c_str(), (directory + "/" + rest).c_str());
      }
    }
    return found;
  }

  // An input of the corpus that ends the target would end each new process at its start.
  void out_of_corpus(const std::string& artifact) {
    const auto bytes = harness::read_whole(artifact);
    const auto names = harness::names_in(plan_.corpus);
    if (!bytes || !names) return;
    for (const std::string& name : *names) {
      const std::string path = plan_.corpus + "/" + name;
      std::error_code error;
      if (fs::file_size(path, error) != bytes->size() || error || !harness::is_file(path)) continue;
      if (harness::read_whole(path).value_or("") == *bytes) moved_ |= take_from_corpus(plan_, name);
    }
  }

  const FuzzPlan& plan_;
  Findings& findings_;
  std::vector<Worker> workers_;
  std::string error_, last_output_;
  bool moved_ = false;  // the last artifact was a file of the corpus
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace

FuzzRun run_libfuzzer(const FuzzPlan& plan, Findings& findings, const FuzzTick& tick) {
  return Crew(plan, findings).run(tick);
}

}  // namespace assay::cli
