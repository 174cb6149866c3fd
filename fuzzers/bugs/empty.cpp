// SPDX-License-Identifier: Apache-2.0
// What an engine does with no target at all: the measure of a target's speed.
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }
