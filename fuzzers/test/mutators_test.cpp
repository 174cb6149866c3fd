// SPDX-License-Identifier: Apache-2.0
// What libFuzzer asks of a custom mutator, on every seed of a target: something, never more than the
// limit, less where the limit is below the size, and the same for the same seed. One program for
// each family of mutators, without an engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "fuzzers/common/mutators.h"

namespace {

using Bytes = std::vector<std::uint8_t>;

const std::vector<Bytes>& seeds() {
  static const std::vector<Bytes> all = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(ASSAY_CORPUS_DIR "/" ASSAY_MUTATOR_SEEDS))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> out;
    for (const auto& path : paths) {
      std::ifstream in(path, std::ios::binary);
      out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return out;
  }();
  return all;
}

// The buffer that libFuzzer gives holds the longer of input and limit.
Bytes mutated(const Bytes& input, std::size_t max_size, unsigned seed) {
  Bytes data(std::max(input.size(), max_size));
  std::copy(input.begin(), input.end(), data.begin());
  const std::size_t size = LLVMFuzzerCustomMutator(data.data(), input.size(), max_size, seed);
  EXPECT_GE(size, 1u);
  EXPECT_LE(size, max_size);
  for (std::size_t i = std::max(max_size, input.size()); i < data.size(); ++i) EXPECT_EQ(data[i], 0);
  data.resize(std::min(size, data.size()));
  return data;
}

}  // namespace

TEST(Mutators, SomethingWithinTheLimit) {
  ASSERT_FALSE(seeds().empty());
  std::size_t changed = 0, all = 0;
  for (const Bytes& seed : seeds())
    for (unsigned n = 0; n < 8; ++n, ++all) changed += mutated(seed, seed.size() + 4096, n) != seed ? 1 : 0;
  EXPECT_GT(changed * 10, all * 9);
}

TEST(Mutators, ALimitBelowTheSizeShrinks) {
  for (const Bytes& seed : seeds())
    for (unsigned n = 0; n < 4; ++n)
      for (const std::size_t max_size : {seed.size() / 4 * 3, seed.size() / 2, std::size_t{9}, std::size_t{1}})
        if (max_size > 0) mutated(seed, max_size, n);
}

TEST(Mutators, TheSameSeedTheSameInput) {
  for (const Bytes& seed : seeds()) EXPECT_EQ(mutated(seed, seed.size() + 512, 7), mutated(seed, seed.size() + 512, 7));
}

TEST(Mutators, AnyBytes) {
  assay::harness::RandomChoices c(1);
  for (unsigned n = 0; n < 200; ++n) {
    Bytes bytes(c.below(60));
    for (auto& b : bytes) b = static_cast<std::uint8_t>(c.below(256));
    mutated(bytes, 1 + c.below(80), n);
  }
  mutated({}, 1, 0);
}

TEST(Mutators, CrossingStaysWithinTheLimit) {
  const auto& all = seeds();
  std::size_t changed = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Bytes &a = all[i], &b = all[(i * 7 + 1) % all.size()];
    for (const std::size_t max_size : {a.size() + b.size() + 100, std::size_t{40}, std::size_t{1}}) {
      Bytes out(max_size);
      const std::size_t size = LLVMFuzzerCustomCrossOver(a.data(), a.size(), b.data(), b.size(), out.data(), max_size,
                                                         static_cast<unsigned>(i));
      EXPECT_GE(size, 1u);
      EXPECT_LE(size, max_size);
      out.resize(std::min(size, max_size));
      changed += out != a ? 1 : 0;
    }
  }
  EXPECT_GT(changed, all.size());
}
