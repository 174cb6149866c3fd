// SPDX-License-Identifier: Apache-2.0
// The command line of what certifies implementations: serve, certify, certificate verify, selftest.
#include "cli/args_parts.h"

namespace assay::cli {
namespace {

constexpr std::uint64_t kMostGenerated = 1'000'000, kMostSeconds = 86'400;
// Of a whole run: what the fixed cases miss of an implementation is mostly seen by so many.
constexpr std::uint64_t kGeneratedByDefault = 300;
constexpr const char* kSeconds = "whole number of seconds, 1 or more,";

void add_implementation(CLI::App* c, ImplementationArgs& to, std::optional<std::uint64_t>& timeout) {
  c->add_option("--exec", to.exec, "The implementation: a command line that speaks the process protocol")
      ->type_name("COMMAND");
  c->add_option("--lib", to.lib, "The implementation: a shared library (assay_impl.h)")->type_name("FILE");
  add_positive(c, "--timeout", timeout, "Seconds for one answer (default 10)", kSeconds);
}

void add_certify(CLI::App& app, ConformanceParsed& p) {
  CLI::App* c = app.add_subcommand("certify", "Put the conformance suite to an implementation; write a certificate");
  add_implementation(c, p.certify.implementation, p.timeout);
  c->add_option("--levels", p.certify.levels, "The levels that decide the exit code, such as D,S,I (default: all that "
                                              "the suite has)")
      ->type_name("LIST");
  add_whole_number(c, "--generated", p.generated, "whole number", "Generated cases besides the fixed ones (default 300; 0 where cases are chosen or listed)");
  add_whole_number(c, "--seed", p.certify.seed, "number of 64 bits",
                   "Of the order and of generated cases (default: a fresh one, told on standard error at once)");
  add_positive(c, "--jobs", p.jobs, "Processes of the implementation (default: one for each processor)");
  c->add_option("--waivers", p.certify.waivers, "Expected failures: {\"waivers\": [{case, reason, until}]}")
      ->type_name("FILE");
  c->add_option("--case", p.certify.cases, "Only this case, and what proves it; may be repeated")
      ->allow_extra_args(false)->type_name("ID");
  c->add_option("--requirement", p.certify.requirements, "Only cases that name this requirement, or one of this area "
                                                         "(VAR); may be repeated")
      ->allow_extra_args(false)->type_name("ID");
  c->add_flag("--list", p.certify.list, "Only list the cases");
  c->add_option("-o,--output", p.certify.output, "The certificate's directory: new, empty, or of an earlier one "
                                                 "(default assay-certificate)")
      ->check([](const std::string& dir) { return dir.empty() ? std::string("a directory is expected") : ""; })
      ->type_name("DIR");
  add_json(c, p.certify.json);
  c->footer(
      "A run with --case or --requirement writes no certificate. Exit codes: 0 every level asked for is held\n"
      "(of a filtered run: every case passed), 1 not, 2 it could not be judged.\n\n"
      "Example:\n  assay certify --exec ./mine -o certificate\n"
      "  assay certify --lib ./libmine.so --requirement LOW-003\n");
}

void add_certificate(CLI::App& app, ConformanceParsed& p) {
  CLI::App* certificate = app.add_subcommand("certificate", "Verify a certificate");
  certificate->require_subcommand(1);
  certificate->footer("Example:\n  assay certificate verify assay-certificate\n");
  CLI::App* c = certificate->add_subcommand("verify", "Hold a certificate to the suite, and to itself");
  c->add_option("DIR", p.verify.directory, "A certificate's directory")->required()->type_name("");
  add_positive(c, "--rerun-sample", p.rerun, "Ask the implementation this many of its cases again");
  add_implementation(c, p.verify.implementation, p.verify_timeout);
  add_json(c, p.verify.json);
  c->footer(
      "Exit codes: 0 consistent, 1 not, 2 it could not be judged.\n\n"
      "Example:\n  assay certificate verify assay-certificate --rerun-sample 100 --exec ./mine\n");
}

void add_selftest(CLI::App& app, ConformanceParsed& p) {
  CLI::App* c = app.add_subcommand("selftest", "Prove the suite itself: it must fail whatever is wrong in one way");
  c->add_flag("--full", p.selftest.full,
              "Put every case to every mutant (default: the cases of its requirement, and 50 others)");
  add_positive(c, "--jobs", p.selftest_jobs, "Processes at work (default: one for each processor)");
  c->add_option("--only", p.selftest.only, "Only this mutant, the mutants of this requirement, or this hostile "
                                           "implementation; may be repeated")
      ->allow_extra_args(false)->type_name("NAME");
  c->add_flag("--trace", p.selftest.trace, "Only print which cases and mutants show each requirement; nothing is run. "
                                           "Goes with --json alone");
  add_json(c, p.selftest.json);
  c->footer(
      "Exit codes: 0 every mutant is killed by a case that names its requirement, every hostile implementation\n"
      "comes to the right verdicts, and no requirement is without a case or a mutant; 1 not, 2 it could not be\n"
      "judged.\n\n"
      "Example:\n  assay selftest --jobs 2\n  assay selftest --trace\n  assay selftest --only LOW-003 --full\n");
}

std::string finish_selftest(ConformanceParsed& p) {
  SelfTestArgs& a = p.selftest;
  a.jobs = p.selftest_jobs.value_or(0);
  if (a.trace && (a.full || p.selftest_jobs || !a.only.empty())) return "--trace goes with --json alone";
  return {};
}

// `needs`: what these options belong to, where it is not there and nobody is asked.
std::string finish_implementation(ImplementationArgs& a, std::optional<std::uint64_t> timeout, bool wanted,
                                  const char* needs) {
  if (!a.exec.empty() && !a.lib.empty()) return "--exec and --lib exclude one another";
  const bool given = !a.exec.empty() || !a.lib.empty();
  if (wanted && !given) return "--exec COMMAND or --lib FILE is required";
  if (!wanted && (given || timeout))
    return std::string(!a.exec.empty() ? "--exec" : !a.lib.empty() ? "--lib" : "--timeout") + needs;
  if (timeout.value_or(1) > kMostSeconds) return "--timeout: at most 86400 is expected";
  a.timeout_seconds = timeout.value_or(a.timeout_seconds);
  return {};
}

std::string finish_certify(ConformanceParsed& p) {
  CertifyArgs& a = p.certify;
  if (p.generated.value_or(0) > kMostGenerated) return "--generated: at most 1000000 is expected";
  const bool whole = a.cases.empty() && a.requirements.empty() && !a.list;
  a.generated = p.generated.value_or(whole ? kGeneratedByDefault : 0);
  a.jobs = p.jobs.value_or(0);
  if (a.list && (!a.waivers.empty() || !a.levels.empty() || p.jobs))
    return "--list goes with --case, --requirement, --generated, --seed and --json alone";
  return finish_implementation(a.implementation, p.timeout, !a.list,
                               " is not expected beside --list, which asks nobody");
}

}  // namespace

void add_conformance(CLI::App& app, ConformanceParsed& p) {
  add_certify(app, p);
  add_certificate(app, p);
  add_selftest(app, p);
  CLI::App* c = app.add_subcommand("serve", "Answer the process protocol on standard input and output");
  c->add_option("--lib", p.serve.lib, "For this shared library instead of the oracle")->type_name("FILE");
  c->footer("Example:\n  assay serve < requests.jsonl\n");
}

std::optional<Command> finish_conformance(const std::string& command, ConformanceParsed& p, std::string& error) {
  if (command == "serve") return std::move(p.serve);
  if (command == "certify") {
    error = finish_certify(p);
    return std::move(p.certify);
  }
  if (command == "selftest") {
    error = finish_selftest(p);
    return std::move(p.selftest);
  }
  if (command == "certificate verify") {
    p.verify.rerun = p.rerun.value_or(0);
    error = finish_implementation(p.verify.implementation, p.verify_timeout, p.verify.rerun != 0,
                                  " belongs to --rerun-sample N: without it nobody is asked");
    return std::move(p.verify);
  }
  return std::nullopt;
}

}  // namespace assay::cli
