// SPDX-License-Identifier: Apache-2.0
// Bytes without a structure: chunks are left out, from halves to single bytes and from the end to
// the start, then bytes made plain.
#include <algorithm>

#include "harness/reduce/reduce.h"

namespace assay::harness {
namespace {

constexpr char kPlain = '0';

struct Search {
  std::string& bytes;
  const std::function<bool(const std::string&)>& still;
  const ReduceLimits& limits;
  ReduceStats stats;

  bool spent() {
    if (stats.checks < limits.checks && (limits.stop == nullptr || !*limits.stop)) return false;
    stats.exhausted = true;
    return true;
  }
  // True when the candidate became the value.
  bool keep(std::string candidate) {
    ++stats.checks;
    if (!still(candidate)) return false;
    ++stats.accepted;
    bytes = std::move(candidate);
    return true;
  }
  // Tries `change` on every chunk, halving; it answers the candidate without or with a plain chunk, or
  // the bytes as they are where there is nothing to do. True when something was accepted.
  template <class Change>
  bool chunks(Change change) {
    bool accepted = false;
    for (std::size_t chunk = std::max<std::size_t>(bytes.size(), 1); chunk > 0; chunk /= 2) {
      for (std::size_t end = bytes.size(); end > 0;) {
        if (spent()) return accepted;
        const std::size_t first = end - std::min(end, chunk);
        std::string candidate = change(bytes, first, end - first);
        if (candidate != bytes && keep(std::move(candidate))) accepted = true;
        end = std::min(first, bytes.size());
      }
    }
    return accepted;
  }
};

}  // namespace

ReduceStats reduce_bytes(std::string& bytes, const std::function<bool(const std::string&)>& still,
                         const ReduceLimits& limits) {
  Search s{bytes, still, limits, {}};
  bool more = true;
  while (more && !s.stats.exhausted) {
    more = s.chunks([](std::string b, std::size_t at, std::size_t n) { return b.erase(at, n); });
    if (s.stats.exhausted) break;
    more |= s.chunks([](std::string b, std::size_t at, std::size_t n) {
      std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(at), n, kPlain);
      return b;
    });
  }
  return s.stats;
}

}  // namespace assay::harness
