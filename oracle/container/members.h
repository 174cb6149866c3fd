// SPDX-License-Identifier: Apache-2.0
// The members of an archive or a directory: path -> bytes. Paths are bytes, joined and compared
// as they stand; nothing here knows what a member means.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "oracle/base/bytes.h"

namespace assay {

class Members {
 public:
  // Adds or replaces a member: of two of one path the last wins (CON-013).
  void put(std::string path, Buffer bytes) { map_.insert_or_assign(std::move(path), std::move(bytes)); }
  // nullptr when there is none. The buffer lives as long as these members.
  const Buffer* find(std::string_view path) const {
    const auto it = map_.find(path);
    return it == map_.end() ? nullptr : &it->second;
  }
  bool erase(std::string_view path) {
    const auto it = map_.find(path);
    if (it == map_.end()) return false;
    map_.erase(it);
    return true;
  }
  std::size_t size() const { return map_.size(); }
  auto begin() const { return map_.begin(); }  // ascending byte order of paths
  auto end() const { return map_.end(); }

 private:
  std::map<std::string, Buffer, std::less<>> map_;
};

// The directory of a member path, with its slash: "sg00/def.json" -> "sg00/", "def.json" -> "".
inline std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
}

}  // namespace assay
