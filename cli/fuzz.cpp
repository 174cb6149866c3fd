// SPDX-License-Identifier: Apache-2.0
// assay fuzz: one target under an engine, with what it finds kept as it comes; the targets there are; or
// stored inputs through one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>

#include "cli/commands.h"
#include "cli/fuzz_run.h"
#include "cli/interrupt.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/reports_fuzz.h"
#include "cli/text.h"
#include "fuzzers/common/real_case.h"
#include "harness/cases/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeconds = 60;

std::uint64_t fresh_seed() {
  std::random_device device;
  return device() % 0x7fffffff + 1;
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return path;
  const fs::path normal = whole.lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).string();  // "mine/" is "mine"
}

// "65536", "1.2M"
std::string short_number(std::uint64_t v) {
  return v < 1000000 ? std::to_string(v) : fmt::format("{:.1f}M", static_cast<double>(v) / 1e6);
}

// ---- the list ----

Exit list(const FuzzArgs& args, Out& out) {
  const auto named = fuzzers_directory(args);
  if (!named) return fail(named.error());
  const std::string& directory = *named;
  std::vector<FuzzTargetRow> rows;
  for (const fuzz::RealTarget& t : fuzz::real_targets())
    rows.push_back({std::string(t.name), std::string(t.about), {}});
  for (const FuzzForm& form : fuzz_forms())
    for (const std::string& name : built_targets(directory, form)) {
      auto at = std::find_if(rows.begin(), rows.end(), [&](const FuzzTargetRow& r) { return r.name == name; });
      if (at == rows.end()) at = rows.insert(rows.end(), {name, "", {}});
      at->built.push_back(&form);
    }
  if (args.json) {
    out.write(fuzz_list_json(directory, rows));
    return kOk;
  }
  for (const FuzzTargetRow& row : rows) {
    std::string forms;
    for (const FuzzForm* form : row.built) forms += (forms.empty() ? "" : ",") + std::string(form->name);
    out.line(fmt::format("target={} built={} {}", escape_word(row.name), forms.empty() ? "-" : forms, row.about));
  }
  return kOk;
}

// ---- stored inputs ----

// What `assay gen` and `assay prove` leave is no input of a target.
tl::unexpected<std::string> stored_case(const std::string& path, const char* what) {
  return io_error(fmt::format("fuzz: {}: {}; assay replay {} judges stored cases", path, what,
                              shell_path(path, ShellForm::line)));
}

Io<std::vector<std::string>> inputs_at(const std::string& path) {
  if (!harness::is_directory(path)) return std::vector<std::string>{path};
  // A finding holds a stored case too.
  const auto is_finding = [](const std::string& directory) { return harness::is_file(directory + "/finding.json"); };
  const auto is_case = [](const std::string& directory) { return harness::is_file(directory + "/case.json"); };
  if (is_finding(path)) return std::vector<std::string>{path + "/input"};
  if (is_case(path)) return stored_case(path, "is a stored case");
  const auto names = harness::names_in(path);
  if (!names) return io_error(names.error());
  std::vector<std::string> out;
  for (const std::string& name : *names)
    if (const std::string inner = path + "/" + name; is_finding(inner)) out.push_back(inner + "/input");
    else if (is_case(inner)) return stored_case(path, "holds stored cases");
    else if (harness::is_file(inner)) out.push_back(inner);
  if (out.empty()) return io_error(path + ": holds no file");
  return out;
}

// No more than opens it: it may be large. A pipe's other end would see even that.
Io<> can_be_read(const std::string& path) {
  if (harness::is_directory(path)) return io_error(errno_text(path, EISDIR));
  const bool can = harness::is_file(path) ? static_cast<bool>(Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)))
                                          : ::access(path.c_str(), R_OK) == 0;
  if (!can) return io_error(errno_text(path, errno));
  return {};
}

Exit replay(const FuzzArgs& args, const FuzzTarget& target, Out& out) {
  std::vector<FuzzReplayRow> rows;
  std::vector<std::string> inputs;
  remember_interrupts();
  ProgressLine line;
  const auto failed = [&](const std::string& why) {
    line.stop();
    return fail(why);
  };
  for (const std::string& path : args.replay) {
    line.at(fmt::format("looking for inputs: {}, {}", inputs.size(), path));
    const auto more = inputs_at(path);
    if (!more) return failed(more.error());
    inputs.insert(inputs.end(), more->begin(), more->end());
  }
  for (std::size_t i = 0; i < inputs.size() && !was_interrupted(); ++i) {
    line.at(fmt::format("opening: {} of {} inputs, {}", i, inputs.size(), inputs[i]));
    if (const auto readable = can_be_read(inputs[i]); !readable) return failed(readable.error());
  }
  if (!was_interrupted()) {
    for (const std::string& path : inputs) {
      line.at(fmt::format("replaying: {} of {} inputs, {}", rows.size(), inputs.size(), path));
      FuzzReplayRow row{path, replay_input(target, path)};
      if (was_interrupted()) break;  // perhaps in the midst of it
      rows.push_back(std::move(row));
    }
  }
  line.stop();
  std::size_t found = 0, errors = 0;
  for (const FuzzReplayRow& row : rows) {
    found += row.replay.verdict == FuzzReplay::Verdict::found ? 1 : 0;
    if (row.replay.verdict == FuzzReplay::Verdict::error) {
      ++errors;
      complain(fmt::format("assay: {}: {}", row.path, row.replay.symptom.verdict));
    }
    if (args.json) continue;
    const bool holds = row.replay.verdict == FuzzReplay::Verdict::holds;
    const std::string verdict = holds ? row.verdict() : paint(STDOUT_FILENO, Colour::red, row.verdict());
    out.line(fmt::format("{}: {}{}{}", escape_word(row.path), verdict, holds ? "" : " ",
                         escape_text(row.replay.symptom.verdict)));
  }
  if (args.json) out.write(fuzz_replay_json(target, rows));
  else out.line(fmt::format("target={} inputs={} found={}", target.name, rows.size(), found));
  if (errors > 0) return kUsageOrIo;
  if (found > 0) return kRefused;
  if (!was_interrupted()) return kOk;
  complain(fmt::format("fuzz: interrupted after {} inputs", rows.size()));
  return interrupted_exit();
}

// ---- a run ----

// The places of a run, made; and seeds, where there is nothing to begin with.
Io<> prepare(FuzzPlan& plan, const FuzzArgs& args) {
  plan.output = absolute(args.output.empty() ? "assay-fuzz/" + args.target : args.output);
  plan.corpus = absolute(args.corpus.empty() ? plan.output + "/corpus" : args.corpus);
  const auto ready = [](const std::string& directory, const std::string& as_named) -> Io<> {
    if (const auto made = harness::make_directories(directory); !made) return io_error(as_named + made.error());
    if (const auto can = can_write_below(directory); !can) return io_error(as_named + can.error());
    return {};
  };
  const std::string out_named = args.output.empty() ? "fuzz: " : fmt::format("fuzz: --out {}: ", args.output);
  const std::string corpus_named = args.corpus.empty() ? out_named : fmt::format("fuzz: --corpus {}: ", args.corpus);
  // Of a corpus that was named only the last directory is made: it is more likely mistyped than new.
  if (const fs::path parent = fs::path(plan.corpus).parent_path(); !args.corpus.empty() && parent != plan.output) {
    struct stat info {};
    const int error = ::stat(parent.c_str(), &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (error != 0) return io_error(corpus_named + errno_text(parent.string(), error));
  }
  for (const char* part : {"/artifacts", "/findings"})
    if (const auto made = ready(plan.output + part, out_named); !made) return made;
  if (const auto made = ready(plan.corpus, corpus_named); !made) return made;
  const auto names = harness::names_in(plan.corpus);
  if (!names) return io_error("fuzz: " + names.error());
  if (!names->empty() || plan.target.seeds.empty()) return {};
  const auto unpacked = unpack_seeds(plan.target.seeds, plan.corpus);
  if (!unpacked) return io_error("fuzz: " + unpacked.error());
  return {};
}

// Whether there was room for the corpus to the end: an engine does not tell.
std::string could_not_keep(const FuzzPlan& plan, const FuzzRun& run) {
  const std::string told = "the corpus could not be kept: ";
  if (!run.unkept.empty()) return told + run.unkept;
  const std::string probe = fmt::format("{}/.assay-{}.tmp", plan.corpus, ::getpid());
  Fd fd(::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd) return told + errno_text(plan.corpus, errno);
  const bool written = write_all(fd.get(), as_bytes(std::string(4096, '\0'))) && fd.close();
  const int error = errno;
  ::unlink(probe.c_str());
  return written ? "" : told + errno_text(plan.corpus, error);
}

void print(const FuzzPlan& plan, const FuzzRun& run, const Findings& findings, Out& out) {
  for (const FuzzFinding* f : findings.all()) {
    out.line(fmt::format("{} {} {}: {} ({} {}, {}{} bytes, repeats {} of {})",
                         paint(STDOUT_FILENO, Colour::red, "finding"), f->kind, escape_text(f->symptom.key),
                         escape_text(f->symptom.verdict), f->times, f->times == 1 ? "time" : "times",
                         f->known ? "known from an earlier run, " : "", f->input_bytes, f->repeated, f->replays));
    out.line("  " + Findings::replay_command(plan.target, *f, ShellForm::line));
    if (!f->case_kind.empty()) out.line("  assay replay " + shell_path(f->directory, ShellForm::line));
  }
  if (findings.beyond() > 0)
    out.line(fmt::format("{} more inputs of other bugs, not kept", findings.beyond()));
  const FuzzCounts& c = run.counts;
  out.line(fmt::format("target={} engine={} sanitizer={} jobs={} seed={} seconds={:.1f} executions={} "
                       "per_second={:.0f} corpus={} edges={} slow_units={} findings={}",
                       plan.target.name, plan.target.form->engine, plan.target.form->sanitizer, plan.jobs, plan.seed,
                       run.seconds, c.executions, run.seconds > 0 ? static_cast<double>(c.executions) / run.seconds : 0,
                       c.corpus, c.edges, c.slow_units, findings.all().size()));
}

}  // namespace

Exit run_fuzz(const FuzzArgs& args, Out& out) {
  if (args.list) return list(args, out);
  auto target = find_target(args);
  if (!target) return fail(target.error());
  if (!args.replay.empty()) return replay(args, *target, out);

  FuzzPlan plan;
  plan.target = std::move(*target);
  plan.jobs = args.jobs;
  plan.seed = args.seed ? *args.seed : fresh_seed();
  plan.seconds = args.seconds;
  plan.runs = args.runs;
  if (!plan.seconds && !plan.runs) plan.seconds = kSeconds;
  if (const auto ready = prepare(plan, args); !ready) return fail(ready.error());

  remember_interrupts();
  Findings findings(plan.target, plan.output + "/findings");
  FuzzRun run;
  {
    ProgressLine line;
    const FuzzTick tick = [&](const FuzzCounts& c, double seconds) {
      const std::string limit = plan.seconds ? fmt::format("/{}", *plan.seconds) : "";
      line.at(fmt::format("{:.0f}{} s: {} execs, {:.0f}/s, corpus {}, edges {}, {} found", seconds, limit,
                          short_number(c.executions), seconds > 0 ? static_cast<double>(c.executions) / seconds : 0,
                          c.corpus, c.edges, findings.all().size()));
    };
    const bool afl = std::string_view(plan.target.form->engine) == "afl";
    run = afl ? run_afl(plan, findings, tick) : run_libfuzzer(plan, findings, tick);
  }
  findings.settle();
  const std::string unkept = could_not_keep(plan, run);
  if (run.error.empty()) run.error = unkept;
  if (args.json) out.write(to_json(plan, run, findings));
  else print(plan, run, findings, out);
  if (run.interrupted) complain(fmt::format("fuzz: interrupted after {:.0f} s", run.seconds));
  Exit code = !findings.empty() ? kRefused : run.interrupted ? interrupted_exit() : kOk;
  if (!run.error.empty()) {
    if (!run.log.empty() && harness::write_whole(plan.output + "/engine.log", run.log))
      complain("fuzz: the engine's output is in " + plan.output + "/engine.log");
    const Exit failed = fail("fuzz: " + run.error);
    if (findings.empty() && !run.interrupted) code = failed;
  }
  // What is lost is lost to an interrupted run too.
  if (!unkept.empty() && unkept != run.error) fail("fuzz: " + unkept);
  if (!findings.error().empty()) fail("fuzz: " + findings.error());
  if (findings.empty() && !(unkept + findings.error()).empty()) code = kUsageOrIo;
  return code;
}

}  // namespace assay::cli
