// SPDX-License-Identifier: Apache-2.0
// Stored cases: what a property judges, as a directory in the real format, so that a failure outlives
// every change of the generators. `case.json` says what kind of case it is; beside it lie `input.neff`,
// `input.kbin` or `input.json`, the twin where the kind has one, and `reason.txt`, one line on why the
// case is kept. Bare files of the real formats are read as cases as well. No property is run here.
//
// Errors are one-line messages ("path: what happened"). Nothing throws, save std::bad_alloc.
#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/properties/property.h"

namespace assay::harness {

template <class T = void>
using Stored = tl::expected<T, std::string>;

// The files of a stored case: name -> bytes.
using CaseFiles = std::map<std::string, std::string>;

Stored<CaseFiles> files_of(const Case& c, const std::string& reason);
// A case with the verdicts of the one that was stored.
Stored<Case> case_of(const CaseFiles& files);

// Makes `directory` with its parents. A case that was stored there before is replaced.
Stored<> write_files(const std::string& directory, const CaseFiles& files);
Stored<> write_case(const std::string& directory, const Case& c, const std::string& reason);
Stored<Case> read_case(const std::string& directory);

// Every file of the stored case in `directory`, its expected answer included.
Stored<CaseFiles> read_files(const std::string& directory);

struct FoundCase {
  std::string path;   // of the directory or file that it is
  Case c;
  std::string arch;   // of a bare model that is a case for each architecture: its name
  CaseFiles stored;   // of a stored case
};
// Every case at `path`: a stored case, a NEFF file, an image, a directory with a model's members, or
// a directory of those. A NEFF or directory that the oracle lowers is a model's case, once for each
// architecture where it names none; an image that the oracle accepts is an image's case. What is none
// of it, or holds nothing, is an error: it would fit no property.
Stored<std::vector<FoundCase>> cases_of(const std::string& path);

// "near-miss-var-id-gap": a file name's worth of what a case is.
std::string slug_of(const Case& c);

}  // namespace assay::harness
