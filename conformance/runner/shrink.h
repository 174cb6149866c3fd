// SPDX-License-Identifier: Apache-2.0
// Failing cases made smaller with the harness's reducers: a candidate counts when the oracle answers it by must rows
// alone (as far as it does the whole case) and the implementation, asked anew, fails it by the same requirement, or dies
// of it as before. (What hangs or grows is left as it is: each question would take as long.) Where candidates come from
// is the reducers' business, what is written of them the certificate's.
#pragma once

#include <chrono>
#include <cstdint>

#include "conformance/certificate/failure.h"
#include "conformance/runner/session.h"

namespace assay::conformance {

// Of one case. Questions and candidates end it at the same place each time; time is for an implementation that is slow.
struct ShrinkLimits {
  std::uint64_t questions = 300, candidates = 5000;
  std::chrono::milliseconds time{20'000};
};

// Borrows the session and the catalogue. nullopt where nothing smaller fails.
Shrink shrink_by_asking(Session& session, Catalogue catalogue, ShrinkLimits limits = {});

}  // namespace assay::conformance
