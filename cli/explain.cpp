// SPDX-License-Identifier: Apache-2.0
// assay explain: a requirement in the catalogue's words, and who checks it.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/reports.h"
#include "cli/requirements.h"

namespace assay::cli {

Exit run_explain(const ExplainArgs& args, Out& out) {
  const auto e = explain(args.id);
  if (!e)
    return fail("explain: no requirement or reason is called \"" + args.id +
                "\" (ids look like IMG-013)");
  if (args.json) {
    out.write(to_json(*e));
    return kOk;
  }
  if (e->requirement) {
    const Requirement& r = *e->requirement;
    out.line(fmt::format("{} ({}): {}", r.id, r.area, r.level));
    out.line(r.statement);
    out.line(fmt::format("evidence: {}; observable: {}", r.evidence, r.observable));
  } else {
    out.line(fmt::format("{}: a bound of this project, with an option to raise it", e->id));
  }
  for (const ReasonRow* row : e->reasons)
    out.line(fmt::format("{}: {}: {} ({})", name_of(row->outcome), row->id, row->text,
                         name_of(row->status)));
  out.line(fmt::format("tests: {}", e->tests.size()));
  for (const Citation& c : e->tests) out.line(fmt::format("  {} ({}:{})", c.test, c.file, c.line));
  return kOk;
}

}  // namespace assay::cli
