// SPDX-License-Identifier: Apache-2.0
// Where the fuzzers are, and what lies beside a target: dictionary, options, seeds (the OSS-Fuzz
// contract's files, as fuzzers/build leaves them). Nothing is run here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/io.h"

namespace assay::cli {

// A way in which targets are built: engine and sanitizer.
struct FuzzForm {
  const char *engine, *sanitizer;
  const char* name;  // of fuzzers/build, and of the directory fuzz-<name>/out
};
const std::vector<FuzzForm>& fuzz_forms();
Io<const FuzzForm*> fuzz_form(const FuzzArgs& args);

// --fuzzers, else $ASSAY_FUZZERS, else ../libexec/assay/fuzzers beside the tool's directory. What was named
// must be there.
Io<std::string> fuzzers_directory(const FuzzArgs& args);

struct FuzzTarget {
  std::string name;
  const FuzzForm* form = nullptr;
  std::string directory, program;         // absolute
  std::string dictionary, seeds;          // empty: there is none
  std::map<std::string, std::string> options;  // of the section [libfuzzer]

  std::uint64_t number(const char* option, std::uint64_t otherwise) const;
};
Io<FuzzTarget> find_target(const FuzzArgs& args);

// The library of mutators that the program asks for; "": none.
Io<std::string> mutators_of(const FuzzTarget& target);

// The names of targets that are built in this form.
std::vector<std::string> built_targets(const std::string& fuzzers, const FuzzForm& form);

// Unpacks the files of a seed corpus into a directory, each by its last name. How many.
Io<std::size_t> unpack_seeds(const std::string& zip, const std::string& directory);

}  // namespace assay::cli
