// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/hostile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "conformance/certificate/certificate.h"
#include "conformance/certificate/levels.h"
#include "conformance/mutants/hostile_behaviour.h"

namespace assay::conformance {
namespace {

constexpr std::string_view kTimeouts = "not sent: three timeouts", kErrors = "not sent: ten errors";
constexpr std::uint32_t kShort = 300, kLong = 60'000;  // ms; long where every answer counts

const Hostile kHostiles[] = {
    {"silent", "reads requests and never answers", true, {"error", ""}, {"timeout", kTimeouts, ""}, kShort,
     &hostile::silent},
    {"slow", "answers rightly, after the time for it is over", true, {"error", ""}, {"timeout", kTimeouts, ""}, kShort,
     &hostile::slow},
    {"talkative", "writes a line that never ends", true, {"error", ""}, {"flood", kErrors, ""}, kLong,
     &hostile::talkative},
    {"truncating", "answers with the first half of the line", true, {"error", ""}, {"noise", "protocol", kErrors},
     kLong, &hostile::truncating},
    {"wrong ids", "answers with the id of another request", true, {"error", ""}, {"protocol", kErrors, ""}, kLong,
     &hostile::wrong_ids},
    {"wrong order", "answers the second of two requests first", true, {"error", ""}, {"protocol", "timeout", kTimeouts},
     kShort, &hostile::wrong_order},
    {"dying", "dies over one request in seven", false, {"error", ""}, {"crash: SIGSEGV", "", ""}, kLong,
     &hostile::dying},
    {"printing", "prints to standard output over one request in seven", false, {"error", ""}, {"noise", "", ""}, kLong,
     &hostile::printing},
    {"growing", "takes memory without bound", true, {"error", ""}, {"out of memory", kErrors, ""}, kLong,
     &hostile::growing},
    {"refusing", "refuses everything", true, {"fail", "unproven"}, {"", "", ""}, kLong, &hostile::refusing},
    {"accepting", "accepts everything with the same value", true, {"fail", ""}, {"", "", ""}, kLong,
     &hostile::accepting},
    {"echoing", "sends the request back", true, {"error", ""}, {"protocol", kErrors, ""}, kLong, &hostile::echoing},
};

constexpr std::size_t kProblems = 10;

bool one_of(std::string_view text, std::span<const std::string_view> list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view s) { return !s.empty() && s == text; });
}
bool begins_with_one(std::string_view text, std::span<const std::string_view> list) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view s) { return !s.empty() && text.substr(0, s.size()) == s; });
}

// Bytes of this process in memory, which a forked child has from the start.
std::uint64_t resident_now() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string held_by(std::span<const Case> cases, std::span<const Result> results, Catalogue catalogue) {
  RunFacts facts;
  facts.asked = suite_levels();
  facts.implementation.ops = {Op::dtype, Op::lower, Op::lower_neff, Op::decode};
  std::string out;
  for (const LevelRow& level : make_certificate(facts, cases, results, {}, {}, {}, catalogue).levels)
    if (level.held) out += level.letter;
  return out;
}

}  // namespace

std::span<const Hostile> hostiles() { return kHostiles; }
const Hostile* find_hostile(std::string_view name) {
  for (const Hostile& h : kHostiles)
    if (h.name == name) return &h;
  return nullptr;
}
bool strikes(const Hostile& h, const Case& c) {
  return h.strikes_all || hostile::is_struck(std::string(name_of(c.op)) + c.request);
}

void judge_hostile(const Hostile& h, std::span<const Case> cases, std::span<const Result> results,
                   Catalogue catalogue, HostileRow& row) {
  const auto problem = [&](std::string text) {
    if (row.problems.size() < kProblems) row.problems.push_back(std::move(text));
  };
  std::map<std::string_view, bool> struck;
  for (const Case& c : cases) struck[c.id] = strikes(h, c);
  const auto is_struck = [&](const std::string& id) { return struck.count(id) != 0 && struck[id]; };
  std::map<std::string, std::size_t> said;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    const Result& r = results[i];
    ++row.of[static_cast<std::size_t>(r.outcome)];
    const std::string_view outcome = name_of(r.outcome);
    if (r.outcome == Outcome::error) ++said[r.why];
    if (struck[c.id]) {
      // A row below must decides nothing: what is wrong there is reported, and the case passes.
      const bool reported = (r.outcome == Outcome::pass || r.outcome == Outcome::unproven) && !r.reported.empty() &&
                            !is_must(catalogue, c.requirements.front()) && h.outcomes[0] == "fail";
      if (reported) continue;
      if (!one_of(outcome, h.outcomes)) problem(fmt::format("{}: {} ({})", c.id, outcome, r.why));
      else if (r.outcome == Outcome::error && !begins_with_one(r.why, h.reasons))
        problem(fmt::format("{}: error, but for: {}", c.id, r.why));
    } else {
      const bool partner = is_struck(c.twin) || is_struck(c.differs_from);
      if (r.outcome != (partner ? Outcome::unproven : Outcome::pass))
        problem(fmt::format("{}: {} ({})", c.id, outcome, r.why));
    }
  }
  for (const auto& [why, n] : said)
    if (row.said.empty() || n > said[row.said]) row.said = why;
  row.held = held_by(cases, results, catalogue);
  if (!row.held.empty()) problem("it holds " + row.held);
  if (cases.empty()) problem("no case was run");
  row.right = row.problems.empty();
}

HostileRow try_hostile(const Hostile& h, std::span<const Case> cases, Catalogue catalogue) {
  HostileRow row;
  row.name = h.name;
  row.what = h.what;
  ChildLimits limits;
  limits.timeout = std::chrono::milliseconds(h.timeout_ms);
  limits.resident_bytes = resident_now() + hostile::kGrowth;
  limits.line_bytes = std::uint64_t{16} << 20;
  Command command;
  command.function = h.serve;
  const auto results = put_to(command, limits, cases, catalogue);
  if (!results) {
    row.problems.push_back("it could not be started: " + results.error());
    return row;
  }
  judge_hostile(h, cases, *results, catalogue, row);

  // The runner is none the worse for it.
  if (cases.empty()) return row;
  const auto after = put_to(serve_oracle(), ChildLimits{}, cases.first(1), catalogue);
  if (!after || !(*after)[0].answered || !(*after)[0].violations.empty()) {
    row.problems.push_back("after it the oracle is not answered for");
    row.right = false;
  }
  return row;
}

}  // namespace assay::conformance
