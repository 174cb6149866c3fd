// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM as a wish to end early with what is known so far, for commands that work long.
#pragma once

#include <atomic>

#include "cli/io.h"

namespace assay::cli {

// From here on SIGINT and SIGTERM are remembered instead of ending the process; whoever works asks
// was_interrupted(). One that comes more than a second after the first ends the process at once
// (some senders send twice). A signal that the process was started to ignore stays ignored.
void remember_interrupts();
bool was_interrupted();
const std::atomic<bool>& interrupted_flag();  // the same, for those who watch a flag
Exit interrupted_exit();  // 130 after SIGINT, 143 after SIGTERM

}  // namespace assay::cli
