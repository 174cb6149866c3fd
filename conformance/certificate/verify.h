// SPDX-License-Identifier: Apache-2.0
// Checks a certificate's directory against the suite: that the cases are the suite's, that every count, requirement and
// level follows from the cases' verdicts, that no document was edited, and, where the implementation can be asked
// again, that a sample of its answers is what was judged. Without that it finds only what contradicts itself.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/certificate/certificate.h"

namespace assay::conformance {

// The suite as it is now, with the generated cases of the certificate's seed.
struct SuiteNow {
  std::string version, hash;
  std::span<const Case> cases;
};

// Asks the implementation one case anew.
using AskAgain = std::function<Answered(const Case&)>;
struct Rerun {
  AskAgain ask;           // empty: nothing is asked
  std::size_t cases = 0;  // how many at most
  std::uint64_t seed = 0; // of the draw: one that the certificate's maker could not know
  std::optional<Implementation> asked = {};  // what it says of itself: name, version, ops; held to the certificate
};

struct Verification {
  std::vector<std::string> problems;  // one line each; empty: consistent
  std::size_t rerun = 0;              // cases asked again
  bool ok() const { return problems.empty(); }
  // "consistent, not re-run", "consistent, 20 cases re-run" or "3 problems".
  std::string text() const;
};

// What certificate.json of a directory says of its seed and number of generated cases, which the caller needs to make
// the list of cases; or one line on why there is none.
tl::expected<RunFacts, std::string> facts_of(const std::string& directory);

// Never throws; every problem found is told, at most a hundred.
Verification verify(const std::string& directory, const SuiteNow& suite, Catalogue catalogue, const Rerun& rerun);

}  // namespace assay::conformance
