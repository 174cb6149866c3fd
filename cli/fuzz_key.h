// SPDX-License-Identifier: Apache-2.0
// What an engine's or a target's output says of an input that it died of: which bug that is, in one line.
// Text only; a triage by stacks is not made here.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace assay::cli {

struct FuzzSymptom {
  std::string key;          // the same for the same bug, mostly: a requirement, a sanitizer's summary
  std::string verdict;      // the line that says it, values and all
  std::string requirement;  // of a violated property; else empty
};

// `kind`: "crash", "timeout", "oom" or "leak". `pid`: whose output it is. `ending`: how it ended, the
// verdict where the output says nothing.
FuzzSymptom symptom_of(std::string_view kind, std::string_view output, pid_t pid, const std::string& ending);
// Whether the output says that something was found at all.
bool has_symptom(std::string_view output);

// "var-031": a key as a directory's name.
std::string slug_of_key(const std::string& key);

}  // namespace assay::cli
