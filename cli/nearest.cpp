// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.h"

#include <algorithm>
#include <numeric>

namespace assay::cli {
namespace {

constexpr std::size_t kLongest = 100;  // bytes of a name that is looked for

char lower(char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch + ('a' - 'A')) : ch; }

// Letters to be put in, left out, changed or swapped with the next.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto same = [&](std::size_t x, std::size_t y) { return lower(a[x]) == lower(b[y]); };
      row[j + 1] = std::min({row[j] + 1, last[j + 1] + 1, last[j] + (same(i, j) ? 0 : 1)});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names) {
  if (wrong.empty() || wrong.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string_view name : names) {
    // Whoever began a name and left it there is near it too.
    const bool begun = wrong.size() >= 3 && distance(wrong, name.substr(0, wrong.size())) == 0;
    const std::size_t d = begun ? 1 : distance(wrong, name);
    if (d >= least) continue;
    least = d;
    best = name;
  }
  return best.empty() ? std::string() : " (did you mean \"" + std::string(best) + "\"?)";
}

}  // namespace assay::cli
