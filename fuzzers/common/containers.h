// SPDX-License-Identifier: Apache-2.0
// What the targets on containers share.
#pragma once

#include "oracle/base/bytes.h"

namespace assay::fuzz {

// Bytes that may be a NEFF. True: accepted.
bool try_neff(ByteView file);

}  // namespace assay::fuzz
