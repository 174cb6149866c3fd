// SPDX-License-Identifier: Apache-2.0
// assay certify: the suite put to an implementation, failures made smaller and kept, a certificate.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>

#include "cli/certify_choice.h"
#include "cli/certify_failures.h"
#include "cli/certify_text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports_certify.h"
#include "cli/requirements.h"
#include "cli/text.h"
#include "conformance/certificate/failure.h"
#include "conformance/certificate/waivers.h"
#include "harness/cases/files.h"
#include "harness/compare/compare.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using namespace conformance;

constexpr const char* kLog = "implementation.log";

std::uint64_t seed_of(const CertifyArgs& args) {
  if (args.seed) return *args.seed;
  std::random_device device;
  const std::uint64_t seed = device() % 0x7fffffff + 1;  // short enough to be copied by hand
  if (!args.list) complain(fmt::format("certify: seed {}", seed));
  return seed;
}

// What lies there of ours: an earlier certificate with the failures it lists, or the log of a run that came to
// nothing. Whatever else there is is somebody's.
Io<> is_ours(const std::string& directory) {
  std::set<std::string> ours = {kLog}, failures;
  if (const std::string path = directory + "/" + kDocuments[0]; fs::exists(fs::symlink_status(path))) {
    const auto json = harness::read_regular(path);
    const auto earlier = json ? read_certificate(*json) : tl::unexpected<std::string>(json.error());
    if (!earlier)
      return io_error(fmt::format("{}: no certificate of an earlier run: {}", path, earlier.error()));
    ours.insert(std::begin(kDocuments), std::end(kDocuments));
    for (const CaseRow& row : earlier->cases)
      if (!row.files.empty()) failures.insert(directory_of_case(row.id));
    ours.insert(kFailures);
  }
  const auto foreign = [&](const std::string& in, const std::set<std::string>& known) -> std::string {
    for (const std::string& name : harness::names_in(in).value_or(std::vector<std::string>()))
      if (!known.contains(name)) return in + "/" + name;
    return {};
  };
  std::string other = foreign(directory, ours);
  if (const std::string below = directory + "/" + kFailures; other.empty() && harness::is_directory(below))
    other = foreign(below, failures);
  if (other.empty()) return {};
  return io_error(fmt::format("{}: is neither empty nor an earlier certificate's: there is {}", directory, other));
}

// A new or empty directory, or one with an earlier certificate: that stays until there is another.
Io<> make_room(const std::string& directory) {
  std::error_code error;
  const fs::path path(directory);
  if (fs::exists(path, error)) {
    if (!fs::is_directory(path, error)) return io_error(directory + ": is no directory");
    if (auto ours = is_ours(directory); !ours) return ours;
  }
  if (auto can = can_write_below(directory); !can) return can;
  if (auto made = harness::make_directories(directory); !made) return io_error(made.error());
  fs::remove(path / kLog, error);
  return {};
}

// The earlier certificate, or what was written of one that did not come to its end.
void remove_documents(const std::string& directory) {
  std::error_code error;
  if (directory.empty()) return;
  const fs::path path(directory);
  for (const char* name : kDocuments) fs::remove(path / name, error);
  fs::remove_all(path / kFailures, error);
}

Exit list(const ChosenCases& chosen, const CertifyArgs& args, Out& out) {
  if (args.json) {
    out.write(certify_list_json(chosen.cases));
    return kOk;
  }
  for (const Case& c : chosen.cases) {
    std::string ids;
    for (const std::string& r : c.requirements) ids += (ids.empty() ? "" : ",") + r;
    out.line(fmt::format("case={} op={} expect={} requirements={}", c.id, name_of(c.op),
                         harness::reply_text(c.expect, ""), ids));
  }
  return kOk;
}

Io<std::vector<Waiver>> waivers_of(const std::string& path) {
  if (path.empty()) return std::vector<Waiver>();
  const auto bytes = read_file(path);
  if (!bytes) return io_error(bytes.error());
  auto read = read_waivers(bytes->text());
  if (!read) return io_error("certify: " + path + ": " + read.error());
  return std::move(*read);
}

// What the implementation itself said before it would not start.
void tell_log(const std::string& path) {
  constexpr std::size_t kMost = 2000;
  const auto text = harness::read_regular(path);  // the implementation can reach it
  if (!text || text->empty()) return;
  std::string_view tail = *text;
  if (tail.size() > kMost) tail.remove_prefix(tail.size() - kMost);
  std::set<std::string_view> told;  // each of its processes says the same
  for (std::size_t at = 0; at < tail.size();) {
    const std::size_t end = std::min(tail.find('\n', at), tail.size());
    const std::string_view line = tail.substr(at, end - at);
    if (told.insert(line).second) complain("  " + std::string(line));
    at = end + 1;
  }
}

RunFacts facts_of_run(const CertifyArgs& args, const Suite& suite, const RunOutcome& run,
                      const PluggedIn& implementation, std::uint64_t seed, const std::string& levels) {
  RunFacts facts;
  facts.suite_version = suite.version;
  facts.suite_hash = suite.sha256;
  facts.implementation = {run.hello.name, run.hello.version, implementation.way, implementation.text, run.hello.ops,
                          run.hello.unknown};
  facts.seed = seed;
  facts.generated = args.generated;
  facts.date = date_of(std::time(nullptr));
  facts.asked = levels;
  facts.cut = run.cut;
  facts.order = run.order;
  return facts;
}

// Runs, judges and tells. `suite` without its cases.
Exit certify(const CertifyArgs& args, const ChosenCases& chosen, const Suite& suite, const std::string& levels,
             std::uint64_t seed, Out& out) {
  const auto begin = std::chrono::steady_clock::now();
  auto waivers = waivers_of(args.waivers);
  if (!waivers) return fail(waivers.error());
  if (!chosen.filtered)
    if (const auto room = make_room(args.output); !room) return fail("certify: " + room.error());
  const std::string directory = chosen.filtered ? "" : args.output, log = directory + "/" + kLog;
  const PluggedIn implementation = plug_in(args.implementation, chosen.filtered ? "/dev/stderr" : log);

  RunPlan plan;
  plan.command = implementation.command;
  plan.limits = implementation.limits;
  plan.suite = suite.version;
  plan.jobs = jobs_of(args.jobs);
  plan.seed = seed;
  if (chosen.filtered) plan.sample = 0;
  plan.stop = &interrupted_flag();
  const std::size_t of = chosen.cases.size();
  Read<RunOutcome> run = tl::unexpected<std::string>("");
  Io<KeptFailures> failures;
  {
    ProgressLine line;
    plan.progress = [&](std::size_t done, std::size_t bad) {
      line.at(fmt::format("certifying: {} of {} cases, {} failed", done, of, bad));
    };
    run = run_cases(chosen.cases, requirements(), plan);
    if (run && !was_interrupted()) {
      remove_documents(directory);
      failures = keep_failures(chosen.cases, *run, implementation, directory, [&](std::size_t done, std::size_t all) {
        line.at(fmt::format("keeping failures: {} of {}", done, all));
      });
      if (!failures || was_interrupted()) remove_documents(directory);
    }
  }
  if (was_interrupted()) {
    complain(fmt::format("certify: interrupted, seed {}: no certificate", seed));
    return interrupted_exit();
  }
  if (!run) {
    const Exit code = fail(fmt::format("certify: {}: {}", implementation.text, run.error()));
    if (!chosen.filtered) tell_log(log);
    return code;
  }
  if (!failures) return fail(failures.error());
  if (std::error_code error; !directory.empty() && fs::is_empty(log, error) && !error) fs::remove(log, error);

  const Certificate certificate =
      make_certificate(facts_of_run(args, suite, *run, implementation, seed, levels), chosen.cases, run->results,
                       failures->shown, failures->files, std::move(*waivers), requirements());
  if (!directory.empty())
    if (const auto written = write_certificate(directory, certificate, requirements()); !written) {
      remove_documents(directory);
      return fail("certify: " + written.error());
    }
  CertifyReport report{&certificate, chosen.cases, &*run, &*failures, chosen.filtered, directory, 0};
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (args.json) out.write(to_json(report));
  else print_certify(report, out);
  if (chosen.filtered) return certificate.counts[conformance::Outcome::pass] == of ? kOk : kRefused;
  return exit_code(certificate) == 0 ? kOk : kRefused;
}

}  // namespace

Exit run_certify(const CertifyArgs& args, Out& out) {
  const auto levels = levels_of(args.levels);
  if (!levels) return fail(levels.error());
  auto suite = load_vectors("certify");
  if (!suite) return fail(suite.error());
  const std::uint64_t seed = seed_of(args);
  remember_interrupts();
  const auto chosen = chosen_cases(args, std::move(*suite), seed);
  if (!chosen) return fail(chosen.error());
  if (was_interrupted()) return interrupted_exit();
  if (args.list) return list(*chosen, args, out);
  return certify(args, *chosen, *suite, *levels, seed, out);
}

}  // namespace assay::cli
