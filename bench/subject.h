// SPDX-License-Identifier: Apache-2.0
// The oracle's work in the pieces that are measured. False: it refused.
#pragma once

#include "oracle/base/bytes.h"
#include "oracle/container/members.h"

namespace assay::bench {

inline constexpr char kDefinition[] = "sg00/def.json";

Members members_of(Buffer definition);  // as the member kDefinition, alone

bool lower(ByteView neff);
bool lower_and_encode(ByteView neff);
bool lower(const Members& members);  // the member kDefinition, for cayman
bool lower_and_encode(const Members& members);

// The image of a model's first graph; empty when it is refused.
Buffer image_of(const Members& model);
bool check(ByteView image);   // inspect
bool decode(ByteView image);  // decode

}  // namespace assay::bench
