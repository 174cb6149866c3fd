// SPDX-License-Identifier: Apache-2.0
// What the oracle is measured against: the bare work of the libraries that do the same.
#pragma once

#include "oracle/base/bytes.h"

namespace assay::bench {

// All a NEFF's members read into memory by libarchive alone. 0 when it fails, else their bytes.
// Memory comes with large pages, as the oracle's does, so that it has no advantage there.
std::uint64_t libarchive_expand(ByteView file);

// One DOM parse in a fresh parser. False when it fails.
bool simdjson_parse(const Buffer& document);
bool nlohmann_parse(const Buffer& document);

}  // namespace assay::bench
