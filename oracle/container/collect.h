// SPDX-License-Identifier: Apache-2.0
// Members as they are gathered, under the limits on them. An archive and a directory share it, so
// that one model has the same members either way (CON-012).
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/container/members.h"

namespace assay::container {

class Collector {
 public:
  explicit Collector(const Limits& limits) : limits_(limits) {}

  // Refuses with a limit what must not be added; to be asked before memory is taken for it.
  // `place` is the member's.
  Result<> admit(const std::string& path, std::uint64_t size, const Place& place) {
    if (!checked_add(total_, size, total_) || total_ > limits_.expanded_bytes)
      return refuse(Reason::limit_expanded_bytes, place,
                    fmt::format("{} allowed, exceeded by {}", limits_.expanded_bytes, path));
    if (members_.size() >= limits_.members && members_.find(path) == nullptr)
      return refuse(Reason::limit_members, place,
                    fmt::format("{} allowed, exceeded by {}", limits_.members, path));
    return {};
  }

  // CON-013: the last of one path wins.
  void put(std::string path, Buffer bytes) { members_.put(std::move(path), std::move(bytes)); }

  Members take() { return std::move(members_); }

 private:
  const Limits& limits_;
  std::uint64_t total_ = 0;  // also of members that were replaced: they were expanded too
  Members members_;
};

}  // namespace assay::container
