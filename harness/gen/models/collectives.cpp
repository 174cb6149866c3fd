// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/models/parts.h"

namespace assay::harness::models {

void add_collectives(Graph& g) {
  Choices& c = g.c;
  if (rarely(c, 35)) {
    Json& groups = g.def["replica_groups"] = Json::array();
    for (std::uint32_t n = few(c, 0, g.size.groups); n > 0; --n) {
      Json group = Json::array();
      for (std::uint32_t m = few(c, 0, g.size.groups); m > 0; --m) {
        Json subgroup = Json::array();
        for (auto k = c.below(5); k > 0; --k) subgroup.push_back(any_u32(c));
        group.push_back(std::move(subgroup));
      }
      groups.push_back(std::move(group));
    }
  }
  if (!rarely(c, 35)) return;
  Json& sets = g.def["src_target_pairs"] = Json::array();
  for (std::uint32_t n = few(c, 0, g.size.groups); n > 0; --n) {
    Json set = Json::array();
    for (auto m = c.below(4); m > 0; --m) {
      Json pair = Json::array();
      pair.push_back(any_u32(c));
      pair.push_back(any_u32(c));
      set.push_back(std::move(pair));
    }
    sets.push_back(std::move(set));
  }
}

}  // namespace assay::harness::models
