// SPDX-License-Identifier: Apache-2.0
// The manifests above the sub-graphs: neff.json (graph I/O, the way to the KELF descriptor) and
// the KELF descriptor itself (target, graphs). Sub-graphs are read by definition/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/container/members.h"
#include "oracle/dtype/enums.h"

namespace assay {

struct Tensor {
  std::string name;
  NrtDtype dtype = NrtDtype::UNKNOWN;
  std::vector<std::uint64_t> shape;  // at most 32 dimensions
  std::uint64_t size = 0;            // bytes
};

struct GraphIo {
  std::vector<Tensor> inputs, outputs;
};

struct GraphRef {
  std::string name;        // unique in the file
  std::string definition;  // member path of the def.json
};

struct Manifest {
  GraphIo io;
  std::string kelf;  // member path of the KELF descriptor
  ArchType target = ArchType::INVALID;  // final
  std::vector<GraphRef> graphs;         // at least one
};

// neff.json and the KELF descriptor of a file's members (CON-017..CON-026, IO, DT-004, DT-005).
// Throws std::bad_alloc only.
Result<Manifest> read_manifest(const Members& members, const Options& options);

// Graph I/O alone, from a member neff.json that exists (IO-001..IO-006). Refuses names of more than
// Limits::expanded_bytes together. Throws std::bad_alloc only.
Result<GraphIo> read_graph_io(const Members& members, const Limits& limits = {});

inline constexpr std::string_view kNeffJson = "neff.json";

}  // namespace assay
