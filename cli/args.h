// SPDX-License-Identifier: Apache-2.0
// The command line as plain values: one struct per command. Only args.cpp knows CLI11, which is
// slow to compile.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "oracle/base/options.h"

namespace assay::cli {

struct LowerArgs {
  std::string input;   // a NEFF file, a directory, or a lone definition (*.json)
  std::string output;  // directory for images; empty: none are written
  Options options;
  bool json = false;
};

struct DumpArgs {
  std::string image;
  std::string select;
  bool hex = false, json = false;
};

struct CheckArgs {
  std::vector<std::string> images;
  bool json = false;
};

struct DiffArgs {
  std::string a, b;
  bool strict = false, json = false;
};

struct NeffLsArgs {
  std::string file;
  Limits limits;
  bool json = false;
};

struct NeffHeaderArgs {
  std::string file;
  bool json = false;
};

struct NeffUnpackArgs {
  std::string file;
  std::string output;  // directory
  Options options;
  bool json = false;
};

struct NeffPackArgs {
  std::string directory;
  std::string output;  // file
  std::uint64_t pkg_version = 2, major = 2, minor = 0, feature_bits = 0;
  std::string name;
  Limits limits;
  bool json = false;
};

struct ExplainArgs {
  std::string id;
  bool json = false;
};

// Nothing to run: text for one of the two streams, and the exit code.
struct Answer {
  std::string text;
  bool is_error = false;
};

using Command = std::variant<Answer, LowerArgs, DumpArgs, CheckArgs, DiffArgs, NeffLsArgs,
                             NeffHeaderArgs, NeffUnpackArgs, NeffPackArgs, ExplainArgs>;

Command parse_arguments(int argc, const char* const* argv);

}  // namespace assay::cli
