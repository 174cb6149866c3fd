// SPDX-License-Identifier: Apache-2.0
// assay selftest: the suite put to implementations that are wrong in one way each and to hostile ones, and the table
// of what shows each requirement.
#include "conformance/mutants/selftest.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/implementation.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"
#include "cli/progress.h"
#include "cli/requirements.h"

namespace assay::cli {
namespace {

using namespace conformance;

// Names of mutants and of hostile implementations, for names, and for ids of requirements.
Io<std::vector<std::string>> chosen(const std::vector<std::string>& given) {
  std::vector<std::string_view> known;
  for (const Hostile& h : hostiles()) known.push_back(h.name);
  for (const SuiteMutant& m : suite_mutants()) known.push_back(m.id);
  for (const Requirement& r : requirements()) known.push_back(r.id);
  std::vector<std::string> out;
  for (const std::string& name : given) {
    const std::size_t before = out.size();
    if (find_hostile(name) != nullptr) out.push_back(name);
    for (const SuiteMutant& m : suite_mutants())
      if (m.id == name || m.requirement == name) out.emplace_back(m.id);
    if (out.size() == before && find_requirement(requirements(), name) != nullptr)
      return io_error(fmt::format("selftest: --only: {} decides no level, and no mutant breaks it", name));
    if (out.size() == before)
      return io_error(fmt::format("selftest: --only: there is no mutant and no hostile implementation \"{}\"{}", name,
                                  did_you_mean(name, known)));
  }
  return out;
}

Exit trace_only(const Suite& suite, bool json, Out& out) {
  const std::vector<TraceRow> rows = trace(requirements(), suite.cases, suite_mutants());
  out.write(json ? trace_json(rows) : trace_text(rows));
  return is_whole(rows) ? kOk : kRefused;
}

}  // namespace

Exit run_selftest(const SelfTestArgs& args, Out& out) {
  if (!args.trace) remember_interrupts();
  SelfTestOptions options;
  const auto only = chosen(args.only);
  if (!only) return fail(only.error());
  const auto suite = load_vectors("selftest");
  if (!suite) return fail(suite.error());
  if (args.trace) return trace_only(*suite, args.json, out);

  options.full = args.full;
  options.jobs = jobs_of(args.jobs);
  options.only = *only;
  options.interrupted = was_interrupted;
  ProgressText line;  // no thread of its own: the run forks
  options.progress = [&](std::size_t done, std::size_t of) {
    line.draw(fmt::format("proving the suite: {} of {} implementations", done, of));
  };
  const SelfTest test = conformance::run_selftest(*suite, requirements(), options);
  line.clear();
  out.write(args.json ? selftest_json(test) : selftest_text(test));
  if (test.unsound()) return kRefused;
  if (test.interrupted) return interrupted_exit();
  if (!test.sound()) return fail(fmt::format("selftest: {} implementations could not be judged", test.not_judged()));
  return kOk;
}

}  // namespace assay::cli
