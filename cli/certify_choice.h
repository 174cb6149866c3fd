// SPDX-License-Identifier: Apache-2.0
// Which cases a run of certify puts: all of the suite and the generated ones, or those that were asked for with what
// proves them.
#pragma once

#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/io.h"
#include "conformance/suite/load.h"

namespace assay::cli {

// "D,S,i" -> "DSI", in the suite's order; an error names the first that is none.
Io<std::string> levels_of(const std::string& list);

struct ChosenCases {
  std::vector<conformance::Case> cases;
  bool filtered = false;
  std::size_t asked_for = 0;  // of `cases`; the others prove them
};
Io<ChosenCases> chosen_cases(const CertifyArgs& args, conformance::Suite&& suite, std::uint64_t seed);

}  // namespace assay::cli
