// SPDX-License-Identifier: Apache-2.0
#include "conformance/vectors/rows.h"

#include <nlohmann/json.hpp>

#include "harness/cases/files.h"

namespace assay::conformance::vectors {
namespace {

CatalogueRows& catalogue() {
  static CatalogueRows rows;
  return rows;
}

}  // namespace

CatalogueRows read_catalogue(const std::string& path) {
  CatalogueRows out;
  const auto text = harness::read_whole(path);
  const auto j = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!j.is_object() || !j.contains("requirements")) return out;
  for (const auto& r : j["requirements"])
    out[r.at("id").get<std::string>()] = {r.at("level").get<std::string>(), r.at("observable").get<std::string>()};
  return out;
}

void use_catalogue(CatalogueRows rows) { catalogue() = std::move(rows); }

std::optional<Op> must_op(const std::string& requirement) {
  const auto it = catalogue().find(requirement);
  return it != catalogue().end() && it->second.level == "must" ? op_of(requirement) : std::nullopt;
}

std::optional<Op> op_of(const std::string& requirement) {
  const auto it = catalogue().find(requirement);
  return it == catalogue().end() ? std::nullopt : op_named(it->second.observable);
}

std::uint64_t seed_of(std::string_view name) {
  std::uint64_t h = 14695981039346656037U;
  for (const char ch : name) h = (h ^ static_cast<unsigned char>(ch)) * 1099511628211U;
  return h;
}

}  // namespace assay::conformance::vectors
