// SPDX-License-Identifier: Apache-2.0
// The seeds of each target, in memory. Which they are is decided by fixed seeds of the generators;
// nothing here writes a file, and nothing of it is linked into a target.
#pragma once

#include <string>
#include <vector>

#include "harness/gen/gen.h"

namespace assay::fuzz {

inline constexpr std::size_t kMaxFiles = 99, kMaxBytes = 300'000;  // of one target
inline constexpr std::size_t kMaxSeedBytes = 40'000;                    // of one seed

struct StoredModel {
  std::string name;
  harness::Model model;
};
struct Seed {
  std::string what;  // kebab-case
  std::string bytes;
};
struct TargetSeeds {
  std::string target;
  std::vector<Seed> seeds;  // the more valuable ones first
};

std::vector<TargetSeeds> all_seeds(const std::vector<StoredModel>& stored);

// A definition of a model as it must be to stand among the fixed members: names of files replaced,
// what they cannot serve left out.
harness::Json to_fixed(harness::Json definition);

// Models, small ones, and one near-miss for each requirement, the smallest of a few.
std::vector<StoredModel> small_models();
struct StoredMiss {
  std::string name, requirement;
  harness::NearMiss miss;
};
const std::vector<StoredMiss>& near_misses();

std::vector<Seed> document_seeds();  // of json_dialect

}  // namespace assay::fuzz
