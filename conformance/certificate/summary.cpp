// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace assay::conformance {

std::vector<ReportedRow> reported_rows(std::span<const CaseRow> cases) {
  std::map<std::string_view, ReportedRow> rows;
  for (const CaseRow& c : cases) {
    std::set<std::string_view> of_this;
    for (const harness::Violation& v : c.reported) {
      if (!of_this.insert(v.requirement).second) continue;
      ReportedRow& row = rows[v.requirement];
      if (row.cases++ == 0) row.requirement = v.requirement, row.first = &c, row.violation = &v;
    }
  }
  std::vector<ReportedRow> out;
  for (auto& [id, row] : rows) out.push_back(std::move(row));
  return out;
}

std::vector<Cause> causes_of_errors(std::span<const CaseRow> cases) {
  std::map<std::string_view, Cause> by_why;
  for (const CaseRow& c : cases) {
    if (c.outcome != Outcome::error || c.waived) continue;
    by_why[c.why].cases.push_back(&c);
  }
  std::vector<Cause> out;
  for (auto& [why, cause] : by_why)
    out.push_back({std::string(why), std::move(cause.cases), why.starts_with("not sent: ")});
  std::stable_sort(out.begin(), out.end(), [](const Cause& a, const Cause& b) {
    return a.not_sent != b.not_sent ? b.not_sent : a.cases.size() > b.cases.size();
  });
  return out;
}

std::string names_of(std::span<const CaseRow* const> cases, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, cases.size()); ++i) out += (i == 0 ? "" : ", ") + cases[i]->id;
  if (cases.size() > most) out += fmt::format(", +{}", cases.size() - most);
  return out;
}

const Waiver* waiver_of(const Certificate& c, const std::string& id) {
  const auto row = std::lower_bound(c.cases.begin(), c.cases.end(), id,
                                    [](const CaseRow& r, const std::string& wanted) { return r.id < wanted; });
  if (row == c.cases.end() || row->id != id || !row->waived) return nullptr;
  const auto w = std::find_if(c.waivers.begin(), c.waivers.end(), [&](const Waiver& one) { return one.id == id; });
  return w == c.waivers.end() ? nullptr : &*w;
}

std::string waived_text(const Certificate& c, const std::string& id) {
  const Waiver* const w = waiver_of(c, id);
  return w == nullptr ? "" : fmt::format("waived until {}: {}", w->until, w->reason);
}

}  // namespace assay::conformance
