// SPDX-License-Identifier: Apache-2.0
// The members around a def.json that is fuzzed as text: one sub-graph, an engine member for each
// engine, tables for act and dve, blobs and a .npy. They never change with the generators, so that a
// stored input keeps its meaning.
#pragma once

#include <string>
#include <vector>

#include "oracle/container/members.h"

namespace assay::fuzz {

inline constexpr const char* kDefinition = "sg00/def.json";

// The whole set with `definition` as its def.json. The descriptor leaves the target open.
Members fixed_members(ByteView definition);

// The names beside def.json that it may use (without "sg00/").
struct FixedMember {
  const char* name;
  std::string bytes;
};
const std::vector<FixedMember>& fixed_neighbours();

}  // namespace assay::fuzz
