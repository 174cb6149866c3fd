// SPDX-License-Identifier: Apache-2.0
#include "harness/properties/ask.h"

#include <algorithm>

#include "harness/compare/compare.h"

namespace assay::harness {

LowerRequest Asked::request(std::size_t graph) const {
  LowerRequest q;
  q.members = &members_;
  q.definition = manifest_->graphs[graph].definition;
  q.target = static_cast<std::uint32_t>(code(manifest_->target));
  q.allow_legacy = options_.allow_legacy;
  q.subgraph = static_cast<std::uint32_t>(graph);
  q.fp8 = options_.fp8;
  return q;
}

const Subject& reference() { return oracle_subject(); }

bool equal(ByteView a, ByteView b) { return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin()); }

std::vector<Reply<Buffer>> lower_all(const Subject& subject, const Asked& asked) {
  std::vector<Reply<Buffer>> out;
  for (std::size_t i = 0; i < asked.graphs(); ++i) {
    out.push_back(subject.lower(asked.request(i)));
    if (!out.back().ok()) break;
  }
  return out;
}

Verdict each_view(const Subject& subject, const Model& model,
                  const std::function<void(const View&, const LowerRequest&, std::vector<Violation>&)>& check) {
  const Asked asked(model);
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked.graphs(); ++i) {
    const LowerRequest request = asked.request(i);
    const auto reply = subject.lower(request);
    if (!reply.ok()) continue;
    if (const auto seen = inspect(reply.value.view(), 1); seen.view) check(*seen.view, request, found);
  }
  return Verdict::of(std::move(found));
}

bool is_steady(const Subject& subject, const LowerRequest& request, const Buffer& image) {
  const auto again = subject.lower(request);
  return again.ok() && equal(again.value.view(), image.view());
}

std::vector<Violation> compare_files(const Subject& subject, const LowerNeffRequest& request,
                                     const Reply<LowerNeffAnswer>& expected) {
  const auto reply = subject.lower_neff(request);
  if (!reply.ok()) return {unwanted(reply, kNoRow, "file")};
  std::vector<Violation> found = compare_io(expected.value.io, reply.value.io);
  if (reply.value.images.size() != expected.value.images.size()) {
    found.push_back({"CON-021", "images", std::to_string(expected.value.images.size()),
                     std::to_string(reply.value.images.size()), {}});
    return found;
  }
  for (std::size_t i = 0; i < expected.value.images.size(); ++i)
    for (Violation& v : compare_images(expected.value.images[i].view(), reply.value.images[i].view(), nullptr))
      found.push_back(std::move(v));
  return found;
}

std::optional<Tree> agreed_tree(const Subject& s, const LowerRequest& q, Reply<Buffer>& reply) {
  const auto expected = reference().lower(q);
  reply = s.lower(q);
  if (!expected.ok() || !reply.ok() || !equal(expected.value.view(), reply.value.view())) return std::nullopt;
  const auto view = decode(reply.value.view());
  if (!view) return std::nullopt;
  auto tree = to_tree(*view);
  if (!tree) return std::nullopt;
  return std::move(*tree);
}

}  // namespace assay::harness
