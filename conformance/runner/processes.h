// SPDX-License-Identifier: Apache-2.0
// What the system tells of processes and file descriptors. Internal to this room.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace assay::conformance {

// Bytes resident in memory of all processes of a group; 0 where nothing can be found out.
std::uint64_t resident_of_group(pid_t group);

// Closes every file descriptor but the standard ones and these two. Allocates nothing.
void close_all_but(int a, int b);

}  // namespace assay::conformance
