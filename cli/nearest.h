// SPDX-License-Identifier: Apache-2.0
// The name that was perhaps meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

// " (did you mean \"prove\"?)": the nearest of the names, letters of either case alike; "" when none
// is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names);

}  // namespace assay::cli
