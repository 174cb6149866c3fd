// SPDX-License-Identifier: Apache-2.0
// One function per command. Facts go to `out`, refusals and complaints to standard error; the
// exit code comes back. They throw std::bad_alloc at most.
#pragma once

#include "cli/args.h"
#include "cli/io.h"
#include "oracle/base/result.h"
#include "oracle/image/image.h"

namespace assay::cli {

Exit run_lower(const LowerArgs& args, Out& out);
Exit run_dump(const DumpArgs& args, Out& out);
Exit run_check(const CheckArgs& args, Out& out);
Exit run_diff(const DiffArgs& args, Out& out);
Exit run_neff_ls(const NeffLsArgs& args, Out& out);
Exit run_neff_header(const NeffHeaderArgs& args, Out& out);
Exit run_neff_unpack(const NeffUnpackArgs& args, Out& out);
Exit run_neff_pack(const NeffPackArgs& args, Out& out);
Exit run_explain(const ExplainArgs& args, Out& out);
Exit run_prove(const ProveArgs& args, Out& out);
Exit run_mutants(const ProveArgs& args, Out& out);  // prove --mutants
Exit run_gen(const GenArgs& args, Out& out);
Exit run_replay(const ReplayArgs& args, Out& out);
Exit run_reduce(const ReduceArgs& args, Out& out);
Exit run_fuzz(const FuzzArgs& args, Out& out);
Exit run_serve(const ServeArgs& args);
Exit run_certify(const CertifyArgs& args, Out& out);
Exit run_selftest(const SelfTestArgs& args, Out& out);
Exit run_verify(const VerifyArgs& args, Out& out);  // certificate verify

// Says a refusal: its line on standard error and, when asked for, its object on `out`.
Exit refused(const Refusal& refusal, bool json, Out& out);

// A finding as the refusal a strict reader would give. `image` is the file's path.
Refusal refusal_of(const Finding& finding, const std::string& image);

}  // namespace assay::cli
