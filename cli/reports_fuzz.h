// SPDX-License-Identifier: Apache-2.0
// What fuzz found out, and its JSON forms. Like reports.h: one object with a newline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/fuzz_run.h"

namespace assay::cli {

// finding.json of one that is kept, and what such a text says; none where it is no such text.
std::string finding_json(const FuzzTarget& target, const FuzzFinding& f);
struct StoredFinding {
  std::string target, kind, no_case;
  const FuzzForm* form = nullptr;
  FuzzSymptom symptom;
  unsigned repeated = 0, replays = 0;
};
std::optional<StoredFinding> stored_finding(const std::string& text);

std::string to_json(const FuzzPlan& plan, const FuzzRun& run, const Findings& findings);

struct FuzzTargetRow {
  std::string name, about;
  std::vector<const FuzzForm*> built;
};
std::string fuzz_list_json(const std::string& directory, const std::vector<FuzzTargetRow>& rows);

struct FuzzReplayRow {
  std::string path;
  FuzzReplay replay;
  const char* verdict() const;  // "holds", "found" or "error"
};
std::string fuzz_replay_json(const FuzzTarget& target, const std::vector<FuzzReplayRow>& rows);

}  // namespace assay::cli
