// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace assay::bench {
namespace {

// Keeps the seconds of one iteration of every run, and shows them.
class Runs : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const std::string& name = run.run_name.function_name;
      if (run.error_occurred) {
        fmt::print(stderr, "{}: {}\n", name, run.error_message);
        std::exit(2);
      }
      if (run.run_type != Run::RT_Iteration) continue;
      seconds[name].push_back(run.GetAdjustedCPUTime());
      fmt::print(stderr, "  {:<44} {:>12.6f} s\n", name, seconds[name].back());
    }
  }
  std::map<std::string, std::vector<double>> seconds;
};

}  // namespace

std::map<std::string, double> measure(const std::vector<Body>& bodies, int turns) {
  for (const Body& body : bodies) {
    auto* b = benchmark::RegisterBenchmark(body.name.c_str(), [&body](benchmark::State& state) {
      for (auto _ : state)
        if (!body.run()) state.SkipWithError("failed");
    });
    b->Unit(benchmark::kSecond)->Repetitions(turns);
    if (body.once) b->Iterations(1);
    else b->MinTime(0.1);
  }
  Runs runs;
  benchmark::RunSpecifiedBenchmarks(&runs);
  benchmark::ClearRegisteredBenchmarks();
  std::map<std::string, double> medians;
  for (auto& [name, all] : runs.seconds) {
    std::sort(all.begin(), all.end());
    medians[name] = all[all.size() / 2];
  }
  return medians;
}

}  // namespace assay::bench
