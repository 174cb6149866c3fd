// SPDX-License-Identifier: Apache-2.0
// Variable names -> positions. Borrows the names.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <string_view>

namespace assay::definition {

class NameIndex {
 public:
  void reserve(std::size_t n) { map_.reserve(n); }
  // False when the name is there already.
  bool add(std::string_view name, std::uint32_t position) { return map_.emplace(name, position).second; }
  // Points the name at another position; the name is there.
  void move(std::string_view name, std::uint32_t position) { map_[name] = position; }
  const std::uint32_t* find(std::string_view name) const {
    const auto it = map_.find(name);
    return it == map_.end() ? nullptr : &it->second;
  }

 private:
  tsl::robin_map<std::string_view, std::uint32_t> map_;
};

}  // namespace assay::definition
