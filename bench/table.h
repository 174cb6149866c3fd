// SPDX-License-Identifier: Apache-2.0
// What was measured beside what is promised: a table for people, or JSON.
#pragma once

#include <string>
#include <vector>

namespace assay::bench {

enum class Bound { most, least };

struct Row {
  std::string name;
  double measured = 0;  // a ratio, a slope, seconds, or so many a second
  double bound = 0;     // the most or the least that is allowed; 0 where nothing is promised
  std::string detail;   // what the measured number was made of
  Bound side = Bound::most;

  bool holds() const {
    return bound == 0 || (measured > 0 && (side == Bound::most ? measured <= bound : measured >= bound));
  }
};

std::string as_text(const std::vector<Row>& rows);
std::string as_json(const std::vector<Row>& rows);

}  // namespace assay::bench
