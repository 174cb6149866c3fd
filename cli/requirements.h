// SPDX-License-Identifier: Apache-2.0
// The catalogue of requirements inside the tool, and the tests that cite each: tables made at
// build time by gen_requirements.py.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/rows.h"
#include "oracle/base/result.h"

namespace assay::cli {

using Requirement = conformance::Requirement;
struct Citation {
  std::string_view id, test, file;
  int line;
};

// Both ascending by id; defined in the generated file.
std::span<const Requirement> requirements();
std::span<const Citation> citations();

struct Explanation {
  std::string id;
  std::optional<Requirement> requirement;  // absent for this project's own bounds
  std::vector<const ReasonRow*> reasons;   // refusals that name it
  std::vector<Citation> tests;
};

// By requirement ("IMG-013", in any case), reason id ("image-pointer") or bound ("limit:members").
std::optional<Explanation> explain(std::string_view id);

}  // namespace assay::cli
