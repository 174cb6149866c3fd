// SPDX-License-Identifier: Apache-2.0
// Which properties `assay prove` was asked for, by name or by area of requirements.
#pragma once

#include <string_view>
#include <vector>

#include "cli/args.h"
#include "cli/io.h"
#include "harness/properties/property.h"

namespace assay::cli {

struct ChosenProperty {
  const harness::Property* property;
  std::vector<std::string_view> requirements;  // all it can name; those of the areas where it was chosen by area alone
};

// In the catalogue's order. A name or an area that names nothing is an error.
Io<std::vector<ChosenProperty>> chosen_properties(const ProveArgs& args);

}  // namespace assay::cli
