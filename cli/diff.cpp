// SPDX-License-Identifier: Apache-2.0
// assay diff: two images path by path (conformance.md, "Comparison").
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/reports.h"
#include "cli/text.h"

namespace assay::cli {
namespace {

void print(const std::vector<Difference>& list, Out& out) {
  for (const Difference& d : list) {
    std::string line = fmt::format("{}: {} | {}", d.path, escape_text(d.a), escape_text(d.b));
    if (d.grade != Grade::high)
      line += d.grade == Grade::medium ? " (medium evidence)" : " (ruling)";
    out.line(line);
  }
}

}  // namespace

Exit run_diff(const DiffArgs& args, Out& out) {
  const auto file_a = read_file(args.a);
  if (!file_a) return fail(file_a.error());
  const auto file_b = read_file(args.b);
  if (!file_b) return fail(file_b.error());
  Inspection a = inspect(file_a->view()), b = inspect(file_b->view());
  if (!a.view) return refused(refusal_of(a.findings.front(), args.a), args.json, out);
  if (!b.view) return refused(refusal_of(b.findings.front(), args.b), args.json, out);

  DiffSummary s{args.a, args.b, args.strict, false, diff(*a.view, *b.view), {}, {}};
  const bool differ = !s.report.high.empty() || (args.strict && !s.report.lower.empty());
  const bool sound = a.findings.empty() && b.findings.empty();
  s.equal = !differ;
  // Walkable, and so compared; yet not what `check` would pass.
  for (const Finding& f : a.findings) complain(refusal_of(f, args.a).text());
  for (const Finding& f : b.findings) complain(refusal_of(f, args.b).text());
  s.findings_a = std::move(a.findings);
  s.findings_b = std::move(b.findings);
  if (args.json) {
    out.write(to_json(s));
  } else {
    print(s.report.high, out);
    if (!s.report.lower.empty() && !args.strict)
      out.line("of lower evidence, not counted (--strict counts them):");
    print(s.report.lower, out);
    out.line(fmt::format("{}: paths={} differences={} of_lower_evidence={}",
                         differ ? "different" : "equal", s.report.compared, s.report.high.size(),
                         s.report.lower.size()));
  }
  return differ || !sound ? kRefused : kOk;
}

}  // namespace assay::cli
