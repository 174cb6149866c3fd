// SPDX-License-Identifier: Apache-2.0
// Writes what may become seeds of the targets: OUT/<target>/<what>-<crc32>. They come from the models of
// the corpus, from small generated ones, and from one case for each requirement that a defect breaks.
// `rebuild` keeps those of them that reach something new. A seed is data: once stored it is not made
// again when the generators change.
//
// usage: make_seeds MODELS OUT
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include "fuzzers/seeds/seeds.h"
#include "harness/cases/files.h"
#include "oracle/image/image.h"

namespace assay::fuzz {
namespace {

namespace fs = std::filesystem;

std::optional<Members> members_at(const std::string& path) {
  const Options options;
  if (harness::is_directory(path)) {
    std::string io_error;
    auto members = read_directory(path, options.limits, io_error);
    if (!members || !io_error.empty()) return std::nullopt;
    return std::move(*members);
  }
  const auto bytes = harness::read_whole(path);
  if (!bytes) return std::nullopt;
  auto members = read_neff(as_bytes(*bytes), options);
  if (!members) return std::nullopt;
  return std::move(*members);
}

// Models of the corpus, in the order of their names. One that leaves the architecture open is given one, or it
// would be refused and stand for nothing.
struct Stored {
  const char* path;
  std::optional<ArchType> arch;
};
constexpr Stored kStored[] = {{"allreduce32", ArchType::MARIANA}, {"matmul_small/matmul_small.neff", std::nullopt}};

std::vector<StoredModel> stored_models(const std::string& models) {
  std::vector<StoredModel> out;
  for (const Stored& s : kStored) {
    Options options;
    options.arch = s.arch;
    if (auto members = members_at(models + "/" + s.path))
      out.push_back({fs::path(s.path).stem().string(), harness::from_members(*members, options)});
  }
  return out;
}

bool write(const std::string& out, const TargetSeeds& target) {
  const std::string directory = out + "/" + target.target;
  std::error_code error;
  fs::remove_all(directory, error);
  fs::create_directories(directory, error);
  std::size_t files = 0, bytes = 0, left = 0;
  std::set<std::string> seen;
  for (const Seed& seed : target.seeds) {
    if (!seen.insert(seed.bytes).second) continue;
    if (seed.bytes.size() > kMaxSeedBytes || files == kMaxFiles || bytes + seed.bytes.size() > kMaxBytes) {
      ++left;
      continue;
    }
    const std::string path = fmt::format("{}/{}-{:08x}", directory, seed.what, crc32_of(as_bytes(seed.bytes)));
    if (!harness::write_whole(path, seed.bytes)) return false;
    ++files;
    bytes += seed.bytes.size();
  }
  std::printf("%-14s %3zu files, %6zu bytes%s\n", target.target.c_str(), files, bytes,
              left == 0 ? "" : fmt::format(", {} more would not fit", left).c_str());
  return files > 0;
}

}  // namespace
}  // namespace assay::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s MODELS OUT\n", argv[0]);
    return 2;
  }
  bool all = true;
  for (const auto& target : assay::fuzz::all_seeds(assay::fuzz::stored_models(argv[1])))
    all &= assay::fuzz::write(argv[2], target);
  return all ? 0 : 1;
}
