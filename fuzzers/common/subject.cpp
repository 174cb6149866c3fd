// SPDX-License-Identifier: Apache-2.0
// Alone in its file, so that a test can link another in its place.
#include "fuzzers/common/judged.h"

namespace assay::fuzz {

const harness::Subject& subject() { return harness::oracle_subject(); }

}  // namespace assay::fuzz
