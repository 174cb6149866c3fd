// SPDX-License-Identifier: Apache-2.0
// Implementations that answer badly, or not at all, each in one way, and what a run of the suite on each must come
// to: which outcome, for which reason, of every case. They serve the protocol in a child process and know no case
// but by the text of its request.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/trial.h"

namespace assay::conformance {

// What is to come of a case that it strikes: one of the outcomes, and of an error one of the reasons, which begin
// the text; where it is to fail, a case of a row below must is reported instead. Cases that it does not strike are
// answered as the oracle answers them: pass, or unproven where the partner was struck.
struct Hostile {
  std::string_view name;  // "silent"
  std::string_view what;  // what it does, one line
  bool strikes_all;       // else one request in seven, told by its text
  std::string_view outcomes[2];  // of struck cases: names of outcomes, "" for none
  std::string_view reasons[3];   // of an error's `why`: how it may begin
  std::uint32_t timeout_ms;      // of one answer
  int (*serve)(int in, int out);
};
std::span<const Hostile> hostiles();
const Hostile* find_hostile(std::string_view name);
// Whether it strikes a case.
bool strikes(const Hostile& hostile, const Case& c);

struct HostileRow {
  std::string name, what;
  bool ran = false;  // it was come to
  bool right = false;
  std::size_t of[6] = {};     // cases by outcome, in the order of Outcome
  std::string said;           // the commonest reason of its errors
  std::string held;           // letters of the levels it holds: must be none
  std::vector<std::string> problems;  // why it is not right, at most ten
};

// Runs the suite on it, holds the verdicts against the table, and looks whether the oracle is still answered for.
HostileRow try_hostile(const Hostile& hostile, std::span<const Case> cases, Catalogue catalogue);
// The verdicts alone.
void judge_hostile(const Hostile& hostile, std::span<const Case> cases, std::span<const Result> results,
                   Catalogue catalogue, HostileRow& row);

}  // namespace assay::conformance
