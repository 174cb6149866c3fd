// SPDX-License-Identifier: Apache-2.0
// Two JSON readers that share no code, held against each other on any bytes.
#pragma once

#include <string>

#include "oracle/base/bytes.h"

namespace assay::fuzz {

// "" when the oracle's reader takes what nlohmann's takes, the known differences allowed for, and
// reads the same values; else what they disagree on. `accepted`: by the oracle.
std::string disagreement(ByteView text, bool& accepted);

}  // namespace assay::fuzz
