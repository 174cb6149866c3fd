// SPDX-License-Identifier: Apache-2.0
// The server's loop of the process protocol: one line in, one line out, flushed. It is what makes a subject, the
// oracle or a mutant, an implementation behind the protocol; what an answer says is messages.h's.
#pragma once

#include "conformance/protocol/messages.h"

namespace assay::conformance {

// Answers lines from one file descriptor on another until the input ends or nobody reads the answers. Both are
// blocking and stay open. No input ends it early: a line over kMaxLine is answered with a null id and not kept. An
// empty line is none. SIGPIPE is the caller's to ignore. Throws std::bad_alloc at most, for want of memory for a
// line.
void serve(const harness::Subject& subject, const Identity& identity, int in, int out);

}  // namespace assay::conformance
