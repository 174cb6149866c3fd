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
  constexpr const char* kBlank = " \t\r\n";
  // Of libFuzzer's status, "#64\tpulse  cov: 13" and the like; it is no reason.
  const auto is_status = [](std::string_view line) {
    const auto digits = line.find_first_not_of("0123456789", 1);
    return line.substr(0, 6) == "INFO: " ||
           (line[0] == '#' && digits != 1 && digits < line.size() && line[digits] == '\t');
  };
  std::size_t end = output.find_last_not_of(kBlank);
  if (end == std::string::npos) return "it said nothing";
  // Where the engine gave a reason, that.
  if (const auto error = output.rfind("ERROR: "); error != std::string::npos)
    end = std::min(output.find('\n', error), output.size()) - 1;
  for (; end != std::string::npos; end = output.find_last_not_of(kBlank, end)) {
    const auto before = output.rfind('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::string line = output.substr(begin, end + 1 - begin);
    if (!is_status(line)) return line.substr(0, kMost);
    if (begin == 0) break;
    end = begin - 1;
  }
  return "it did not say why";
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
