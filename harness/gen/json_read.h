// SPDX-License-Identifier: Apache-2.0
// JSON text as a document of nlohmann_json's, read in half of its own parser's time. It is no judge of a
// dialect: it accepts what nlohmann_json accepts, as the same value, up to a depth.
#pragma once

#include <optional>
#include <string>

#include "harness/gen/model.h"

namespace assay::harness {

inline constexpr std::size_t kMostJsonDepth = 1100;  // containers open at once: parsers and dumps recurse

// nullopt where the text is no JSON or deeper than that. Of duplicate keys the last counts. `text` keeps
// its characters but may gain capacity. Parsers are kept, one a thread.
std::optional<Json> read_json(std::string& text);

}  // namespace assay::harness
