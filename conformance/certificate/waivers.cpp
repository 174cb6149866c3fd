// SPDX-License-Identifier: Apache-2.0
#include "conformance/certificate/waivers.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace assay::conformance {
namespace {

using Json = nlohmann::json;
constexpr std::string_view kKeys[] = {"case", "reason", "until"};

tl::unexpected<std::string> wrong(std::size_t i, std::string_view what) {
  return tl::unexpected<std::string>(fmt::format("waivers[{}]: {}", i, what));
}

// A reason of blanks says nothing.
bool blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int n[3] = {};
  constexpr std::size_t kParts[3][2] = {{0, 4}, {5, 2}, {8, 2}};
  for (std::size_t p = 0; p < 3; ++p)
    for (const char c : text.substr(kParts[p][0], kParts[p][1])) {
      if (c < '0' || c > '9') return false;
      n[p] = n[p] * 10 + (c - '0');
    }
  const std::chrono::year_month_day day{std::chrono::year(n[0]), std::chrono::month(static_cast<unsigned>(n[1])),
                                        std::chrono::day(static_cast<unsigned>(n[2]))};
  return n[0] >= 1970 && day.ok();
}

tl::expected<std::vector<Waiver>, std::string> read_waivers(std::string_view text) {
  const Json j = Json::parse(text, nullptr, false);
  if (!j.is_object() || j.size() != 1 || !j.contains("waivers") || !j["waivers"].is_array())
    return tl::unexpected<std::string>("waivers: not a JSON object with one key \"waivers\" that holds a list");
  std::vector<Waiver> out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < j["waivers"].size(); ++i) {
    const Json& w = j["waivers"][i];
    if (!w.is_object()) return wrong(i, "not an object");
    for (const std::string_view key : kKeys)
      if (!w.contains(key) || !w[std::string(key)].is_string()) return wrong(i, fmt::format("{}: no text", key));
    if (w.size() != std::size(kKeys)) return wrong(i, "a key other than case, reason and until");
    Waiver one{w["case"], w["reason"], w["until"]};
    if (blank(one.id)) return wrong(i, "case: empty");
    if (blank(one.reason)) return wrong(i, fmt::format("reason: empty ({})", one.id));
    if (!is_date(one.until)) return wrong(i, fmt::format("until: no date: {} ({})", one.until, one.id));
    if (!seen.insert(one.id).second) return wrong(i, fmt::format("case: {} stands twice", one.id));
    out.push_back(std::move(one));
  }
  return out;
}

std::string date_of(std::time_t time) {
  std::tm utc{};
  ::gmtime_r(&time, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

std::vector<std::string> apply_waivers(const std::vector<Waiver>& waivers, std::string_view today,
                                       std::vector<CaseRow>& rows) {
  std::vector<std::string> problems;
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::string>> expired;  // by day and reason
  for (CaseRow& row : rows) row.waived = false;
  for (const Waiver& w : waivers) {
    const auto it = std::find_if(rows.begin(), rows.end(), [&](const CaseRow& r) { return r.id == w.id; });
    if (it == rows.end()) {
      problems.push_back(fmt::format("waiver of {}: the run has no such case", w.id));
    } else if (std::string_view(w.until) < today) {  // dates of one form compare as texts
      expired[{w.until, w.reason}].push_back(w.id);
    } else if (it->outcome == Outcome::pass) {
      problems.push_back(fmt::format("waiver of {}: stale, the case passes", w.id));
    } else if (it->outcome == Outcome::unsupported || it->outcome == Outcome::skipped) {
      problems.push_back(fmt::format("waiver of {}: the case was not answered ({}), which no waiver mends", w.id,
                                     name_of(it->outcome)));
    } else {
      it->waived = true;
    }
  }
  for (const auto& [kind, ids] : expired) {
    const std::string others = ids.size() == 1 ? "" : fmt::format(" and {} more", ids.size() - 1);
    problems.push_back(fmt::format("waiver of {}{}: expired on {} ({})", ids[0], others, kind.first, kind.second));
  }
  return problems;
}

}  // namespace assay::conformance
