// SPDX-License-Identifier: Apache-2.0
#include "oracle/base/result.h"

#include <fmt/format.h>

namespace assay {

std::string Place::text() const {
  std::string s = member;
  s += pointer;
  if (offset) s += fmt::format("+{}", *offset);
  if (!field.empty()) s += s.empty() ? field : fmt::format(" ({})", field);
  return s.empty() ? "the input" : s;
}

std::string Refusal::text() const {
  const ReasonRow& r = row();
  const std::string_view lead = r.outcome == Outcome::unspecified ? "unspecified" : "refused";
  std::string s = fmt::format("{}: {}", lead, r.text);
  if (!detail.empty()) s += fmt::format(": {}", detail);
  return s + fmt::format(" at {} ({})", place.text(), r.requirement);
}

}  // namespace assay
