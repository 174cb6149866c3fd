// SPDX-License-Identifier: Apache-2.0
// assay prove: properties on generated cases, failures made smaller and kept.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/prove_choice.h"
#include "cli/reports_harness.h"
#include "cli/text.h"
#include "harness/cases/cases.h"

namespace assay::cli {
namespace {

using harness::FoundFailure;

constexpr std::uint64_t kCases = 2000, kMutantCases = 5000;
constexpr std::size_t kShown = 8;  // labels and requirements of a line, without --verbose

std::uint64_t fresh_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 16 ^ device();  // short enough to be copied by hand
}

unsigned jobs_of(std::uint64_t jobs) {
  constexpr std::uint64_t kForEach = 4;
  const std::uint64_t processors = std::max(std::thread::hardware_concurrency(), 1u);
  return static_cast<unsigned>(jobs == 0 ? processors : std::min(jobs, kForEach * processors));
}

std::string save_of(const ProveArgs& args) { return args.save.value_or("assay-failures"); }

std::string joined(std::span<const std::string_view> ids, std::size_t shown) {
  std::string out;
  shown = std::min(ids.size(), shown);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ",") + std::string(ids[i]);
  if (shown < ids.size()) out += fmt::format(",+{}", ids.size() - shown);
  return out;
}

// Keeps failures below a directory as they become known, each under a name of its own.
class Keeper {
 public:
  explicit Keeper(std::string directory) : directory_(std::move(directory)) {}

  void keep(const FoundFailure& f) {
    if (f.files.empty()) return;
    std::string& place = kept_[f.signature];
    if (place.empty()) place = free_name(f);
    if (auto written = harness::write_files(place, f.files); !written) {
      error_ = written.error();
      place.clear();
    }
  }
  std::string directory_of(const FoundFailure& f) const {
    const auto it = kept_.find(f.signature);
    return it == kept_.end() ? "" : it->second;
  }
  const std::string& error() const { return error_; }

 private:
  std::string free_name(const FoundFailure& f) const {
    std::string base = directory_ + (directory_.back() == '/' ? "" : "/") + std::string(f.property->name);
    base += "-" + (f.died ? std::string("died") : f.violation.requirement);
    std::string name = base;
    for (int i = 2; ::access(name.c_str(), F_OK) == 0; ++i) name = fmt::format("{}-{}", base, i);
    return name;
  }

  std::string directory_, error_;
  std::map<std::string, std::string> kept_;  // by signature
};

void print_distribution(const harness::Distribution& distribution, bool whole, Out& out) {
  for (const auto& [kind, labels] : distribution) {
    std::vector<std::pair<std::string, std::uint64_t>> rows(labels.begin(), labels.end());
    rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first == kind; }), rows.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const auto total = labels.find(kind);
    std::string line = fmt::format("generated {} {}", total == labels.end() ? 0 : total->second, kind);
    const std::size_t shown = whole ? rows.size() : std::min(rows.size(), kShown);
    for (std::size_t i = 0; i < shown; ++i)
      line += fmt::format("{} {} ({})", i == 0 ? ":" : ",", rows[i].first, rows[i].second);
    if (shown < rows.size()) line += fmt::format(", and {} more", rows.size() - shown);
    out.line(escape_text(line));
  }
}

void print(const ProveReport& report, bool verbose, Out& out) {
  const harness::RunReport& run = *report.run;
  for (const harness::PropertyRun& p : run.properties) {
    const auto& ids = p.property->requirements;
    std::string line = fmt::format("property={} cases={} per_second={:.0f} requirements={}", p.property->name, p.cases,
                                   p.per_second(), joined(ids, verbose ? ids.size() : kShown));
    if (p.cannot_say != 0) line += fmt::format(" cannot_say={}", p.cannot_say);
    out.line(line);
  }
  print_distribution(run.distribution, verbose, out);
  for (const KeptFailure& k : report.found) {
    const FoundFailure& f = *k.failure;
    out.line(fmt::format("{} {} {} at {}: expected {}, got {} ({} {})", paint(STDOUT_FILENO, Colour::red, "failure"),
                         f.property->name, f.violation.requirement.empty() ? "-" : f.violation.requirement,
                         escape_text(f.violation.place), escape_text(f.violation.expected),
                         escape_text(f.violation.actual), f.times, f.times == 1 ? "case" : "cases"));
    out.line(k.directory.empty() ? fmt::format("  not kept; case seed {}", f.case_seed)
                                 : "  assay replay " + shell_path(k.directory, ShellForm::line));
  }
  out.line(fmt::format("seconds={:.1f} per_second={:.0f}", run.seconds,
                       run.seconds > 0 ? static_cast<double>(run.cases) / run.seconds : 0));
  out.line(fmt::format("properties={} cases={} failures={} seed={}", run.properties.size(), run.cases,
                       report.found.size(), report.seed));
}

// "report.xml" and where it lies.
struct FilePath {
  std::string directory, name;

  explicit FilePath(const std::string& path) : name(path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return;
    directory = path.substr(0, slash + 1);
    name = path.substr(slash + 1);
  }
};

Io<> write_junit(const std::string& path, const std::string& text) {
  const FilePath to(path);
  OutputFiles files(to.directory);
  if (auto added = files.add(to.name, as_bytes(text)); !added) return added;
  return files.commit();
}

// Whether what was found could be written, seen before anything is looked for.
Io<> can_write(const ProveArgs& args) {
  if (args.save && args.save->empty()) return io_error("prove: --save: a directory is expected");
  if (auto can = can_write_below(save_of(args)); !can)
    return io_error("prove: --save: failing cases cannot be kept: " + can.error());
  if (!args.junit) return {};
  const FilePath to(*args.junit);
  if (to.name.empty() || to.name == "." || to.name == "..")
    return io_error("prove: --junit: a file's name is expected");
  if (auto can = can_write_file(to.directory, to.name); !can) return io_error("prove: --junit: " + can.error());
  return {};
}

Exit list(const std::vector<ChosenProperty>& chosen, const ProveArgs& args, Out& out) {
  if (args.json) {
    out.write(list_json(chosen));
    return kOk;
  }
  constexpr std::size_t kWidth = 150;  // of a line, without --verbose
  for (const ChosenProperty& c : chosen) {
    const harness::Property& p = *c.property;
    const std::string lead =
        fmt::format("property={} kind={} weight={} requirements=", p.name, name_of(p.kind), p.weight);
    std::size_t shown = c.requirements.size();
    while (!args.verbose && shown > 1 && lead.size() + joined(c.requirements, shown).size() > kWidth) --shown;
    out.line(lead + joined(c.requirements, shown));
  }
  return kOk;
}

// A fresh seed is told before the run, lest it be lost with it.
std::uint64_t seed_of(const ProveArgs& args) {
  if (args.seed) return *args.seed;
  const std::uint64_t seed = fresh_seed();
  complain(fmt::format("prove: seed {}", seed));
  return seed;
}

}  // namespace

Exit run_prove(const ProveArgs& args, Out& out) {
  const auto chosen = chosen_properties(args);
  if (!chosen) return fail(chosen.error());
  if (args.list) return list(*chosen, args, out);
  if (const auto can = can_write(args); !can) return fail(can.error());

  harness::RunOptions options;
  for (const ChosenProperty& c : *chosen) options.properties.push_back(c.property);
  options.seed = seed_of(args);
  options.seconds = args.seconds;
  options.cases = args.cases;
  if (!options.cases && !options.seconds) options.cases = kCases;
  options.jobs = jobs_of(args.jobs);
  options.interrupted = was_interrupted;
  Keeper keeper(save_of(args));
  options.found = [&](const FoundFailure& f) { keeper.keep(f); };
  remember_interrupts();
  harness::RunReport run;
  {
    ProgressLine line;
    options.progress = [&](std::uint64_t done, std::uint64_t failures) {
      line.at(fmt::format("proving: {}{} cases, {} failures", done,
                          options.cases ? fmt::format(" of {}", *options.cases) : "", failures));
    };
    run = run_properties(options);
  }
  if (run.interrupted) complain(fmt::format("prove: interrupted after {} cases, seed {}", run.cases, options.seed));

  ProveReport report;
  report.seed = options.seed;
  report.run = &run;
  for (const FoundFailure& f : run.found) report.found.push_back({&f, keeper.directory_of(f)});
  if (args.json) out.write(to_json(report));
  else print(report, args.verbose, out);
  Exit code = !report.found.empty() ? kRefused : run.interrupted ? interrupted_exit() : kOk;
  if (args.junit)
    if (const auto written = write_junit(*args.junit, to_junit(report)); !written) code = fail(written.error());
  if (!keeper.error().empty()) code = fail(keeper.error());
  if (!run.error.empty()) code = fail("prove: " + run.error);
  std::uint64_t said = run.cases;
  for (const harness::PropertyRun& p : run.properties) said -= std::min(said, p.cannot_say);
  // Nothing was proven by what did not run. A failure without a case counted is told as it is.
  if (!report.found.empty() || run.interrupted) return code;
  if (said == 0) return fail("prove: no case was checked");
  const auto idle = std::count_if(run.properties.begin(), run.properties.end(),
                                  [](const harness::PropertyRun& p) { return p.cases == p.cannot_say; });
  if (idle > 0)
    return fail(fmt::format("prove: {} of {} properties judged no case (time was up, or they cannot say)", idle,
                            run.properties.size()));
  return code;
}

Exit run_mutants(const ProveArgs& args, Out& out) {
  const std::uint64_t seed = seed_of(args), cases = args.cases.value_or(kMutantCases);
  remember_interrupts();
  std::vector<harness::KillRow> rows;
  {
    ProgressLine line;
    rows = harness::kill_table(
        seed, cases, jobs_of(args.jobs),
        [&](std::size_t done, std::size_t of) {
          line.at(fmt::format("proving the properties: {} of {} mutants", done, of));
        },
        was_interrupted);
  }
  if (was_interrupted()) {
    complain(fmt::format("prove: interrupted before every mutant was told, seed {}", seed));
    return interrupted_exit();
  }
  if (rows.empty()) return fail("prove: there is no mutant");
  std::size_t alive = 0, not_alone = 0;
  for (const harness::KillRow& r : rows) {
    alive += r.killed_by ? 0 : 1;
    not_alone += r.others == 0 ? 0 : 1;
    if (args.json) continue;
    out.line(fmt::format("mutant={} requirement={} killed_by={} cases={} others={} agreed={}", r.id, r.requirement,
                         r.killed_by ? *r.killed_by : paint(STDOUT_FILENO, Colour::red, "-"), r.cases, r.others,
                         r.agreed));
    if (!r.other.empty()) out.line("  also named: " + escape_text(r.other));
  }
  if (args.json) {
    out.write(mutants_json(rows));
    return alive == 0 ? kOk : kRefused;
  }
  out.line(fmt::format("mutants={} alive={} named_others={} seed={}", rows.size(), alive, not_alone, seed));
  if (alive != 0 && cases < kMutantCases)
    out.line(fmt::format("{} {} may not suffice to tell every mutant; {} are known to", cases,
                         cases == 1 ? "case" : "cases", kMutantCases));
  return alive == 0 ? kOk : kRefused;
}

}  // namespace assay::cli
