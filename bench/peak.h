// SPDX-License-Identifier: Apache-2.0
// The peak of a fresh process that does one thing: a process that has measured other things has
// had their memory.
#pragma once

#include <string>

#include "oracle/base/bytes.h"

namespace assay::bench {

struct Peak {
  double document = 0, resident = 0;  // bytes; 0 when the process failed
};

// Runs this program with --peak=NAME.
Peak peak_of(const std::string& name);

// What that process does: lowers and encodes the definition, and prints its size and the peak.
int print_peak(Buffer definition);

}  // namespace assay::bench
