// SPDX-License-Identifier: Apache-2.0
// A target without a fuzzing engine: runs it once on every file that is named, and on every file
// below a directory. Exits 0 when nothing was found and 2 when a path cannot be read or nothing was
// run; a finding traps, after the path of its input is printed.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "fuzzers/common/accepted.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace {

std::string current;  // path of the input that runs, with its newline

void print_current() {
  static const char kInput[] = "input: ";
  if (write(2, kInput, sizeof kInput - 1) < 0 || write(2, current.data(), current.size()) < 0) return;
}

extern "C" void on_signal(int number) {
  print_current();
  signal(number, SIG_DFL);
  raise(number);
}

bool run(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  // Of the exact size, so that a read past its end is seen.
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[bytes.size()]);
  if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
  current = path + "\n";
  LLVMFuzzerTestOneInput(exact.get(), bytes.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  assay_fuzz_thorough = true;
  for (const int number : {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) signal(number, on_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(print_current);
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    if (!fs::is_directory(argv[i], error)) {
      files.emplace_back(argv[i]);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(argv[i], error))
      if (entry.is_regular_file(error)) found.push_back(entry.path().string());
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  if (files.empty()) {
    std::fprintf(stderr, "usage: %s FILE-OR-DIRECTORY...\nnothing to run\n", argv[0]);
    return 2;
  }
  for (const std::string& file : files)
    if (!run(file)) return 2;
  std::printf("%zu inputs, %" PRIu64 " reached lowering, %" PRIu64 " accepted\n", files.size(), assay_fuzz_reached,
              assay_fuzz_accepted);
  return 0;
}
