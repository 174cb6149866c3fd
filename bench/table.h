// SPDX-License-Identifier: Apache-2.0
// What was measured beside what is promised: a table for people, or JSON.
#pragma once

#include <string>
#include <vector>

namespace assay::bench {

struct Row {
  std::string name;
  double measured = 0;  // a ratio, or a slope
  double bound = 0;     // the most that is allowed; 0 where nothing is promised
  std::string detail;   // what the measured number was made of

  bool holds() const { return bound == 0 || (measured > 0 && measured <= bound); }
};

std::string as_text(const std::vector<Row>& rows);
std::string as_json(const std::vector<Row>& rows);

}  // namespace assay::bench
