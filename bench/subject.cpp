// SPDX-License-Identifier: Apache-2.0
#include "bench/subject.h"

#include <fmt/format.h>

#include <cstdio>

#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

namespace assay::bench {
namespace {

template <class T>
bool holds(const Result<T>& result) {
  if (!result) fmt::print(stderr, "{}\n", result.error().text());
  return result.has_value();
}

}  // namespace

Members members_of(Buffer definition) {
  Members members;
  members.put(kDefinition, std::move(definition));
  return members;
}

bool lower(ByteView neff) { return holds(lower_neff(neff, {})); }

bool lower_and_encode(ByteView neff) {
  const auto lowered = lower_neff(neff, {});
  if (!holds(lowered)) return false;
  for (const LoweredGraph& g : lowered->graphs)
    if (!holds(encode(g.tree))) return false;
  return true;
}

bool lower(const Members& members) {
  return holds(lower_definition(members, kDefinition, ArchType::CAYMAN, 0, {}));
}

bool lower_and_encode(const Members& members) {
  const auto tree = lower_definition(members, kDefinition, ArchType::CAYMAN, 0, {});
  return holds(tree) && holds(encode(*tree));
}

Buffer image_of(const Members& model) {
  const auto lowered = lower_members(model, {});
  if (!holds(lowered)) return {};
  auto image = encode(lowered->graphs.at(0).tree);
  return holds(image) ? std::move(*image) : Buffer();
}

bool check(ByteView image) {
  const Inspection seen = inspect(image);
  return seen.findings.empty() && seen.view;
}

bool decode(ByteView image) { return holds(assay::decode(image)); }

}  // namespace assay::bench
