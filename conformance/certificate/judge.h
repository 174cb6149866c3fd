// SPDX-License-Identifier: Apache-2.0
// The verdict on an answer (conformance.md, Cases). It compares with what the case expects and never asks
// the oracle or the implementation; who sends cases, adds verdicts up or shows them is elsewhere. Answers
// may be anything at all.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/certificate/rows.h"
#include "conformance/protocol/answers.h"

namespace assay::conformance {

// An answer, or why there is none: "timeout", "crash: SIGSEGV", "wrong id 7".
using Answered = tl::expected<Answer, std::string>;

// The verdict of one case on its own. Must rows decide; what should and info rows, paths of medium or ruling
// evidence and ignored paths come to is `reported`. A refusal is compared by status and code only where the case
// says so; a reason never is. `micros` is left 0. Throws nothing.
Result judge(const Case& c, const Answered& answered, Catalogue catalogue);

// A second answer to the same question: one that differs from the first fails the case, for LOW-011 where it is a
// lowering; none at all is an error. To be called before settle, for cases flagged "twice" with an answer asked for
// right behind the first, and for any other that was asked again.
void judge_again(const Case& c, const Answered& again, Catalogue catalogue, Result& result);

// Twins and pairs, over all results of a run (results[i] is of cases[i]): a refusal passes only where its twin
// was accepted, a pair only where its two answers differ; else it is unproven. Not to be called twice.
void settle(std::span<const Case> cases, std::vector<Result>& results);

// SHA-256 of the canonical answer, 64 hex digits.
std::string digest_of(const Answer& answer);

// The bytes on either side of each violation of a case that failed, as far as its place is a field's (or an
// offset) of an image: of the expected and the actual image, and for decode of the one that was asked about.
std::vector<Shown> show(const Case& c, const Answered& answered, std::span<const harness::Violation> violations);

}  // namespace assay::conformance
