// SPDX-License-Identifier: Apache-2.0
// The mutators of a family as AFL++'s custom mutator: the same two functions that libFuzzer calls,
// behind the interface of AFL_CUSTOM_MUTATOR_LIBRARY. AFL++'s own mutators stay beside them unless
// AFL_CUSTOM_MUTATOR_ONLY is set; LLVMFuzzerMutate is not there, so a few bytes are changed instead.
#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "fuzzers/common/mutators.h"

namespace {

struct State {
  assay::harness::RandomChoices choices;
  std::vector<std::uint8_t> out;
};

constexpr std::size_t kMost = std::size_t{1} << 20;

}  // namespace

#define ASSAY_AFL extern "C" __attribute__((visibility("default")))

// The fuzzer's own state is not looked at. Null: no memory.
ASSAY_AFL void* afl_custom_init(void*, unsigned seed) {
  return new (std::nothrow) State{assay::harness::RandomChoices(seed), {}};
}

ASSAY_AFL void afl_custom_deinit(void* state) { delete static_cast<State*>(state); }

// One input out of `in`, and out of another one of the corpus in one call of eight. What is handed
// out belongs to the state until the next call. 0: skip.
ASSAY_AFL std::size_t afl_custom_fuzz(void* data, std::uint8_t* in, std::size_t size, std::uint8_t** out,
                                      std::uint8_t* other, std::size_t other_size, std::size_t max_size) {
  State& state = *static_cast<State*>(data);
  max_size = std::min(max_size, kMost);
  if (max_size == 0) return 0;
  const auto seed = static_cast<unsigned>(state.choices.bits());
  state.out.assign(std::max(size, max_size), 0);
  *out = state.out.data();
  if (other != nullptr && other_size > 0 && state.choices.chance(12))
    return LLVMFuzzerCustomCrossOver(in, size, other, other_size, state.out.data(), max_size, seed);
  std::memcpy(state.out.data(), in, size);
  return LLVMFuzzerCustomMutator(state.out.data(), size, max_size, seed);
}
