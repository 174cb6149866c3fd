// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/suite/case_file.h"

namespace assay::conformance {
namespace {

constexpr std::string_view kAreas[] = {"DT",  "LAY", "IMG", "JSN", "SEC", "VAR", "DMQ", "DMB", "CCM",
                                       "UCL", "SBC", "FP8", "ACT", "DVE", "LOW", "CON", "IO"};

}  // namespace

std::vector<TraceRow> trace(std::span<const TracedRequirement> requirements, std::span<const Case> cases,
                            std::span<const TracedMutant> mutants) {
  std::vector<TraceRow> rows;
  std::map<std::string_view, std::size_t> at;
  for (const TracedRequirement& r : requirements) {
    TraceRow row;
    row.requirement = r.id;
    row.level = r.level;
    row.op = r.observable;
    row.counts = r.level == "must" && r.observable != "none" &&
                 std::find(std::begin(kAreas), std::end(kAreas), area_of(r.id)) != std::end(kAreas);
    at[r.id] = rows.size();
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
      if (!c.differs_from.empty()) ++row.pairs;
      ++(c.expect == harness::ReplyStatus::ok ? row.accepting : row.refusing);
      // A case at should, and one of another op than the row is seen by, proves nothing of it.
      const bool should = std::find(c.flags.begin(), c.flags.end(), "should") != c.flags.end();
      if (!should && row.op == name_of(c.op)) row.cases.push_back(c.id);
    }
  for (const TracedMutant& m : mutants)
    if (const auto found = at.find(m.requirement); found != at.end()) rows[found->second].mutants.emplace_back(m.id);
  return rows;
}

std::string trace_text(std::span<const TraceRow> rows) {
  std::string text, caseless, mutantless;
  for (const TraceRow& r : rows) {
    if (!r.counts) continue;
    text += fmt::format("{:8} {:5} {:10} {:3} ok {:3} refused {:3} pairs {:3} also {:2} mutants\n", r.requirement,
                        r.level, r.op, r.accepting, r.refusing, r.pairs, r.also, r.mutants.size());
    if (r.lacks_case()) caseless += " " + r.requirement;
    if (r.lacks_mutant()) mutantless += " " + r.requirement;
  }
  text += "without a case:" + (caseless.empty() ? " none" : caseless) + "\n";
  text += "without a mutant:" + (mutantless.empty() ? " none" : mutantless) + "\n";
  return text;
}

}  // namespace assay::conformance
