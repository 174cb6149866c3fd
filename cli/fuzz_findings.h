// SPDX-License-Identifier: Apache-2.0
// What a run found, kept on disk as it comes: for each bug one directory with the smallest input, what the
// engine said, finding.json and, where the input is one, the stored case that `assay replay` takes. The
// same bug again is counted, and an input that is no smaller is let go.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/child.h"
#include "cli/fuzz_key.h"
#include "cli/fuzz_target.h"
#include "cli/text.h"

namespace assay::cli {

struct StoredFinding;

struct FuzzFinding {
  FuzzSymptom symptom;
  std::string kind;       // "crash", "timeout", "oom", "leak"
  std::string directory;
  const FuzzForm* form = nullptr;  // in which the kept input was found
  std::uint64_t times = 0, input_bytes = 0;
  unsigned repeated = 0, replays = 0;  // k of n replays out of process found something again
  std::string case_kind;  // of the stored case; empty: none is stored
  std::string no_case;    // why not
  bool known = false;     // an earlier run found it too
  bool earlier = false;   // what is kept, and told here but for `times`, is that run's: its input is smaller
};

// One stored input through a target, in a process of its own.
struct FuzzReplay {
  enum class Verdict { holds, found, error } verdict = Verdict::error;
  std::string kind;      // of what was found
  FuzzSymptom symptom;   // of what was found; of an error its verdict alone
  std::string output;
};
FuzzReplay replay_input(const FuzzTarget& target, const std::string& input);

// A target's program with what any run of it needs in its environment.
Program fuzz_program(const FuzzTarget& target);

class Findings {
 public:
  Findings(const FuzzTarget& target, std::string directory) : target_(target), directory_(std::move(directory)) {}

  // Takes the input at `artifact`, which is gone afterwards unless it could not be kept. `symptom`: what the
  // engine said of it; none where the engine says nothing, then a replay must.
  void take(const std::string& kind, const std::string& artifact, const std::string& log,
            const std::optional<FuzzSymptom>& symptom);

  void settle();  // at the end: how often each came

  std::vector<const FuzzFinding*> all() const;
  bool empty() const { return found_.empty() && beyond_ == 0; }
  std::uint64_t beyond() const { return beyond_; }     // inputs of further bugs, not kept
  const std::string& error() const { return error_; }  // the first that could not be written
  static constexpr std::size_t kMost = 100;            // bugs that are kept

  static std::string replay_command(const FuzzTarget& target, const FuzzFinding& f, ShellForm form);

 private:
  // Its own directory, or one where an earlier run kept the same bug, with what is told of it there.
  std::string place_of(const std::string& key, std::optional<StoredFinding>& stored) const;
  bool keep(FuzzFinding& f, const std::string& input, const std::string& log);  // false: the input is not
  void write_facts(const FuzzFinding& f);
  void store_case(FuzzFinding& f, const std::string& input);
  static void note_case(FuzzFinding& f);
  void note(const std::string& error);

  const FuzzTarget& target_;
  std::string directory_, error_;
  std::map<std::string, FuzzFinding> found_;  // by key
  std::uint64_t beyond_ = 0;
};

}  // namespace assay::cli
