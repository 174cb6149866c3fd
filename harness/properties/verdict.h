// SPDX-License-Identifier: Apache-2.0
// What a property answers. A property is a plain function `Verdict f(const Subject&, const Case&)`
// that neither asserts nor prints: gtest replays it, RapidCheck and fuzz targets drive it,
// certification runs it against another implementation.
#pragma once

#include <string>
#include <vector>

namespace assay::harness {

// What exactly was violated. `requirement` is one id: a verdict names no two.
struct Violation {
  std::string requirement;
  std::string place;     // record path, or member and JSON pointer
  std::string expected, actual;
  std::string property;  // that found it
  std::string text() const;
};

struct Verdict {
  enum class Kind { holds, violated, cannot_say };  // cannot_say: not this property's case
  Kind kind = Kind::holds;
  std::vector<Violation> violations;  // at least one when violated; the first decides
  std::string why;                    // of cannot_say

  static Verdict ok() { return {}; }
  static Verdict cannot_say(std::string why) { return {Kind::cannot_say, {}, std::move(why)}; }
  static Verdict violated(Violation v) { return {Kind::violated, {std::move(v)}, {}}; }
  bool holds() const { return kind == Kind::holds; }
  bool is_violated() const { return kind == Kind::violated; }
};

}  // namespace assay::harness
