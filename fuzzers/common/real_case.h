// SPDX-License-Identifier: Apache-2.0
// A target's input in the real format: a model as a NEFF file, an image, a document; and as a case that
// properties judge, where the oracle accepts it. What a finding is stored as. No property is run here.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/cases/cases.h"

namespace assay::fuzz {

struct RealTarget {
  std::string_view name, about;  // one line
};
std::span<const RealTarget> real_targets();

struct RealInput {
  harness::CaseFiles files;        // a whole stored case where `c` is there, else input.* alone; may be none
  std::optional<harness::Case> c;
  std::string why;                 // there is no case
};

// The input as the target reads it. Asks the oracle whether it accepts it: where that may be the end of
// the process, `keep` has had what would be stored in that case before, each time in place of the last.
RealInput real_input(std::string_view target, ByteView input, const std::string& reason,
                     const std::function<void(const RealInput&)>& keep = {});

}  // namespace assay::fuzz
