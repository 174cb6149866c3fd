// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/seeds/seeds.h"

#include <cctype>
#include <set>

#include "fuzzers/common/accepted.h"
#include "fuzzers/common/fixed_members.h"
#include "harness/mutate/model_bytes.h"

namespace assay::fuzz {
namespace {

using harness::Model;

std::string bytes_of(ByteView b) { return std::string(as_text(b)); }
std::string slug(std::string_view requirement, std::string_view name) {
  std::string out;
  for (const char c : std::string(requirement) + "-" + std::string(name))
    out += c == ':' || c == ' ' ? '-' : static_cast<char>(std::tolower(c));
  return out;
}

// Definitions beside the fixed members: those that are lowered there first, then the defects that
// are still refused for their own reason.
std::vector<Seed> accepted_definitions(const std::vector<StoredModel>& models) {
  std::vector<Seed> out;
  for (const StoredModel& m : models)
    for (const harness::GraphPaths& g : harness::graphs_of(m.model)) {
      const auto it = m.model.members.find(g.definition);
      if (it == m.model.members.end() || !it->second.is_json()) continue;
      const std::string text = to_fixed(it->second.doc).dump();
      const Members members = fixed_members(as_bytes(text));
      for (const ArchType arch : {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA})
        if (lower_members(members, bounded(arch))) {
          out.push_back({m.name, text});
          break;
        }
    }
  return out;
}

std::vector<Seed> refused_definitions() {
  std::vector<Seed> out;
  for (const StoredMiss& m : near_misses())
    for (const harness::GraphPaths& g : harness::graphs_of(m.miss.broken)) {
      const auto it = m.miss.broken.members.find(g.definition);
      if (it == m.miss.broken.members.end()) continue;
      const std::string text = it->second.is_json() ? to_fixed(it->second.doc).dump() : it->second.bytes;
      const Members members = fixed_members(as_bytes(text));
      for (const ArchType arch : {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA})
        if (const auto r = lower_members(members, bounded(arch)); !r && r.error().reason == m.miss.kind->reason) {
          out.push_back({slug(m.requirement, m.name), text});
          break;
        }
    }
  return out;
}

void add(std::vector<Seed>& to, std::vector<Seed> more) {
  for (Seed& s : more) to.push_back(std::move(s));
}

std::vector<Seed> text_pairs(const std::vector<Seed>& documents) {
  std::vector<Seed> out;
  for (std::uint64_t i = 0; i < documents.size(); ++i)
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      std::string bytes(8, '\0');
      store(reinterpret_cast<std::uint8_t*>(bytes.data()), 3 * i + seed);
      out.push_back({documents[i].what, bytes + documents[i].bytes});
    }
  return out;
}

std::vector<Seed> containers() {
  std::vector<Seed> out, more;
  std::set<std::string_view> done;  // requirements
  for (const harness::NeffKind& kind : harness::neff_kinds()) {
    std::string best;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      harness::RandomChoices c(seed);
      const harness::Neff neff = harness::gen_neff(c, kind);
      if (best.empty() || neff.file.size() < best.size()) best = bytes_of(neff.file.view());
    }
    const bool first = !kind.reason || done.insert(row_of(*kind.reason).requirement).second;
    (first ? out : more).push_back({std::string(kind.name), best});
  }
  // Those that repeat a requirement only where they are small.
  for (Seed& s : more)
    if (s.bytes.size() < 3000) out.push_back(std::move(s));
  return out;
}

// Models in the form that the target of sub-graphs takes.
std::vector<Seed> whole_models(const std::vector<StoredModel>& models) {
  std::vector<Seed> out;
  for (const StoredModel& m : models) out.push_back({m.name, harness::to_bytes(m.model)});
  for (const StoredMiss& m : near_misses())
    out.push_back({slug(m.requirement, m.name), harness::to_bytes(m.miss.broken)});
  return out;
}

std::vector<Seed> packed(const std::vector<StoredModel>& models) {
  std::vector<Seed> out;
  for (const StoredModel& m : models)
    if (const auto neff = harness::to_neff(m.model, 2)) out.push_back({m.name, bytes_of(neff->view())});
  for (const StoredMiss& m : near_misses())
    if (const auto neff = harness::to_neff(m.miss.broken, 2); neff && read_neff(neff->view(), bounded()))
      out.push_back({slug(m.requirement, m.name), bytes_of(neff->view())});
  return out;
}

harness::GenSize small_image() {
  return {.graphs = 1, .variables = 3, .queues = 1, .instances = 1, .blocks = 1, .descriptors = 1, .groups = 1,
          .ucode_libs = 1, .functions = 1, .act_sets = 1, .blob_bytes = 16, .text_bytes = 6};
}

// Images, and one corruption for each requirement.
std::vector<Seed> images() {
  std::vector<Seed> out;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    harness::RandomChoices c(seed);
    out.push_back({"generated", bytes_of(harness::gen_image(c, small_image()).view())});
  }
  std::set<std::string_view> done;
  for (const harness::CorruptionKind& kind : harness::corruption_kinds()) {
    if (!done.insert(row_of(kind.reason).requirement).second) continue;
    std::string best;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      harness::RandomChoices c(seed);
      const Buffer valid = harness::gen_image(c, small_image());
      const auto corruption = harness::corrupt(c, valid.view(), kind);
      if (corruption && (best.empty() || corruption->image.size() < best.size()))
        best = bytes_of(corruption->image.view());
    }
    if (!best.empty()) out.push_back({slug(row_of(kind.reason).requirement, kind.name), best});
  }
  return out;
}

// As dtype.cpp reads them: a kind, a length and the text, or a code.
std::vector<Seed> dtypes() {
  std::vector<Seed> out;
  std::string all;
  for (const std::string text : {"int8", "uint16", "float32r", "float8e3", "bfloat16", "float8_e4m3fn_x4",
                                 "float4_e2m1fn_x4", "int64", ""})
    for (const char io : {'\0', '\1'}) {
      const std::string one = std::string(1, io) + static_cast<char>(text.size()) + text;
      out.push_back({text.empty() ? "no-text" : "text", one});
      all += one;
    }
  std::string codes;
  for (char code = 0; code < 20; ++code) codes += std::string("\4") + code;
  out.push_back({"codes", codes});
  out.push_back({"codes-of-64-bits", std::string("\6\x80\0\0\0\0\0\0\0\6\xff\xff\xff\xff\xff\xff\xff\xff", 18)});
  out.push_back({"texts", all.substr(0, 250)});
  return out;
}

std::vector<Seed> choices() {
  std::vector<Seed> out;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    harness::RandomChoices c(seed);
    std::string bytes(std::size_t{32} << (seed % 5), '\0');
    for (char& b : bytes) b = static_cast<char>(c.below(seed % 3 == 0 ? 16 : 256));
    out.push_back({"choices", bytes});
  }
  return out;
}

}  // namespace

std::vector<TargetSeeds> all_seeds(const std::vector<StoredModel>& stored) {
  std::vector<StoredModel> models = stored;
  for (StoredModel& m : small_models()) models.push_back(std::move(m));
  const std::vector<Seed> documents = accepted_definitions(models);
  std::vector<Seed> definitions = documents;
  add(definitions, refused_definitions());
  std::vector<Seed> json = document_seeds();
  add(json, documents);
  std::vector<Seed> neffs;
  for (const StoredModel& m : stored)
    if (const auto file = harness::to_neff(m.model, 1)) neffs.push_back({m.name, bytes_of(file->view())});
  add(neffs, containers());
  return {
      {"defjson_bytes", definitions},
      {"descriptor", choices()},
      {"dtype", dtypes()},
      {"image_bytes", images()},
      {"image_records", images()},
      {"json_dialect", json},
      {"neff", neffs},
      {"neff_members", packed(models)},
      {"subgraph", whole_models(models)},
      {"text_equiv", text_pairs(documents)},
  };
}

}  // namespace assay::fuzz
