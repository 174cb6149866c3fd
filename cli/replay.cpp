// SPDX-License-Identifier: Apache-2.0
// assay replay: stored cases and bare files by every property they fit.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/reports_harness.h"
#include "cli/text.h"
#include "harness/cases/cases.h"

namespace assay::cli {
namespace {

using harness::FoundCase;

ReplayedCase replayed(const FoundCase& found) {
  ReplayedCase r{found.path, kind_of(found.c), 0, {}};
  for (const harness::Property& p : harness::properties()) {
    if (p.kind != r.kind) continue;
    harness::Verdict v = harness::judge_apart(p, harness::oracle_subject(), found.c);
    if (v.kind == harness::Verdict::Kind::cannot_say) continue;
    ++r.properties;
    for (harness::Violation& x : v.violations) r.violations.push_back(std::move(x));
  }
  return r;
}

void print(const ReplayedCase& r, Out& out) {
  const std::string verdict = r.violations.empty() ? r.verdict() : paint(STDOUT_FILENO, Colour::red, r.verdict());
  out.line(fmt::format("{}: {} kind={} properties={}", escape_word(r.path), verdict, name_of(r.kind), r.properties));
  for (const harness::Violation& v : r.violations) out.line("  " + escape_text(v.text()));
}

}  // namespace

Exit run_replay(const ReplayArgs& args, Out& out) {
  ReplayReport report;
  Exit code = kOk;
  for (const std::string& path : args.paths) {
    const auto found = harness::cases_of(path);
    if (!found) {
      report.errors.push_back(found.error());
      code = fail(found.error());
      continue;
    }
    for (const FoundCase& f : *found) {
      ProgressLine line;
      line.at("replaying " + f.path);
      ReplayedCase r = replayed(f);
      line.stop();
      if (r.properties == 0) {
        report.errors.push_back(f.path + ": fits no property");
        code = fail(report.errors.back());
      } else if (!r.violations.empty() && code == kOk) {
        code = kRefused;
      }
      if (!args.json) print(r, out);
      report.cases.push_back(std::move(r));
    }
  }
  if (args.json) out.write(to_json(report));
  return code;
}

}  // namespace assay::cli
