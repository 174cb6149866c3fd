// SPDX-License-Identifier: Apache-2.0
// What a member's path must be and what it becomes (CON-012, CON-014). Paths are bytes: no
// encoding, case or separator other than '/' is known here.
#pragma once

#include <string_view>

namespace assay::container {

// CON-012: one leading ./ is stripped, and only one.
inline std::string_view strip_dot_slash(std::string_view path) {
  return path.substr(0, 2) == "./" ? path.substr(2) : path;
}

// CON-012: members whose path ends so are dropped.
inline bool is_dropped(std::string_view path) {
  constexpr std::string_view kTail = "wavegraph-bin.json";
  return path.size() >= kTail.size() && path.substr(path.size() - kTail.size()) == kTail;
}

// CON-014: absolute, or with a component "..". `path` is already stripped.
inline bool is_unsafe(std::string_view path) {
  if (!path.empty() && path.front() == '/') return true;
  for (;;) {
    const auto slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace assay::container
