// SPDX-License-Identifier: Apache-2.0
// A suite of a dozen cases over a dozen rows, and the ways to have it answered by a subject: enough to hold
// levels D, S, I and L of a catalogue as small. The vectors are another room's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/certificate.h"
#include "harness/gen/model.h"
#include "harness/mutants/mutant.h"

namespace assay::conformance::test {

// requirements.json of the spec folder; lives as long as the program.
Catalogue whole_catalogue();
const std::vector<Case>& small_suite();
// The rows of the whole catalogue that small_suite names.
Catalogue small_catalogue();

// A case of `lower` on the model's first graph, expecting what the oracle answers.
Case lower_case(std::string id, std::vector<std::string> requirements, const harness::Model& model);
Case lower_neff_case(std::string id, std::vector<std::string> requirements, const harness::Model& model);
Case decode_case(std::string id, std::vector<std::string> requirements, ByteView image);

// What a subject answers to a case over the protocol's lines.
Answered ask(const harness::Subject& subject, const Case& c);
// A mutant in front of the oracle; lives as long as the program.
const harness::Subject& mutant(std::string_view id);
// A model whose lowering the mutant alters.
harness::Model model_seen_by(std::string_view mutant_id);

using Asker = std::function<Answered(const Case&)>;
struct Run {
  std::vector<Case> cases;
  std::vector<Answered> answers;
  std::vector<Result> results;  // settled
  Certificate certificate(std::vector<Waiver> waivers = {}, std::string asked = "DSIL") const;
};
Run run(const Asker& asker, const std::vector<Case>& cases = small_suite());
Run run(const harness::Subject& subject);

std::string rows_of(const std::vector<harness::Violation>& list);  // "LOW-003 IMG-022"

}  // namespace assay::conformance::test
