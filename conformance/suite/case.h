// SPDX-License-Identifier: Apache-2.0
// The cases of the conformance suite and what an implementation made of one. A case is data: a request
// of the protocol, what the oracle answers, and the requirements that are shown by it. Who stores cases,
// sends them or adds verdicts up is not its business, and nothing here is ever sent to an implementation
// but `op` and `request`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/properties/verdict.h"
#include "harness/subject/subject.h"

namespace assay::conformance {

// The requests of the protocol, in the order of conformance.md. hello is none of them.
enum class Op : std::uint8_t { dtype, lower, lower_neff, decode, neff_ip, resolve, udma };
std::string_view name_of(Op op);
std::optional<Op> op_named(std::string_view name);

enum class Origin : std::uint8_t { fixed, regression, generated };
std::string_view name_of(Origin origin);

// A path that a must comparison leaves out, and the should or info row it rests on (conformance.md, Cases).
struct Ignored {
  std::string path, requirement;
};

struct Case {
  std::string id;                         // stable: "VAR-004/gap", generated: "generated/42/17"
  Origin origin = Origin::fixed;
  std::vector<std::string> requirements;  // shown by this case, first the one it was made for; at least one
  std::string comment;                    // one idea, one line
  std::vector<std::string> flags;         // "real-model", "should" ...
  Op op = Op::lower;
  std::string request;                    // JSON object of the op's keys, without "id" and "op"
  harness::ReplyStatus expect = harness::ReplyStatus::ok;  // ok, refused or trapped
  bool status_counts = false;             // refused against trapped, and the code, are part of the row
  std::optional<std::uint32_t> code;      // NRT_STATUS of a refusal
  std::string answer;                     // ok: canonical JSON of the op's answer keys: see answers.h
  std::string twin;                       // of a refusal: the accepted case with the one fault mended
  std::string differs_from;               // of a fixed-point or enum row: the case that must be answered otherwise
  std::vector<Ignored> ignore;
};

enum class Outcome : std::uint8_t { pass, fail, error, unproven, unsupported, skipped };
std::string_view name_of(Outcome outcome);

// What came of one case. Only pass passes.
struct Result {
  std::string id;
  Outcome outcome = Outcome::skipped;
  std::optional<harness::ReplyStatus> answered;    // how the answer ended; none: there was none
  std::vector<harness::Violation> violations;      // of must rows: at least one when fail
  std::vector<harness::Violation> reported;        // of should, info and medium rows; never decide
  std::string why;                                 // of error, unproven and skipped: "timeout", "crash: SIGSEGV" ...
  std::string answer_sha256;                       // of the canonical answer, "" where there was none
  std::uint64_t micros = 0;
};

}  // namespace assay::conformance
