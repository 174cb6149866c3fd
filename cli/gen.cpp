// SPDX-License-Identifier: Apache-2.0
// assay gen: generated cases on disk, each with the oracle's answer.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"
#include "cli/progress.h"
#include "cli/reports_harness.h"
#include "cli/requirements.h"
#include "cli/text.h"
#include "harness/cases/cases.h"
#include "harness/cases/expected.h"
#include "harness/cases/files.h"
#include "harness/cases/makers.h"

namespace assay::cli {
namespace {

using harness::CaseKind;

// The kind of case that shows what no defect breaks.
CaseKind kind_of_area(std::string_view requirement) {
  const std::string_view area = requirement.substr(0, requirement.find('-'));
  if (area == "IMG") return CaseKind::image;
  if (area == "DT") return CaseKind::dtype;
  if (area == "CON") return CaseKind::neff;
  if (area == "JSN") return CaseKind::text;
  return CaseKind::model;
}

std::string no_defect(const std::string& id) {
  if (const auto known = explain(id); known && known->requirement)
    return fmt::format("gen: {} is a rule about accepted {}s, and no defect breaks it: --kind {}", known->id,
                       name_of(kind_of_area(known->id)), name_of(kind_of_area(known->id)));
  std::vector<std::string_view> names;
  for (const harness::Defect& d : harness::defects()) {
    names.push_back(d.name);
    names.push_back(row_of(d.reason).requirement);
  }
  return fmt::format("gen: no defect is called \"{}\" or breaks a requirement of that id{}; assay gen --list shows all",
                     id, did_you_mean(id, names));
}

Io<std::vector<harness::CaseMaker>> makers_of(const GenArgs& args) {
  if (args.near_miss.empty()) {
    auto makers = harness::makers_of_kind(args.kind.empty() ? "model" : args.kind);
    if (makers.empty()) return io_error("gen: there is no kind \"" + args.kind + "\" of case (see assay gen --help)");
    return makers;
  }
  std::vector<harness::CaseMaker> makers;
  for (const harness::Defect* d : harness::defects_of(args.near_miss)) makers.push_back(d->make);
  if (makers.empty()) return io_error(no_defect(args.near_miss));
  return makers;
}

GenRow row_of_case(const std::string& name, const harness::Case& c, const std::string& expected) {
  const std::string slug = harness::slug_of(c), kind(name_of(kind_of(c)));
  GenRow row{name, kind_of(c), slug.size() > kind.size() ? slug.substr(kind.size() + 1) : "", {}, {}};
  const auto answer = nlohmann::json::parse(expected, nullptr, false);
  if (answer.is_object()) {
    row.outcome = answer.value("outcome", "");
    row.requirement = answer.value("requirement", "");
  }
  return row;
}

Exit list_defects(const GenArgs& args, Out& out) {
  if (args.json) {
    out.write(defects_json());
    return kOk;
  }
  for (const harness::Defect& d : harness::defects())
    out.line(fmt::format("defect={} kind={} requirement={} reason={}", d.name, name_of(d.kind),
                         row_of(d.reason).requirement, row_of(d.reason).id));
  return kOk;
}

}  // namespace

Exit run_gen(const GenArgs& args, Out& out) {
  if (args.list) return list_defects(args, out);
  const auto makers = makers_of(args);
  if (!makers) return fail(makers.error());
  if (args.output.empty()) return fail("gen: --output: a directory is expected");
  if (const auto made = harness::make_directories(args.output); !made) return fail(made.error());
  if (const auto there = harness::names_in(args.output); !there || !there->empty())
    return fail(there ? args.output + ": is not empty" : there.error());

  GenReport report;
  report.directory = args.output;
  report.seed = args.seed ? *args.seed : std::random_device()();
  harness::RandomChoices choices(report.seed);
  std::vector<GenRow> index;
  ProgressLine line;
  const auto failed = [&](const std::string& why) {
    line.stop();
    return fail(why);
  };
  remember_interrupts();
  for (std::uint64_t i = 0; i < args.count && !was_interrupted(); ++i) {
    line.at(fmt::format("generating: {} of {}", i, args.count));
    harness::RandomChoices own = choices.split();
    const harness::Case c = (*makers)[i % makers->size()](own);
    const std::string name = fmt::format("{:04}-{}", i + 1, harness::slug_of(c));
    auto files = harness::files_of(c, fmt::format("generated: case {} of seed {}", i + 1, report.seed));
    if (!files) return failed(name + ": " + files.error());
    files->merge(harness::expected_files(c));
    index.push_back(row_of_case(name, c, files->at("expected.json")));
    if (const auto written = harness::write_files(args.output + "/" + name, *files); !written)
      return failed(written.error());
    report.cases.push_back(name);
  }
  if (const auto written = harness::write_whole(args.output + "/index.json", index_json(index)); !written)
    return failed(written.error());
  line.stop();
  const bool all = report.cases.size() == args.count;
  if (!all)
    complain(fmt::format("gen: interrupted after {} of {} cases, seed {}", report.cases.size(), args.count,
                         report.seed));
  if (args.json) {
    out.write(to_json(report));
  } else {
    for (const std::string& name : report.cases) out.line(escape_text(args.output) + "/" + name);
    out.line(fmt::format("cases={} seed={}", report.cases.size(), report.seed));
  }
  return all ? kOk : interrupted_exit();
}

}  // namespace assay::cli
