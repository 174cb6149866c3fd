// SPDX-License-Identifier: Apache-2.0
#include "bench/table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::bench {

std::string as_text(const std::vector<Row>& rows) {
  std::string out = fmt::format("{:<62} {:>9} {:>8}       {}\n", "", "measured", "bound", "made of");
  for (const Row& r : rows)
    out += fmt::format("{:<62} {:>9.2f} {:>8} {:>5} {}\n", r.name, r.measured,
                       r.bound == 0 ? "" : fmt::format("{}{:g}", r.side == Bound::most ? "<=" : ">=", r.bound),
                       r.bound == 0 ? "" : r.holds() ? "holds" : "DOES NOT HOLD", r.detail);
  return out;
}

std::string as_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    nlohmann::ordered_json row = {{"name", r.name}, {"measured", r.measured}};
    row["bound"] = r.bound == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(r.bound);
    row["side"] = r.side == Bound::most ? "most" : "least";
    row["holds"] = r.holds();
    row["detail"] = r.detail;
    all.push_back(std::move(row));
  }
  return nlohmann::ordered_json{{"rows", std::move(all)}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay::bench
