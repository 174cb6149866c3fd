// SPDX-License-Identifier: Apache-2.0
// A small target for the test of ../check_build, good unless a macro makes it wrong in one way.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#ifdef PACKAGED
#include <fmt/format.h>
#endif

extern "C" int tiny_library(int x);  // of lib/

namespace {

int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

#ifdef FEW_EDGES
#define EDGES __attribute__((no_sanitize("coverage")))
#else
#define EDGES
#endif

// Enough code for a sanitizer to be seen in it.
template <int N>
EDGES [[gnu::noinline]] int step(const uint8_t* data, size_t size) {
  if constexpr (N < 40) {
    if (size <= N || data[N] != 'a' + N % 26) return table[size % 8];
    return step<N + 1>(data, size) * table[data[N] % 8] + table[N % 8];
  } else {
    return tiny_library(data[0]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0 && data[0] == '!') abort();
  if (size > 20) table[0] = 9;
#ifdef HANGS
  while (size != 12345) pause();
#endif
#if defined(WRITES) || defined(MUST_WRITE)
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 9) < 0) abort();
  size_t end = 0;
  while (path[end] != 0) ++end;
  snprintf(path + end, 9, ".written");
  FILE* f = fopen(path, "w");
  if (f != nullptr) fclose(f);
#endif
#ifdef MUST_WRITE
  if (f == nullptr) abort();
#endif
#ifdef PACKAGED
  if (fmt::format("{}", size).empty()) abort();
#endif
  volatile int result = step<0>(data, size);
  return result == 0 && size == 12345 ? 1 : 0;
}
