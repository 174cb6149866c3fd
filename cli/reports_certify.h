// SPDX-License-Identifier: Apache-2.0
// What certify and certificate verify found out, and their JSON forms. Like reports.h: one object with a newline.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/certify_failures.h"
#include "conformance/certificate/certificate.h"
#include "conformance/certificate/verify.h"

namespace assay::cli {

struct CertifyReport {
  const conformance::Certificate* certificate = nullptr;  // of a filtered run one that is not written
  std::span<const conformance::Case> cases;
  const conformance::RunOutcome* run = nullptr;
  const KeptFailures* failures = nullptr;
  bool filtered = false;
  std::string directory;  // of the certificate; empty: none is written
  double seconds = 0;
};
std::string to_json(const CertifyReport& report);

std::string certify_list_json(std::span<const conformance::Case> cases);
std::string to_json(const std::string& directory, const conformance::Verification& verification);

}  // namespace assay::cli
