// SPDX-License-Identifier: Apache-2.0
// assay serve: the oracle, or a shared library, behind the process protocol.
#include "conformance/protocol/serve.h"

#include <unistd.h>

#include "cli/commands.h"
#include "conformance/protocol/library.h"

namespace assay::cli {

Exit run_serve(const ServeArgs& args) {
  if (!args.lib.empty())
    return static_cast<Exit>(conformance::serve_library(args.lib, STDIN_FILENO, STDOUT_FILENO));
  conformance::serve(harness::oracle_subject(), {"oracle", "1", conformance::all_subject_ops()}, STDIN_FILENO,
                     STDOUT_FILENO);
  return kOk;
}

}  // namespace assay::cli
