// SPDX-License-Identifier: Apache-2.0
// Google Benchmark as a library: a few bodies run in turns, and the median CPU time of each. CPU
// time, because all of it is one thread's and other programs' turns are none of its business.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace assay::bench {

struct Body {
  std::string name;
  std::function<bool()> run;  // false: it failed, and so does the measurement
  bool once = true;           // one run a turn; else as many as Google Benchmark finds fit
};

// Medians in seconds of one run, by name. Bodies are interleaved at random, `turns` of each.
// What is measured goes to standard error as it comes. Ends the program when a body fails.
std::map<std::string, double> measure(const std::vector<Body>& bodies, int turns);

}  // namespace assay::bench
