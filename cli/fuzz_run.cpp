// SPDX-License-Identifier: Apache-2.0
#include "cli/fuzz_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/cases/files.h"

namespace assay::cli {

double fuzz_grace(const FuzzTarget& target) { return static_cast<double>(target.number("timeout", 60)) + 5; }

std::string last_words(const std::string& output) {
  constexpr std::size_t kMost = 200;
  std::size_t end = output.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "it said nothing";
  std::size_t begin = output.rfind('\n', end);
  // Where the engine gave a reason, that.
  if (const auto error = output.rfind("ERROR: "); error != std::string::npos) {
    begin = output.rfind('\n', error);
    end = std::min(output.find('\n', error), output.size()) - 1;
  }
  begin = begin == std::string::npos ? 0 : begin + 1;
  return output.substr(begin, std::min(end + 1 - begin, kMost));
}

bool take_from_corpus(const FuzzPlan& plan, const std::string& name) {
  namespace fs = std::filesystem;
  const std::string path = plan.corpus + "/" + name, place = plan.output + "/removed";
  if (!harness::make_directories(place)) return false;
  std::error_code error;
  fs::copy_file(path, place + "/" + name, fs::copy_options::overwrite_existing, error);
  if (error || !fs::remove(path, error)) return false;
  complain(fmt::format("fuzz: {} ends the target: moved to {}", path, place));
  return true;
}

}  // namespace assay::cli
