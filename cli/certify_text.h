// SPDX-License-Identifier: Apache-2.0
// What certify prints of a run that came to its end: causes of errors, failures, what is unproven, notes, levels.
#pragma once

#include "cli/io.h"
#include "cli/reports_certify.h"

namespace assay::cli {

void print_certify(const CertifyReport& report, Out& out);

}  // namespace assay::cli
