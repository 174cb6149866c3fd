// SPDX-License-Identifier: Apache-2.0
#include "cli/fuzz_findings.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/reports_fuzz.h"
#include "fuzzers/common/real_case.h"
#include "harness/cases/files.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLog = 256 << 10;
constexpr unsigned kCaseSeconds = 30;  // to make a case of an input

// Sanitizers end with a code of their own, beside what the user asks of them.
std::string with(const char* name, const std::string& options) {
  const char* set = std::getenv(name);
  return set == nullptr || *set == '\0' ? options : options + ":" + set;
}

std::string shortened(const std::string& log) {
  if (log.size() <= kMostLog) return log;
  return log.substr(0, kMostLog / 4) + "\n[...]\n" + log.substr(log.size() - kMostLog / 4 * 3);
}

// Runs `make` in a process of its own and says what it answered: at most a line. Nothing where it died
// or took too long.
template <class F>
std::optional<std::string> apart(F make, std::string& ending) {
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_IGN);
    ::alarm(kCaseSeconds);
    try {
      write_all(ends[1], as_bytes(make() + "\n"));
      ::_exit(0);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }
  ::close(ends[1]);
  const Fd in(ends[0]);
  std::string text;
  if (child < 0) return std::nullopt;
  char bytes[4096];
  for (ssize_t n; (n = ::read(in.get(), bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) text.append(bytes, static_cast<std::size_t>(n));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text.empty()) return text.substr(0, text.find('\n'));
  ending = WIFSIGNALED(status) ? fmt::format("died of signal {}", WTERMSIG(status)) : "ran out of memory";
  return std::nullopt;
}

}  // namespace

Program fuzz_program(const FuzzTarget& target) {
  Program p{{target.program}, {}};
  // One kind of end for whatever a sanitizer finds, and stacks.
  p.environment = {{"ASAN_OPTIONS", with("ASAN_OPTIONS", "exitcode=77")},
                   {"LSAN_OPTIONS", with("LSAN_OPTIONS", "exitcode=77")},
                   {"UBSAN_OPTIONS", with("UBSAN_OPTIONS", "exitcode=77:print_stacktrace=1")}};
  return p;
}

FuzzReplay replay_input(const FuzzTarget& target, const std::string& input) {
  FuzzReplay r;
  Program program = fuzz_program(target);
  const bool libfuzzer = std::string_view(target.form->engine) == "libfuzzer";
  if (libfuzzer) {
    for (const auto& [name, value] : target.options) program.arguments.push_back("-" + name + "=" + value);
    program.arguments.push_back("-exact_artifact_path=/dev/null");
  }
  program.arguments.push_back(fs::absolute(input).string());
  const std::uint64_t seconds = target.number("timeout", 60);
  auto child = Child::start(program);
  if (!child) {
    r.symptom.verdict = child.error();
    return r;
  }
  const pid_t pid = child->pid();
  // libFuzzer tells of a time-out itself, with a stack.
  const bool ended = finish(*child, static_cast<double>(libfuzzer ? 2 * seconds + 10 : seconds));
  if (!ended && was_interrupted()) {
    r.symptom.verdict = "it was interrupted";
    return r;
  }
  r.output = child->text();
  r.kind = "crash";
  if (!ended || r.output.find("ERROR: libFuzzer: timeout") != std::string::npos) r.kind = "timeout";
  else if (r.output.find("ERROR: libFuzzer: out-of-memory") != std::string::npos) r.kind = "oom";
  else if (r.output.find("LeakSanitizer: detected memory leaks") != std::string::npos) r.kind = "leak";
  const std::string ending = ended ? child->status_text() : fmt::format("took more than {} s", seconds);
  const bool ran = r.output.find(libfuzzer ? "\nExecuted " : "Execution successful") != std::string::npos;
  const bool well = ended && WIFEXITED(child->status()) && WEXITSTATUS(child->status()) == 0;
  const bool died = !ended || WIFSIGNALED(child->status());
  r.symptom = symptom_of(r.kind, r.output, pid, ending);
  if (well && ran) {
    r.verdict = FuzzReplay::Verdict::holds;
    r.symptom = {};
  } else if (!well && (died || has_symptom(r.output))) {
    r.verdict = FuzzReplay::Verdict::found;
  } else {
    r.symptom = {{}, well ? "the target did not run it" : "the target " + ending, {}};
  }
  return r;
}

std::string Findings::replay_command(const FuzzTarget& target, const FuzzFinding& f, ShellForm form) {
  return fmt::format("assay fuzz {} --engine {} --sanitizer {} --replay {}", shell_path(target.name, form),
                     f.form->engine, f.form->sanitizer, shell_path(f.directory + "/input", form));
}

std::vector<const FuzzFinding*> Findings::all() const {
  std::vector<const FuzzFinding*> out;
  for (const auto& [key, f] : found_) out.push_back(&f);
  return out;
}

void Findings::note(const std::string& error) {
  if (error_.empty()) error_ = error;
}

std::string Findings::place_of(const std::string& key, std::optional<StoredFinding>& stored) const {
  const std::string base = directory_ + "/" + slug_of_key(key);
  std::string place = base;
  for (int i = 2; ::access(place.c_str(), F_OK) == 0; ++i) {
    const auto facts = harness::read_whole(place + "/finding.json");
    stored = facts ? stored_finding(*facts) : std::nullopt;
    if (stored && stored->symptom.key == key && stored->target == target_.name) break;
    stored.reset();
    place = fmt::format("{}-{}", base, i);
  }
  return place;
}

void Findings::take(const std::string& kind, const std::string& artifact, const std::string& log,
                    const std::optional<FuzzSymptom>& symptom) {
  const auto input = harness::read_whole(artifact);
  if (!input) return note(input.error());
  std::optional<FuzzReplay> replay;
  if (!symptom) replay = replay_input(target_, artifact);
  FuzzSymptom s;
  if (symptom) s = *symptom;
  else if (replay->verdict == FuzzReplay::Verdict::found) s = replay->symptom;
  else if (replay->verdict == FuzzReplay::Verdict::error) s = {kind + ", not replayed", replay->symptom.verdict, {}};
  else s = {kind + " that does not repeat", kind + ", and a replay finds nothing", {}};

  auto at = found_.find(s.key);
  if (at == found_.end() && found_.size() == kMost) {
    ++beyond_;
    ::unlink(artifact.c_str());
    return;
  }
  std::optional<StoredFinding> stored;
  if (at == found_.end()) {
    FuzzFinding f;
    f.directory = place_of(s.key, stored);
    f.known = stored.has_value();
    at = found_.emplace(s.key, std::move(f)).first;
  }
  FuzzFinding& f = at->second;
  std::error_code none;
  const auto kept = f.times > 0 ? f.input_bytes : fs::file_size(f.directory + "/input", none);
  const bool first = f.times++ == 0;
  const bool better = none || input->size() < kept || (first && input->size() == kept);
  if (better) {
    f.symptom = s;
    f.form = target_.form;
    f.kind = replay && replay->verdict == FuzzReplay::Verdict::found ? replay->kind : kind;
    f.input_bytes = input->size();
    f.earlier = false;
    f.repeated = f.replays = 0;
    const bool kept_now = keep(f, *input, replay ? log + replay->output : log);
    if (!kept_now) complain(fmt::format("fuzz: the input is left at {}", artifact));
    // The input is safe by now, whatever becomes of the process that runs it again.
    if (!replay) replay = replay_input(target_, kept_now ? f.directory + "/input" : artifact);
    if (replay->verdict != FuzzReplay::Verdict::error) ++f.replays;
    else complain(fmt::format("fuzz: {} cannot be replayed: {}", f.directory, replay->symptom.verdict));
    f.repeated += replay->verdict == FuzzReplay::Verdict::found ? 1 : 0;
    store_case(f, *input);
    write_facts(f);
    if (!kept_now) return;
  } else if (first) {
    f.symptom = stored->symptom;
    f.kind = stored->kind;
    f.form = stored->form;
    f.repeated = stored->repeated;
    f.replays = stored->replays;
    f.input_bytes = kept;
    f.earlier = true;
    f.no_case = stored->no_case;
    if (f.no_case.empty()) note_case(f);
  }
  ::unlink(artifact.c_str());
}

void Findings::settle() {
  for (const auto& [key, f] : found_)
    if (!f.earlier) write_facts(f);
}

bool Findings::keep(FuzzFinding& f, const std::string& input, const std::string& log) {
  bool kept = false;
  if (const auto made = harness::make_directories(f.directory); !made) {
    note(made.error());
    return kept;
  }
  for (const auto& [name, bytes] : {std::pair("log", shortened(log)), std::pair("input", input)}) {
    const auto written = harness::write_whole(f.directory + "/" + name, bytes);
    kept = written.has_value();
    if (!written) note(written.error());
  }
  write_facts(f);
  return kept;
}

void Findings::write_facts(const FuzzFinding& f) {
  const std::string facts = finding_json(target_, f);
  if (const auto written = harness::write_whole(f.directory + "/finding.json", facts); !written) note(written.error());
}

void Findings::note_case(FuzzFinding& f) {
  const auto stored = harness::read_case(f.directory);
  if (stored) f.case_kind = harness::name_of(harness::kind_of(*stored));
  else f.no_case = stored.error();
}

// In a process of its own: what ends the target may end the oracle here.
void Findings::store_case(FuzzFinding& f, const std::string& input) {
  f.case_kind.clear();
  f.no_case.clear();
  // Those of a larger input go.
  if (const auto written = harness::write_files(f.directory, {}); !written) {
    f.no_case = written.error();
    return note(f.no_case);
  }
  std::string ending;
  const std::string reason = fmt::format("fuzzing {}: {}", target_.name, f.symptom.verdict);
  const auto answer = apart(
      [&] {
        std::string error;
        const auto write = [&](const fuzz::RealInput& real) {
          if (const auto written = harness::write_files(f.directory, real.files); !written) error = written.error();
        };
        const fuzz::RealInput real = fuzz::real_input(target_.name, as_bytes(input), reason, write);
        write(real);
        return error.empty() ? real.why : error;
      },
      ending);
  if (answer) f.no_case = *answer;
  else if (!harness::is_file(f.directory + "/case.json")) f.no_case = "what makes a case of it " + ending;
  if (f.no_case.empty()) note_case(f);
}

}  // namespace assay::cli
