// SPDX-License-Identifier: Apache-2.0
// What failed in a run of certify: kept as directories beside the certificate, the first of each requirement made
// smaller before.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/implementation.h"
#include "cli/io.h"
#include "conformance/runner/run.h"

namespace assay::cli {

struct CaseFailure {
  std::size_t index;      // of the case
  std::string directory;  // where it is kept; empty: nowhere
  std::string replay;     // the command that asks it again
};

struct KeptFailures {
  std::vector<CaseFailure> all;  // by case id
  std::map<std::string, std::vector<conformance::Shown>> shown;                // by case id
  std::map<std::string, std::map<std::string, std::string>> files;             // by case id: name -> digest
};

// Failed and erred cases, in the order of their ids. With a directory they are written below it, a limited number.
// `at` is told how far it is.
Io<KeptFailures> keep_failures(std::span<const conformance::Case> cases, const conformance::RunOutcome& run,
                               const PluggedIn& implementation, const std::string& directory,
                               const std::function<void(std::size_t done, std::size_t of)>& at);

}  // namespace assay::cli
