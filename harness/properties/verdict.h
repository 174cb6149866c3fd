// SPDX-License-Identifier: Apache-2.0
// What a property answers. A property is a plain function `Verdict f(const Subject&, const Case&)`
// that neither asserts nor prints: gtest replays it, RapidCheck and fuzz targets drive it,
// certification runs it against another implementation.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::harness {

// What exactly was violated. `requirement` is one id: a violation names no two.
struct Violation {
  std::string requirement;  // "VAR-031"
  std::string place;        // record path, or member and JSON pointer
  std::string expected, actual;
  std::string property;     // that found it

  std::string text() const;  // one line
};

struct Verdict {
  enum class Kind { holds, violated, cannot_say };  // cannot_say: not this property's case
  Kind kind = Kind::holds;
  std::vector<Violation> violations;  // at least one when violated
  std::string why;                    // of cannot_say

  static Verdict ok() { return {}; }
  static Verdict cannot_say(std::string why) { return {Kind::cannot_say, {}, std::move(why)}; }
  static Verdict violated(Violation v) { return {Kind::violated, {std::move(v)}, {}}; }
  // Holds when there is none.
  static Verdict of(std::vector<Violation> v) {
    return {v.empty() ? Kind::holds : Kind::violated, std::move(v), {}};
  }
  bool holds() const { return kind == Kind::holds; }
  bool is_violated() const { return kind == Kind::violated; }
  // The one requirement that every violation names, or "" when there is none or more than one.
  std::string requirement() const;
};

}  // namespace assay::harness
