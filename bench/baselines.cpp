// SPDX-License-Identifier: Apache-2.0
#include "bench/baselines.h"

#include <archive.h>
#include <archive_entry.h>
#include <simdjson.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "oracle/container/container.h"

namespace assay::bench {

std::uint64_t libarchive_expand(ByteView file) {
  struct Free {
    void operator()(archive* a) const { archive_read_free(a); }
  };
  const std::unique_ptr<archive, Free> reader(archive_read_new());
  archive* const a = reader.get();
  archive_read_support_filter_gzip(a);
  archive_read_support_format_tar(a);
  const ByteView stored = file.subspan(kHeaderBytes);
  if (archive_read_open_memory(a, stored.data(), stored.size()) != ARCHIVE_OK) return 0;
  std::map<std::string, Buffer> members;
  std::uint64_t bytes = 0;
  archive_entry* entry = nullptr;
  while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
    Buffer data(static_cast<std::size_t>(archive_entry_size(entry)));
    if (archive_read_data(a, data.data(), data.size()) != static_cast<la_ssize_t>(data.size()))
      return 0;
    bytes += data.size();
    members.insert_or_assign(archive_entry_pathname(entry), std::move(data));
  }
  return bytes;
}

bool simdjson_parse(const Buffer& document) {
  simdjson::dom::parser parser;
  return parser.parse(document.data(), document.size(), false).error() == simdjson::SUCCESS;
}

bool nlohmann_parse(const Buffer& document) {
  return !nlohmann::json::parse(document.text(), nullptr, false).is_discarded();
}

}  // namespace assay::bench
