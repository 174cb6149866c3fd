// SPDX-License-Identifier: Apache-2.0
// Archive bytes to members: which of a tar's members are kept, and under which path.
#include "oracle/container/collect.h"
#include "oracle/container/container.h"
#include "oracle/container/guard.h"
#include "oracle/container/paths.h"
#include "oracle/container/source.h"
#include "oracle/container/tar.h"

namespace assay {
namespace {

using namespace container;

// What headers, padding and skipped data may come to besides the bound on members' own bytes.
// They take no memory, but a bomb made of them takes time.
constexpr std::uint64_t kOverheadSlack = std::uint64_t{4} << 20;

Result<Members> walk(ByteSource& source, const Limits& limits) {
  std::uint64_t overhead_limit = 0;
  if (!checked_add(limits.expanded_bytes, kOverheadSlack, overhead_limit))
    overhead_limit = UINT64_MAX;
  TarReader tar(source, overhead_limit);
  Collector members(limits);
  for (;;) {
    ASSAY_TRY_LET(entry, tar.next());
    if (!entry) return members.take();
    if (!entry->regular) continue;  // CON-012, CON-014
    std::string path(strip_dot_slash(entry->path));
    const Place place{"archive", {}, entry->offset, {}};
    if (is_unsafe(path)) return refuse(Reason::unsafe_path, place, path);
    if (is_dropped(path)) continue;  // CON-012
    ASSAY_TRY(members.admit(path, entry->size, place));
    ASSAY_TRY_LET(bytes, tar.read());
    members.put(std::move(path), std::move(bytes));
  }
}

// CON-009: the payload's own magic tells, whatever pkg_version says.
bool is_gzip(ByteView archive) {
  return archive.size() >= 2 && archive[0] == 0x1F && archive[1] == 0x8B;
}

}  // namespace

Result<Members> read_archive(ByteView archive, const Limits& limits) {
  return guarded([&]() -> Result<Members> {
    if (is_gzip(archive)) {
      GzipSource source(archive);
      return walk(source, limits);
    }
    MemorySource source(archive);
    return walk(source, limits);
  });
}

}  // namespace assay
