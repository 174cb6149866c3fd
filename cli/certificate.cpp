// SPDX-License-Identifier: Apache-2.0
// assay certificate verify: a certificate held to the suite, to itself and, with a re-run, to the implementation.
#include <random>

#include "cli/commands.h"
#include "cli/implementation.h"
#include "cli/interrupt.h"
#include "cli/reports_certify.h"
#include "cli/requirements.h"
#include "cli/text.h"
#include "conformance/runner/run.h"

namespace assay::cli {

using namespace conformance;

Exit run_verify(const VerifyArgs& args, Out& out) {
  constexpr std::uint64_t kMostGenerated = 1'000'000;  // as certify takes at most
  const auto facts = facts_of(args.directory);
  if (!facts) return fail("certificate: " + facts.error());
  if (facts->generated > kMostGenerated) return fail("certificate: more generated cases than certify makes");
  auto suite = load_vectors("certificate");
  if (!suite) return fail(suite.error());
  remember_interrupts();
  if (const auto made = add_generated(facts->seed, facts->generated, suite->cases); !made)
    return fail("certificate: " + made.error());
  if (was_interrupted()) return interrupted_exit();

  Rerun rerun;
  Read<Session> session = tl::unexpected<std::string>("");
  if (args.rerun != 0) {
    const PluggedIn implementation = plug_in(args.implementation, "/dev/stderr");
    session = Session::start(implementation.command, implementation.limits, suite->version, &interrupted_flag());
    if (!session) return fail("certificate: " + implementation.text + ": " + session.error());
    const Hello& hello = session->hello();
    rerun.asked = Implementation{hello.name, hello.version, {}, {}, hello.ops};
    rerun.ask = [&](const Case& c) { return answered_of(session->ask({c.op, c.request})); };
    rerun.cases = static_cast<std::size_t>(args.rerun);
    std::random_device device;
    rerun.seed = std::uint64_t{device()} << 32 ^ device();
  }
  const Verification v = verify(args.directory, {suite->version, suite->sha256, suite->cases}, requirements(), rerun);
  if (was_interrupted()) return interrupted_exit();
  if (args.json) {
    out.write(to_json(args.directory, v));
  } else {
    for (const std::string& p : v.problems) out.line("problem: " + escape_text(p));
    out.line(escape_text(args.directory) + ": " + v.text());
  }
  return v.ok() ? kOk : kRefused;
}

}  // namespace assay::cli
