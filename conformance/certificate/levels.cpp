// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/levels.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace assay::conformance {
namespace {

struct LevelKind {
  char letter;
  std::string_view title;
  bool part_of_suite;
};
constexpr LevelKind kLevels[] = {
    {'D', "dtypes", true},       {'S', "structures", true},
    {'I', "images", true},       {'L', "lowering", true},
    {'N', "files", true},        {'R', "relocation and resolution", false},
    {'H', "hardware descriptors", false},
};

struct AreaLevel {
  std::string_view area;  // what an id begins with
  char letter;
};
constexpr AreaLevel kAreas[] = {
    {"DT", 'D'},  {"LAY", 'S'}, {"IMG", 'I'}, {"JSN", 'L'}, {"SEC", 'L'}, {"VAR", 'L'}, {"DMQ", 'L'},
    {"DMB", 'L'}, {"CCM", 'L'}, {"UCL", 'L'}, {"SBC", 'L'}, {"FP8", 'L'}, {"ACT", 'L'}, {"DVE", 'L'},
    {"LOW", 'L'}, {"CON", 'N'}, {"IO", 'N'},  {"PAT", 'R'}, {"RES", 'R'}, {"UDM", 'H'},
};

const LevelKind* kind_of(char letter) {
  const auto* const k =
      std::find_if(std::begin(kLevels), std::end(kLevels), [&](const LevelKind& l) { return l.letter == letter; });
  return k == std::end(kLevels) ? nullptr : k;
}

bool names(const std::vector<std::string>& list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

// Whether a case says anything about a row that is seen by `observable`.
bool counts(const CaseRow& c, std::string_view observable) {
  return c.outcome != Outcome::unsupported || name_of(c.op) == observable;
}

struct Tally {
  RequirementRow row;
  std::size_t own = 0;       // cases of its own op that are not waived
  std::size_t not_passed = 0;
  std::size_t alone = 0;  // of these, those that are no other row's doing
  std::size_t waived = 0;
};

// Whether a case that does not pass is another row's doing: a failure names others only; an error and what proves
// nothing are told of the row that the case was made for.
bool is_of_another(const CaseRow& c, const std::string& id) {
  if (c.outcome == Outcome::error || c.outcome == Outcome::unproven) return c.requirements.front() != id;
  return !c.violations.empty() && std::none_of(c.violations.begin(), c.violations.end(),
                                               [&](const Shown& s) { return s.violation.requirement == id; });
}

RowVerdict verdict_of(const Tally& t, bool must) {
  if (t.row.counts.total() == 0 && t.row.named == 0) return RowVerdict::no_case;
  if (t.not_passed > 0 || t.row.named > 0) return RowVerdict::fail;
  if (t.own == 0) return t.waived > 0 && must ? RowVerdict::only_waived : RowVerdict::no_case;
  return t.waived > 0 && must ? RowVerdict::waived : RowVerdict::pass;
}

// Why a level is not held though each of its rows passes; "" when nothing stands against it.
std::string vacuous(char letter, Catalogue catalogue, std::span<const CaseRow> cases) {
  std::set<std::string_view> answers;
  std::size_t executed = 0, accepted = 0;
  for (const CaseRow& c : cases) {
    const bool mine = std::any_of(c.requirements.begin(), c.requirements.end(), [&](const std::string& id) {
      const Requirement* r = find_requirement(catalogue, id);
      return r != nullptr && level_of(*r) == letter;
    });
    if (!mine || !c.answered) continue;
    ++executed;
    answers.insert(c.sha256);
    if (c.outcome == Outcome::pass && *c.answered == harness::ReplyStatus::ok) ++accepted;
  }
  if (executed == 0) return "no case was executed";
  if (accepted == 0) return "nothing was accepted";
  if (answers.size() < 2) return "every answer is alike";
  return {};
}

std::string sentence(const LevelRow& level, std::span<const RequirementRow> rows) {
  if (level.rows == 0) return "the catalogue has no row of it";
  std::map<RowVerdict, std::size_t> n;
  for (const RequirementRow& r : rows)
    if (names(level.missing, r.id)) ++n[r.verdict];
  std::string out;
  const auto add = [&](RowVerdict v, std::string_view text) {
    if (n[v] > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n[v], text);
  };
  add(RowVerdict::fail, "not met");
  add(RowVerdict::no_case, "without a case");
  add(RowVerdict::only_waived, "with only waived cases");
  if (!level.beside.empty())
    out += fmt::format("{}{} not met only for another's sake", out.empty() ? "" : ", ", level.beside.size());
  return fmt::format("of {} requirements {}", level.rows, out);
}

}  // namespace

const Requirement* find_requirement(Catalogue catalogue, std::string_view id) {
  const auto it = std::lower_bound(catalogue.begin(), catalogue.end(), id,
                                   [](const Requirement& r, std::string_view wanted) { return r.id < wanted; });
  return it != catalogue.end() && it->id == id ? &*it : nullptr;
}

bool is_must(Catalogue catalogue, std::string_view id) {
  const Requirement* r = find_requirement(catalogue, id);
  return r == nullptr || r->level == "must";
}

std::size_t Counts::total() const {
  std::size_t n = 0;
  for (const std::size_t one : of) n += one;
  return n;
}

void Counts::add(const CaseRow& row) {
  ++of[static_cast<std::size_t>(row.outcome)];
  if (row.waived) ++waived;
}

std::string_view name_of(RowVerdict verdict) {
  static constexpr std::string_view kNames[] = {"pass", "waived", "fail", "no-case", "only-waived", "not-seen"};
  return kNames[static_cast<std::size_t>(verdict)];
}

char level_of(const Requirement& row) {
  const std::string_view area = row.id.substr(0, row.id.find('-'));
  if (row.observable == "lower_neff") return 'N';
  if (row.observable == "lower" && (area == "DT" || area == "CON")) return 'L';
  for (const AreaLevel& a : kAreas)
    if (a.area == area) return a.letter;
  return 0;
}

bool counts_for_a_level(const Requirement& row) {
  const LevelKind* kind = kind_of(level_of(row));
  return row.level == "must" && row.observable != "none" && kind != nullptr && kind->part_of_suite;
}

std::string_view suite_levels() { return "DSILN"; }

std::vector<RequirementRow> requirement_rows(Catalogue catalogue, std::span<const CaseRow> cases) {
  std::vector<Tally> tallies(catalogue.size());
  const auto tally = [&](std::string_view id) -> Tally* {
    const Requirement* r = find_requirement(catalogue, id);
    return r == nullptr ? nullptr : &tallies[static_cast<std::size_t>(r - catalogue.data())];
  };
  for (const CaseRow& c : cases) {
    for (const std::string& id : std::set<std::string>(c.requirements.begin(), c.requirements.end())) {
      const Requirement* r = find_requirement(catalogue, id);
      if (r == nullptr || !counts(c, r->observable)) continue;
      Tally& t = *tally(id);
      t.row.counts.add(c);
      if (c.waived) {
        ++t.waived;
        continue;
      }
      // Rows below must have no part in what a case fails for: a report names them, or nothing does.
      const bool must = r->level == "must", passed = c.outcome == Outcome::pass;
      if (name_of(c.op) == r->observable && (must || passed)) ++t.own;
      if (!must || passed) continue;
      ++t.not_passed;
      if (!is_of_another(c, id)) ++t.alone;
    }
    if (c.waived) continue;
    std::set<std::string> named;
    for (const Shown& s : c.violations) named.insert(s.violation.requirement);
    // A must row is reported where a path of lower evidence differs: that decides nothing.
    for (const harness::Violation& v : c.reported)
      if (!is_must(catalogue, v.requirement)) named.insert(v.requirement);
    for (const std::string& id : named)
      if (Tally* t = tally(id)) ++t->row.named;
  }
  std::vector<RequirementRow> out;
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    const Requirement& r = catalogue[i];
    Tally& t = tallies[i];
    t.row.id = r.id;
    t.row.level = r.level;
    t.row.of = level_of(r);
    const LevelKind* kind = kind_of(t.row.of);
    const bool seen = r.observable != "none" && kind != nullptr && kind->part_of_suite;
    t.row.verdict = seen ? verdict_of(t, r.level == "must") : RowVerdict::not_seen;
    t.row.beside = t.row.verdict == RowVerdict::fail && t.row.named == 0 && t.alone == 0;
    out.push_back(std::move(t.row));
  }
  return out;
}

std::vector<LevelRow> level_rows(Catalogue catalogue, std::span<const RequirementRow> rows,
                                 std::span<const CaseRow> cases, std::string_view asked) {
  std::vector<LevelRow> out;
  for (const LevelKind& kind : kLevels) {
    LevelRow level{kind.letter, std::string(kind.title), kind.part_of_suite, false, false, false, 0, 0, {}, {}, {}};
    level.asked = kind.part_of_suite && asked.find(kind.letter) != std::string_view::npos;
    bool waivers = false;
    for (const RequirementRow& row : rows) {
      const Requirement* r = find_requirement(catalogue, row.id);
      if (r == nullptr || !counts_for_a_level(*r) || row.of != kind.letter) continue;
      ++level.rows;
      waivers = waivers || row.verdict == RowVerdict::waived;
      if (row.verdict == RowVerdict::pass || row.verdict == RowVerdict::waived) ++level.passed;
      else (row.beside ? level.beside : level.missing).push_back(row.id);
    }
    if (!kind.part_of_suite) level.why = "not part of this suite";
    else if (!level.asked) level.why = "not asked for";
    else if (level.rows == 0 || level.passed < level.rows) level.why = sentence(level, rows);
    else level.why = vacuous(kind.letter, catalogue, cases);
    level.held = level.asked && level.why.empty();
    level.with_waivers = level.held && waivers;
    out.push_back(std::move(level));
  }
  return out;
}

}  // namespace assay::conformance
