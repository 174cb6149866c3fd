// SPDX-License-Identifier: Apache-2.0
#include "cli/reports_fuzz.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/text.h"

namespace assay::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json& j, int indent = -1) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Integers beyond what a double holds exactly are decimal strings.
Json number(std::uint64_t v) {
  if (v > std::uint64_t{1} << 53) return std::to_string(v);
  return v;
}

Json text_or_null(const std::string& s) { return s.empty() ? Json(nullptr) : Json(s); }

Json facts(const FuzzTarget& target, const FuzzFinding& f) {
  return {{"target", target.name},
          {"engine", f.form->engine},
          {"sanitizer", f.form->sanitizer},
          {"kind", f.kind},
          {"key", f.symptom.key},
          {"verdict", f.symptom.verdict},
          {"requirement", text_or_null(f.symptom.requirement)},
          {"repeats", {{"found", f.repeated}, {"of", f.replays}}},
          {"times", number(f.times)},
          {"input_bytes", number(f.input_bytes)},
          {"case", text_or_null(f.case_kind)},
          {"no_case", text_or_null(f.no_case)},
          {"replay", Findings::replay_command(target, f, ShellForm::text)},
          {"replay_case",
           f.case_kind.empty() ? Json(nullptr) : Json("assay replay " + shell_path(f.directory, ShellForm::text))}};
}

}  // namespace

std::string finding_json(const FuzzTarget& target, const FuzzFinding& f) { return print(facts(target, f), 1); }

std::optional<StoredFinding> stored_finding(const std::string& text) {
  const Json j = Json::parse(text, nullptr, false);
  if (!j.is_object()) return std::nullopt;
  const auto string = [&](const char* name) {
    const auto it = j.find(name);
    return it != j.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  StoredFinding s{string("target"), string("kind"), string("no_case"), nullptr,
                  {string("key"), string("verdict"), string("requirement")}};
  for (const FuzzForm& form : fuzz_forms())
    if (form.engine == string("engine") && form.sanitizer == string("sanitizer")) s.form = &form;
  constexpr const char* kKinds[] = {"crash", "timeout", "oom", "leak"};
  const bool kind = std::find(std::begin(kKinds), std::end(kKinds), s.kind) != std::end(kKinds);
  if (s.form == nullptr || !kind || s.symptom.key.empty()) return std::nullopt;
  const Json repeats = j.value("repeats", Json::object());
  const auto number = [&](const char* name) {
    const auto it = repeats.is_object() ? repeats.find(name) : repeats.end();
    return it != repeats.end() && it->is_number_unsigned() ? it->get<unsigned>() : 0U;
  };
  s.repeated = number("found");
  s.replays = number("of");
  return s;
}

std::string to_json(const FuzzPlan& plan, const FuzzRun& run, const Findings& findings) {
  Json found = Json::array();
  for (const FuzzFinding* f : findings.all()) {
    Json j = facts(plan.target, *f);
    j["directory"] = f->directory;
    j["known"] = f->known;
    found.push_back(std::move(j));
  }
  const auto per_second = run.seconds > 0 ? static_cast<double>(run.counts.executions) / run.seconds : 0;
  return print({{"target", plan.target.name},
                {"engine", plan.target.form->engine},
                {"sanitizer", plan.target.form->sanitizer},
                {"jobs", plan.jobs},
                {"seed", plan.seed},
                {"seconds", run.seconds},
                {"executions", number(run.counts.executions)},
                {"per_second", per_second},
                {"corpus", number(run.counts.corpus)},
                {"edges", number(run.counts.edges)},
                {"slow_units", number(run.counts.slow_units)},
                {"out", plan.output},
                {"corpus_directory", plan.corpus},
                {"findings", findings.all().size()},
                {"not_kept", number(findings.beyond())},
                {"found", std::move(found)},
                {"interrupted", run.interrupted},
                {"error", text_or_null(run.error)}});
}

std::string fuzz_list_json(const std::string& directory, const std::vector<FuzzTargetRow>& rows) {
  Json list = Json::array();
  for (const FuzzTargetRow& row : rows) {
    Json built = Json::array();
    for (const FuzzForm* form : row.built) built.push_back({{"engine", form->engine}, {"sanitizer", form->sanitizer}});
    list.push_back({{"name", row.name}, {"about", row.about}, {"built", std::move(built)}});
  }
  return print({{"fuzzers", directory}, {"targets", std::move(list)}});
}

const char* FuzzReplayRow::verdict() const {
  constexpr const char* kNames[] = {"holds", "found", "error"};
  return kNames[static_cast<int>(replay.verdict)];
}

std::string fuzz_replay_json(const FuzzTarget& target, const std::vector<FuzzReplayRow>& rows) {
  Json list = Json::array();
  std::size_t found = 0;
  for (const FuzzReplayRow& row : rows) {
    const FuzzSymptom& s = row.replay.symptom;
    const bool is = row.replay.verdict == FuzzReplay::Verdict::found;
    found += is ? 1 : 0;
    list.push_back({{"path", row.path},
                    {"verdict", row.verdict()},
                    {"kind", is ? Json(row.replay.kind) : Json(nullptr)},
                    {"key", text_or_null(s.key)},
                    {"text", text_or_null(s.verdict)},
                    {"requirement", text_or_null(s.requirement)}});
  }
  return print({{"target", target.name}, {"engine", target.form->engine}, {"sanitizer", target.form->sanitizer},
                {"inputs", std::move(list)}, {"found", found}});
}

}  // namespace assay::cli
