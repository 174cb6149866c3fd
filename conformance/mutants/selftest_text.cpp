// SPDX-License-Identifier: Apache-2.0
// The kill table for people and for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/mutants/selftest.h"

namespace assay::conformance {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const MutantRow& r) {
  return {{"id", r.id},         {"requirement", r.requirement}, {"what", r.what},     {"verdict", name_of(r.kill)},
          {"by", r.by},         {"cases", r.cases},             {"failing", r.failing}, {"naming", r.naming},
          {"astray", r.astray}, {"why", r.why},                 {"should", r.should}};
}
Json json_of(const HostileRow& r) {
  Json outcomes = Json::object();
  for (std::size_t i = 0; i < std::size(r.of); ++i)
    if (r.of[i] != 0) outcomes[std::string(name_of(static_cast<Outcome>(i)))] = r.of[i];
  return {{"name", r.name}, {"what", r.what}, {"right", r.right},       {"outcomes", outcomes},
          {"said", r.said}, {"held", r.held}, {"problems", r.problems}};
}
std::string print(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class T>
void get(const Json& j, const char* key, T& to) {
  if (const auto it = j.find(key); it != j.end()) to = it->get<T>();
}

}  // namespace

std::string line_of(const MutantRow& row) { return print(json_of(row)); }
std::string line_of(const HostileRow& row) { return print(json_of(row)); }

bool read_line(const std::string& line, MutantRow& row) {
  row.ran = true;
  try {
    const Json j = Json::parse(line);
    get(j, "by", row.by), get(j, "why", row.why), get(j, "astray", row.astray);
    get(j, "cases", row.cases), get(j, "failing", row.failing), get(j, "naming", row.naming);
    const std::string verdict = j.value("verdict", "error");
    for (const Kill k : {Kill::killed, Kill::alive, Kill::unnamed, Kill::astray, Kill::reported, Kill::error})
      if (name_of(k) == verdict) row.kill = k;
    return true;
  } catch (const Json::exception& e) {
    row.why = std::string("its row cannot be read: ") + e.what();
    return false;
  }
}

bool read_line(const std::string& line, HostileRow& row) {
  row.ran = true;
  try {
    const Json j = Json::parse(line);
    get(j, "right", row.right), get(j, "said", row.said), get(j, "held", row.held);
    get(j, "problems", row.problems);
    for (std::size_t i = 0; i < std::size(row.of); ++i)
      row.of[i] = j["outcomes"].value(std::string(name_of(static_cast<Outcome>(i))), std::size_t{0});
    return true;
  } catch (const Json::exception& e) {
    row.problems = {std::string("its row cannot be read: ") + e.what()};
    return false;
  }
}

std::string selftest_text(const SelfTest& t) {
  std::string out, wrong;
  for (const MutantRow& r : t.mutants) {
    if (!r.ran) continue;
    out += fmt::format("{:8} {:32} {}", name_of(r.kill), r.id, r.what);
    if (!r.by.empty()) out += fmt::format("; by {}", r.by);
    if (r.kill == Kill::reported) out += ", which passes (all that differs is of medium evidence, and decides nothing)";
    if (r.kill == Kill::unnamed) out += fmt::format(", for other requirements than {}", r.requirement);
    for (const std::string& area : r.astray) out += fmt::format("; passes no accepting case of {}", area);
    if (!r.why.empty()) out += "; " + r.why;
    out += fmt::format(" ({} cases, {} failing)\n", r.cases, r.failing);
    if (!r.right()) wrong += fmt::format("not sound: mutant {} is {}\n", r.id, name_of(r.kill));
  }
  for (const HostileRow& r : t.hostile) {
    if (!r.ran) continue;
    out += fmt::format("{:8} {:32} {};", r.right ? "right" : "WRONG", r.name, r.what);
    for (std::size_t i = 0; i < std::size(r.of); ++i)
      if (r.of[i] != 0) out += fmt::format(" {} {}", r.of[i], name_of(static_cast<Outcome>(i)));
    if (!r.said.empty()) out += fmt::format("; \"{}\"", r.said);
    out += r.held.empty() ? "; holds no level\n" : fmt::format("; HOLDS {}\n", r.held);
    for (const std::string& p : r.problems) out += "         " + p + "\n";
    if (!r.right) wrong += fmt::format("not sound: hostile {} comes to wrong verdicts\n", r.name);
  }
  for (const std::string& id : t.without_case) wrong += fmt::format("not sound: no case for {}\n", id);
  for (const std::string& id : t.without_mutant) wrong += fmt::format("not sound: no mutant for {}\n", id);
  if (t.interrupted) wrong += "interrupted\n";
  const std::string counts =
      fmt::format("mutants={} killed={} by_name={} reported={} hostile={} hostile_right={}", t.killable(), t.killed(),
                  t.by_name(), t.reported(), t.hostile.size(), t.hostile_right());
  return out + wrong + counts + (t.not_judged() == 0 ? "" : fmt::format(" not_judged={}", t.not_judged())) +
         fmt::format(" sound={} seconds={:.1f}\n", t.sound() ? "yes" : "no", t.seconds);
}

std::string selftest_json(const SelfTest& t) {
  Json rows = Json::array(), hostile = Json::array();
  for (const MutantRow& r : t.mutants)
    if (r.ran) rows.push_back(json_of(r));
  for (const HostileRow& r : t.hostile)
    if (r.ran) hostile.push_back(json_of(r));
  return print({{"mutants", t.killable()},
                {"killed", t.killed()},
                {"by_name", t.by_name()},
                {"reported", t.reported()},
                {"hostile", t.hostile.size()},
                {"hostile_right", t.hostile_right()},
                {"without_case", t.without_case},
                {"without_mutant", t.without_mutant},
                {"whole", t.whole},
                {"interrupted", t.interrupted},
                {"not_judged", t.not_judged()},
                {"sound", t.sound()},
                {"seconds", t.seconds},
                {"rows", std::move(rows)},
                {"hostile_rows", std::move(hostile)}}) +
         "\n";
}

}  // namespace assay::conformance
