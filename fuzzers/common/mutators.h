// SPDX-License-Identifier: Apache-2.0
// What the custom mutators of the families share: which share of the calls edits structure, which
// edits text and which goes to the engine's own mutators (and so to the dictionary), and the rules of
// libFuzzer: never nothing, never more than the limit, and a limit below the size means to shrink.
//
// These files make shared libraries that show nothing but their entry points, built without
// instrumentation (libfuzzer.cmake): no template or function is shared with the code under test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "harness/choice/choices.h"
#include "harness/mutate/text_mutator.h"
#include "oracle/base/bytes.h"

extern "C" {
// The engine's; other engines than libFuzzer have none.
__attribute__((weak, visibility("default"))) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                                          std::size_t max_size);
#pragma GCC visibility push(default)
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2,
                                      std::size_t size2, std::uint8_t* out, std::size_t max_size, unsigned seed);
#pragma GCC visibility pop
}

namespace assay::fuzz {

struct Shares {
  std::uint32_t structure, text;  // percent; the rest is the engine's
};

// Puts an edited input in place. False, and nothing done, where it is empty or too long.
inline bool put(std::string_view edited, std::uint8_t* data, std::size_t max_size, std::size_t& size) {
  if (edited.empty() || edited.size() > max_size) return false;
  std::memcpy(data, edited.data(), edited.size());
  size = edited.size();
  return true;
}

inline std::string copy_of(const std::uint8_t* data, std::size_t size) {
  return std::string(reinterpret_cast<const char*>(data), size);
}

// A few bytes changed, for engines that lend no mutator of their own.
inline std::size_t mutate_plainly(harness::Choices& c, std::uint8_t* data, std::size_t size, std::size_t max_size) {
  if (size < max_size && c.chance(30)) data[size++] = static_cast<std::uint8_t>(c.below(256));
  if (size == 0) data[size++] = static_cast<std::uint8_t>(c.below(256));
  for (std::uint64_t n = 1 + c.below(3); n > 0; --n) data[c.below(size)] = static_cast<std::uint8_t>(c.below(256));
  return size;
}

// As the engine does it. Returns the new size, 1..max_size; size is at most max_size, which is not 0.
inline std::size_t mutate_by_engine(harness::Choices& c, std::uint8_t* data, std::size_t size, std::size_t max_size) {
  if (LLVMFuzzerMutate == nullptr) return mutate_plainly(c, data, size, max_size);
  return std::clamp<std::size_t>(LLVMFuzzerMutate(data, size, max_size), 1, max_size);
}

// `structure(Choices&, const std::string& input, std::size_t max, std::string& edited)` edits an input
// of its family: false where it is none.
template <class F>
std::size_t mutate_input(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed, Shares shares,
                         F structure) {
  if (max_size == 0) return 0;  // there is no room for anything else
  harness::RandomChoices c(seed);
  const std::uint64_t share = c.below(100);
  if (share < shares.structure) {
    std::string edited;
    if (structure(c, copy_of(data, size), max_size, edited) && put(edited, data, max_size, size)) return size;
  } else if (share < shares.structure + shares.text) {
    std::string text = copy_of(data, size);
    if (harness::mutate_text(c, text, max_size) && put(text, data, max_size, size)) return size;
  }
  return mutate_by_engine(c, data, std::min(size, max_size), max_size);  // they take no input beyond the limit
}

// libFuzzer calls mutator and crossing in turn, which is more crossing than does good: most calls
// mutate the first input instead.
constexpr std::uint32_t kCrossed = 20;  // percent

// `cross(Choices&, const std::string& a, const std::string& b, max, edited)`, `mutate(data, size, max, seed)`.
// Where it fails the first input is mutated. splice() is a crossing of mere bytes.
inline bool splice(harness::Choices& c, const std::string& a, const std::string& b, std::size_t max, std::string& out) {
  const std::size_t head = a.empty() ? 0 : c.below(a.size() + 1), from = b.empty() ? 0 : c.below(b.size());
  out = (a.substr(0, head) + b.substr(from)).substr(0, max);
  return true;
}
template <class F, class M>
std::size_t cross_inputs(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2, std::size_t size2,
                         std::uint8_t* out, std::size_t max_size, unsigned seed, F cross, M mutate) {
  if (max_size == 0) return 0;
  harness::RandomChoices c(seed);
  std::string edited;
  std::size_t size = 0;
  if (c.chance(kCrossed) && cross(c, copy_of(data1, size1), copy_of(data2, size2), max_size, edited) &&
      put(edited, out, max_size, size))
    return size;
  size = std::min(size1, max_size);
  if (size > 0) std::memcpy(out, data1, size);
  return mutate(out, size, max_size, static_cast<unsigned>(c.bits()));
}

}  // namespace assay::fuzz

// The two functions that the engine looks for; shares in percent.
#define ASSAY_MUTATORS(structure, text, edit, cross)                                                              \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,      \
                                                 unsigned seed) {                                                 \
    return ::assay::fuzz::mutate_input(data, size, max_size, seed, {structure, text}, edit);                      \
  }                                                                                                               \
  extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,                  \
                                                   const std::uint8_t* data2, std::size_t size2,                  \
                                                   std::uint8_t* out, std::size_t max_size, unsigned seed) {      \
    return ::assay::fuzz::cross_inputs(data1, size1, data2, size2, out, max_size, seed, cross,                    \
                                       LLVMFuzzerCustomMutator);                                                  \
  }
