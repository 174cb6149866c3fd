// SPDX-License-Identifier: Apache-2.0
// From members or a NEFF file to trees.
#include <fmt/format.h>

#include <new>
#include <stdexcept>

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
  } catch (const std::bad_alloc&) {
    return refuse(Reason::out_of_memory);
  } catch (const std::length_error&) {
    return refuse(Reason::out_of_memory);
  }
}

Result<Tree> lower_one(const Members& members, std::string_view definition, ArchType target,
                       std::uint32_t subgraph, const Options& options, std::vector<Place>* assumed) {
  ASSAY_TRY(check_target(target));
  ASSAY_TRY_LET(resources, read_definition(members, definition, target, options));
  auto tree = lower(resources, target, subgraph, options.limits);
  if (!tree && tree.error().place.member.empty()) tree.error().place.member = definition;
  if (tree && assumed != nullptr) *assumed = std::move(resources.assumed);
  return tree;
}

Result<Lowered> lower_all(const Members& members, const Options& options, const Progress& progress) {
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
                                  static_cast<std::uint32_t>(i), options, &assumed));
    bytes += kGraphOverhead;
    for (const Allocation& a : tree.allocations()) bytes += a.bytes;
    if (bytes > options.limits.image_bytes)
      return refuse(Reason::limit_image_bytes, {manifest.kelf, fmt::format("/graphs/{}", i), {}, {}},
                    fmt::format("allowed are {} bytes for all graphs", options.limits.image_bytes));
    out.graphs.push_back({g.name, g.definition, std::move(tree), std::move(assumed)});
  }
  return out;
}

}  // namespace

Result<Tree> lower_definition(const Members& members, std::string_view definition, ArchType target,
                              std::uint32_t subgraph, const Options& options,
                              std::vector<Place>* assumed) {
  return without_exceptions(
      [&] { return lower_one(members, definition, target, subgraph, options, assumed); });
}

Result<Lowered> lower_members(const Members& members, const Options& options, const Progress& progress) {
  return without_exceptions([&] { return lower_all(members, options, progress); });
}

Result<Lowered> lower_neff(ByteView file, const Options& options, const Progress& progress) {
  return without_exceptions([&]() -> Result<Lowered> {
    ASSAY_TRY_LET(members, read_neff(file, options));
    return lower_all(members, options, progress);
  });
}

}  // namespace assay
