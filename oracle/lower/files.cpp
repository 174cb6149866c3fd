// SPDX-License-Identifier: Apache-2.0
// From members or a NEFF file to trees.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "oracle/container/container.h"
#include "oracle/lower/lower.h"
#include "oracle/manifest/definition/definition.h"

namespace assay {
namespace {

// What a tree costs besides its records: a million empty graphs are a burden too.
constexpr std::uint64_t kGraphOverhead = 1 << 14;

// The one place where an allocation that failed becomes a refusal.
template <class F>
auto without_exceptions(F f) -> decltype(f()) {
  try {
    return f();
    // unreached: memory runs out
  } catch (const std::bad_alloc&) {
    return refuse(Reason::out_of_memory);
  } catch (const std::length_error&) {
    return refuse(Reason::out_of_memory);
  }
  // reached
}

Result<Tree> lower_one(const Members& members, std::string_view definition, ArchType target,
                       std::uint32_t subgraph, const Options& options, std::vector<Place>* assumed,
                       std::shared_ptr<const Members> lender) {
  ASSAY_TRY(check_target(target));
  ASSAY_TRY_LET(resources, read_definition(members, definition, target, options));
  auto tree = lower(resources, target, subgraph, options.limits, std::move(lender));
  if (!tree && tree.error().place.member.empty()) tree.error().place.member = definition;
  if (tree && assumed != nullptr) *assumed = std::move(resources.assumed);
  return tree;
}

Result<Lowered> lower_all(const Members& members, const Options& options, const Progress& progress,
                          const std::shared_ptr<const Members>& lender) {
  ASSAY_TRY_LET(manifest, read_manifest(members, options));
  Lowered out;
  out.io = std::move(manifest.io);
  out.target = manifest.target;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < manifest.graphs.size(); ++i) {
    const GraphRef& g = manifest.graphs[i];
    if (progress) progress(i, manifest.graphs.size(), g.name);
    std::vector<Place> assumed;
    ASSAY_TRY_LET(tree, lower_one(members, g.definition, manifest.target,
                                  static_cast<std::uint32_t>(i), options, &assumed, lender));
    bytes += kGraphOverhead;
    for (const Allocation& a : tree.allocations()) bytes += a.bytes;
    if (bytes > options.limits.image_bytes)
      return refuse(Reason::limit_image_bytes, {manifest.kelf, fmt::format("/graphs/{}", i), {}, {}},
                    fmt::format("allowed are {} bytes for all graphs", options.limits.image_bytes));
    out.graphs.push_back({g.name, g.definition, std::move(tree), std::move(assumed)});
  }
  return out;
}

// Takes away the members that no lent blob lies in: a definition may be the largest of all.
void drop_unused(Members& members, const std::vector<LoweredGraph>& graphs) {
  std::vector<const std::uint8_t*> lent;
  for (const LoweredGraph& g : graphs)
    for (const Allocation& a : g.tree.allocations())
      if (a.kind == Kind::bytes) lent.push_back(static_cast<const std::uint8_t*>(a.address));
  std::sort(lent.begin(), lent.end(), std::less<>());
  std::vector<std::string> unused;
  for (const auto& [path, bytes] : members) {
    const auto at = std::lower_bound(lent.begin(), lent.end(), bytes.data(), std::less<>());
    if (at == lent.end() || !std::less<>()(*at, bytes.data() + bytes.size())) unused.push_back(path);
  }
  for (const std::string& path : unused) members.erase(path);
}

Result<Lowered> lower_lending(Members&& members, const Options& options, const Progress& progress) {
  const auto lender = std::make_shared<Members>(std::move(members));
  auto lowered = lower_all(*lender, options, progress, lender);
  if (lowered) drop_unused(*lender, lowered->graphs);
  return lowered;
}

}  // namespace

Result<Tree> lower_definition(const Members& members, std::string_view definition, ArchType target,
                              std::uint32_t subgraph, const Options& options,
                              std::vector<Place>* assumed) {
  return without_exceptions(
      [&] { return lower_one(members, definition, target, subgraph, options, assumed, nullptr); });
}

Result<Lowered> lower_members(const Members& members, const Options& options, const Progress& progress) {
  return without_exceptions([&] { return lower_all(members, options, progress, nullptr); });
}

Result<Lowered> lower_members(Members&& members, const Options& options, const Progress& progress) {
  return without_exceptions([&] { return lower_lending(std::move(members), options, progress); });
}

Result<Lowered> lower_neff(ByteView file, const Options& options, const Progress& progress) {
  return without_exceptions([&]() -> Result<Lowered> {
    ASSAY_TRY_LET(members, read_neff(file, options));
    return lower_lending(std::move(members), options, progress);
  });
}

}  // namespace assay
