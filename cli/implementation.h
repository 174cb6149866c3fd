// SPDX-License-Identifier: Apache-2.0
// Implementations as the command line names them, and the suite that is put to them. Nothing is asked here.
#pragma once

#include <string>
#include <string_view>

#include "cli/args.h"
#include "cli/io.h"
#include "conformance/runner/child.h"
#include "conformance/suite/load.h"

namespace assay::cli {

struct PluggedIn {
  conformance::Command command;
  conformance::ChildLimits limits;
  std::string way, text;  // "process" or "library"; the command line or path as given
  std::string option;     // "--exec './mine serve' --timeout 60": quoted for a shell
};
// Standard error of the implementation goes to the file `log`.
PluggedIn plug_in(const ImplementationArgs& args, const std::string& log);

// What a shell in this directory calls the tool by, so that a command that begins with it can be pasted as it is: its
// name as it was called, or $ASSAY_COMMAND; with $ASSAY_VECTORS before it where that is set.
std::string tool_again();

// Processes of a run: as asked for, at most 64; 0 is one for each processor.
unsigned jobs_of(std::uint64_t jobs);

// $ASSAY_VECTORS, else ../share/assay/vectors beside the tool's directory.
std::string vectors_directory();
// The fixed cases there; `command` begins the error.
Io<conformance::Suite> load_vectors(std::string_view command);
// Whether the catalogue has the row at level must.
bool is_must_row(std::string_view requirement);
// Cases 0..count-1 of a seed, twins among them, behind `cases`.
Io<> add_generated(std::uint64_t seed, std::uint64_t count, std::vector<conformance::Case>& cases);

}  // namespace assay::cli
