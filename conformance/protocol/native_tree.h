// SPDX-License-Identifier: Apache-2.0
// A native kbin_t tree of foreign memory as an image: walked by the record table the way a consumer would, every
// access held against the allocations that were reported (conformance.md, Shared library). It repairs nothing and
// verifies nothing else: what is wrong inside the allocations is wrong in the image in the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "conformance/protocol/answers.h"
#include "conformance/protocol/assay_impl.h"
#include "oracle/base/bytes.h"

namespace assay::conformance {

// Bytes of an image that still fits an answer's line in base64, its offsets included.
inline constexpr std::uint64_t kMaxNativeBytes = std::uint64_t{180} << 20;

// The image, or what access lies outside, by the path of the field that leads there. A record alone in its allocation
// has the allocation's size, one that shares it what its counts give (an engine: ninstr * 64 bytes of blob). Two
// pointers to one record stay that. Allocations that come to more than any process has, or that lie where no memory is,
// are an error; the others must be readable. Throws std::bad_alloc at most.
Read<Buffer> image_of_native(const void* root, std::span<const assay_allocation> allocations, std::uint32_t subgraph);

}  // namespace assay::conformance
