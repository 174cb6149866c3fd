// SPDX-License-Identifier: Apache-2.0
// Generated models lower, whatever the choices.
#include <gtest/gtest.h>

#include "harness/gen/gen.h"

namespace assay::harness {
namespace {

TEST(GenModel, LowersForEverySeed) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c);
    const auto lowered = lower_model(model);
    ASSERT_TRUE(lowered.has_value()) << "seed " << seed << ": " << lowered.error().text();
  }
}

}  // namespace
}  // namespace assay::harness
