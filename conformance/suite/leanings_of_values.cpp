// SPDX-License-Identifier: Apache-2.0
// Leanings of images as inputs, and of graph I/O.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/suite/leanings.h"
#include "oracle/image/image.h"

namespace assay::conformance {

std::vector<Leaning> leanings_of_image(ByteView image) {
  std::vector<Leaning> out;
  const auto view = decode(image);
  if (!view) return out;
  for (std::size_t i = 0; i < view->records(); ++i)
    if (view->record_at(i).kind == Kind::src_target_pairs) out.push_back({"", "LAY-021"});
  walk(*view, [&](const FieldVisit& v) {
    constexpr std::string_view kFirst = ".u.info.transpose_op", kRest = ".u.info.reserved";
    const auto ends = [&](std::string_view with) {
      return v.path.size() > with.size() && std::string_view(v.path).substr(v.path.size() - with.size()) == with;
    };
    if (ends(kFirst)) out.push_back({v.path.substr(0, v.path.size() - kFirst.size()) + ".u.info.*", "LAY-008"});
    if (ends(kRest) && std::any_of(v.raw.begin(), v.raw.end(), [](std::uint8_t b) { return b != 0; }))
      out.push_back({"", "LAY-008"});
  });
  std::sort(out.begin(), out.end(), [](const Leaning& a, const Leaning& b) { return a.path < b.path; });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Leaning> leanings_of(const GraphIo& io) {
  std::vector<Leaning> out;
  const auto sizes = [&](const char* side, const std::vector<Tensor>& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (std::find(list[i].shape.begin(), list[i].shape.end(), 0U) != list[i].shape.end())
        out.push_back({fmt::format("{}[{}].size", side, i), "DT-005"});
  };
  sizes("inputs", io.inputs);
  sizes("outputs", io.outputs);
  for (std::size_t i = 0; i < io.outputs.size(); ++i) out.push_back({fmt::format("outputs[{}].name", i), "IO-006"});
  return out;
}

}  // namespace assay::conformance
