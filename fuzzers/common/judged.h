// SPDX-License-Identifier: Apache-2.0
// What the targets judge, and whom: the properties of the catalogue that an accepted input goes
// through, and the implementation they are asked of. A test links a subject of its own in place of
// subject.cpp, so that a violation can be planted.
#pragma once

#include <vector>

#include "harness/properties/property.h"

namespace assay::fuzz {

const harness::Subject& subject();

struct Judged {
  const harness::Property* property;
  std::uint32_t one_in;  // under an engine one case of so many goes through it, the replay form's all do
};

// Those of a kind of case, in the catalogue's order.
const std::vector<Judged>& judged(harness::CaseKind kind);

}  // namespace assay::fuzz
