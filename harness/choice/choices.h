// SPDX-License-Identifier: Apache-2.0
// One source of choices for every generator and mutator: either random and splittable, or fuzz
// bytes. It makes numbers; what they choose is the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/base/bytes.h"

namespace assay::harness {

class Choices {
 public:
  virtual ~Choices() = default;

  // A number in 0..n-1; n must be at least 1. The one primitive: all else is built on it.
  virtual std::uint64_t below(std::uint64_t n) = 0;
  virtual std::uint64_t bits() = 0;  // all 64

  std::uint64_t between(std::uint64_t lo, std::uint64_t hi) {  // lo..hi, both included
    return hi - lo == ~std::uint64_t{0} ? bits() : lo + below(hi - lo + 1);
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class T>
  const T& pick(std::span<const T> of) {
    return of[below(of.size())];
  }
  template <class T, std::size_t N>
  const T& pick(const T (&of)[N]) {
    return of[below(N)];
  }
  // A number in lo..hi biased to the edges: both ends, their neighbours, powers of two and their
  // neighbours, small numbers, and now and then anything.
  std::uint64_t edge(std::uint64_t lo, std::uint64_t hi);
};

// Seeded and splittable; the same seed gives the same choices under every compiler.
class RandomChoices final : public Choices {
 public:
  explicit RandomChoices(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) override;
  std::uint64_t bits() override;
  RandomChoices split();  // an independent source; both go on

 private:
  std::uint64_t state_;
};

// Fuzz bytes as choices: each choice consumes the fewest bytes that can make it, and past the end
// every choice is 0, so that generators come to an end. Borrows the bytes.
class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(ByteView bytes) : bytes_(bytes) {}
  std::uint64_t below(std::uint64_t n) override;
  std::uint64_t bits() override;
  bool exhausted() const { return at_ >= bytes_.size(); }

 private:
  ByteView bytes_;
  std::size_t at_ = 0;
};

}  // namespace assay::harness
