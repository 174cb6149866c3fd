// SPDX-License-Identifier: Apache-2.0
// Writes the vector files of the conformance suite: build_vectors SOURCES OUT. Deterministic: the same
// sources and the same oracle give the same bytes. What a source promises and the oracle denies is an error.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "conformance/vectors/finish.h"
#include "harness/cases/files.h"

namespace {

using namespace assay::conformance;
using namespace assay::conformance::vectors;

int run(const std::string& sources, const std::string& out) {
  auto drafts = written_drafts(sources);
  if (!drafts) {
    fmt::print(stderr, "{}\n", drafts.error());
    return 1;
  }
  for (auto maker : {near_miss_drafts, misspelling_drafts, corruption_drafts, layout_drafts, container_drafts})
    for (Draft& d : maker()) drafts->push_back(std::move(d));
  int wrong = 0;
  std::map<std::string, CaseFile> files;
  for (const Draft& d : *drafts) {
    auto cases = finish(d);
    if (!cases) {
      fmt::print(stderr, "{}\n", cases.error());
      ++wrong;
      continue;
    }
    CaseFile& file = files[std::string(area_of(d.rows[0]))];
    for (StoredCase& c : *cases) file.cases.push_back(std::move(c));
  }
  std::size_t total = 0, bytes = 0;
  for (auto& [area, file] : files) {
    file.suite = kSuiteVersion;
    file.area = area;
    const std::string text = print_cases(file);
    total += file.cases.size();
    bytes += text.size();
    fmt::print("{} {} cases, {} bytes\n", area, file.cases.size(), text.size());
    if (auto written = assay::harness::write_whole(out + "/" + area + ".json", text); !written) {
      fmt::print(stderr, "{}\n", written.error());
      ++wrong;
    }
  }
  fmt::print("{} cases, {} bytes, {} wrong\n", total, bytes, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return run(argv[1], argv[2]);
  fmt::print(stderr, "usage: build_vectors SOURCES OUT\n");
  return 2;
}
