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
  std::string arch;        // of a bare model tried for each architecture
  std::string hint;        // what may have happened to a stored case; empty: nothing to say
  const char* verdict() const { return properties == 0 ? "fits none" : violations.empty() ? "holds" : "violated"; }
};
struct ReplayReport {
  std::vector<ReplayedCase> cases;
  std::vector<std::string> errors;  // paths that could not be read or hold nothing
  std::size_t violated() const;
};

struct GenRow {
  std::string name;
  harness::CaseKind kind;
  std::string label;        // of the defect or spelling; empty: there is none
  std::string requirement;  // empty where the input is accepted
  std::string outcome;
};
struct GenReport {
  std::uint64_t seed = 0;
  std::string directory;
  std::vector<std::string> cases;  // names below the directory
};
// index.json of what gen wrote: one row for each case.
std::string index_json(const std::vector<GenRow>& rows);
// gen --list.
std::string defects_json();

std::string to_json(const ProveReport& report);
std::string to_junit(const ProveReport& report);
std::string list_json(const std::vector<ChosenProperty>& chosen);
std::string mutants_json(const std::vector<harness::KillRow>& rows);
std::string to_json(const ReplayReport& report);
std::string to_json(const GenReport& report);

}  // namespace assay::cli
