// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/certificate.h"

#include <algorithm>

#include <fmt/format.h>

#include "conformance/certificate/failure.h"
#include "conformance/certificate/levels.h"
#include "conformance/certificate/text.h"
#include "conformance/certificate/waivers.h"
#include "harness/cases/cases.h"

namespace assay::conformance {

using harness::Violation;

namespace {

constexpr std::size_t kText = 300;

Violation cleaned(const Violation& v) {
  return {clean(v.requirement, 40), clean(v.place, kText), clean(v.expected, kText), clean(v.actual, kText), {}};
}

std::vector<std::string> problems_of(const Certificate& c) {
  std::vector<std::string> out;
  const auto executed =
      std::count_if(c.cases.begin(), c.cases.end(), [](const CaseRow& r) { return r.answered.has_value(); });
  if (executed == 0) out.push_back("no case was executed");
  if (!c.run.order.differ.empty())
    out.push_back(fmt::format("{} of {} cases were answered otherwise in another order", c.run.order.differ.size(),
                              c.run.order.asked));
  return out;
}

}  // namespace

CaseRow row_of(const Case& c, const Result& result, std::vector<Shown> shown) {
  CaseRow row{c.id, c.origin, c.op, c.requirements, c.expect, result.outcome, result.answered, false,
              clean(result.why, kText), result.answer_sha256, {}, {}, {}};
  // The windows go with the violations they were made of.
  shown.resize(result.violations.size());
  for (std::size_t i = 0; i < result.violations.size(); ++i)
    row.violations.push_back({cleaned(result.violations[i]), std::move(shown[i].expected), std::move(shown[i].actual)});
  for (const Violation& v : result.reported) row.reported.push_back(cleaned(v));
  return row;
}

Certificate make_certificate(RunFacts run, std::span<const Case> cases, std::span<const Result> results,
                             std::map<std::string, std::vector<Shown>> shown,
                             std::map<std::string, std::map<std::string, std::string>> files,
                             std::vector<Waiver> waivers, Catalogue catalogue) {
  Certificate out;
  out.run = std::move(run);
  for (std::string* text :
       {&out.run.implementation.name, &out.run.implementation.version, &out.run.implementation.command})
    *text = clean(*text, kText);
  for (std::string& name : out.run.implementation.unknown_ops) name = clean(name, kText);
  for (CutOp& c : out.run.cut) c.why = clean(c.why, kText);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Result none{cases[i].id, Outcome::skipped, {}, {}, {}, "no result", {}, 0};
    out.cases.push_back(row_of(cases[i], i < results.size() ? results[i] : none, std::move(shown[cases[i].id])));
    out.cases.back().files = std::move(files[cases[i].id]);
  }
  std::sort(out.cases.begin(), out.cases.end(), [](const CaseRow& a, const CaseRow& b) { return a.id < b.id; });
  std::sort(out.run.order.differ.begin(), out.run.order.differ.end());
  out.waivers = std::move(waivers);
  compute(out, catalogue);
  return out;
}

void compute(Certificate& c, Catalogue catalogue) {
  c.problems = problems_of(c);
  for (std::string& p : apply_waivers(c.waivers, c.run.date, c.cases)) c.problems.push_back(clean(p, kText));
  c.counts = {};
  for (const CaseRow& row : c.cases) c.counts.add(row);
  c.requirements = requirement_rows(catalogue, c.cases);
  c.levels = level_rows(catalogue, c.requirements, c.cases, c.run.asked);
  bool asked = false, all = true;
  for (const LevelRow& l : c.levels) {
    asked = asked || l.asked;
    all = all && (!l.asked || l.held);
  }
  c.held = asked && all && c.problems.empty();
}

int exit_code(const Certificate& certificate) { return certificate.held ? 0 : 1; }

std::map<std::string, std::string> documents_of(const Certificate& c, Catalogue catalogue) {
  return {{kDocuments[0], certificate_json(c)},
          {kDocuments[1], certificate_markdown(c, catalogue)},
          {kDocuments[2], junit_xml(c)},
          {kDocuments[3], report_html(c, catalogue)}};
}

tl::expected<void, std::string> write_certificate(const std::string& directory, const Certificate& c,
                                                  Catalogue catalogue) {
  return write_documents(directory, documents_of(c, catalogue));
}

}  // namespace assay::conformance
