// SPDX-License-Identifier: Apache-2.0
// A model as the harness holds it: the members of a NEFF, JSON ones as documents, blobs as bytes,
// and the options it is lowered with. Generators make it, mutators and reducers edit it, and it is
// stored in the real format only. It may be valid or not: nothing here checks.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle/base/options.h"
#include "oracle/container/container.h"
#include "oracle/lower/lower.h"

namespace assay::harness {

using Json = nlohmann::json;

// One member: a JSON document, or raw bytes (`doc` is then discarded).
struct ModelMember {
  Json doc = Json(Json::value_t::discarded);
  std::string bytes;

  bool is_json() const { return !doc.is_discarded(); }
  std::string text() const;  // the member's bytes; documents as nlohmann dumps them
};

struct Model {
  std::map<std::string, ModelMember> members;  // archive path -> member
  Options options;                             // arch, allow_legacy, fp8 overrides ...

  Json& json(const std::string& path) { return members.at(path).doc; }
  void put(const std::string& path, Json doc) { members[path] = {std::move(doc), {}}; }
  void put_bytes(const std::string& path, std::string bytes) {
    members[path] = {Json(Json::value_t::discarded), std::move(bytes)};
  }
};

// The keys of a definition that name its engines' members.
inline constexpr const char* kEngineKeys[] = {"pe", "act", "pool", "dve", "sp"};

// What the manifests of a model name, found without judging it.
struct GraphPaths {
  std::string name, definition, directory;  // directory with its slash
  std::map<std::string, std::string> engines;  // "pe" -> member path, where that is JSON
};
std::vector<GraphPaths> graphs_of(const Model& model);

// The path of the KELF descriptor, whether or not there is such a member (CON-017, CON-018); or "".
std::string kelf_path(const Model& model);

// Model -> members, byte for byte what a NEFF of it would hold.
Members to_members(const Model& model);
// Members -> model: the JSON members that manifests name become documents when they parse (first of
// duplicate keys, as the dialect has it), everything else stays bytes.
Model from_members(const Members& members, const Options& options);
// The document in a member's bytes, if the oracle's reader takes them and a document can hold them.
std::optional<Json> document_in(const std::string& path, const std::string& bytes);

// In the real format: a NEFF file's bytes; or a directory with the options beside it.
Result<Buffer> to_neff(const Model& model, std::uint64_t pkg_version = 2);

// The oracle's answer.
Result<Lowered> lower_model(const Model& model);

}  // namespace assay::harness
