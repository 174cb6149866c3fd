// SPDX-License-Identifier: Apache-2.0
// Many properties on many generated cases, in processes of their own: what kills one of them costs
// one case, which is told and kept like any other failure. It prints nothing and writes no file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/properties/property.h"

namespace assay::harness {

struct FoundFailure {
  const Property* property = nullptr;
  Violation violation;           // of a death: `requirement` is empty, `actual` says how it died
  bool died = false;
  std::uint64_t case_seed = 0;   // RandomChoices of it gave the case before it was made smaller
  std::uint64_t times = 1;       // cases that failed in this way
  std::uint64_t batch = 0, at = 0;         // where in the run it was found
  std::string signature;         // the same for failures of one cause, one line for each part
  std::map<std::string, std::string> files;  // the smallest case as it is stored; empty: none to be had
};

struct RunOptions {
  std::vector<const Property*> properties;
  const Subject* subject = nullptr;          // none: the oracle
  std::optional<std::uint64_t> cases;        // in all, shared by weight, at least 1 for each property; none: no end
  std::optional<std::uint64_t> seconds;      // then it ends
  std::uint64_t seed = 0;
  unsigned jobs = 1;                         // at most; no more than there are batches of cases
  std::uint64_t reduce_checks = 5000;        // candidates tried to make one failure smaller
  std::uint64_t case_seconds = 60;           // a case that takes longer is killed, and is a failure
  std::function<void(std::uint64_t done, std::uint64_t failures)> progress;  // now and then
  std::function<bool()> interrupted;         // asked now and then; true: it ends within seconds
  std::function<void(const FoundFailure&)> found;  // as soon as it is known; again if a better one replaces it
};

struct PropertyRun {
  const Property* property = nullptr;
  std::uint64_t cases = 0;       // checked
  std::uint64_t cannot_say = 0;  // of those
  double seconds = 0;            // of work, in all processes together
  double per_second() const { return seconds > 0 ? static_cast<double>(cases) / seconds : 0; }
};

// kind of case -> label -> cases
using Distribution = std::map<std::string, std::map<std::string, std::uint64_t>>;

struct RunReport {
  std::vector<PropertyRun> properties;  // in the order of the options
  std::uint64_t cases = 0;
  double seconds = 0;
  Distribution distribution;
  std::vector<FoundFailure> found;  // by property, then as found; one for each signature
  std::string error;                // a process could not be had, say
  bool interrupted = false;         // it ended early, as it was asked to
};

// The same options give the same cases, failures and smaller cases, however many jobs; save where
// time ends the run.
RunReport run_properties(const RunOptions& options);

// The verdict of a property, found in a process of its own: one that dies of the case, or takes
// longer than that, is a violation that names no requirement. Once `interrupted` (asked now and then; may
// be empty) says so the process is killed, and the verdict is cannot_say.
Verdict judge_apart(const Property& property, const Subject& subject, const Case& c, std::uint64_t seconds = 60,
                    const std::function<bool()>& interrupted = {});

}  // namespace assay::harness
