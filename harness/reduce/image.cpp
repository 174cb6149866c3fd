// SPDX-License-Identifier: Apache-2.0
// The order of an image's passes and the way through one: everything at once, then halves, down to
// single parts, each time from the last part to the first, so that what was left out never moves
// what is still to be tried.
#include <algorithm>

#include "harness/reduce/image_passes.h"
#include "harness/reduce/loose_image.h"
#include "harness/reduce/reduce.h"

namespace assay::harness {
namespace {

using namespace reduce;

// The candidate of a run of parts, or none where there is no part left at this chunk size.
std::optional<Buffer> next_run(const ImagePass& pass, LooseImage& image, Cursor& cursor) {
  const std::vector<Part> parts = pass.list(image.raw);
  if (parts.empty()) return std::nullopt;
  if (cursor.chunk == 0) {
    cursor.chunk = parts.size();
    cursor.position = parts.size();
  }
  std::uint64_t end = std::min<std::uint64_t>(cursor.position, parts.size());
  if (end == 0) {
    if (cursor.chunk == 1) return std::nullopt;
    cursor.chunk = std::max<std::uint64_t>(std::min<std::uint64_t>(cursor.chunk, parts.size()) / 2, 1);
    end = parts.size();
  }
  const std::uint64_t first = end - std::min(end, cursor.chunk);
  cursor.position = first;
  ImageEdit edit(image.raw);
  pass.apply(edit, std::span(parts).subspan(first, end - first));
  edit.finish();
  return image.write();
}

// Here the chunk counts the ways tried with the number before `position`.
std::optional<Buffer> next_smaller_number(LooseImage& image, Cursor& cursor) {
  const std::vector<Part> parts = numbers(image.raw);
  if (cursor.chunk == 0) {
    cursor.chunk = 1;
    cursor.position = parts.size();
  }
  cursor.position = std::min<std::uint64_t>(cursor.position, parts.size());
  for (; cursor.position > 0; --cursor.position, cursor.chunk = 1)
    while (cursor.chunk <= kSmallerWays)
      if (make_smaller(image.raw, parts[cursor.position - 1], cursor.chunk++ - 1)) return image.write();
  return std::nullopt;
}

std::optional<Buffer> next_of_pass(std::uint32_t pass, LooseImage& image, Cursor& cursor) {
  const auto drops = dropping_passes(), plain = plain_passes();
  if (pass < drops.size()) return next_run(drops[pass], image, cursor);
  if (pass < drops.size() + plain.size()) return next_run(plain[pass - drops.size()], image, cursor);
  return next_smaller_number(image, cursor);
}

}  // namespace

std::optional<Buffer> next_smaller(ByteView image, Cursor& cursor) {
  const auto loose = read_loose(image);
  if (!loose) return std::nullopt;
  const auto passes = static_cast<std::uint32_t>(dropping_passes().size() + plain_passes().size() + 1);
  for (;;) {
    while (cursor.pass < passes) {
      LooseImage work = *loose;
      const auto candidate = next_of_pass(cursor.pass, work, cursor);
      if (!candidate) {
        ++cursor.pass;
        cursor.chunk = cursor.position = 0;
      } else if (candidate->text() != as_text(image)) {
        return Buffer(candidate->view());
      }
    }
    if (!cursor.accepted) return std::nullopt;
    cursor = {};
  }
}

ReduceStats reduce_image(Buffer& image, const std::function<bool(ByteView)>& still, const ReduceLimits& limits) {
  ReduceStats stats;
  Cursor cursor;
  while (auto candidate = next_smaller(image.view(), cursor)) {
    if (stats.checks >= limits.checks || (limits.stop != nullptr && *limits.stop)) {
      stats.exhausted = true;
      break;
    }
    ++stats.checks;
    if (!still(candidate->view())) continue;
    ++stats.accepted;
    image = std::move(*candidate);
    cursor.accept();
  }
  return stats;
}

}  // namespace assay::harness
