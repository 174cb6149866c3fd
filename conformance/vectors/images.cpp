// SPDX-License-Identifier: Apache-2.0
// Drafts of decode: an image for each record's layout, and one damaged image for each kind of corruption.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/suite/leanings.h"
#include "conformance/vectors/draft.h"
#include "conformance/vectors/finish.h"
#include "conformance/vectors/rows.h"
#include "harness/cases/reduce_case.h"
#include "harness/compare/paths.h"
#include "harness/gen/gen.h"
#include "oracle/image/image.h"

namespace assay::conformance::vectors {
namespace {

using namespace harness;

GenSize small() { return {1, 4, 2, 2, 2, 2, 2, 1, 2, 1, 8, 6}; }

// Small valid images, smallest first.
std::vector<Buffer> pool() {
  std::vector<Buffer> images;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    RandomChoices c(seed);
    Buffer image = gen_image(c, small());
    const auto leanings = leanings_of_image(image.view());
    if (std::none_of(leanings.begin(), leanings.end(), [](const Leaning& l) { return l.path.empty(); }))
      images.push_back(std::move(image));
  }
  std::sort(images.begin(), images.end(), [](const Buffer& a, const Buffer& b) {
    return a.size() != b.size() ? a.size() < b.size() : a.text() < b.text();
  });
  return images;
}

// The values of one row's record, each by the path's shape: what a reduction has to keep.
std::vector<std::string> values_of(ByteView image, std::string_view row) {
  std::vector<std::string> out;
  const auto view = decode(image);
  if (!view) return out;
  walk(*view, [&](const FieldVisit& v) {
    const compare::Path p(v.path);
    const bool buffer = row == "LAY-015" && p.shape.rfind("dve_config.", 0) == 0;
    const bool inlined = row == "LAY-001" &&
                         (p.shape.rfind("replica_groups.", 0) == 0 || p.shape.rfind("act_function_sets.", 0) == 0 ||
                          p.shape.rfind("ucode_lib_set.", 0) == 0 || p.shape.rfind("cc_streams.", 0) == 0 ||
                          p.shape.rfind("fp8_conv_cfg.", 0) == 0) &&
                         compare::row_of_layout(p) == "LAY-002";
    const bool groups = row == "LAY-023" && p.shape.rfind("replica_groups.", 0) == 0;
    if (!buffer && !inlined && !groups && compare::row_of_layout(p) != row) return;
    // NULL, 0 and empty show no offset.
    const bool nothing = v.is_null || std::all_of(v.raw.begin(), v.raw.end(), [](std::uint8_t b) { return b == 0; });
    if (!nothing) out.push_back(p.shape + "=" + (v.type == FieldType::pointer ? "" : value_text(v)));
  });
  return out;
}

std::size_t shapes_in(const std::vector<std::string>& values) {
  std::set<std::string> shapes;
  for (const std::string& v : values) shapes.insert(v.substr(0, v.find('=')));
  return shapes.size();
}

}  // namespace

std::vector<Draft> layout_drafts() {
  std::vector<Draft> out;
  const std::vector<Buffer> images = pool();
  for (int n = 1; n <= 26; ++n) {
    const std::string row = fmt::format("LAY-{:03}", n);
    if (must_op(row) != Op::decode) continue;
    // The image that fills most fields of the record, and of those the one with the fewest values besides.
    const Buffer* best = nullptr;
    std::size_t most = 0, fewest = 0;
    for (const Buffer& image : images) {
      const auto values = values_of(image.view(), row);
      const std::size_t shapes = shapes_in(values);
      if (shapes > most || (shapes == most && shapes > 0 && values.size() < fewest)) {
        best = &image;
        most = shapes;
        fewest = values.size();
      }
    }
    if (best == nullptr) {
      fmt::print(stderr, "no image for {}\n", row);
      continue;
    }
    Buffer image(best->view());
    const auto wanted = values_of(image.view(), row);
    ReduceLimits limits;
    limits.checks = 1500;
    reduce_image(image, [&](ByteView candidate) { return values_of(candidate, row) == wanted; }, limits);
    Draft d;
    d.id = row + "/record";
    d.rows = {row};
    if (row == "LAY-001") d.rows.push_back("LAY-002");
    if (row == "LAY-023") d.rows.push_back("LAY-002");
    if (row == "LAY-015") d.rows.push_back("LAY-016");
    d.say = fmt::format("Every field of the record stands at its offset and width: {} values told.", wanted.size());
    d.op = Op::decode;
    d.request = decode_request(image.view());
    out.push_back(std::move(d));
  }
  return out;
}

std::vector<Draft> corruption_drafts() {
  std::vector<Draft> out;
  const std::vector<Buffer> images = pool();
  for (const CorruptionKind& kind : corruption_kinds()) {
    const std::string row(row_of(kind.reason).requirement);
    if (must_op(row) != Op::decode) continue;
    const auto draft = [&](ByteView valid) -> std::optional<Draft> {
      RandomChoices c(seed_of(kind.name));
      const auto made = corrupt(c, valid, kind);
      if (!made) return std::nullopt;
      Draft d;
      d.id = row + "/" + std::string(kind.name);
      d.rows = {row};
      d.say = fmt::format("An image with the fault \"{}\": {}.", kind.name, row_of(kind.reason).text);
      d.op = Op::decode;
      d.request = decode_request(made->image.view());
      d.twin = decode_request(valid);
      if (!finish(d)) return std::nullopt;
      return d;
    };
    std::optional<Draft> best;
    Buffer valid;
    for (const Buffer& image : images)
      if ((best = draft(image.view()))) {
        valid = Buffer(image.view());
        break;
      }
    for (std::uint64_t seed = 1; seed <= 20 && !best; ++seed) {  // of an image made to have what the kind needs
      RandomChoices c(seed_of(kind.name) + seed);
      gen_corruption(c, kind, valid);
      best = draft(valid.view());
    }
    if (!best) {
      fmt::print(stderr, "no corruption {} ({})\n", kind.name, row);
      continue;
    }
    ReduceLimits limits;
    limits.checks = 400;
    reduce_image(valid, [&](ByteView candidate) {
      auto smaller = draft(candidate);
      if (!smaller) return false;
      best = std::move(*smaller);
      return true;
    }, limits);
    out.push_back(std::move(*best));
  }
  return out;
}

}  // namespace assay::conformance::vectors
