// SPDX-License-Identifier: Apache-2.0
// Cases on request: of a kind, or with one defect that has a name. What `assay gen` draws from.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/cases.h"
#include "harness/choice/choices.h"

namespace assay::harness {

using CaseMaker = std::function<Case(Choices&)>;

// Makers of one kind of case ("model", "near-miss" …), to be used in turn; empty: no such kind.
std::vector<CaseMaker> makers_of_kind(std::string_view kind);

// One way to be wrong. Texts have few names that lead to two reasons: each is a row.
struct Defect {
  std::string_view name;
  CaseKind kind;  // of its cases
  Reason reason;
  CaseMaker make;
};
// Every defect, by kind of case.
const std::vector<Defect>& defects();

// Those of that name, of that requirement, or of an area ("VAR"); ids in any case of letters.
std::vector<const Defect*> defects_of(std::string_view id);

}  // namespace assay::harness
