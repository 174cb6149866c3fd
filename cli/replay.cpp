// SPDX-License-Identifier: Apache-2.0
// assay replay: stored cases and bare files by every property they fit, and by their own stored answers.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/reports_harness.h"
#include "cli/text.h"
#include "harness/cases/cases.h"
#include "harness/cases/expected.h"

namespace assay::cli {
namespace {

using harness::FoundCase;
using harness::Violation;

constexpr std::uint64_t kSeconds = 60;  // for one property on one case

Io<ReplayedCase> replayed(const FoundCase& found) {
  ReplayedCase r{found.path, kind_of(found.c), 0, {}, found.arch, {}};
  for (const harness::Property& p : harness::properties()) {
    if (p.kind != r.kind) continue;
    harness::Verdict v = harness::judge_apart(p, harness::oracle_subject(), found.c, kSeconds, was_interrupted);
    if (v.kind == harness::Verdict::Kind::cannot_say) {
      // A text either must mean the same or must be refused; elsewhere what is not judged is no pass.
      if (r.kind != harness::CaseKind::text) return io_error(fmt::format("{}: {} cannot say: {}", found.path, p.name, v.why));
      continue;
    }
    ++r.properties;
    for (Violation& x : v.violations) r.violations.push_back(std::move(x));
  }
  if (r.properties == 0) return io_error(found.path + ": fits no property");
  if (found.stored.empty()) return r;
  auto stored = harness::judge_stored(found.stored, found.c);
  if (!stored) return io_error(found.path + ": " + stored.error());
  const auto told = r.violations;  // what a property told of a requirement is not told again
  for (Violation& v : *stored)
    if (std::none_of(told.begin(), told.end(), [&](const Violation& t) { return t.requirement == v.requirement; }))
      r.violations.push_back(std::move(v));
  if (!r.violations.empty() && harness::looks_swapped(found.c))
    r.hint = "the twin is refused as the input should be: the two may be swapped";
  return r;
}

void print(const ReplayedCase& r, Out& out) {
  const std::string verdict = r.violations.empty() ? r.verdict() : paint(STDOUT_FILENO, Colour::red, r.verdict());
  out.line(fmt::format("{}: {} kind={}{} properties={}", escape_word(r.path), verdict, name_of(r.kind),
                       r.arch.empty() ? "" : " arch=" + r.arch, r.properties));
  for (const Violation& v : r.violations) out.line("  " + escape_text(v.text()));
  if (!r.hint.empty()) out.line("  hint: " + r.hint);
}

}  // namespace

Exit run_replay(const ReplayArgs& args, Out& out) {
  remember_interrupts();
  ReplayReport report;
  ProgressLine line;
  for (const std::string& path : args.paths) {
    if (was_interrupted()) break;
    line.at(fmt::format("replaying: {} cases, reading {}", report.cases.size(), path));
    const auto found = harness::cases_of(path);
    if (!found) {
      report.errors.push_back(found.error());
      continue;
    }
    for (const FoundCase& f : *found) {
      line.at(fmt::format("replaying: {} cases, {}", report.cases.size(), f.path));
      auto r = replayed(f);
      if (was_interrupted()) break;  // perhaps in the midst of this one
      if (r) report.cases.push_back(std::move(*r));
      else report.errors.push_back(r.error());
    }
  }
  line.stop();
  Exit code = report.violated() == 0 ? kOk : kRefused;
  for (const std::string& error : report.errors) code = fail(error);
  if (was_interrupted()) {
    complain(fmt::format("replay: interrupted after {} cases", report.cases.size()));
    if (code == kOk) code = interrupted_exit();
  }
  if (args.json) {
    out.write(to_json(report));
  } else if (!report.cases.empty()) {
    for (const ReplayedCase& r : report.cases) print(r, out);
    out.line(fmt::format("cases={} violated={}", report.cases.size(), report.violated()));
  }
  return code;
}

}  // namespace assay::cli
