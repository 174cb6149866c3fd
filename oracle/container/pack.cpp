// SPDX-License-Identifier: Apache-2.0
// The packer: members to a NEFF file, through libarchive's writer.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <vector>

#include "oracle/container/container.h"
#include "oracle/container/guard.h"
#include "oracle/container/paths.h"

namespace assay {
namespace {

using namespace container;

struct FreeWriter {
  void operator()(archive* a) const { archive_write_free(a); }
};
struct FreeEntry {
  void operator()(archive_entry* e) const { archive_entry_free(e); }
};
using Writer = std::unique_ptr<archive, FreeWriter>;
using Entry = std::unique_ptr<archive_entry, FreeEntry>;

using Bytes = std::vector<std::uint8_t>;

// No exception may pass through libarchive's C frames.
la_ssize_t append(archive* a, void* sink, const void* data, std::size_t size) noexcept {
  try {
    const auto* const p = static_cast<const std::uint8_t*>(data);
    auto& bytes = *static_cast<Bytes*>(sink);
    bytes.insert(bytes.end(), p, p + size);
    return static_cast<la_ssize_t>(size);
    // unreached: memory runs out
  } catch (const std::exception&) {
    archive_set_error(a, ENOMEM, "memory ran out");
    return -1;
  }
  // reached
}

// Writing to memory, libarchive lacks nothing but memory.
void require(bool holds) {
  if (!holds) throw std::bad_alloc();
}

// Whether an archive can hold a member of this path: CON-012 and CON-014 strip or refuse the
// others. (One that ends in wavegraph-bin.json is packed, as compilers do, and dropped by readers.)
bool survives(std::string_view path) {
  return !path.empty() && path.back() != '/' && path.find('\0') == std::string_view::npos &&
         strip_dot_slash(path).size() == path.size() && !is_unsafe(path);
}

void write_members(archive* a, const Members& members) {
  const Entry entry(archive_entry_new());
  require(entry != nullptr);
  for (const auto& [path, bytes] : members) {
    archive_entry_clear(entry.get());
    archive_entry_copy_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    // A path in no known encoding gives a warning and is written as bytes.
    require(archive_write_header(a, entry.get()) >= ARCHIVE_WARN);
    if (bytes.empty()) continue;
    require(archive_write_data(a, bytes.data(), bytes.size()) ==
            static_cast<la_ssize_t>(bytes.size()));
  }
}

Bytes archive_bytes(const Members& members, bool gzip) {
  Bytes bytes;
  const Writer writer(archive_write_new());
  archive* const a = writer.get();
  require(a != nullptr && archive_write_set_format_pax_restricted(a) == ARCHIVE_OK);
  if (gzip) {
    require(archive_write_add_filter_gzip(a) == ARCHIVE_OK);
    require(archive_write_set_filter_option(a, "gzip", "timestamp", nullptr) == ARCHIVE_OK);
  }
  require(archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK);  // no zeros behind gzip
  require(archive_write_open(a, &bytes, nullptr, append, nullptr) == ARCHIVE_OK);
  write_members(a, members);
  require(archive_write_close(a) == ARCHIVE_OK);
  return bytes;
}

Result<Buffer> packed(const Members& members, const PackOptions& options) {
  if (options.pkg_version != 1 && options.pkg_version != 2)
    return refuse(Reason::neff_pkg_version, {"header", {}, 0, {}},
                  fmt::format("{}", options.pkg_version));
  for (const auto& member : members)
    if (!survives(member.first))
      return refuse(Reason::unsafe_path, {member.first, {}, {}, {}}, "it would not be read back");
  const Bytes archive = archive_bytes(members, options.pkg_version == 2);

  neff_header_t h{};
  h.pkg_version = options.pkg_version;
  h.header_size = kHeaderBytes;
  h.data_size = archive.size();
  h.neff_version_major = options.major;
  h.neff_version_minor = options.minor;
  h.feature_bits = options.feature_bits;
  const auto hash = digest_of(options.pkg_version, archive);
  std::copy(hash.begin(), hash.end(), h.hash);
  // What does not fit with its NUL is cut: nothing reads the name.
  options.name.copy(h.name, sizeof h.name - 1);

  Buffer file(kHeaderBytes + archive.size());
  store(file.data(), h);
  if (!archive.empty()) std::memcpy(file.data() + kHeaderBytes, archive.data(), archive.size());
  return file;
}

}  // namespace

Result<Buffer> pack(const Members& members, const PackOptions& options) {
  return guarded([&] { return packed(members, options); });
}

}  // namespace assay
