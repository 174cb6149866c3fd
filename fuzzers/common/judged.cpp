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

// What lowers a case once more, or several times, costs as much as all else: the more inputs are the
// better bargain. Which cases go through it is told by their own bytes, so that a finding repeats.
struct Seldom {
  std::string_view property;
  std::uint32_t one_in;
};
constexpr Seldom kSeldom[] = {{"damaged-can-be-shown", 256},
                              {"descriptor-round-trip", 32},
                              {"diff-finds-the-edit", 8},
                              {"diff-of-two", 64},
                              {"deterministic", 8},
                              {"io-sizes", 32},
                              {"renaming-changes-the-name-alone", 32}};

std::uint32_t one_in(std::string_view name) {
  for (const Seldom& s : kSeldom)
    if (s.property == name) return s.one_in;
  return 1;
}

bool is_left_out(std::string_view name) {
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut), [&](const LeftOut& l) { return l.property == name; });
}

}  // namespace

const std::vector<Judged>& judged(harness::CaseKind kind) {
  using Table = std::array<std::vector<Judged>, 7>;
  static const Table table = [] {
    Table out;
    for (const harness::Property& p : harness::properties())
      if (!is_left_out(p.name)) out[static_cast<std::size_t>(p.kind)].push_back({&p, one_in(p.name)});
    return out;
  }();
  return table[static_cast<std::size_t>(kind)];
}

}  // namespace assay::fuzz
