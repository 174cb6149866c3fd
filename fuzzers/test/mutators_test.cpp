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

// AFL++'s names for the same (afl/mutator.cpp).
extern "C" {
void* afl_custom_init(void*, unsigned seed);
void afl_custom_deinit(void* state);
std::size_t afl_custom_fuzz(void* state, std::uint8_t* in, std::size_t size, std::uint8_t** out, std::uint8_t* other,
                            std::size_t other_size, std::size_t max_size);
}

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

// Within the limit, with and without another input, and the same again for the same seed.
TEST(Mutators, AsAflPlusPlusCallsThem) {
  std::vector<std::vector<Bytes>> runs;
  std::size_t changed = 0, all = 0;
  for (int again = 0; again < 2; ++again) {
    void* state = afl_custom_init(nullptr, 5);
    ASSERT_NE(state, nullptr);
    std::vector<Bytes>& made = runs.emplace_back();
    for (std::size_t i = 0; i < seeds().size(); ++i)
      for (const std::size_t max_size : {seeds()[i].size() + 4096, std::size_t{9}, std::size_t{1}, std::size_t{0}}) {
        Bytes in = seeds()[i], other = seeds()[(i + 1) % seeds().size()];
        std::uint8_t* out = nullptr;
        const std::size_t size = afl_custom_fuzz(state, in.data(), in.size(), &out, i % 2 == 0 ? other.data() : nullptr,
                                                 i % 2 == 0 ? other.size() : 0, max_size);
        ASSERT_LE(size, max_size);
        EXPECT_EQ(in, seeds()[i]);
        if (size == 0) continue;
        made.emplace_back(out, out + size);
        if (max_size < in.size()) continue;
        ++all;
        changed += made.back() != in ? 1 : 0;
      }
    afl_custom_deinit(state);
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_GT(changed * 10, all * 9);
}
