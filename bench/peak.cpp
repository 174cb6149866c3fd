// SPDX-License-Identifier: Apache-2.0
#include "bench/peak.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "bench/subject.h"

namespace assay::bench {
namespace {

// VmHWM is this program's own, from its start; ru_maxrss would begin with its parent's.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kib = 0; word == "VmHWM:" && status >> kib) return kib * 1024;
  return 0;
}

}  // namespace

Peak peak_of(const std::string& name) {
  Peak peak;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  FILE* const child = popen(fmt::format("'{}' --peak={}", self, name).c_str(), "r");
  if (child == nullptr) return peak;
  if (std::fscanf(child, "%lf %lf", &peak.document, &peak.resident) != 2) peak = {};
  pclose(child);
  return peak;
}

int print_peak(Buffer definition) {
  const auto size = static_cast<double>(definition.size());
  const Members members = members_of(std::move(definition));
  if (!lower_and_encode(members)) return 2;
  fmt::print("{:.0f} {:.0f}\n", size, peak_bytes());
  return 0;
}

}  // namespace assay::bench
