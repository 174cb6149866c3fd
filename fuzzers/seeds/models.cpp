// SPDX-License-Identifier: Apache-2.0
// Small models and near-misses, and definitions fitted to the fixed members.
#include <map>

#include "fuzzers/seeds/seeds.h"

namespace assay::fuzz {
namespace {

constexpr std::uint32_t kModels = 12;
constexpr std::uint64_t kTries = 12;

harness::GenOptions tiny() {
  harness::GenOptions options;
  options.size = {.graphs = 1, .variables = 4, .queues = 2, .instances = 2, .blocks = 2, .descriptors = 2, .groups = 1,
                  .ucode_libs = 1, .functions = 1, .act_sets = 1, .blob_bytes = 24, .text_bytes = 6};
  return options;
}

std::size_t bytes_of(const harness::Model& model) {
  std::size_t n = 0;
  for (const auto& [path, member] : model.members) n += path.size() + member.text().size();
  return n;
}

}  // namespace

std::vector<StoredModel> small_models() {
  std::vector<StoredModel> out;
  constexpr ArchType kTargets[] = {ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};
  for (std::uint32_t i = 0; i < kModels; ++i) {
    harness::RandomChoices c(1000 + i);
    harness::GenOptions options = tiny();
    options.target = kTargets[i % 3];
    if (i % 4 == 3) options.size.graphs = 2;
    if (i % 2 == 1) options.size.variables = 8, options.size.descriptors = 3;
    out.push_back({"generated", harness::gen_model(c, options)});
  }
  return out;
}

const std::vector<StoredMiss>& near_misses() {
  static const std::vector<StoredMiss> all = [] {
    std::map<std::string_view, std::pair<std::size_t, StoredMiss>> best;  // by requirement
    for (const harness::NearMissKind& kind : harness::near_miss_kinds())
      for (std::uint64_t seed = 0; seed < kTries; ++seed) {
        harness::RandomChoices c(seed);
        harness::NearMiss miss = harness::gen_near_miss(c, kind, tiny());
        const std::size_t bytes = bytes_of(miss.broken);
        const std::string_view requirement = row_of(kind.reason).requirement;
        const auto it = best.find(requirement);
        if (it == best.end() || bytes < it->second.first)
          best[requirement] = {bytes, {std::string(kind.name), std::string(requirement), std::move(miss)}};
      }
    std::vector<StoredMiss> out;
    for (auto& [requirement, entry] : best) out.push_back(std::move(entry.second));
    return out;
  }();
  return all;
}

harness::Json to_fixed(harness::Json def) {
  if (!def.is_object()) return def;
  for (const char* engine : {"pe", "act", "pool", "dve", "sp"})
    if (const auto it = def.find(engine); it != def.end() && it->is_string()) *it = std::string(engine) + ".json";
  if (const auto var = def.find("var"); var != def.end() && var->is_object())
    for (harness::Json& v : *var) {
      if (!v.is_object()) continue;
      const auto name = v.find("file_name");
      if (name == v.end() || !name->is_string()) continue;
      *name = name->get<std::string>().ends_with(".npy") ? "w.npy" : "blob.bin";
      if (v.contains("size") && v["size"].is_number_unsigned()) v["size"] = 64;
    }
  if (const auto libs = def.find("ucode_lib"); libs != def.end()) {
    if (libs->is_string()) *libs = "libs.json";
    if (libs->is_array() && libs->size() > 1) *libs = harness::Json::array({libs->front()});
    if (libs->is_array() && !libs->empty() && libs->front().is_object() && libs->front().contains("library"))
      libs->front()["library"] = "lib.bin";
  }
  return def;
}

}  // namespace assay::fuzz
