// SPDX-License-Identifier: Apache-2.0
// The lowering: Resources -> Tree (one function), and the whole way from members or a NEFF file to
// images. It reads no JSON and writes no file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/container/members.h"
#include "oracle/manifest/definition/resources.h"
#include "oracle/manifest/kelf.h"
#include "oracle/tree/tree.h"

namespace assay {

// Refuses target 0 (LOW-007) and targets other than 2, 3, 4 (LOW-008).
Result<> check_target(ArchType target);

// Resources of one sub-graph -> its tree (areas LOW, VAR-031.., DMQ, DMB). Refuses as check_target
// does, and by Limits::image_bytes. Blobs are copied, or lent by the `lender`, which then holds the
// members that the resources were read from. Throws std::bad_alloc only.
Result<Tree> lower(const Resources& resources, ArchType target, std::uint32_t subgraph,
                   const Limits& limits = {}, std::shared_ptr<const void> lender = nullptr);

struct LoweredGraph {
  std::string name;         // the graph's name in the KELF descriptor
  std::string definition;   // member path
  Tree tree;
  std::vector<Place> assumed;  // places passed over under Options::assume_no_signals
};

struct Lowered {
  GraphIo io;
  ArchType target = ArchType::INVALID;
  std::vector<LoweredGraph> graphs;
};

// Called before each graph is lowered: index, number of graphs, name. May be empty.
using Progress = std::function<void(std::size_t, std::size_t, const std::string&)>;

// One sub-graph: def.json at `definition`, final target. Nothing is left behind by a refusal, and
// `assumed` is then as it was (LOW-010).
Result<Tree> lower_definition(const Members& members, std::string_view definition, ArchType target,
                              std::uint32_t subgraph, const Options& options,
                              std::vector<Place>* assumed = nullptr);

// Every graph of a file's members, in KELF order; one refusal refuses all (LOW-010). The graphs'
// records together are held to Limits::image_bytes, because many graphs may share one definition.
Result<Lowered> lower_members(const Members& members, const Options& options,
                              const Progress& progress = {});
// The same without a copy of any blob: the trees share the members they lie in, and the others are
// given back.
Result<Lowered> lower_members(Members&& members, const Options& options,
                              const Progress& progress = {});

// A NEFF file's bytes: header gate, digest on request, archive, then lower_members.
Result<Lowered> lower_neff(ByteView file, const Options& options, const Progress& progress = {});

}  // namespace assay
