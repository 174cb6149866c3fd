// SPDX-License-Identifier: Apache-2.0
#include "cli/reports_harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/text.h"
#include "harness/cases/makers.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;
using harness::Violation;

std::string print(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

// Integers beyond what a double holds exactly are decimal strings.
Json number(std::uint64_t v) {
  if (v > std::uint64_t{1} << 53) return std::to_string(v);
  return v;
}

Json ids(std::span<const std::string_view> list) {
  Json out = Json::array();
  for (const std::string_view id : list) out.push_back(id);
  return out;
}

Json violation_object(const Violation& v) {
  return {{"property", v.property}, {"requirement", v.requirement}, {"place", v.place},
          {"expected", v.expected}, {"actual", v.actual}};
}

Json text_or_null(const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); }

// Text inside XML 1.0: what it cannot hold is left out as "?".
std::string xml(std::string_view text) {
  std::string out;
  for (const char ch : text) {
    switch (ch) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(ch) < 0x20 || static_cast<unsigned char>(ch) > 0x7e ? '?' : ch;
    }
  }
  return out;
}

}  // namespace

std::string to_json(const ProveReport& report) {
  const harness::RunReport& run = *report.run;
  Json list = Json::array();
  for (const harness::PropertyRun& p : run.properties)
    list.push_back({{"name", p.property->name},
                    {"cases", number(p.cases)},
                    {"requirements", ids(p.property->requirements)},
                    {"per_second", p.per_second()}});
  Json found = Json::array();
  for (const KeptFailure& k : report.found) {
    Json j = violation_object(k.failure->violation);
    j["cases"] = number(k.failure->times);
    j["case_seed"] = number(k.failure->case_seed);
    j["directory"] = text_or_null(k.directory);
    j["replay"] =
        k.directory.empty() ? Json(nullptr) : Json("assay replay " + shell_path(k.directory, ShellForm::text));
    found.push_back(std::move(j));
  }
  Json distribution = Json::object();
  for (const auto& [kind, labels] : run.distribution)
    for (const auto& [label, n] : labels) distribution[kind][label] = number(n);
  return print({{"cases", number(run.cases)},
                {"failures", report.found.size()},
                {"seconds", run.seconds},
                {"properties", std::move(list)},
                {"seed", number(report.seed)},
                {"found", std::move(found)},
                {"distribution", std::move(distribution)},
                {"interrupted", run.interrupted}});
}

std::string to_junit(const ProveReport& report) {
  const harness::RunReport& run = *report.run;
  std::size_t failed = 0;
  std::string cases;
  for (const harness::PropertyRun& p : run.properties) {
    cases += fmt::format("  <testcase classname=\"assay.prove\" name=\"{}\" time=\"{:.3f}\"",
                         xml(p.property->name), p.seconds);
    std::string failures;
    for (const KeptFailure& k : report.found)
      if (k.failure->property == p.property)
        failures += fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                                xml(k.failure->violation.requirement), xml(k.failure->violation.text()),
                                k.directory.empty()
                                    ? ""
                                    : xml("assay replay " + shell_path(k.directory, ShellForm::ascii)));
    failed += failures.empty() ? 0 : 1;
    cases += failures.empty() ? "/>\n" : ">\n" + failures + "  </testcase>\n";
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"assay prove\" tests=\"{}\" "
                     "failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"{:.3f}\">\n"
                     "  <properties><property name=\"seed\" value=\"{}\"/><property name=\"interrupted\" "
                     "value=\"{}\"/></properties>\n{}</testsuite>\n",
                     run.properties.size(), failed, run.seconds, report.seed, run.interrupted, cases);
}

std::string list_json(const std::vector<ChosenProperty>& chosen) {
  Json list = Json::array();
  for (const ChosenProperty& c : chosen)
    list.push_back({{"name", c.property->name},
                    {"kind", name_of(c.property->kind)},
                    {"weight", c.property->weight},
                    {"requirements", ids(c.requirements)}});
  return print({{"properties", std::move(list)}});
}

std::string mutants_json(const std::vector<harness::KillRow>& rows) {
  Json list = Json::array();
  std::size_t alive = 0;
  for (const harness::KillRow& r : rows) {
    alive += r.killed_by ? 0 : 1;
    list.push_back({{"id", r.id}, {"requirement", r.requirement},
                    {"killed_by", r.killed_by ? Json(*r.killed_by) : Json(nullptr)}, {"cases", number(r.cases)}});
  }
  return print({{"mutants", std::move(list)}, {"alive", alive}});
}

std::string to_json(const ReplayReport& report) {
  Json list = Json::array();
  for (const ReplayedCase& c : report.cases) {
    Json violations = Json::array();
    for (const Violation& v : c.violations) violations.push_back(violation_object(v));
    list.push_back({{"path", c.path}, {"kind", name_of(c.kind)}, {"arch", text_or_null(c.arch)},
                    {"properties", c.properties}, {"verdict", c.verdict()}, {"violations", std::move(violations)},
                    {"hint", text_or_null(c.hint)}});
  }
  return print({{"cases", std::move(list)}, {"violated", report.violated()}, {"errors", report.errors}});
}

std::size_t ReplayReport::violated() const {
  return static_cast<std::size_t>(std::count_if(cases.begin(), cases.end(), [](const ReplayedCase& c) {
    return !c.violations.empty();
  }));
}

std::string index_json(const std::vector<GenRow>& rows) {
  Json list = Json::array();
  for (const GenRow& r : rows)
    list.push_back({{"case", r.name}, {"kind", name_of(r.kind)}, {"label", text_or_null(r.label)},
                    {"requirement", text_or_null(r.requirement)}, {"outcome", r.outcome}});
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string defects_json() {
  Json list = Json::array();
  for (const harness::Defect& d : harness::defects())
    list.push_back({{"name", d.name}, {"kind", name_of(d.kind)}, {"requirement", row_of(d.reason).requirement},
                    {"reason", row_of(d.reason).id}});
  return print({{"defects", std::move(list)}});
}

std::string to_json(const GenReport& report) {
  return print({{"directory", report.directory}, {"seed", number(report.seed)}, {"cases", report.cases}});
}

}  // namespace assay::cli
