// SPDX-License-Identifier: Apache-2.0
// What the files of the command line share. Only args*.cpp include it, and through it CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/args.h"

namespace assay::cli {

void add_json(CLI::App* app, bool& json);

// A whole number in decimal or, after 0x, in hexadecimal. (CLI11's own conversion takes -1 and
// 2^64 for 2^64-1, and 010 for 8.)
std::optional<std::uint64_t> whole_number(std::string_view text);

// What is wrong with a text that is no whole number; `what` completes "a … is expected".
std::string number_error(std::string_view text, std::string_view what);

// A word where a command should be, told with the nearest; "" when there is none. `command` is set to
// what came before it.
std::string unknown_command(const CLI::App& app, int argc, const char* const* argv, std::string& command);

// Words that nothing takes, each after a blank, in the order they were given (CLI11 tells the last one first).
std::string left_over(const CLI::App& app);

// An option whose value must be a whole number. `what` as above.
CLI::Option* add_whole_number(CLI::App* app, const char* name, std::optional<std::uint64_t>& to, const char* what,
                              const std::string& help);

// prove, gen, replay, reduce and fuzz.
struct HarnessParsed {
  ProveArgs prove;
  GenArgs gen;
  ReplayArgs replay;
  ReduceArgs reduce;
  FuzzArgs fuzz;
  std::optional<std::uint64_t> jobs, count, timeout, max_checks, fuzz_jobs;
};
void add_harness(CLI::App& app, HarnessParsed& p);
// The command of that name; none: it is no command of these. `error` is a usage error, or "".
std::optional<Command> finish_harness(const std::string& command, HarnessParsed& p, std::string& error);

// --timeout 0 and the like would do nothing, quietly.
CLI::Option* add_positive(CLI::App* app, const char* name, std::optional<std::uint64_t>& to, const std::string& help,
                          const char* what = "whole number of 1 or more");

// serve, certify, certificate verify and selftest; in the same way.
struct ConformanceParsed {
  ServeArgs serve;
  CertifyArgs certify;
  VerifyArgs verify;
  SelfTestArgs selftest;
  std::optional<std::uint64_t> generated, jobs, timeout, rerun, verify_timeout, selftest_jobs;
};
void add_conformance(CLI::App& app, ConformanceParsed& p);
std::optional<Command> finish_conformance(const std::string& command, ConformanceParsed& p, std::string& error);

}  // namespace assay::cli
