// SPDX-License-Identifier: Apache-2.0
#include "cli/implementation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/interrupt.h"
#include "cli/requirements.h"
#include "cli/text.h"
#include "conformance/suite/generated.h"

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

fs::path tool_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

PluggedIn plug_in(const ImplementationArgs& args, const std::string& log) {
  PluggedIn p;
  if (!args.exec.empty()) {
    p.command = conformance::Command::shell(args.exec);
    p.way = "process";
    p.text = args.exec;
    p.option = "--exec " + shell_path(args.exec, ShellForm::line);
  } else {
    // The loader would look for a name without a slash elsewhere.
    std::error_code error;
    const fs::path whole = fs::absolute(args.lib, error);
    p.command.argv = {tool_path().string(), "serve", "--lib", error ? args.lib : whole.string()};
    p.way = "library";
    p.text = args.lib;
    p.option = "--lib " + shell_path(args.lib, ShellForm::line);
  }
  if (args.timeout_seconds != ImplementationArgs{}.timeout_seconds)
    p.option += fmt::format(" --timeout {}", args.timeout_seconds);
  p.command.log = log;
  p.limits.timeout = std::chrono::seconds(args.timeout_seconds);
  return p;
}

std::string tool_again() {
  if (const char* const command = std::getenv("ASSAY_COMMAND"); command != nullptr && *command != '\0')
    return shell_path(command, ShellForm::line);
  std::string out;
  if (const char* const vectors = std::getenv("ASSAY_VECTORS"); vectors != nullptr && *vectors != '\0')
    out = "ASSAY_VECTORS=" + shell_path(vectors, ShellForm::line) + " ";
  return out + shell_path(program_invocation_name, ShellForm::line);
}

unsigned jobs_of(std::uint64_t jobs) {
  constexpr std::uint64_t kMost = 64;
  const std::uint64_t processors = std::max(std::thread::hardware_concurrency(), 1u);
  return static_cast<unsigned>(std::min(jobs == 0 ? processors : jobs, kMost));
}

std::string vectors_directory() {
  if (const char* set = std::getenv("ASSAY_VECTORS"); set != nullptr && *set != '\0') return set;
  return (tool_path().parent_path() / ".." / "share" / "assay" / "vectors").lexically_normal().string();
}

Io<conformance::Suite> load_vectors(std::string_view command) {
  std::vector<std::string_view> ids;
  for (const Requirement& r : requirements()) ids.push_back(r.id);
  const std::string directory = vectors_directory();
  auto suite = conformance::load_suite(directory, ids);
  if (suite) return std::move(*suite);
  constexpr std::size_t kTold = 5;
  std::string what = fmt::format("{}: the suite in {} cannot be used (ASSAY_VECTORS names another directory)", command,
                                 directory);
  for (std::size_t i = 0; i < std::min(kTold, suite.error().size()); ++i) what += "; " + suite.error()[i];
  if (suite.error().size() > kTold) what += fmt::format("; and {} more", suite.error().size() - kTold);
  return io_error(what);
}

bool is_must_row(std::string_view requirement) { return conformance::is_must(requirements(), requirement); }

Io<> add_generated(std::uint64_t seed, std::uint64_t count, std::vector<conformance::Case>& cases) {
  for (std::uint64_t i = 0; i < count && !was_interrupted(); ++i) {
    std::vector<conformance::Case> made = conformance::generated_case(seed, i, is_must_row);
    if (made.empty()) return io_error(fmt::format("seed {} makes no case {}: another seed is needed", seed, i));
    for (conformance::Case& c : made) cases.push_back(std::move(c));
  }
  return {};
}

}  // namespace assay::cli
