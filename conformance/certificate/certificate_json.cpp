// SPDX-License-Identifier: Apache-2.0
// certificate.json, written and read.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/text.h"
#include "harness/compare/compare.h"

namespace assay::conformance {

using harness::ReplyStatus;
using harness::Violation;
using Json = nlohmann::json;

namespace {

constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
constexpr std::string_view kFormat = "assay-certificate";
constexpr int kVersion = 1;
constexpr Outcome kOutcomes[] = {Outcome::pass,     Outcome::fail,        Outcome::error,
                                 Outcome::unproven, Outcome::unsupported, Outcome::skipped};
constexpr Origin kOrigins[] = {Origin::fixed, Origin::regression, Origin::generated};
constexpr RowVerdict kVerdicts[] = {RowVerdict::pass,    RowVerdict::waived,      RowVerdict::fail,
                                    RowVerdict::no_case, RowVerdict::only_waived, RowVerdict::not_seen};
constexpr ReplyStatus kStatuses[] = {ReplyStatus::ok,          ReplyStatus::refused,     ReplyStatus::trapped,
                                     ReplyStatus::unspecified, ReplyStatus::unsupported, ReplyStatus::error};

std::string status_name(ReplyStatus s) { return harness::reply_text(s, ""); }
Json number(std::uint64_t v) { return v > kExact ? Json(std::to_string(v)) : Json(v); }

// ---- writing: empty parts of a case are left out ----

Json json_of(const Violation& v) {
  return {{"requirement", v.requirement}, {"place", v.place}, {"expected", v.expected}, {"actual", v.actual}};
}
Json json_of(const Window& w) {
  return {{"begin", number(w.begin)}, {"field", number(w.field)}, {"length", w.length}, {"bytes", to_hex(w.bytes)}};
}
Json json_of(const Counts& c) {
  Json j = {{"total", c.total()}, {"waived", c.waived}};
  for (const Outcome o : kOutcomes) j[std::string(name_of(o))] = c[o];
  return j;
}
Json json_of(const CaseRow& r) {
  Json j = {{"id", r.id}, {"origin", name_of(r.origin)}, {"op", name_of(r.op)}, {"requirements", r.requirements},
            {"expect", status_name(r.expect)}, {"outcome", name_of(r.outcome)}};
  if (r.answered) j["answered"] = status_name(*r.answered);
  if (r.waived) j["waived"] = true;
  if (!r.why.empty()) j["why"] = r.why;
  if (!r.sha256.empty()) j["sha256"] = r.sha256;
  for (const Shown& s : r.violations) {
    Json v = json_of(s.violation);
    if (s.expected) v["expected_bytes"] = json_of(*s.expected);
    if (s.actual) v["actual_bytes"] = json_of(*s.actual);
    j["violations"].push_back(std::move(v));
  }
  for (const Violation& v : r.reported) j["reported"].push_back(json_of(v));
  if (!r.files.empty()) j["files"] = r.files;
  return j;
}
Json json_of(const LevelRow& l) {
  return {{"title", l.title},     {"part_of_suite", l.part_of_suite}, {"asked", l.asked},
          {"held", l.held},       {"with_waivers", l.with_waivers},   {"requirements", l.rows},
          {"passed", l.passed},   {"missing", l.missing},             {"beside", l.beside},
          {"why", l.why}};
}
Json json_of(const RequirementRow& r) {
  return {{"id", r.id},
          {"level", r.level},
          {"of", std::string(1, r.of == 0 ? '-' : r.of)},
          {"verdict", name_of(r.verdict)},
          {"cases", json_of(r.counts)},
          {"named", r.named},
          {"beside", r.beside}};
}
std::vector<std::string> names_of(const std::vector<Op>& ops) {
  std::vector<std::string> out;
  for (const Op op : ops) out.emplace_back(name_of(op));
  return out;
}

// ---- reading: the first thing that is wrong ends it ----

struct Wrong {
  std::string what;
};

const Json& at(const Json& j, const char* key) {
  if (!j.is_object() || !j.contains(key)) throw Wrong{fmt::format("no key {}", key)};
  return j[key];
}
std::string text(const Json& j, const char* key) {
  const Json& v = at(j, key);
  if (!v.is_string()) throw Wrong{fmt::format("{}: no text", key)};
  return v.get<std::string>();
}
std::string text_or_none(const Json& j, const char* key) {
  return j.is_object() && j.contains(key) ? text(j, key) : "";
}
bool flag(const Json& j, const char* key) {
  const Json& v = at(j, key);
  if (!v.is_boolean()) throw Wrong{fmt::format("{}: neither true nor false", key)};
  return v.get<bool>();
}
std::uint64_t count(const Json& j, const char* key) {
  const Json& v = at(j, key);
  if (v.is_number_unsigned()) return v.get<std::uint64_t>();
  std::uint64_t n = 0;
  if (v.is_string()) {
    const auto& s = v.get_ref<const std::string&>();
    const auto r = std::from_chars(s.data(), s.data() + s.size(), n);
    if (r.ec == std::errc{} && r.ptr == s.data() + s.size() && !s.empty()) return n;
  }
  throw Wrong{fmt::format("{}: no count", key)};
}
const Json& list(const Json& j, const char* key) {
  const Json& v = at(j, key);
  if (!v.is_array()) throw Wrong{fmt::format("{}: no list", key)};
  return v;
}
const Json& list_or_none(const Json& j, const char* key) {
  static const Json none = Json::array();
  return j.is_object() && j.contains(key) ? list(j, key) : none;
}
std::vector<std::string> texts(const Json& j, const char* key) {
  std::vector<std::string> out;
  for (const Json& v : list(j, key)) {
    if (!v.is_string()) throw Wrong{fmt::format("{}: no list of texts", key)};
    out.push_back(v.get<std::string>());
  }
  return out;
}
std::vector<std::string> texts_or_none(const Json& j, const char* key) {
  return j.contains(key) ? texts(j, key) : std::vector<std::string>();
}
// Of a table of values, the one with that name.
template <class T, std::size_t N, class Name>
T named(const T (&all)[N], const std::string& wanted, Name name) {
  for (const T v : all)
    if (name(v) == wanted) return v;
  throw Wrong{fmt::format("an unknown name: {}", clean(wanted, 40))};
}
template <class T, std::size_t N>
T named(const T (&all)[N], const std::string& wanted) {
  return named(all, wanted, [](T v) { return name_of(v); });
}
Op op_of(const std::string& name) {
  if (const auto op = op_named(name)) return *op;
  throw Wrong{fmt::format("an unknown op: {}", clean(name, 40))};
}

Violation violation_of(const Json& j) {
  return {text(j, "requirement"), text(j, "place"), text(j, "expected"), text(j, "actual"), {}};
}

std::optional<Window> window_of(const Json& j, const char* key) {
  if (!j.contains(key)) return std::nullopt;
  const Json& w = j[key];
  Window out{count(w, "begin"), count(w, "field"), static_cast<std::uint32_t>(count(w, "length")),
             from_hex(text(w, "bytes"))};
  if (out.field < out.begin || out.field - out.begin > out.bytes.size() ||
      out.length > out.bytes.size() - (out.field - out.begin))
    throw Wrong{fmt::format("{}: a field outside its bytes", key)};
  return out;
}
Counts counts_of(const Json& j) {
  Counts c;
  for (const Outcome o : kOutcomes) c.of[static_cast<std::size_t>(o)] = count(j, std::string(name_of(o)).c_str());
  c.waived = count(j, "waived");
  if (count(j, "total") != c.total()) throw Wrong{"total: not the sum of the counts"};
  return c;
}
CaseRow case_of(const Json& j) {
  CaseRow r;
  r.id = text(j, "id");
  r.origin = named(kOrigins, text(j, "origin"));
  r.op = op_of(text(j, "op"));
  r.requirements = texts(j, "requirements");
  r.expect = named(kStatuses, text(j, "expect"), status_name);
  r.outcome = named(kOutcomes, text(j, "outcome"));
  if (j.contains("answered")) r.answered = named(kStatuses, text(j, "answered"), status_name);
  r.waived = j.contains("waived") && flag(j, "waived");
  r.why = text_or_none(j, "why");
  r.sha256 = text_or_none(j, "sha256");
  for (const Json& v : list_or_none(j, "violations"))
    r.violations.push_back({violation_of(v), window_of(v, "expected_bytes"), window_of(v, "actual_bytes")});
  for (const Json& v : list_or_none(j, "reported")) r.reported.push_back(violation_of(v));
  if (!j.contains("files")) return r;
  if (!j["files"].is_object()) throw Wrong{"files: no object"};
  for (const auto& [name, digest] : j["files"].items()) {
    if (!digest.is_string()) throw Wrong{"files: no digest"};
    r.files[name] = digest.get<std::string>();
  }
  return r;
}
LevelRow level_of(char letter, const Json& j) {
  return {letter,
          text(j, "title"),
          flag(j, "part_of_suite"),
          flag(j, "asked"),
          flag(j, "held"),
          flag(j, "with_waivers"),
          count(j, "requirements"),
          count(j, "passed"),
          texts(j, "missing"),
          texts_or_none(j, "beside"),
          text(j, "why")};
}
RequirementRow requirement_of(const Json& j) {
  const std::string of = text(j, "of");
  if (of.size() != 1) throw Wrong{"of: no letter"};
  return {text(j, "id"), text(j, "level"), of == "-" ? '\0' : of[0], named(kVerdicts, text(j, "verdict")),
          counts_of(at(j, "cases")), count(j, "named"), j.contains("beside") && flag(j, "beside")};
}

Certificate certificate_of(const Json& j) {
  if (text(j, "format") != kFormat || count(j, "version") != kVersion) throw Wrong{"not a certificate of version 1"};
  Certificate c;
  const Json &suite = at(j, "suite"), &who = at(j, "implementation"), &order = at(j, "order");
  c.run.suite_version = text(suite, "version");
  c.run.suite_hash = text(suite, "hash");
  c.run.implementation = {text(who, "name"), text(who, "version"), text(who, "way"), text(who, "command"), {}};
  c.run.implementation.unknown_ops = texts_or_none(who, "unknown_ops");
  for (const std::string& op : texts(who, "ops")) c.run.implementation.ops.push_back(op_of(op));
  c.run.seed = count(j, "seed");
  c.run.generated = count(j, "generated");
  c.run.date = text(j, "date");
  c.run.asked = text(j, "asked");
  for (const Json& cut : list(j, "cut"))
    c.run.cut.push_back({op_of(text(cut, "op")), text(cut, "why"), count(cut, "cases")});
  c.run.order = {count(order, "asked"), texts(order, "differ")};
  for (const Json& one : list(j, "cases")) c.cases.push_back(case_of(one));
  for (const Json& w : list(j, "waivers")) c.waivers.push_back({text(w, "case"), text(w, "reason"), text(w, "until")});
  c.counts = counts_of(at(j, "counts"));
  for (const Json& r : list(j, "requirements")) c.requirements.push_back(requirement_of(r));
  const Json& levels = at(j, "levels");
  for (const char letter : std::string_view("DSILNRH"))
    c.levels.push_back(level_of(letter, at(levels, std::string(1, letter).c_str())));
  if (levels.size() != c.levels.size()) throw Wrong{"levels: not the seven"};
  c.problems = texts(j, "problems");
  c.held = flag(j, "held");
  return c;
}

}  // namespace

std::string certificate_json(const Certificate& c) {
  const RunFacts& run = c.run;
  Json j = {{"format", kFormat},
            {"version", kVersion},
            {"suite", {{"version", run.suite_version}, {"hash", run.suite_hash}}},
            {"implementation",
             {{"name", run.implementation.name},
              {"version", run.implementation.version},
              {"way", run.implementation.way},
              {"command", run.implementation.command},
              {"ops", names_of(run.implementation.ops)},
              {"unknown_ops", run.implementation.unknown_ops}}},
            {"seed", number(run.seed)},
            {"generated", number(run.generated)},
            {"date", run.date},
            {"asked", run.asked},
            {"held", c.held},
            {"problems", c.problems},
            {"counts", json_of(c.counts)},
            {"order", {{"asked", run.order.asked}, {"differ", run.order.differ}}}};
  for (const char* key : {"cut", "waivers", "requirements", "cases"}) j[key] = Json::array();
  j["levels"] = Json::object();
  for (const CutOp& o : run.cut) j["cut"].push_back({{"op", name_of(o.op)}, {"why", o.why}, {"cases", o.cases}});
  for (const Waiver& w : c.waivers) j["waivers"].push_back({{"case", w.id}, {"reason", w.reason}, {"until", w.until}});
  for (const RequirementRow& r : c.requirements) j["requirements"].push_back(json_of(r));
  for (const CaseRow& r : c.cases) j["cases"].push_back(json_of(r));
  for (const LevelRow& l : c.levels) j["levels"][std::string(1, l.letter)] = json_of(l);
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::expected<Certificate, std::string> read_certificate(std::string_view json) {
  try {
    const Json j = Json::parse(json, nullptr, false);
    if (j.is_discarded()) return tl::unexpected<std::string>("certificate.json: no JSON");
    return certificate_of(j);
  } catch (const Wrong& w) {
    return tl::unexpected<std::string>("certificate.json: " + w.what);
  } catch (const std::exception& e) {
    return tl::unexpected<std::string>(std::string("certificate.json: ") + e.what());
  }
}

}  // namespace assay::conformance
