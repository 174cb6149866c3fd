// SPDX-License-Identifier: Apache-2.0
#include "bench/table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::bench {

std::string as_text(const std::vector<Row>& rows) {
  std::string out = fmt::format("{:<62} {:>8} {:>6}       {}\n", "", "measured", "bound", "made of");
  for (const Row& r : rows)
    out += fmt::format("{:<62} {:>8.2f} {:>6} {:>5} {}\n", r.name, r.measured,
                       r.bound == 0 ? "" : fmt::format("{:.2f}", r.bound),
                       r.bound == 0 ? "" : r.holds() ? "holds" : "MISSED", r.detail);
  return out;
}

std::string as_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    nlohmann::ordered_json row = {{"name", r.name}, {"measured", r.measured}};
    row["bound"] = r.bound == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(r.bound);
    row["holds"] = r.holds();
    row["detail"] = r.detail;
    all.push_back(std::move(row));
  }
  return nlohmann::ordered_json{{"rows", std::move(all)}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay::bench
