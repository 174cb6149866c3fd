// SPDX-License-Identifier: Apache-2.0
#include "cli/requirements.h"

#include <cctype>

namespace assay::cli {

std::optional<Explanation> explain(std::string_view id) {
  Explanation e;
  e.id = id;
  for (const ReasonRow& row : kReasons)
    if (row.id == id) e.id = row.requirement;
  if (e.id.find(':') == std::string::npos)
    for (char& c : e.id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const Requirement& r : requirements())
    if (r.id == e.id) e.requirement = r;
  for (const ReasonRow& row : kReasons)
    if (row.requirement == e.id) e.reasons.push_back(&row);
  if (!e.requirement && e.reasons.empty()) return std::nullopt;
  for (const Citation& c : citations())
    if (c.id == e.id) e.tests.push_back(c);
  return e;
}

}  // namespace assay::cli
