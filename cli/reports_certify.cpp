// SPDX-License-Identifier: Apache-2.0
#include "cli/reports_certify.h"

#include <nlohmann/json.hpp>

#include "cli/requirements.h"
#include "conformance/certificate/summary.h"
#include "harness/compare/compare.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace conformance;

std::string print(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

// Integers beyond what a double holds exactly are decimal strings.
Json number(std::uint64_t v) {
  if (v > std::uint64_t{1} << 53) return std::to_string(v);
  return v;
}

Json text_or_null(const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); }

Json counts_object(const Counts& counts) {
  Json out = Json::object();
  for (std::size_t i = 0; i < std::size(counts.of); ++i)
    out[std::string(name_of(static_cast<conformance::Outcome>(i)))] = counts.of[i];
  out["waived"] = counts.waived;
  return out;
}

Json waived_object(const Certificate& c, const std::string& id) {
  const Waiver* const w = waiver_of(c, id);
  return w == nullptr ? Json(nullptr) : Json{{"until", w->until}, {"reason", w->reason}};
}

Json failure_object(const CertifyReport& report, const CaseFailure& f) {
  const conformance::Result& r = report.run->results[f.index];
  Json violations = Json::array();
  for (const harness::Violation& v : r.violations)
    violations.push_back(
        {{"requirement", v.requirement}, {"place", v.place}, {"expected", v.expected}, {"actual", v.actual}});
  return {{"case", report.cases[f.index].id},
          {"outcome", name_of(r.outcome)},
          {"why", text_or_null(r.why)},
          {"violations", std::move(violations)},
          {"waived", waived_object(*report.certificate, r.id)},
          {"directory", text_or_null(f.directory)},
          {"replay", f.replay}};
}

}  // namespace

std::string to_json(const CertifyReport& report) {
  const Certificate& c = *report.certificate;
  Json levels = Json::object();
  if (!report.filtered)
    for (const LevelRow& l : c.levels)
      if (l.part_of_suite)
        levels[std::string(1, l.letter)] = {{"title", l.title}, {"asked", l.asked},   {"held", l.held},
                                            {"with_waivers", l.with_waivers}, {"rows", l.rows}, {"passed", l.passed},
                                            {"missing", l.missing}, {"beside", l.beside}};
  Json failures = Json::array();
  for (const CaseFailure& f : report.failures->all) failures.push_back(failure_object(report, f));
  Json errors = Json::array(), reported = Json::array(), cut = Json::array();
  for (const Cause& cause : causes_of_errors(c.cases))
    errors.push_back({{"why", cause.why}, {"cases", cause.cases.size()}, {"first", cause.cases.front()->id}});
  for (const ReportedRow& r : reported_rows(c.cases)) {
    const Requirement* const row = find_requirement(requirements(), r.requirement);
    reported.push_back({{"requirement", r.requirement},
                        {"level", row == nullptr ? "must" : row->level},
                        {"cases", r.cases},
                        {"first", r.first->id},
                        {"place", r.violation->place},
                        {"expected", r.violation->expected},
                        {"actual", r.violation->actual}});
  }
  for (const CutOp& x : c.run.cut) cut.push_back({{"op", name_of(x.op)}, {"why", x.why}, {"cases", x.cases}});
  const Implementation& who = c.run.implementation;
  return print({{"implementation", {{"name", who.name}, {"version", who.version}, {"unknown_ops", who.unknown_ops}}},
                {"filtered", report.filtered},
                {"held", report.filtered ? Json(nullptr) : Json(c.held)},
                {"levels", std::move(levels)},
                {"cases", c.cases.size()},
                {"counts", counts_object(c.counts)},
                {"failures", std::move(failures)},
                {"errors", std::move(errors)},
                {"reported", std::move(reported)},
                {"not_sent", std::move(cut)},
                {"problems", c.problems},
                {"remarks", report.run->notes.remarks},
                {"starts", number(report.run->notes.starts)},
                {"seed", number(c.run.seed)},
                {"generated", number(c.run.generated)},
                {"seconds", report.seconds},
                {"certificate", text_or_null(report.directory)}});
}

std::string certify_list_json(std::span<const Case> cases) {
  Json list = Json::array();
  for (const Case& c : cases)
    list.push_back({{"id", c.id},
                    {"origin", name_of(c.origin)},
                    {"op", name_of(c.op)},
                    {"expect", harness::reply_text(c.expect, "")},
                    {"requirements", c.requirements},
                    {"flags", c.flags},
                    {"comment", c.comment}});
  return print({{"cases", std::move(list)}});
}

std::string to_json(const std::string& directory, const Verification& v) {
  return print({{"directory", directory},
                {"consistent", v.ok()},
                {"rerun", v.rerun},
                {"verdict", v.text()},
                {"problems", v.problems}});
}

}  // namespace assay::cli
