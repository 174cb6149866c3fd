// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/bugs/compare.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "fuzzers/common/accepted.h"

namespace {

int bug_of_environment() {
  const char* number = std::getenv("ASSAY_BUG");
  return number == nullptr ? 0 : std::atoi(number);
}

}  // namespace

int assay_bug_active = bug_of_environment();

namespace bugs {

void begin() { assay::fuzz::begin(); }

void triggered() {
  std::fprintf(stderr, "triggered: bug %d after %" PRIu64 " executions\n", assay_bug_active, assay_fuzz_executions);
  __builtin_trap();
}

Model model_of(const assay::Members& members, const assay::Options& options) {
  Model model;
  for (const auto& [path, bytes] : members) model.members.push_back({path, bytes.text()});
  model.options = {reinterpret_cast<const char*>(&options), sizeof options};
  return model;
}

}  // namespace bugs
