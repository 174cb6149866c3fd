// SPDX-License-Identifier: Apache-2.0
// The command line as plain values: one struct per command. Only args*.cpp know CLI11, which is
// slow to compile.
#pragma once

#include <cstdint>
#include <optional>
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

struct ProveArgs {
  std::vector<std::string> properties, areas;  // names, prefixes of requirements; both empty: all
  std::optional<std::uint64_t> cases, seconds, seed;
  std::uint64_t jobs = 0;  // 0: one for each processor
  std::optional<std::string> junit, save;  // a file; a directory for failures, assay-failures if not said
  bool verbose = false, list = false, mutants = false, json = false;
};

struct GenArgs {
  std::string near_miss, kind;  // at most one is given
  std::uint64_t count = 10;
  std::optional<std::uint64_t> seed;
  std::string output;  // directory; empty with `list` alone
  bool list = false, json = false;
};

struct ReplayArgs {
  std::vector<std::string> paths;
  bool json = false;
};

struct ReduceArgs {
  std::string input, predicate, output;
  std::uint64_t timeout_seconds = 10, max_checks = 100000;
  bool json = false;
};

struct FuzzArgs {
  std::string target, engine = "libfuzzer", fuzzers, corpus, output;  // directories; empty: not said
  std::optional<std::string> sanitizer;
  std::optional<std::uint64_t> seconds, runs, seed;
  std::uint64_t jobs = 1;
  std::vector<std::string> replay;  // files; then nothing else is run
  bool list = false, json = false;
};

// An implementation under certification: exactly one of the two is given.
struct ImplementationArgs {
  std::string exec, lib;  // a shell's command line; a file
  std::uint64_t timeout_seconds = 10;
};

struct ServeArgs {
  std::string lib;  // empty: the oracle
};

struct CertifyArgs {
  ImplementationArgs implementation;
  std::string levels;  // as given; empty: every level of the suite
  std::uint64_t generated = 0, jobs = 0;  // jobs 0: one for each processor
  std::optional<std::uint64_t> seed;
  std::string waivers, output = "assay-certificate";
  std::vector<std::string> cases, requirements;  // either makes a filtered run
  bool list = false, json = false;
};

struct VerifyArgs {
  std::string directory;
  std::uint64_t rerun = 0;  // cases
  ImplementationArgs implementation;
  bool json = false;
};

struct SelfTestArgs {
  bool full = false, trace = false, json = false;
  std::uint64_t jobs = 0;         // 0: one for each processor
  std::vector<std::string> only;  // mutants, requirements or hostile implementations; empty: all
};

// Nothing to run: text for one of the two streams, and the exit code.
struct Answer {
  std::string text;
  bool is_error = false;
};

using Command = std::variant<Answer, LowerArgs, DumpArgs, CheckArgs, DiffArgs, NeffLsArgs,
                             NeffHeaderArgs, NeffUnpackArgs, NeffPackArgs, ExplainArgs,
                             ProveArgs, GenArgs, ReplayArgs, ReduceArgs, FuzzArgs,
                             ServeArgs, CertifyArgs, VerifyArgs, SelfTestArgs>;

Command parse_arguments(int argc, const char* const* argv);

}  // namespace assay::cli
