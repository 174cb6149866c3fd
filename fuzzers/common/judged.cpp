// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/judged.h"

#include <algorithm>
#include <array>

namespace assay::fuzz {
namespace {

struct LeftOut {
  std::string_view property, why;
};
constexpr LeftOut kLeftOut[] = {
    {"directory-agrees", "writes files"},
    {"containers-agree", "two archives a case; the targets on containers do the same"},
    {"memory-limit-changes-nothing", "six lowerings a case"},
    {"dump-is-whole", "prints and parses the dump twice"},
    {"unread-members-change-nothing", "an accepted model may name any member"},
};

bool is_left_out(std::string_view name) {
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut), [&](const LeftOut& l) { return l.property == name; });
}

}  // namespace

const std::vector<const harness::Property*>& judged(harness::CaseKind kind) {
  using Table = std::array<std::vector<const harness::Property*>, 7>;
  static const Table table = [] {
    Table out;
    for (const harness::Property& p : harness::properties())
      if (!is_left_out(p.name)) out[static_cast<std::size_t>(p.kind)].push_back(&p);
    return out;
  }();
  return table[static_cast<std::size_t>(kind)];
}

}  // namespace assay::fuzz
