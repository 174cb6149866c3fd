// SPDX-License-Identifier: Apache-2.0
// The suite as a whole: every vector file of a directory, read, held together and held against the oracle.
// A file that disagrees with itself, with another or with the oracle is an error of the suite, never a case
// less. Implementations are not asked here.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/suite/case_file.h"

namespace assay::conformance {

struct Suite {
  std::string version;                 // "1.0"
  std::string sha256;                  // of the canonical content: every case and every withdrawn id
  std::vector<Case> cases;             // ascending by id, each id once
  std::map<std::string, std::string> withdrawn;  // id -> note: kept for ever, never used again

  const Case* find(std::string_view id) const;  // nullptr: none
};

// What is wrong, one line each ("VAR.json: case ...").
using SuiteErrors = std::vector<std::string>;

// Reads AREA.json files and withdrawn.json of a directory. `requirements`: every id that a case may name. At most 100
// errors are told. Throws std::bad_alloc at most.
tl::expected<Suite, SuiteErrors> load_suite(const std::string& directory,
                                            std::span<const std::string_view> requirements);

// The same of files already read: name ("VAR.json") -> text.
tl::expected<Suite, SuiteErrors> suite_of(const std::map<std::string, std::string>& files,
                                          std::span<const std::string_view> requirements);

// A stored case with what the oracle answers, or what it answers otherwise.
Read<Case> with_oracle(const StoredCase& stored);

}  // namespace assay::conformance
