// SPDX-License-Identifier: Apache-2.0
// Dictionaries for byte fuzzers, written out of the tables: keys, the strings of matchers, magics and
// codes, edge integers. The text is what libFuzzer and AFL++ both read: one quoted token a line.
#pragma once

#include <string>
#include <string_view>

namespace assay::harness {

// By what a target's name holds: "image" (images), "neff", "archive" or "container" (containers),
// "json", "def", "model" or "lower" (documents); a name that tells nothing gets all tokens.
std::string dictionary_for(std::string_view target);

}  // namespace assay::harness
