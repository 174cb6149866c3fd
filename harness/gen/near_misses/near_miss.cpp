// SPDX-License-Identifier: Apache-2.0
// All defects as one catalogue, and the making of a near-miss: prepare the twin, copy, break.
#include <vector>

#include "harness/gen/near_misses/ground.h"

namespace assay::harness {
namespace {

using near_misses::At;
using near_misses::Ground;
using near_misses::Kind;

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> v;
    for (const auto part : {near_misses::json_kinds(), near_misses::variable_kinds(), near_misses::queue_kinds(),
                            near_misses::block_kinds(), near_misses::descriptor_kinds(),
                            near_misses::section_kinds(), near_misses::file_kinds(),
                            near_misses::graph_io_kinds()})
      v.insert(v.end(), part.begin(), part.end());
    return v;
  }();
  return all;
}

const std::vector<NearMissKind>& rows() {
  static const std::vector<NearMissKind> all = [] {
    std::vector<NearMissKind> v;
    for (const Kind& k : kinds()) v.push_back(k.row);
    return v;
  }();
  return all;
}

}  // namespace

std::span<const NearMissKind> near_miss_kinds() { return rows(); }

NearMiss gen_near_miss(Choices& c, const NearMissKind& kind, const GenOptions& options) {
  const auto index = static_cast<std::size_t>(&kind - rows().data());
  const Kind& k = kinds()[index];
  GenOptions o = options;
  if (k.target) o.target = k.target;

  NearMiss out;
  out.kind = &kind;
  out.twin = gen_model(c, o);
  const std::size_t graph = c.below(4);
  Ground twin(c, out.twin, graph);
  At at = k.prepare(twin);
  // Options belong to the twin's validity, so they are copied with it.
  out.broken = out.twin;
  Ground broken(c, out.broken, graph);
  k.defect(broken, at);
  out.place = Place{at.member, at.pointer, std::nullopt, {}};
  return out;
}

}  // namespace assay::harness
