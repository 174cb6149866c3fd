// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "oracle/manifest/definition/definition.h"

namespace assay::definition {

Result<> read_replica_groups(Context& c, const Def& def) {
  if (!def.has(DefKey::replica_groups_)) return {};
  const Node groups = def[DefKey::replica_groups_];
  ASSAY_TRY(groups.expect(JsonType::array));
  return for_each_element(groups, [&](const Node& group) -> Result<> {
    ASSAY_TRY(group.expect(JsonType::array));
    auto& subgroups = c.out.replica_groups.emplace_back();
    return for_each_element(group, [&](const Node& subgroup) -> Result<> {
      ASSAY_TRY(subgroup.expect(JsonType::array));
      auto& participants = subgroups.emplace_back();
      return for_each_element(subgroup, [&](const Node& item) -> Result<> {
        ASSAY_TRY_LET(n, item.integer<std::uint32_t>());
        participants.push_back(n);
        return {};
      });
    });
  });
}

Result<> read_src_target_pairs(Context& c, const Def& def) {
  if (!def.has(DefKey::src_target_pairs_)) return {};
  const Node sets = def[DefKey::src_target_pairs_];
  ASSAY_TRY(sets.expect(JsonType::array));
  return for_each_element(sets, [&](const Node& set) -> Result<> {
    ASSAY_TRY(set.expect(JsonType::array));
    auto& pairs = c.out.src_target_pairs.emplace_back();
    return for_each_element(set, [&](const Node& pair) -> Result<> {
      ASSAY_TRY(pair.expect(JsonType::array));
      const std::size_t n = count_of(pair.value());
      if (n != 2) return pair.refuse(Reason::pair_length, fmt::format("{} elements", n));
      std::uint64_t ranks[2] = {};
      std::size_t i = 0;
      ASSAY_TRY(for_each_element(pair, [&](const Node& item) -> Result<> {
        ASSAY_TRY_LET(rank, item.integer<std::uint32_t>());
        ranks[i++] = rank;
        return {};
      }));
      pairs.push_back({ranks[0], ranks[1]});
      return {};
    });
  });
}

Result<> read_streams(Context& c, const Def& def) {
  // Beside cc_streams a top-level num_streams is not read (CCM-005, JSN-013).
  if (def.has(DefKey::cc_streams_)) {
    const Node node = def[DefKey::cc_streams_];
    ASSAY_TRY(node.expect(JsonType::object));
    const Keys<CcStreamsKey> k(node);
    ASSAY_TRY_LET(n, k.integer_or<std::uint64_t>(CcStreamsKey::num_streams_, 1));
    c.out.num_streams = n;
    return {};
  }
  ASSAY_TRY_LET(n, def.integer_or<std::uint64_t>(DefKey::num_streams_, 1));
  c.out.num_streams = n;
  return {};
}

}  // namespace assay::definition
