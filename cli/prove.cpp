// SPDX-License-Identifier: Apache-2.0
// assay prove: properties on generated cases, failures made smaller and kept.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "cli/commands.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports_harness.h"
#include "cli/text.h"
#include "harness/cases/cases.h"

namespace assay::cli {
namespace {

using harness::FoundFailure;
using harness::Property;

constexpr std::uint64_t kCases = 2000, kMutantCases = 5000;
constexpr std::size_t kShown = 8;  // labels and requirements of a line, without --verbose

std::uint64_t fresh_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 16 ^ device();  // short enough to be copied by hand
}

unsigned jobs_of(std::uint64_t jobs) {
  constexpr std::uint64_t kMost = 256;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      jobs != 0 ? jobs : std::thread::hardware_concurrency(), 1, kMost));
}

// What was asked for, in the catalogue's order. A name or prefix that names nothing is an error.
Io<std::vector<const Property*>> chosen(const ProveArgs& args) {
  std::set<const Property*> wanted;
  for (const std::string& name : args.properties) {
    const Property* const p = harness::find_property(name);
    if (p == nullptr) return io_error("prove: there is no property \"" + name + "\" (see assay prove --list)");
    wanted.insert(p);
  }
  for (const std::string& prefix : args.areas) {
    const std::size_t before = wanted.size();
    bool any = false;
    for (const Property& p : harness::properties())
      for (const std::string_view id : p.requirements)
        if (!prefix.empty() && id.substr(0, prefix.size()) == prefix) {
          wanted.insert(&p);
          any = true;
        }
    if (wanted.size() == before && !any)
      return io_error("prove: no property can name a requirement that begins with \"" + prefix +
                      "\" (areas look like VAR or DMB-02)");
  }
  const bool all = args.properties.empty() && args.areas.empty();
  std::vector<const Property*> out;
  for (const Property& p : harness::properties())
    if (all || wanted.count(&p) != 0) out.push_back(&p);
  return out;
}

std::string joined(std::span<const std::string_view> ids, bool whole) {
  std::string out;
  const std::size_t shown = whole ? ids.size() : std::min(ids.size(), kShown);
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
    std::string line = fmt::format("property={} cases={} per_second={:.0f} requirements={}", p.property->name, p.cases,
                                   p.seconds > 0 ? static_cast<double>(p.cases) / p.seconds : 0,
                                   joined(p.property->requirements, verbose));
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
                                 : "  assay replay " + escape_text(k.directory));
  }
  out.line(fmt::format("seconds={:.1f} per_second={:.0f}", run.seconds,
                       run.seconds > 0 ? static_cast<double>(run.cases) / run.seconds : 0));
  out.line(fmt::format("properties={} cases={} failures={} seed={}", run.properties.size(), run.cases,
                       report.found.size(), report.seed));
}

Io<> write_junit(const std::string& path, const std::string& text) {
  const auto slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.empty()) return io_error(path + ": a file's name is expected");
  OutputFiles files(slash == std::string::npos ? "" : path.substr(0, slash + 1));
  if (auto added = files.add(name, as_bytes(text)); !added) return added;
  return files.commit();
}

Exit list(const std::vector<const Property*>& properties, bool json, Out& out) {
  if (json) {
    out.write(list_json(properties));
    return kOk;
  }
  for (const Property* p : properties)
    out.line(fmt::format("property={} kind={} weight={} requirements={}", p->name, name_of(p->kind), p->weight,
                         joined(p->requirements, true)));
  return kOk;
}

}  // namespace

Exit run_prove(const ProveArgs& args, Out& out) {
  const auto properties = chosen(args);
  if (!properties) return fail(properties.error());
  if (args.save.empty()) return fail("prove: --save: a directory is expected");
  if (args.list) return list(*properties, args.json, out);

  harness::RunOptions options;
  options.properties = *properties;
  options.seed = args.seed ? *args.seed : fresh_seed();
  options.seconds = args.seconds;
  options.cases = args.cases;
  if (!options.cases && !options.seconds) options.cases = kCases;
  options.jobs = jobs_of(args.jobs);
  Keeper keeper(args.save);
  options.found = [&](const FoundFailure& f) { keeper.keep(f); };
  harness::RunReport run;
  {
    ProgressLine line;
    options.progress = [&](std::uint64_t done, std::uint64_t failures) {
      line.at(fmt::format("proving: {}{} cases, {} failures", done,
                          options.cases ? fmt::format(" of {}", *options.cases) : "", failures));
    };
    run = run_properties(options);
  }

  ProveReport report;
  report.seed = options.seed;
  report.run = &run;
  for (const FoundFailure& f : run.found) report.found.push_back({&f, keeper.directory_of(f)});
  if (args.json) out.write(to_json(report));
  else print(report, args.verbose, out);
  Exit code = report.found.empty() ? kOk : kRefused;
  if (!args.junit.empty())
    if (const auto written = write_junit(args.junit, to_junit(report)); !written) code = fail(written.error());
  if (!keeper.error().empty()) code = fail(keeper.error());
  if (!run.error.empty()) code = fail("prove: " + run.error);
  std::uint64_t said = run.cases;
  for (const harness::PropertyRun& p : run.properties) said -= std::min(said, p.cannot_say);
  // Nothing was proven by what did not run. A failure without a case counted is told as it is.
  if (said == 0 && report.found.empty()) return fail("prove: no case was checked");
  return code;
}

Exit run_mutants(const ProveArgs& args, Out& out) {
  const std::uint64_t seed = args.seed ? *args.seed : fresh_seed();
  std::vector<harness::KillRow> rows;
  {
    ProgressLine line;
    rows = harness::kill_table(seed, args.cases.value_or(kMutantCases), jobs_of(args.jobs),
                               [&](std::size_t done, std::size_t of) {
                                 line.at(fmt::format("proving the properties: {} of {} mutants", done, of));
                               });
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
  if (args.json) out.write(mutants_json(rows));
  else out.line(fmt::format("mutants={} alive={} named_others={} seed={}", rows.size(), alive, not_alone, seed));
  return alive == 0 ? kOk : kRefused;
}

}  // namespace assay::cli
