// SPDX-License-Identifier: Apache-2.0
// What every target does with its input once it is members or an image: what is refused must be
// refused the same way again, and after acceptance nothing may fail. A failure prints one line and
// traps. The targets turn fuzz bytes into input and call this; no mutator is here.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "fuzzers/common/inputs.h"
#include "fuzzers/common/statistics.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Set by the replay form: no property is seldom judged (judged.h).
extern bool assay_fuzz_thorough;
}

namespace assay::fuzz {

// Counts an execution; each target calls it first.
void begin();
void count(const Result<Lowered>& lowered);    // what came of a lowering

// Prints "found: " and the text, and traps.
[[noreturn]] void found(const std::string& text);
inline void must(bool holds, std::string_view what) {
  if (!holds) found(std::string(what));
}
// The text is made only where it is wanted: to say what a refusal says costs more than most inputs.
inline void must_refuse_alike(bool alike, const Refusal& first) {
  if (!alike) found("refused in two ways: " + first.text());
}

// Members that may be anything: lowered, and accepted_members where that succeeds. True: accepted.
bool try_members(const Members& members, const Options& options);
// `lowered` is what the oracle made of these members.
void accepted_members(const Members& members, const Options& options, const Lowered& lowered);

// A model that may be anything, with limits that may be wide: the same.
bool try_model(harness::Model model);

// Bytes that may be an image: decoded, and accepted_image where that succeeds. True: accepted.
bool try_image(ByteView image);
void accepted_image(ByteView image);

// The judged properties of the case's kind; a violation is found(). `digest`: any number that the case
// gives, of which depends what is judged seldom.
void judge(const harness::Case& c, std::uint32_t digest = 0);

inline bool alike(const Refusal& a, const Refusal& b) {
  const auto of = [](const Refusal& r) {
    return std::tie(r.reason, r.place.member, r.place.pointer, r.place.offset, r.place.field, r.detail);
  };
  return of(a) == of(b);
}
template <class T>
bool same_refusal(const Result<T>& a, const Result<T>& b) {
  return !a && !b && alike(a.error(), b.error());
}

}  // namespace assay::fuzz
