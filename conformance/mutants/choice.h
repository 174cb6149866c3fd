// SPDX-License-Identifier: Apache-2.0
// Which cases a mutant is asked: those of its requirement with their twins and pairs, a fixed sample of others, and
// accepting cases of every area in a fixed order. It asks nobody.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/load.h"

namespace assay::conformance {

inline constexpr std::size_t kSampleOfOthers = 50;

class Choice {
 public:
  explicit Choice(const Suite& suite);  // borrowed

  // Indices into the suite's cases, ascending, each once. `full`: all of them.
  std::vector<std::size_t> asked(std::string_view requirement, bool full) const;
  // Cases that name the requirement, first or beside another.
  const std::vector<std::size_t>& naming(std::string_view requirement) const;
  // Accepting cases made for must rows of an area, in the sample's order.
  const std::map<std::string, std::vector<std::size_t>, std::less<>>& accepting() const { return accepting_; }
  // The sample for a requirement: none of its own cases and none of their twins and pairs.
  std::vector<std::size_t> sample(std::string_view requirement) const;

 private:
  std::vector<std::size_t> own(std::string_view requirement) const;
  void with_partners(std::vector<std::size_t>& cases) const;

  const Suite& suite_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> naming_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> accepting_;
  std::vector<std::size_t> order_;                  // of all cases
  std::map<std::string_view, std::size_t> at_;
};

}  // namespace assay::conformance
