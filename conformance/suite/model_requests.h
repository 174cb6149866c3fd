// SPDX-License-Identifier: Apache-2.0
// From the harness's models, near-misses and files to requests of the protocol, kept to what must rows say
// as far as edits can do that (leanings.h). Nothing is drawn and nothing asked here.
#pragma once

#include <optional>
#include <string>

#include "conformance/suite/case.h"
#include "harness/gen/gen.h"

namespace assay::conformance {

// make_plain of the twin, and the same edits made to the broken model. False, and the near-miss in a state of no
// use, where they do not fit it.
bool make_plain(harness::NearMiss& miss);

// A request to lower graph `graph` of `model`, or the whole of it as a file (lower_neff, pkg_version 1). `valid`
// tells graphs and target where `model` has a defect. A lowering gets no manifests. None: the valid model is none, a
// path is not UTF-8, or no file can hold it.
std::optional<std::string> request_for(Op op, const harness::Model& model, const harness::Model& valid,
                                       std::size_t graph = 0);

}  // namespace assay::conformance
