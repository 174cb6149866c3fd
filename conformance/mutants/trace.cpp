// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/certificate/levels.h"

namespace assay::conformance {
namespace {

bool is_should(const Case& c) { return std::find(c.flags.begin(), c.flags.end(), "should") != c.flags.end(); }

std::string joined(std::span<const std::string_view> ids) { return fmt::format("{}", fmt::join(ids, " ")); }

// The first few.
std::string cases_text(const TraceRow& r) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string_view> first(r.cases.begin(),
                                            r.cases.begin() + std::min<std::ptrdiff_t>(std::ssize(r.cases), kShown));
  return joined(first) + (r.cases.size() > kShown ? fmt::format(" +{}", r.cases.size() - kShown) : "");
}

struct Totals {
  std::size_t cases = 0, mutants = 0;
};
Totals totals_of(std::span<const TraceRow> rows) {
  Totals t;
  for (const TraceRow& r : rows) t.cases += r.cases.size(), t.mutants += r.mutants.size();
  return t;
}

template <class Lacks>
std::vector<std::string> ids_where(std::span<const TraceRow> rows, Lacks lacks) {
  std::vector<std::string> out;
  for (const TraceRow& r : rows)
    if (lacks(r)) out.emplace_back(r.requirement);
  return out;
}

}  // namespace

std::vector<TraceRow> trace(Catalogue catalogue, std::span<const Case> cases, std::span<const SuiteMutant> mutants) {
  std::vector<TraceRow> rows;
  std::map<std::string_view, std::size_t> at;
  for (const Requirement& r : catalogue) {
    if (!counts_for_a_level(r)) continue;
    at[r.id] = rows.size();
    TraceRow row;
    row.requirement = r.id, row.level = level_of(r), row.op = r.observable;
    rows.push_back(std::move(row));
  }
  for (const Case& c : cases)
    for (std::size_t i = 0; i < c.requirements.size(); ++i) {
      const auto found = at.find(c.requirements[i]);
      if (found == at.end()) continue;
      TraceRow& row = rows[found->second];
      if (i > 0) {
        ++row.also;
        continue;
      }
      // A case at should, and one of another op than the row is seen by, proves nothing of it.
      if (is_should(c) || row.op != name_of(c.op)) continue;
      row.cases.push_back(c.id);
      row.refusing += c.expect == harness::ReplyStatus::ok ? 0 : 1;
      row.pairs += c.differs_from.empty() ? 0 : 1;
    }
  for (const SuiteMutant& m : mutants)
    if (const auto found = at.find(m.requirement); found != at.end()) {
      TraceRow& row = rows[found->second];
      (differs_in_should_alone(m.id) ? row.reported : row.mutants).push_back(m.id);
    }
  return rows;
}

std::vector<std::string> without_case(std::span<const TraceRow> rows) {
  return ids_where(rows, [](const TraceRow& r) { return r.cases.empty(); });
}
std::vector<std::string> without_mutant(std::span<const TraceRow> rows) {
  return ids_where(rows, [](const TraceRow& r) { return r.mutants.empty(); });
}
bool is_whole(std::span<const TraceRow> rows) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const TraceRow& r) { return r.whole(); });
}

std::string trace_text(std::span<const TraceRow> rows) {
  std::string out;
  for (const TraceRow& r : rows) {
    out += fmt::format("{:8} {} {:10} {:3} cases: {}; mutants: {}", r.requirement, r.level, r.op, r.cases.size(),
                       r.cases.empty() ? "NONE" : cases_text(r), r.mutants.empty() ? "NONE" : joined(r.mutants));
    out += r.reported.empty() ? "\n" : fmt::format("; only reported: {}\n", joined(r.reported));
  }
  const std::vector<std::string> caseless = without_case(rows), mutantless = without_mutant(rows);
  for (const std::string& id : caseless) out += fmt::format("no case for {}\n", id);
  for (const std::string& id : mutantless) out += fmt::format("no mutant for {}\n", id);
  const Totals t = totals_of(rows);
  return out + fmt::format("requirements={} cases={} mutants={} without_case={} without_mutant={}\n", rows.size(),
                           t.cases, t.mutants, caseless.size(), mutantless.size());
}

std::string trace_json(std::span<const TraceRow> rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TraceRow& r : rows)
    list.push_back({{"requirement", r.requirement},
                    {"level", std::string(1, r.level)},
                    {"op", r.op},
                    {"cases", r.cases},
                    {"refusing", r.refusing},
                    {"pairs", r.pairs},
                    {"also", r.also},
                    {"mutants", r.mutants},
                    {"reported", r.reported}});
  const Totals t = totals_of(rows);
  const nlohmann::ordered_json all = {{"requirements", rows.size()},
                                      {"cases", t.cases},
                                      {"mutants", t.mutants},
                                      {"without_case", without_case(rows)},
                                      {"without_mutant", without_mutant(rows)},
                                      {"whole", is_whole(rows)},
                                      {"rows", std::move(list)}};
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay::conformance
