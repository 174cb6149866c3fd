// SPDX-License-Identifier: Apache-2.0
// AFL++: its processes on one directory, the first of many the main one, each with the target's mutators
// as its custom-mutator library. What they found is taken from their directories; that is the only thing
// believed of them, beside their statistics.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "cli/fuzz_run.h"
#include "cli/interrupt.h"
#include "cli/text.h"
#include "harness/cases/files.h"
#include "oracle/image/image.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::uint64_t number(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

// "key : value" lines.
std::map<std::string, std::string> facts_in(const std::string& text) {
  std::map<std::string, std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size()), colon = text.find(" : ", at);
    if (colon < end) {
      const std::size_t last = text.find_last_not_of(' ', colon);
      out[text.substr(at, last + 1 - at)] = text.substr(colon + 3, end - colon - 3);
    }
    at = end + 1;
  }
  return out;
}

// "# a, b, c" and rows of numbers: the last row by name. It is newer than fuzzer_stats most of the time.
std::map<std::string, std::string> last_row(const std::string& text) {
  const auto words = [](std::string_view line) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      const std::string_view word = line.substr(at, end - at);
      const auto first = word.find_first_not_of(" #");
      out.emplace_back(first == word.npos ? std::string_view() : word.substr(first));
      at = end + 1;
    }
    return out;
  };
  std::map<std::string, std::string> out;
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return out;
  const std::size_t begin = text.rfind('\n', end) + 1;  // npos + 1 is 0
  const auto names = words(std::string_view(text).substr(0, text.find('\n')));
  const auto row = words(std::string_view(text).substr(begin, end + 1 - begin));
  if (begin == 0 || row.size() != names.size()) return out;
  for (std::size_t i = 0; i < row.size(); ++i) out[names[i]] = row[i];
  return out;
}

struct Process {
  Child child;
  std::string directory;  // its own, below that of all
  std::uint64_t executions = 0, corpus = 0, edges = 0;
  std::optional<Clock::time_point> told;
  bool over = false;

  Process(Child c, std::string d) : child(std::move(c)), directory(std::move(d)) {}

  void look() {
    const auto stats = facts_in(harness::read_whole(directory + "/fuzzer_stats").value_or(""));
    const auto row = last_row(harness::read_whole(directory + "/plot_data").value_or(""));
    const auto most = [&](const char* a, const char* b, std::uint64_t& to) {
      for (const auto& [facts, key] : {std::pair(&stats, a), std::pair(&row, b)})
        if (const auto it = facts->find(key); it != facts->end()) to = std::max(to, number(it->second));
    };
    most("execs_done", "total_execs", executions);
    most("corpus_count", "corpus_count", corpus);
    most("edges_found", "edges_found", edges);
  }
};

class Afl {
 public:
  Afl(const FuzzPlan& plan, std::string mutators, Findings& findings)
      : plan_(plan), mutators_(std::move(mutators)), findings_(findings),
        directory_(fmt::format("{}/afl-{}", plan.output, ::getpid())) {}

  FuzzRun run(const FuzzTick& tick) {
    FuzzRun r;
    for (std::uint64_t i = 0; i < plan_.jobs && error_.empty(); ++i) start(i);
    while (std::any_of(processes_.begin(), processes_.end(), [](const Process& p) { return !p.over; })) {
      ::usleep(200000);
      for (Process& p : processes_) watch(p);
      collect();
      tick(counts(), since(begin_));
    }
    collect();
    keep_queue();
    r.counts = counts();
    r.seconds = since(begin_);
    r.interrupted = was_interrupted();
    r.error = error_;
    r.log = log_;
    r.unkept = unkept_;
    std::error_code none;
    fs::remove_all(directory_, none);
    return r;
  }

 private:
  void start(std::uint64_t i) {
    const FuzzTarget& t = plan_.target;
    Program p;
    // Alone it trims, which the main one of many does not.
    const bool alone = plan_.jobs == 1;
    const std::string name = alone ? "default" : i == 0 ? "main" : fmt::format("s{}", i);
    p.arguments = {"afl-fuzz", "-i", plan_.corpus, "-o", directory_};
    const auto add = [&](const char* option, const std::string& value) {
      p.arguments.insert(p.arguments.end(), {option, value});
    };
    if (!alone) add(i == 0 ? "-M" : "-S", name);
    add("-m", "none");
    add("-t", fmt::format("{}+", 1000 * t.number("timeout", 60)));
    add("-s", std::to_string(plan_.seed + i));
    if (!t.dictionary.empty()) add("-x", t.dictionary);
    if (const std::uint64_t most = t.number("max_len", 0); most != 0) add("-G", std::to_string(most));
    if (plan_.seconds) add("-V", std::to_string(*plan_.seconds));
    if (plan_.runs) add("-E", std::to_string(std::max<std::uint64_t>(1, *plan_.runs / plan_.jobs)));
    p.arguments.insert(p.arguments.end(), {"--", t.program});
    p.environment = {{"AFL_SKIP_CPUFREQ", "1"}, {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"}, {"AFL_NO_UI", "1"},
                     {"AFL_NO_AFFINITY", "1"}, {"AFL_QUIET", "1"}, {"AFL_NO_COLOR", "1"}, {"AFL_IMPORT_FIRST", "1"}};
    if (!mutators_.empty()) p.environment.emplace_back("AFL_CUSTOM_MUTATOR_LIBRARY", mutators_);
    auto child = Child::start(p);
    if (!child) {
      error_ = child.error() + " (AFL++ is the Debian package afl++)";
      return;
    }
    processes_.emplace_back(std::move(*child), directory_ + "/" + name);
  }

  double left() const { return plan_.seconds ? static_cast<double>(*plan_.seconds) - since(begin_) : 1e9; }

  void watch(Process& p) {
    if (p.over) return;
    const auto line = [this](const std::string& text) { read(text); };
    p.child.read(line);
    p.look();
    if (p.child.ended(line)) {
      p.over = true;
      p.look();
      const bool well = WIFEXITED(p.child.status()) && WEXITSTATUS(p.child.status()) == 0;
      const bool all_run = plan_.runs && p.executions >= *plan_.runs / plan_.jobs;
      if (!p.told && !(well && ((plan_.seconds && left() < 1.5) || all_run)))
        wrong(p, fmt::format("afl-fuzz {} after {:.0f} s for no reason: {}", p.child.status_text(), since(begin_),
                             words_of(p.child.text())));
      else if (p.executions == 0 && !was_interrupted())
        wrong(p, "the target executed nothing");
      return;
    }
    constexpr double kPatience = 5;
    const bool late = plan_.seconds && left() < -fuzz_grace(plan_.target);
    if ((late || was_interrupted() || !error_.empty()) && !p.told) {
      if (late && !was_interrupted()) wrong(p, "afl-fuzz did not end in time, and had to be stopped");
      p.told = Clock::now();
      p.child.signal(SIGINT);
    } else if (p.told && since(*p.told) > kPatience) {
      p.child.signal(SIGKILL);
    }
  }

  void wrong(const Process& p, const std::string& what) {
    if (!error_.empty()) return;
    error_ = what;
    log_ = p.child.text();
  }

  // AFL++ says why in a line that begins "[-]", in colour.
  static std::string words_of(const std::string& output) {
    std::string plain;
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (output[i] == '\x1b') {
        while (i < output.size() && output[i] != 'm') ++i;
      } else if (output[i] != '\x0e' && output[i] != '\x0f') {
        plain += output[i];
      }
    }
    const auto abort = plain.rfind("PROGRAM ABORT : ");
    return last_words(abort == std::string::npos ? plain : plain.substr(abort, plain.find('\n', abort) - abort));
  }

  // A seed that ends the target is passed over by AFL++, with no more than a warning:
  // "Test case 'id:000000,time:0,execs:0,orig:NAME' results in a crash, skipping".
  void read(const std::string& line) {
    constexpr std::string_view kName = ",orig:", kWhat = "' results in a ";
    const auto name = line.find(kName), what = line.rfind(kWhat);
    if (line.find("Test case '") == std::string::npos || name == std::string::npos || what == std::string::npos) return;
    const std::string seed = line.substr(name + kName.size(), what - name - kName.size());
    const std::string path = plan_.corpus + "/" + seed;
    if (!is_plain_file_name(seed) || !harness::is_file(path)) return;
    take(path, line.find("timeout", what) == std::string::npos ? "crash" : "timeout");
    take_from_corpus(plan_, seed);
  }

  void collect() {
    for (const Process& p : processes_)
      for (const auto& [folder, kind] : {std::pair("crashes", "crash"), std::pair("hangs", "timeout")}) {
        const std::string directory = p.directory + "/" + folder;
        const auto names = harness::names_in(directory);
        for (const std::string& name : names.value_or(std::vector<std::string>{}))
          if (const std::string path = directory + "/" + name; name.compare(0, 3, "id:") == 0)
            if (seen_.insert(path).second) take(path, kind);
      }
  }

  // AFL++ says nothing of an input but its signal: a replay must. Its own file stays as it is.
  void take(const std::string& path, const char* kind) {
    const std::string copy = fmt::format("{}/artifacts/{}-afl-{}", plan_.output, ::getpid(), taken_++);
    std::error_code error;
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing, error);
    if (!error) findings_.take(kind, copy, "afl-fuzz: " + fs::path(path).filename().string() + "\n", std::nullopt);
  }

  // What was of interest to AFL++ is of interest to the next run, whatever its engine.
  void keep_queue() {
    for (const Process& p : processes_) {
      const std::string queue = p.directory + "/queue";
      const auto names = harness::names_in(queue);
      for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        if (name.compare(0, 3, "id:") != 0 || name.find(",orig:") != std::string::npos ||
            name.find(",sync:") != std::string::npos)
          continue;
        const auto bytes = harness::read_whole(queue + "/" + name);
        if (!bytes) continue;
        const std::uint32_t crc = crc32_of(as_bytes(*bytes));
        const std::string place = fmt::format("{}/afl-{:08x}-{}", plan_.corpus, crc, bytes->size());
        if (harness::is_file(place)) continue;
        if (const auto written = harness::write_whole(place, *bytes); !written && unkept_.empty())
          unkept_ = written.error();
      }
    }
  }

  FuzzCounts counts() const {
    FuzzCounts c;
    for (const Process& p : processes_) {
      c.executions += p.executions;
      c.corpus = std::max(c.corpus, p.corpus);
      c.edges = std::max(c.edges, p.edges);
    }
    return c;
  }

  const FuzzPlan& plan_;
  const std::string mutators_;  // a library; empty: none
  Findings& findings_;
  const std::string directory_;
  std::vector<Process> processes_;
  std::set<std::string> seen_;  // of AFL++'s crashes and hangs
  std::uint64_t taken_ = 0;
  std::string error_, log_, unkept_;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace

FuzzRun run_afl(const FuzzPlan& plan, Findings& findings, const FuzzTick& tick) {
  const auto mutators = mutators_of(plan.target);
  if (mutators) return Afl(plan, *mutators, findings).run(tick);
  FuzzRun r;
  r.error = mutators.error();
  return r;
}

}  // namespace assay::cli
