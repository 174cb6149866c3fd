// SPDX-License-Identifier: Apache-2.0
// What the programs bug_<target> share: one input, two answers, and the end of the program where
// they differ. The input of each is that of the target of its name.
#pragma once

#include "fuzzers/bugs/answers.h"
#include "oracle/base/options.h"
#include "oracle/container/members.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace bugs {

// Counts an execution.
void begin();

// Calls an answerer of each side, `truth` first; returns what `truth` did. Where the answers differ it
// prints "triggered: bug N after M executions" and traps.
template <class Truth, class Patched, class Input>
bool compare(Truth truth, Patched patched, const Input& input);

[[noreturn]] void triggered();

template <class Truth, class Patched, class Input>
bool compare(Truth truth, Patched patched, const Input& input) {
  static std::string right, other;
  const bool accepted = truth(input, right);
  if (patched(input, other) != accepted || right != other) triggered();
  return accepted;
}

// Borrows both.
Model model_of(const assay::Members& members, const assay::Options& options);

}  // namespace bugs
