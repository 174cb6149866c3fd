// SPDX-License-Identifier: Apache-2.0
// How fast the conformance runner is: small requests a second against an implementation that costs nothing, and the
// whole fixed suite against the oracle as a library and as a process. Wall time, because waiting for other processes is
// what the runner does, and beside it the processor time of the runner alone. Bounds of wall time mean something on an
// idle machine; processor time, and ratios (of medians of one run in which both sides took turns), on any.
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench/table.h"
#include "cli/requirements.h"
#include "conformance/protocol/messages.h"
#include "conformance/runner/run.h"
#include "conformance/suite/load.h"

namespace assay::bench {
namespace {

using namespace conformance;

constexpr std::size_t kRequests = 100'000;
constexpr std::string_view kRequest = R"({"cce_op":[],"match":[],"size":[5],"to_sdma":[]})";
constexpr std::string_view kBody = R"({"cce_op":[],"match":[],"size":[4],"to_sdma":[]})";
// Behind the id.
constexpr std::string_view kHello = R"("protocol":1,"name":"echo","version":"1","ops":["dtype"]})";
constexpr std::string_view kAnswer = R"("status":"ok","cce_op":[],"match":[],"size":[4],"to_sdma":[]})";

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "assay_conformance_bench: {}\n", why);
  std::exit(2);
}

// Answers what kRequest deserves, whatever is asked: one write for each line, as an implementation that flushes does.
int echo(int in, int out) {
  FILE* lines = ::fdopen(in, "r");
  char* line = nullptr;
  std::size_t room = 0;
  while (lines != nullptr && ::getline(&line, &room, lines) > 0) {
    const std::string_view asked(line);
    const std::size_t begin = asked.find(':') + 1;
    const std::string_view id = asked.substr(begin, asked.find(',') - begin);
    const std::string answer = fmt::format("{{\"id\":{},{}\n", id, id == "0" ? kHello : kAnswer);
    if (::write(out, answer.data(), answer.size()) != static_cast<ssize_t>(answer.size())) return 1;
  }
  return 0;
}

Command echo_command() {
  Command c;
  c.function = echo;
  return c;
}

unsigned processors() { return std::max(std::thread::hardware_concurrency(), 1u); }

void run(const std::vector<Case>& cases, Command command, unsigned jobs, std::size_t sample) {
  RunPlan plan;
  plan.command = std::move(command);
  plan.jobs = jobs;
  plan.seed = 1;
  plan.sample = sample;
  const auto ran = run_cases(cases, cli::requirements(), plan);
  if (!ran) give_up(ran.error());
  for (const conformance::Result& r : ran->results)
    if (r.outcome != conformance::Outcome::pass) give_up(fmt::format("{}: {} {}", r.id, name_of(r.outcome), r.why));
}

// The same lines through one child, without anybody who looks at them.
void lines_alone() {
  auto child = Child::start(echo_command(), {});
  if (!child) give_up(child.error());
  std::size_t sent = 0, answered = 0;
  while (answered < kRequests && child->alive()) {
    for (; sent < kRequests && sent - answered < ChildLimits{}.window; ++sent)
      child->send(request_line(sent + 1, Op::dtype, kRequest).value_or(""));
    child->step(std::chrono::seconds(1));
    while (child->line()) ++answered;
  }
  if (answered < kRequests) give_up(child->death_text());
}

// The questions of a run without any process.
void in_this_process(const std::vector<Case>& cases) {
  const Identity who{"oracle", "1", all_subject_ops()};
  for (const Case& c : cases) {
    const auto asked = request_line(1, c.op, c.request);
    if (!asked) give_up(asked.error());
    const auto answer = read_answer(1, c.op, c.request, respond(harness::oracle_subject(), who, *asked));
    if (!answer) give_up(answer.error().what);
    if (judge(c, *answer, cli::requirements()).outcome != conformance::Outcome::pass) give_up(c.id + " does not pass");
  }
}

struct Body {
  std::string name;
  std::function<void()> run;
};

struct Seconds {
  double wall = 0, own = 0;  // own: of processors, by this process without its children
};

double own_seconds() {
  std::timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double median(std::vector<double> list) {
  std::sort(list.begin(), list.end());
  return list[list.size() / 2];
}

// Medians, by name; the bodies take turns.
std::map<std::string, Seconds> measure(const std::vector<Body>& bodies, int turns) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> all;
  for (int turn = 0; turn < turns; ++turn)
    for (const Body& body : bodies) {
      auto& [wall, own] = all[body.name];
      const auto begin = std::chrono::steady_clock::now();
      const double before = own_seconds();
      body.run();
      own.push_back(own_seconds() - before);
      wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      fmt::print(stderr, "  {:<32} {:>10.3f} s, own {:>10.3f} s\n", body.name, wall.back(), own.back());
    }
  std::map<std::string, Seconds> medians;
  for (const auto& [name, lists] : all) medians[name] = {median(lists.first), median(lists.second)};
  return medians;
}

Row ratio(const std::map<std::string, Seconds>& seconds, const std::string& a, const std::string& b) {
  const double x = seconds.at(a).wall, y = seconds.at(b).wall;
  return {a + " / " + b, x / y, 0, fmt::format("{:.3f} s / {:.3f} s", x, y)};
}

void requests(int turns, std::vector<Row>& rows) {
  std::vector<Case> cases(kRequests);
  for (std::size_t i = 0; i < kRequests; ++i) {
    cases[i].id = fmt::format("echo/{:06}", i);
    cases[i].requirements = {"DT-013"};
    cases[i].op = Op::dtype;
    cases[i].request = kRequest;
    cases[i].answer = kBody;
  }
  const std::string one = "requests by one process", all = fmt::format("requests by {} processes", processors()),
                    alone = "their lines alone";
  const auto seconds = measure({{one, [&] { run(cases, echo_command(), 1, 0); }},
                                {all, [&] { run(cases, echo_command(), processors(), 0); }},
                                {alone, lines_alone}},
                               turns);
  const auto rate = [&](const std::string& what, double took, double bound) {
    rows.push_back({what, static_cast<double>(kRequests) / took, bound, fmt::format("{} in {:.3f} s", kRequests, took),
                    Bound::least});
  };
  rate("requests in a second of the runner's own time", seconds.at(one).own, 20'000);
  rate(all + ", a second", seconds.at(all).wall, 20'000);
  rate(one + ", a second", seconds.at(one).wall, 0);
  rows.push_back(ratio(seconds, one, alone));
}

void whole_suite(int turns, std::vector<Row>& rows) {
  std::vector<std::string_view> ids;
  for (const Requirement& r : cli::requirements()) ids.push_back(r.id);
  std::vector<Case> cases;
  const auto load = [&] {
    auto suite = load_suite(ASSAY_VECTORS_DIR, ids);
    if (!suite) give_up(suite.error().empty() ? "no suite" : suite.error().front());
    cases = std::move(suite->cases);
  };
  const auto through = [&](std::vector<std::string> argv) {
    Command c;
    c.argv = std::move(argv);
    run(cases, std::move(c), processors(), RunPlan{}.sample);
  };
  const std::string loading = "loading the suite", library = "suite by library", process = "suite by process",
                    here = "suite in this process";
  const auto seconds = measure({{loading, load},
                                {library, [&] { through({ASSAY_TOOL, "serve", "--lib", ASSAY_ORACLE_LIBRARY}); }},
                                {process, [&] { through({ASSAY_TOOL, "serve"}); }},
                                {here, [&] { in_this_process(cases); }}},
                               turns);
  for (const auto& [name, bound] : {std::pair{library, 10.0}, std::pair{process, 60.0}})
    rows.push_back({name + ", seconds", seconds.at(loading).wall + seconds.at(name).wall, bound,
                    fmt::format("{} cases, loading {:.3f} s, asking {:.3f} s, {} processes", cases.size(),
                                seconds.at(loading).wall, seconds.at(name).wall, processors())});
  rows.push_back(ratio(seconds, library, here));
  rows.push_back(ratio(seconds, process, here));
}

int usage() {
  fmt::print(stderr, "usage: assay_conformance_bench [--json] [--turns=N] [requests|suite]\n");
  return 2;
}

int run(int argc, char** argv) {
  bool json = false;
  int turns = 3;
  std::string_view part = "all";
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--json") json = true;
    else if (arg.substr(0, 8) == "--turns=") turns = std::atoi(arg.data() + 8);
    else if (arg.substr(0, 1) != "-") part = arg;
    else return usage();
  }
  if (turns < 1) return usage();
  std::vector<Row> rows;
  if (part == "all" || part == "requests") requests(turns, rows);
  if (part == "all" || part == "suite") whole_suite(turns, rows);
  if (rows.empty()) return usage();
  fmt::print("{}", json ? as_json(rows) : as_text(rows));
  return std::all_of(rows.begin(), rows.end(), [](const Row& r) { return r.holds(); }) ? 0 : 1;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) { return assay::bench::run(argc, argv); }
