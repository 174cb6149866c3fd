// SPDX-License-Identifier: Apache-2.0
// A request of the suite put to a subject of the harness, without a process between: the answer in the
// protocol's terms, and what only the oracle tells besides. Nothing here judges an answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol/answers.h"
#include "conformance/suite/leanings.h"

namespace assay::conformance {

struct Told {
  Answer answer;
  std::optional<Refusal> refusal;    // of the oracle and its mutants
  std::vector<Buffer> images;        // of lower and lower_neff, when ok
  GraphIo io;                        // of lower_neff
  std::string fields;                // of decode: the fields object's text
};

// An error where the text is no request of that op, or the op is none of a subject (neff_ip, resolve, udma).
Read<Told> told_by(const harness::Subject& subject, Op op, std::string_view request);

// What the oracle's answer to a request rests on (leanings.h), empty unless it is ok.
Read<std::vector<Leaning>> leanings_of(Op op, std::string_view request, const Told& told);

// The expectation as the files have it: {"status"}, with "code" of a refusal; when ok "answer" of dtype, "fields" and
// "image_sha256" of lower, "graphs", "inputs" and "outputs" of lower_neff, "fields" and "fields_sha256" of decode.
// Fields that are 0, false, null or empty are left out, long ones are digests: for people; the digest of the whole
// stands beside.
std::string expect_text(Op op, const Told& told);

std::string sha256_hex(std::string_view bytes);

}  // namespace assay::conformance
