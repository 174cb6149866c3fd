// SPDX-License-Identifier: Apache-2.0
// The command line of what judges implementations: prove, gen, replay, reduce, fuzz.
#include "cli/args_parts.h"

namespace assay::cli {

CLI::Option* add_whole_number(CLI::App* app, const char* name, std::optional<std::uint64_t>& to, const char* what,
                              const std::string& help) {
  return app
      ->add_option_function<std::string>(
          name,
          [=, &to](const std::string& text) {
            const auto v = whole_number(text);
            if (!v) throw CLI::ValidationError(name, number_error(text, what));
            to = *v;
          },
          help)
      ->type_name("N");
}

CLI::Option* add_positive(CLI::App* app, const char* name, std::optional<std::uint64_t>& to, const std::string& help,
                          const char* what) {
  return add_whole_number(app, name, to, what, help)
      ->check([=](const std::string& text) {
        return whole_number(text) == std::uint64_t{0} ? number_error(text, what) : std::string();
      });
}

namespace {

constexpr const char* kSeconds = "whole number of seconds, 1 or more,";

void add_prove(CLI::App& app, HarnessParsed& p) {
  CLI::App* c = app.add_subcommand("prove", "Check properties on generated models, near-misses, texts and images");
  c->add_option("--property", p.prove.properties, "Only this property; may be repeated")
      ->allow_extra_args(false)->type_name("NAME");
  c->add_option("--area", p.prove.areas,
                "Only properties that can name a requirement whose id begins so (VAR, dmb-02, several with commas); "
                "may be repeated")
      ->allow_extra_args(false)->type_name("PREFIX");
  add_positive(c, "--cases", p.prove.cases,
               "Cases in all, shared among the properties by weight; fewer cases than properties give one to each "
               "(default 2000; with --seconds alone: as many as fit; with --mutants 5000)");
  add_positive(c, "--seconds", p.prove.seconds, "End after this time, whole seconds", kSeconds);
  add_whole_number(c, "--seed", p.prove.seed, "number of 64 bits",
                   "The same seed gives the same cases (default: a fresh one, told on standard error at once)");
  add_positive(c, "--jobs", p.jobs,
               "Processes at work (default: one for each processor; at most four, and no more than there are "
               "batches of cases)");
  c->add_option("--junit", p.prove.junit, "Write a JUnit XML report too")->type_name("FILE");
  c->add_option("--save", p.prove.save, "Where failing cases are kept (default assay-failures)")->type_name("DIR");
  c->add_flag("--verbose", p.prove.verbose, "Show every requirement and every label of what was generated");
  c->add_flag("--list", p.prove.list,
              "Only list the properties; goes with --property, --area, --verbose and --json alone");
  c->add_flag("--mutants", p.prove.mutants,
              "Prove the properties themselves: each implementation that is wrong in one way must be told; goes "
              "with --cases, --seed, --jobs and --json alone");
  add_json(c, p.prove.json);
  c->footer(
      "An interrupted run (Ctrl-C, SIGTERM) keeps and tells what it found; exit code 130 or 143, or 1 with\n"
      "failures.\n\n"
      "Example:\n  assay prove --area VAR --cases 10000\n");
}

void add_gen(CLI::App& app, HarnessParsed& p) {
  CLI::App* c = app.add_subcommand("gen", "Write generated cases, each with the oracle's answer");
  auto* const near_miss = c->add_option("--near-miss", p.gen.near_miss,
                                        "Inputs with one defect: a kind of defect (var-id-gap), or every kind that "
                                        "breaks a requirement (VAR-015) or one of an area (VAR), in turn")
                              ->type_name("ID");
  c->add_option("--kind", p.gen.kind, "model (default), near-miss, text, image, corruption, neff or dtype")
      ->excludes(near_miss)->type_name("KIND");
  add_positive(c, "--count", p.count, "How many (default 10)");
  add_whole_number(c, "--seed", p.gen.seed, "number of 64 bits",
                   "The same seed gives the same cases (default: a fresh one, which is printed)");
  c->add_option("-o,--output", p.gen.output, "A new or empty directory; each case becomes one below it")
      ->type_name("DIR");
  c->add_flag("--list", p.gen.list, "Only list the kinds of defects, with their kind of case and requirement");
  add_json(c, p.gen.json);
  c->footer("Example:\n  assay gen --near-miss VAR-015 --count 5 --seed 1 -o cases\n");
}

void add_replay(CLI::App& app, HarnessParsed& p) {
  CLI::App* c = app.add_subcommand("replay", "Check stored cases, models and images by every property they fit");
  c->add_option("PATH", p.replay.paths,
                "A stored case's directory, a NEFF file, a directory with its members, an image, or a directory of "
                "those")
      ->required()->type_name("");
  add_json(c, p.replay.json);
  c->footer("Example:\n  assay replay assay-failures/*\n");
}

void add_reduce(CLI::App& app, HarnessParsed& p) {
  CLI::App* c = app.add_subcommand("reduce", "Make a model or an image smaller while a command still finds it bad");
  c->add_option("INPUT", p.reduce.input, "A NEFF file, a directory with its members, an image, or any other file")
      ->required()->type_name("");
  c->add_option("--predicate", p.reduce.predicate,
                "A shell command; {} stands for the candidate's path. Exit code 0: still interesting")
      ->required()->type_name("COMMAND");
  c->add_option("-o,--output", p.reduce.output, "Where the smallest goes")->required()->type_name("PATH");
  add_positive(c, "--timeout", p.timeout, "Seconds for one run of the command (default 10)", kSeconds);
  add_positive(c, "--max-checks", p.max_checks, "Runs of the command at most (default 100000)");
  add_json(c, p.reduce.json);
  c->footer("Example:\n  assay reduce model.neff --predicate './crashes {}' -o small.neff\n");
}

void add_fuzz(CLI::App& app, HarnessParsed& p) {
  const auto directory = [&](CLI::App* c, const char* name, std::string& to, const char* help) {
    c->add_option(name, to, help)
        ->check([](const std::string& dir) { return dir.empty() ? std::string("a directory is expected") : ""; })
        ->type_name("DIR");
  };
  CLI::App* c = app.add_subcommand("fuzz", "Run one fuzz target under its engine, or stored inputs through it");
  c->add_option("TARGET", p.fuzz.target, "A fuzz target (see --list)")->type_name("");
  add_positive(c, "--seconds", p.fuzz.seconds, "End after this time (default 60; with --runs alone: none)", kSeconds);
  add_positive(c, "--runs", p.fuzz.runs, "End after that many executions, all jobs together");
  add_positive(c, "--jobs", p.fuzz_jobs, "Processes at work on one corpus (default 1)");
  c->add_option("--engine", p.fuzz.engine, "libfuzzer (default) or afl")
      ->check(CLI::IsMember({"libfuzzer", "afl"}))->type_name("ENGINE");
  c->add_option("--sanitizer", p.fuzz.sanitizer, "address (default), undefined or none; with afl none")
      ->check(CLI::IsMember({"address", "undefined", "none"}))->type_name("NAME");
  directory(c, "--corpus", p.fuzz.corpus, "Where inputs of interest are read and kept; the target's seeds when it is "
                                          "empty (default OUT/corpus)");
  directory(c, "--out", p.fuzz.output, "Where findings are kept (default assay-fuzz/TARGET)");
  add_whole_number(c, "--seed", p.fuzz.seed, "number of 32 bits", "Of the engine's choices (default: a fresh one)");
  directory(c, "--fuzzers", p.fuzz.fuzzers, "Where fuzz-asan/out and the others are (default $ASSAY_FUZZERS, else "
                                            "../libexec/assay/fuzzers beside the tool)");
  c->add_option("--replay", p.fuzz.replay, "Only run these inputs, or those of a directory, once each, in processes "
                                           "of their own")
      ->type_name("FILE...");
  c->add_flag("--list", p.fuzz.list, "Only list the targets, with the forms in which they are built");
  add_json(c, p.fuzz.json);
  c->footer(
      "Each finding is one directory below OUT/findings: the smallest input, the engine's log, and the case\n"
      "that assay replay takes where the input is one. Exit codes: 0 nothing found, 1 something found, 2 the\n"
      "target could not be run, did not run, or ended early for no reason.\n\n"
      "Example:\n  assay fuzz subgraph --seconds 600 --jobs 2\n  assay fuzz subgraph --replay "
      "assay-fuzz/subgraph/findings/*/input\n");
}

std::string finish_fuzz(HarnessParsed& p) {
  FuzzArgs& a = p.fuzz;
  const bool to_run = a.seconds || a.runs || p.fuzz_jobs || a.seed || !a.corpus.empty() || !a.output.empty();
  if (a.list)
    return to_run || !a.target.empty() || !a.replay.empty() ? "--list goes with --fuzzers and --json alone" : "";
  if (a.target.empty()) return "TARGET is required";
  if (!a.replay.empty() && to_run)
    return "--replay goes with --engine, --sanitizer, --fuzzers and --json alone";
  constexpr std::uint64_t kMostSeed = 0xffffffff, kMostJobs = 256, kMostNumber = 0x7fffffff;  // of the engines
  if (a.seed && (*a.seed == 0 || *a.seed > kMostSeed)) return "--seed: 1 to 4294967295 is expected";
  if (p.fuzz_jobs.value_or(1) > kMostJobs) return "--jobs: at most 256 is expected";
  if (a.seconds.value_or(0) > kMostNumber) return "--seconds: at most 2147483647 is expected";
  if (a.runs.value_or(0) > kMostNumber) return "--runs: at most 2147483647 is expected";
  a.jobs = p.fuzz_jobs.value_or(1);
  return {};
}

std::string finish_gen(const GenArgs& a) {
  const bool others = !a.near_miss.empty() || !a.kind.empty() || a.seed || !a.output.empty();
  if (a.list) return others ? "--list goes with --json alone" : "";
  return a.output.empty() ? "--output is required" : "";
}

std::string finish_prove(HarnessParsed& p) {
  const ProveArgs& a = p.prove;
  const bool to_run = a.seconds || a.junit || a.save;
  if (a.mutants && (!a.properties.empty() || !a.areas.empty() || to_run || a.list || a.verbose))
    return "--mutants goes with --cases, --seed, --jobs and --json alone";
  if (a.list && (to_run || a.cases || a.seed || p.jobs))
    return "--list goes with --property, --area, --verbose and --json alone";
  return {};
}

}  // namespace

void add_harness(CLI::App& app, HarnessParsed& p) {
  add_prove(app, p);
  add_gen(app, p);
  add_replay(app, p);
  add_reduce(app, p);
  add_fuzz(app, p);
}

std::optional<Command> finish_harness(const std::string& command, HarnessParsed& p, std::string& error) {
  if (command == "prove") {
    error = finish_prove(p);
    p.prove.jobs = p.jobs.value_or(0);
    return std::move(p.prove);
  }
  if (command == "gen") {
    error = finish_gen(p.gen);
    p.gen.count = p.count.value_or(p.gen.count);
    return std::move(p.gen);
  }
  if (command == "replay") return std::move(p.replay);
  if (command == "fuzz") {
    error = finish_fuzz(p);
    return std::move(p.fuzz);
  }
  if (command == "reduce") {
    p.reduce.timeout_seconds = p.timeout.value_or(p.reduce.timeout_seconds);
    p.reduce.max_checks = p.max_checks.value_or(p.reduce.max_checks);
    return std::move(p.reduce);
  }
  return std::nullopt;
}

}  // namespace assay::cli
