// SPDX-License-Identifier: Apache-2.0
// assay gen: generated cases on disk, each with the oracle's answer.
#include <fmt/format.h>

#include <random>

#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/reports_harness.h"
#include "cli/text.h"
#include "harness/cases/cases.h"
#include "harness/cases/expected.h"
#include "harness/cases/files.h"

namespace assay::cli {
namespace {

Io<std::vector<harness::CaseMaker>> makers_of(const GenArgs& args) {
  if (!args.near_miss.empty()) {
    auto makers = harness::makers_of_defect(args.near_miss);
    if (makers.empty())
      return io_error("gen: no defect is called \"" + args.near_miss +
                      "\" or breaks a requirement of that id (ids look like VAR-015, kinds like var-id-gap)");
    return makers;
  }
  auto makers = harness::makers_of_kind(args.kind.empty() ? "model" : args.kind);
  if (makers.empty()) return io_error("gen: there is no kind \"" + args.kind + "\" of case (see assay gen --help)");
  return makers;
}

}  // namespace

Exit run_gen(const GenArgs& args, Out& out) {
  const auto makers = makers_of(args);
  if (!makers) return fail(makers.error());
  if (args.output.empty()) return fail("gen: --output: a directory is expected");
  if (const auto there = harness::names_in(args.output); there && !there->empty())
    return fail(args.output + ": is not empty");

  GenReport report;
  report.directory = args.output;
  report.seed = args.seed ? *args.seed : std::random_device()();
  harness::RandomChoices choices(report.seed);
  ProgressLine line;
  for (std::uint64_t i = 0; i < args.count; ++i) {
    line.at(fmt::format("generating: {} of {}", i, args.count));
    harness::RandomChoices own = choices.split();
    const harness::Case c = (*makers)[i % makers->size()](own);
    const std::string name = fmt::format("{:04}-{}", i + 1, harness::slug_of(c));
    auto files = harness::files_of(c, fmt::format("generated: case {} of seed {}", i + 1, report.seed));
    if (files) (*files)["expected.json"] = harness::expected_json(c);
    const auto written = files ? harness::write_files(args.output + "/" + name, *files)
                               : tl::unexpected<std::string>(name + ": " + files.error());
    if (!written) {
      line.stop();
      return fail(written.error());
    }
    report.cases.push_back(name);
  }
  line.stop();
  if (args.json) {
    out.write(to_json(report));
  } else {
    for (const std::string& name : report.cases) out.line(escape_text(args.output) + "/" + name);
    out.line(fmt::format("cases={} seed={}", report.cases.size(), report.seed));
  }
  return kOk;
}

}  // namespace assay::cli
