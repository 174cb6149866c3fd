// SPDX-License-Identifier: Apache-2.0
// One directory for each failing case, with all that is needed to understand and repeat it. What makes the
// input smaller is handed in; nothing here runs a case.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/certificate/judge.h"

namespace assay::conformance {

// A smaller case that fails in the same way, and what was answered to it.
struct Smaller {
  Case c;
  Answered answered;
};
using Shrink = std::function<std::optional<Smaller>(const Case& c, const Result& result)>;

// "VAR-004-gap-1f2e3d4c": a directory name of the case's id, unique and free of anything special.
std::string directory_of_case(const std::string& id);

// The files of a failing case, by name:
//   request.json, input.neff, input.kbin or def.json   what was asked, of the smaller case where there is one
//   expected-0.kbin, actual-0.kbin ..., expected.json, actual.json   images, and the answers as a whole
//   fields.txt        every path that differs, one line each
//   requirement.txt   what was violated, with its statement
//   replay.txt        `replay`, one command line
std::map<std::string, std::string> failure_files(const Case& c, const Answered& answered, const Result& result,
                                                 const std::optional<Smaller>& smaller, const std::string& replay,
                                                 Catalogue catalogue);

// Files by name into a directory made with its parents; others there stay. Errors are one line.
tl::expected<void, std::string> write_documents(const std::string& directory,
                                                const std::map<std::string, std::string>& files);

// Writes failure_files below DIRECTORY/failures/ and answers their digests for the certificate. With a `shrink` (may be
// empty) the case is made smaller first.
tl::expected<std::map<std::string, std::string>, std::string> write_failure(const std::string& directory, const Case& c,
                                                                            const Answered& answered,
                                                                            const Result& result, const Shrink& shrink,
                                                                            const std::string& replay,
                                                                            Catalogue catalogue);

inline constexpr const char* kFailures = "failures";

}  // namespace assay::conformance
