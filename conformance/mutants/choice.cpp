// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/choice.h"

#include <algorithm>
#include <numeric>

#include "conformance/suite/told.h"

namespace assay::conformance {
namespace {

void ascending(std::vector<std::size_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

Choice::Choice(const Suite& suite) : suite_(suite), order_(suite.cases.size()) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const Case& c = suite.cases[i];
    at_[c.id] = i;
    keys.push_back(sha256_hex(c.id));
    for (const std::string& r : c.requirements) naming_[r].push_back(i);
  }
  // An order that adding a case does not change: by the digest of the id.
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  for (const std::size_t i : order_) {
    const Case& c = suite.cases[i];
    // A case of a row below must passes whatever is answered: it shows nobody to be right.
    const bool should = std::find(c.flags.begin(), c.flags.end(), "should") != c.flags.end();
    if (c.expect == harness::ReplyStatus::ok && !should)
      accepting_[std::string(area_of(c.requirements.front()))].push_back(i);
  }
}

const std::vector<std::size_t>& Choice::naming(std::string_view requirement) const {
  static const std::vector<std::size_t> none;
  const auto it = naming_.find(requirement);
  return it == naming_.end() ? none : it->second;
}

void Choice::with_partners(std::vector<std::size_t>& cases) const {
  const std::size_t n = cases.size();
  for (std::size_t i = 0; i < n; ++i)
    for (const std::string* id : {&suite_.cases[cases[i]].twin, &suite_.cases[cases[i]].differs_from})
      if (const auto it = at_.find(*id); it != at_.end()) cases.push_back(it->second);
  ascending(cases);
}

std::vector<std::size_t> Choice::own(std::string_view requirement) const {
  std::vector<std::size_t> out = naming(requirement);
  with_partners(out);
  return out;
}

std::vector<std::size_t> Choice::sample(std::string_view requirement) const {
  const std::vector<std::size_t> mine = own(requirement);
  std::vector<bool> taken(suite_.cases.size());
  for (const std::size_t i : mine) taken[i] = true;
  std::vector<std::size_t> out;
  const auto take = [&](std::size_t i) {
    if (taken[i] || out.size() >= kSampleOfOthers) return false;
    taken[i] = true;
    out.push_back(i);
    return true;
  };
  // Two accepting ones of each area, then whatever comes.
  for (int round = 0; round < 2; ++round)
    for (const auto& [area, cases] : accepting_)
      for (const std::size_t i : cases)
        if (take(i)) break;
  for (const std::size_t i : order_) take(i);
  ascending(out);
  return out;
}

std::vector<std::size_t> Choice::asked(std::string_view requirement, bool full) const {
  std::vector<std::size_t> out;
  if (full) {
    out.resize(suite_.cases.size());
    std::iota(out.begin(), out.end(), std::size_t{0});
    return out;
  }
  out = sample(requirement);
  with_partners(out);
  const std::vector<std::size_t> mine = own(requirement);
  out.insert(out.end(), mine.begin(), mine.end());
  ascending(out);
  return out;
}

}  // namespace assay::conformance
