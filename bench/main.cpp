// SPDX-License-Identifier: Apache-2.0
// Measures the oracle against the bare work of the libraries beneath it and prints a table of
// ratios. Every ratio is one of medians of one run in which both sides took turns, so that it
// means something on a busy or slow machine; seconds do not and are only shown.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/baselines.h"
#include "bench/inputs.h"
#include "bench/measure.h"
#include "bench/peak.h"
#include "bench/subject.h"
#include "bench/table.h"
#include "oracle/container/container.h"

namespace assay::bench {
namespace {

constexpr std::uint64_t kDefinitionBytes = 100'000'000;
constexpr std::uint64_t kBlobBytes = 200'000'000;

// The exponent of time over size: the slope of the line through the logarithms.
double exponent(const std::vector<std::uint64_t>& sizes, const std::vector<double>& times) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(static_cast<double>(sizes[i])), y = std::log(times[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const auto n = static_cast<double>(sizes.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Runner {
  int turns = 5;
  std::vector<Row> rows;

  void heading(const char* what) const { fmt::print(stderr, "{}\n", what); }

  // A row for one body over another.
  void ratio(const std::map<std::string, double>& seconds, const std::string& subject,
             const std::string& baseline, double bound) {
    const double a = seconds.at(subject), b = seconds.at(baseline);
    rows.push_back({subject + " / " + baseline, a / b, bound,
                    fmt::format("{:.4g} ms / {:.4g} ms", a * 1e3, b * 1e3)});
  }

  void neff(const std::string& what, const Buffer& file, bool once) {
    heading(what.c_str());
    const std::string expand = "libarchive expands it", name = "lower " + what;
    const auto seconds = measure({{name, [&] { return lower(file.view()); }, once},
                                  {name + " and encode", [&] { return lower_and_encode(file.view()); }, once},
                                  {expand, [&] { return libarchive_expand(file.view()) != 0; }, once}},
                                 turns);
    ratio(seconds, name, expand, 1.3);
    ratio(seconds, name + " and encode", expand, 0);
  }

  void neffs() {
    neff("matmul_small.neff", read_file(ASSAY_CORPUS_DIR "/models/matmul_small/matmul_small.neff"),
         false);
    heading("packing 200 MB of weights");
    const Members model = model_of_blobs(kBlobBytes);
    PackOptions options;
    if (const auto file = pack(model, options)) neff("200 MB of weights, gzip", *file, true);
    options.pkg_version = 1;
    if (const auto file = pack(model, options)) neff("200 MB of weights, raw", *file, true);
  }

  // A copy into memory that is there already: the strictest one.
  void image() {
    heading("an image of 200 MB of weights");
    const Buffer bytes = image_of(model_of_blobs(kBlobBytes));
    Buffer copy(bytes.view());
    const std::string base = "memcpy it";
    const auto seconds = measure({{"verify an image of blobs", [&] { return check(bytes.view()); }, true},
                                  {"decode it", [&] { return decode(bytes.view()); }, true},
                                  {base, [&] {
                                     std::memcpy(copy.data(), bytes.data(), bytes.size());
                                     benchmark::DoNotOptimize(copy.data());
                                     benchmark::ClobberMemory();
                                     return true;
                                   }, true}},
                                 2 * turns);
    ratio(seconds, "verify an image of blobs", base, 4);
    ratio(seconds, "decode it", base, 4);
  }

  void definition(const std::string& what, const std::string& peak_name, Spelling spelling) {
    heading(what.c_str());
    Buffer document = definition_of_bytes(kDefinitionBytes, spelling);
    Buffer copy(document.view());
    const Members members = members_of(std::move(document));
    const std::string name = "parse, lower, encode " + what, base = "simdjson's DOM";
    const auto seconds = measure({{name, [&] { return lower_and_encode(members); }, true},
                                  {base, [&] { return simdjson_parse(copy); }, true}},
                                 turns);
    const auto other = measure({{"nlohmann's DOM", [&] { return nlohmann_parse(copy); }, true},
                                {base, [&] { return simdjson_parse(copy); }, true}},
                               1);
    ratio(seconds, name, base, 3);
    ratio(other, "nlohmann's DOM", base, 0);
    const Peak peak = peak_of(peak_name);
    rows.push_back({"peak memory of it / the document",
                    peak.document > 0 ? peak.resident / peak.document : 0, 6,
                    fmt::format("{:.1f} MB / {:.1f} MB", peak.resident / 1e6, peak.document / 1e6)});
  }

  // Large inputs do not fit a cache and their memory is new each time, so that even a program
  // without any memory of its own grows a little faster than they do: simdjson beside us tells.
  void growth(const std::string& what, const std::vector<std::uint64_t>& sizes,
              Buffer (*make)(std::uint64_t)) {
    heading(what.c_str());
    const std::string parse = "simdjson, ";
    std::vector<Members> inputs;
    std::vector<Body> bodies;
    for (const std::uint64_t n : sizes) inputs.push_back(members_of(make(n)));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Members& members = inputs[i];
      const bool once = sizes[i] > sizes.back() / 20;
      const std::string name = fmt::format("{} {}", sizes[i], what);
      bodies.push_back({name, [&members] { return lower(members); }, once});
      bodies.push_back({parse + name,
                        [&members] { return simdjson_parse(*members.find(kDefinition)); }, once});
    }
    const auto seconds = measure(bodies, turns);
    // No bound: the slope is said, and simdjson's own on the same inputs beside it.
    const auto add = [&](const std::string& prefix, const std::string& name) {
      std::vector<double> times;
      std::string detail;
      for (const std::uint64_t n : sizes) {
        times.push_back(seconds.at(fmt::format("{}{} {}", prefix, n, what)));
        detail += fmt::format("{}{}: {:.3g} ms", detail.empty() ? "" : ", ", n, times.back() * 1e3);
      }
      rows.push_back({name, exponent(sizes, times), 0, detail});
    };
    add("", fmt::format("exponent of lowering, {} to {} {}", sizes.front(), sizes.back(), what));
    add(parse, "exponent of simdjson's DOM alone on the same");
  }

  // False: there is no such part.
  bool run(std::string_view part) {
    const bool all = part == "all";
    if (all || part == "neff") neffs();
    if (all || part == "image") image();
    if (all || part == "definition") {
      definition("100 MB of shortest variables", "shortest", Spelling::shortest);
      definition("100 MB of usual variables", "usual", Spelling::usual);
    }
    if (all || part == "growth") {
      growth("variables", {1'000, 3'000, 10'000, 30'000, 100'000, 300'000, 1'000'000},
             definition_of_variables);
      growth("descriptors", {100, 300, 1'000, 3'000, 10'000, 20'000}, definition_of_descriptors);
    }
    return !rows.empty();
  }
};

int usage() {
  fmt::print(stderr, "usage: assay_bench [--json] [--turns=N] [neff|image|definition|growth]\n");
  return 2;
}

int run(int argc, char** argv) {
  Runner runner;
  bool json = false;
  std::string_view part = "all";
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--json") json = true;
    else if (arg == "--peak=shortest") return print_peak(definition_of_bytes(kDefinitionBytes, Spelling::shortest));
    else if (arg == "--peak=usual") return print_peak(definition_of_bytes(kDefinitionBytes, Spelling::usual));
    else if (arg.substr(0, 8) == "--turns=") runner.turns = std::atoi(arg.data() + 8);
    else if (arg.substr(0, 1) != "-") part = arg;
    else return usage();
  }
  if (runner.turns < 1) return usage();
  char program[] = "assay_bench", interleave[] = "--benchmark_enable_random_interleaving=true";
  char* flags[] = {program, interleave, nullptr};
  int count = 2;
  benchmark::Initialize(&count, flags);
  if (!runner.run(part)) return usage();
  fmt::print("{}", json ? as_json(runner.rows) : as_text(runner.rows));
  for (const Row& r : runner.rows)
    if (!r.holds()) return 1;
  return 0;
}

}  // namespace
}  // namespace assay::bench

int main(int argc, char** argv) { return assay::bench::run(argc, argv); }
