// SPDX-License-Identifier: Apache-2.0
// What prove, gen and replay found out, and their JSON and XML forms. Like reports.h: JSON is one
// object with a newline.
#pragma once

#include <string>
#include <vector>

#include "cli/prove_choice.h"
#include "harness/mutants/kill_table.h"
#include "harness/properties/property.h"
#include "harness/rapidcheck/run.h"

namespace assay::cli {

struct KeptFailure {
  const harness::FoundFailure* failure;
  std::string directory;  // where it is kept; empty: nowhere
};
struct ProveReport {
  std::uint64_t seed = 0;
  const harness::RunReport* run = nullptr;
  std::vector<KeptFailure> found;
};

struct ReplayedCase {
  std::string path;
  harness::CaseKind kind;
  std::size_t properties = 0;  // that said something
  std::vector<harness::Violation> violations;
  const char* verdict() const { return properties == 0 ? "fits none" : violations.empty() ? "holds" : "violated"; }
};
struct ReplayReport {
  std::vector<ReplayedCase> cases;
  std::vector<std::string> errors;  // paths that could not be read or hold nothing
};

struct GenReport {
  std::uint64_t seed = 0;
  std::string directory;
  std::vector<std::string> cases;  // names below the directory
};

std::string to_json(const ProveReport& report);
std::string to_junit(const ProveReport& report);
std::string list_json(const std::vector<ChosenProperty>& chosen);
std::string mutants_json(const std::vector<harness::KillRow>& rows);
std::string to_json(const ReplayReport& report);
std::string to_json(const GenReport& report);

}  // namespace assay::cli
