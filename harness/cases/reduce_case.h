// SPDX-License-Identifier: Apache-2.0
// Smaller cases that fail in the same way. A model's case is made smaller by edits of the model, a
// near-miss by the same edit on both of its sides, a text by an edit of what is spelled, images as
// images are (a damaged one that has no parts by way of its twin), lists by leaving out parts. What
// "the same way" is stands here too: the signature, and what the oracle says of the case itself, lest a valid model be reduced to an invalid one.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/properties/property.h"
#include "harness/reduce/reduce.h"

namespace assay::harness {

// What two failures of one cause have in common.
struct Signature {
  std::string property, requirement;
  std::string expected;  // its kind: the text with numbers, enumerators and quoted names left out
  std::string text() const { return property + "\n" + requirement + "\n" + expected; }
  bool operator==(const Signature&) const = default;
};
Signature signature_of(const Property& property, const Verdict& verdict);
std::string expected_kind(const std::string& expected);

// What the oracle says of a case, apart from every property: a candidate must be told the same.
class OracleView {
 public:
  explicit OracleView(const Case& original);
  // Whether a candidate is a case of the same sort: what lowered or was valid still is, what was
  // refused still is for the same reason. Where the original's expected place is the oracle's, the
  // candidate gets the oracle's.
  bool same_sort(Case& candidate) const;

 private:
  struct Said {
    std::optional<Reason> twin, input;  // none: accepted
    std::optional<Place> place;         // of the input's refusal
  };
  static Said ask(const Case& c);

  Said said_;
  bool place_is_oracles_ = false;
};

// The next candidate, or none when nothing more is to be tried. Moves the cursor past it; whoever
// takes it in calls cursor.accept(). Candidates are not yet looked at by OracleView.
std::optional<Case> next_smaller(const Case& c, Cursor& cursor);

// The greedy loop. `still` says whether a candidate fails in the same way.
ReduceStats reduce_case(Case& c, const std::function<bool(const Case&)>& still, const ReduceLimits& limits = {});
// The same, judged by the property; a case that does not violate it stays as it is.
ReduceStats reduce_case(const Property& property, const Subject& subject, Case& c, const ReduceLimits& limits = {});

}  // namespace assay::harness
