// SPDX-License-Identifier: Apache-2.0
// How targets read their bytes, where that is more than taking them as a file: bounds, and what bytes
// choose. The targets and whoever turns a stored input into a case share it. Nothing is judged here.
#pragma once

#include <optional>

#include "harness/properties/property.h"
#include "oracle/base/options.h"

namespace assay::fuzz {

// Bounds under which an input of fuzzing size stays fast.
Options bounded(std::optional<ArchType> arch = {});

// dtype: strings and codes, a few in all.
inline constexpr std::size_t kDtypeEntries = 4;
harness::DtypeRequest dtype_request(ByteView input);

// descriptor: a small model that is mostly descriptors, valid by construction.
harness::Model descriptor_model(ByteView input);

// text_equiv: eight bytes for the spelling, then the document. Of fewer bytes nothing is made, nor of
// a document whose own bytes are a blob of the model too.
inline constexpr std::size_t kSpellingBytes = 8;
std::optional<harness::TextCase> spelled_twin(ByteView input, const Options& options);

}  // namespace assay::fuzz
