// SPDX-License-Identifier: Apache-2.0
// What a certificate is made of, as plain data: one row for each case, requirement, level and waiver.
// Everything but the cases' verdicts can be computed from them (levels.h); nothing here asks an
// implementation or writes a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/case.h"

namespace assay::conformance {

// A row of requirements.json. Field for field what the tool's generated table holds.
struct Requirement {
  std::string_view id, area, level, evidence, observable, statement;
};
// Ascending by id, each id once. Whoever judges is handed it; this room has no copy.
using Catalogue = std::span<const Requirement>;
const Requirement* find_requirement(Catalogue catalogue, std::string_view id);  // nullptr: none
bool is_must(Catalogue catalogue, std::string_view id);  // an id that the catalogue lacks is one

// Bytes of an image around a field, for people.
struct Window {
  std::uint64_t begin = 0;   // offset of the first byte from the start of the image
  std::uint64_t field = 0;   // offset of the field
  std::uint32_t length = 0;  // bytes of the field that lie in the window, 0: only its place is known
  std::string bytes;
  bool operator==(const Window&) const = default;
};

// A violation with the bytes on either side. `place` is the violation's.
struct Shown {
  harness::Violation violation;
  std::optional<Window> expected, actual;
};

// A case with its result. Texts are valid UTF-8 of bounded length.
struct CaseRow {
  std::string id;
  Origin origin = Origin::fixed;
  Op op = Op::lower;
  std::vector<std::string> requirements;
  harness::ReplyStatus expect = harness::ReplyStatus::ok;
  Outcome outcome = Outcome::skipped;
  std::optional<harness::ReplyStatus> answered;  // how the answer ended; none: there was none
  bool waived = false;
  std::string why, sha256;
  std::vector<Shown> violations;  // of must rows
  std::vector<harness::Violation> reported;
  std::map<std::string, std::string> files;  // of its failure directory: name -> SHA-256
};

// Cases by outcome, in the order of Outcome.
struct Counts {
  std::size_t of[6] = {};
  std::size_t waived = 0;  // of those that are no pass
  std::size_t total() const;
  std::size_t operator[](Outcome o) const { return of[static_cast<std::size_t>(o)]; }
  void add(const CaseRow& row);
  bool operator==(const Counts&) const = default;
};

enum class RowVerdict : std::uint8_t {
  pass,         // a case of its own op, and all that count pass
  waived,       // the same but for waived cases
  fail,         // one that counts does not pass, or a failing case of another row names it
  no_case,      // nothing was asked that shows it
  only_waived,  // no case is left beside the waived ones
  not_seen,     // no implementation can show it, or its level is not part of this suite
};
std::string_view name_of(RowVerdict verdict);

struct RequirementRow {
  std::string id, level;  // "VAR-031", "must"
  char of = 0;            // letter of its level
  RowVerdict verdict = RowVerdict::not_seen;
  Counts counts;          // of the cases that count for it
  std::size_t named = 0;  // cases whose violations (a must) or reports (else) name it, waived ones apart
  bool beside = false;    // not met only for another row's sake: cases that also name it fail or err, none for it
};

struct LevelRow {
  char letter = 0;
  std::string title;
  bool part_of_suite = false, asked = false, held = false, with_waivers = false;
  std::size_t rows = 0, passed = 0;  // observable must rows
  std::vector<std::string> missing;  // rows that keep it from being held, ascending
  std::vector<std::string> beside;   // and those that do so only for another row's sake
  std::string why;                   // one line, where not held
};

struct Waiver {
  std::string id, reason, until;  // of the case; "2027-01-31", that day included
};

struct CutOp {  // an op that was given up (conformance.md, Plugging in)
  Op op = Op::lower;
  std::string why;
  std::size_t cases = 0;  // not sent
};

struct OrderCheck {  // a sample asked again, in a fresh process and another order
  std::size_t asked = 0;
  std::vector<std::string> differ;  // ids
};

}  // namespace assay::conformance
