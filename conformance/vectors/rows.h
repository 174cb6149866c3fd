// SPDX-License-Identifier: Apache-2.0
// The catalogue's rows as the generator of the vector files sees them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/suite/case.h"

namespace assay::conformance::vectors {

struct CatalogueRow {
  std::string level, observable;  // "must"; "lower", "none" ...
};
using CatalogueRows = std::map<std::string, CatalogueRow>;

// Of requirements.json; empty where it cannot be read.
CatalogueRows read_catalogue(const std::string& path);

// For the makers of drafts. Set once, before any of them is called.
void use_catalogue(CatalogueRows rows);
// The op that a must row is seen by; none of other rows.
std::optional<Op> must_op(const std::string& requirement);
// The op that a row of any level is seen by.
std::optional<Op> op_of(const std::string& requirement);

std::uint64_t seed_of(std::string_view name);  // FNV-1a: the same for ever

}  // namespace assay::conformance::vectors
