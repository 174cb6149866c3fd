// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/reports.h"

namespace assay::cli {

Exit refused(const Refusal& refusal, bool json, Out& out) {
  complain(refusal.text());
  if (json) out.write(to_json(refusal));
  return refusal.row().outcome == Outcome::unspecified ? kUnspecified : kRefused;
}

Refusal refusal_of(const Finding& finding, const std::string& image) {
  return {finding.reason, {image, {}, finding.offset, finding.path}, finding.detail};
}

namespace {

struct Run {
  Out& out;

  Exit operator()(const Answer& a) const {
    if (a.is_error) return fail(a.text);
    out.write(a.text);
    return kOk;
  }
  Exit operator()(const LowerArgs& a) const { return run_lower(a, out); }
  Exit operator()(const DumpArgs& a) const { return run_dump(a, out); }
  Exit operator()(const CheckArgs& a) const { return run_check(a, out); }
  Exit operator()(const DiffArgs& a) const { return run_diff(a, out); }
  Exit operator()(const NeffLsArgs& a) const { return run_neff_ls(a, out); }
  Exit operator()(const NeffHeaderArgs& a) const { return run_neff_header(a, out); }
  Exit operator()(const NeffUnpackArgs& a) const { return run_neff_unpack(a, out); }
  Exit operator()(const NeffPackArgs& a) const { return run_neff_pack(a, out); }
  Exit operator()(const ExplainArgs& a) const { return run_explain(a, out); }
  Exit operator()(const ProveArgs& a) const { return a.mutants ? run_mutants(a, out) : run_prove(a, out); }
  Exit operator()(const GenArgs& a) const { return run_gen(a, out); }
  Exit operator()(const ReplayArgs& a) const { return run_replay(a, out); }
  Exit operator()(const ReduceArgs& a) const { return run_reduce(a, out); }
  Exit operator()(const FuzzArgs& a) const { return run_fuzz(a, out); }
  Exit operator()(const ServeArgs& a) const { return run_serve(a); }
  Exit operator()(const CertifyArgs& a) const { return run_certify(a, out); }
  Exit operator()(const SelfTestArgs& a) const { return run_selftest(a, out); }
  Exit operator()(const VerifyArgs& a) const { return run_verify(a, out); }
};

// What ran out of memory has let go of it by now; should it still not do, the line must.
Exit out_of_memory(bool json, Out& out) noexcept {
  try {
    return refused({Reason::out_of_memory, {}, {}}, json, out);
  } catch (const std::exception&) {
    write_all(STDERR_FILENO, as_bytes(std::string_view("refused: memory ran out\n")));
    return kRefused;
  }
}

int run(int argc, char** argv) {
  prepare_process();
  Out out;
  Exit code = kUsageOrIo;
  try {
    code = std::visit(Run{out}, parse_arguments(argc, argv));
  } catch (const std::bad_alloc&) {
    const auto is_json = [](const char* word) { return std::string_view(word) == "--json"; };
    code = out_of_memory(std::any_of(argv, argv + argc, is_json), out);
  } catch (const std::exception& e) {
    code = fail(e.what());
  }
  if (!out.flush()) return fail(errno_text("standard output", out.error()));
  return code;
}

}  // namespace
}  // namespace assay::cli

int main(int argc, char** argv) { return assay::cli::run(argc, argv); }
