// SPDX-License-Identifier: Apache-2.0
// What the hostile implementations do. Internal to this room.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::conformance::hostile {

// Whether a request is one of those that a selective one strikes: of `op` and `request` as a case has them.
bool is_struck(std::string_view text);
inline constexpr std::uint64_t kGrowth = std::uint64_t{192} << 20;  // bytes by which "growing" is let grow

int silent(int in, int out);
int slow(int in, int out);
int talkative(int in, int out);
int truncating(int in, int out);
int wrong_ids(int in, int out);
int wrong_order(int in, int out);
int dying(int in, int out);
int printing(int in, int out);
int growing(int in, int out);
int refusing(int in, int out);
int accepting(int in, int out);
int echoing(int in, int out);

}  // namespace assay::conformance::hostile
