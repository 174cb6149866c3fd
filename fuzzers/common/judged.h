// SPDX-License-Identifier: Apache-2.0
// What the targets judge, and whom: the properties of the catalogue that an accepted input goes
// through, and the implementation they are asked of. A test links a subject of its own in place of
// subject.cpp, so that a violation can be planted.
#pragma once

#include <vector>

#include "harness/properties/property.h"

namespace assay::fuzz {

const harness::Subject& subject();

// Those of a kind of case, in the catalogue's order.
const std::vector<const harness::Property*>& judged(harness::CaseKind kind);

}  // namespace assay::fuzz
