// SPDX-License-Identifier: Apache-2.0
#include "conformance/runner/processes.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace assay::conformance {
namespace {

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
struct CloseDir {
  void operator()(DIR* d) const { ::closedir(d); }
};

// Fields 5 and 24 of /proc/PID/stat, behind the name, which may hold anything.
bool group_and_pages(const char* pid, long& group, unsigned long long& pages) {
  char path[64], text[1024];
  std::snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  const std::unique_ptr<std::FILE, CloseFile> f(std::fopen(path, "re"));
  if (!f) return false;
  const std::size_t n = std::fread(text, 1, sizeof text - 1, f.get());
  text[n] = '\0';
  const char* const behind = std::strrchr(text, ')');
  return behind != nullptr &&
         std::sscanf(behind + 1,
                     " %*c %*d %ld %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %llu",
                     &group, &pages) == 2;
}

void close_range(unsigned first, unsigned last) {
  if (first > last) return;
  if (::syscall(SYS_close_range, first, last, 0) == 0) return;
  for (unsigned fd = first; fd <= std::min(last, 65535U); ++fd) ::close(static_cast<int>(fd));
}

}  // namespace

std::uint64_t resident_of_group(pid_t group) {
  const std::unique_ptr<DIR, CloseDir> proc(::opendir("/proc"));
  if (!proc) return 0;
  std::uint64_t total = 0;
  while (const dirent* const entry = ::readdir(proc.get())) {
    long of = 0;
    unsigned long long pages = 0;
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && group_and_pages(entry->d_name, of, pages) &&
        of == group)
      total += pages;
  }
  return total * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void close_all_but(int a, int b) {
  const auto low = static_cast<unsigned>(std::min(a, b)), high = static_cast<unsigned>(std::max(a, b));
  if (low > 3) close_range(3, low - 1);
  if (high > low) close_range(std::max(low + 1, 3U), high - 1);
  close_range(std::max(high + 1, 3U), ~0U);
}

}  // namespace assay::conformance
