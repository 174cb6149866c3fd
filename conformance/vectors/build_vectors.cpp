// SPDX-License-Identifier: Apache-2.0
// Writes the vector files of the conformance suite: build_vectors SOURCES REQUIREMENTS.json DATA OUT. Deterministic:
// the same sources and the same oracle give the same bytes. What a source promises and the oracle denies is an error.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "conformance/vectors/finish.h"
#include "conformance/vectors/rows.h"
#include "harness/cases/files.h"

namespace {

using namespace assay::conformance;
using namespace assay::conformance::vectors;

int run(const std::string& sources, const std::string& requirements, const std::string& data, const std::string& out) {
  CatalogueRows rows = read_catalogue(requirements);
  if (rows.empty()) {
    fmt::print(stderr, "{} holds no requirements\n", requirements);
    return 1;
  }
  use_catalogue(rows);
  auto drafts = written_drafts(sources);
  if (!drafts) {
    fmt::print(stderr, "{}\n", drafts.error());
    return 1;
  }
  for (auto maker : {near_miss_drafts, misspelling_drafts, corruption_drafts, layout_drafts, container_drafts,
                     image_fault_drafts, image_value_drafts})
    for (Draft& d : maker()) drafts->push_back(std::move(d));
  auto real = real_model_drafts(data);
  if (!real) {
    fmt::print(stderr, "{}\n", real.error());
    return 1;
  }
  for (Draft& d : *real) drafts->push_back(std::move(d));
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
  for (const auto& [id, row] : rows) {
    const bool seen =
        std::any_of(drafts->begin(), drafts->end(), [&, i = id](const Draft& d) { return d.rows[0] == i; });
    if (row.level == "must" && row.observable != "none" && !seen)
      fmt::print("no case for {} ({})\n", id, row.observable);
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
  if (argc == 5) return run(argv[1], argv[2], argv[3], argv[4]);
  fmt::print(stderr, "usage: build_vectors SOURCES REQUIREMENTS.json DATA OUT\n");
  return 2;
}
