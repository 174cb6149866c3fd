// SPDX-License-Identifier: Apache-2.0
#include "harness/choice/choices.h"

namespace assay::harness {

std::uint64_t Choices::edge(std::uint64_t lo, std::uint64_t hi) {
  const std::uint64_t span = hi - lo;
  switch (below(8)) {
    case 0: return lo;
    case 1: return hi;
    case 2: return span > 0 ? lo + 1 : lo;
    case 3: return span > 0 ? hi - 1 : hi;
    case 4: return lo + below(span < 16 ? span + 1 : 16);
    case 5:
    case 6: {
      // 2^k - 1, 2^k or 2^k + 1, where it lies inside.
      const std::uint64_t v = (std::uint64_t{1} << below(64)) + below(3) - 1;
      return v >= lo && v <= hi ? v : between(lo, hi);
    }
    default: return between(lo, hi);
  }
}

// SplitMix64 (public domain constants), one state word: cheap, splittable, good enough to choose.
std::uint64_t RandomChoices::bits() {
  state_ += 0x9E3779B97F4A7C15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint64_t RandomChoices::below(std::uint64_t n) {
  // Multiply-shift: the bias is below 2^-32 for every n used here.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * n) >> 64);
}

RandomChoices RandomChoices::split() { return RandomChoices(bits()); }

std::uint64_t ByteChoices::below(std::uint64_t n) {
  std::uint64_t v = 0;
  for (std::uint64_t range = n - 1; range > 0; range >>= 8)
    v = v << 8 | (at_ < bytes_.size() ? bytes_[at_++] : 0);
  return v % n;
}

std::uint64_t ByteChoices::bits() {
  std::uint64_t v = 0;
  for (int i = 0; i < 8; ++i) v = v << 8 | (at_ < bytes_.size() ? bytes_[at_++] : 0);
  return v;
}

}  // namespace assay::harness
