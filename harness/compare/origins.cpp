// SPDX-License-Identifier: Apache-2.0
#include "harness/compare/origins.h"

#include "oracle/manifest/definition/definition.h"

namespace assay::harness::compare {
namespace {

const Json* find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

// A definition that no manifest names, and its engines' members, as documents.
void read_unnamed(Model& model, const std::string& definition) {
  for (const GraphPaths& g : graphs_of(model))
    if (g.definition == definition) return;  // it is a document already, or it cannot be one
  const auto turn = [&](const std::string& path) -> const Json* {
    const auto it = model.members.find(path);
    if (it == model.members.end()) return nullptr;
    if (!it->second.is_json())
      if (auto doc = document_in(path, it->second.bytes)) it->second = {std::move(*doc), {}};
    return it->second.is_json() ? &it->second.doc : nullptr;
  };
  const Json* def = turn(definition);
  if (def == nullptr) return;
  for (const char* engine : kEngineKeys)
    if (const Json* name = find(*def, engine); name != nullptr && name->is_string())
      turn(std::string(directory_of(definition)) + name->get<std::string>());
}

// The JSON of every block in DMB-001's order.
std::vector<const Json*> blocks_of(const Model& model, const std::string& definition) {
  std::vector<const Json*> blocks;
  const auto add = [&](const Json& from) {
    if (const Json* dma = find(from, "dma"); dma != nullptr && dma->is_array())
      for (const Json& b : *dma) blocks.push_back(&b);
  };
  const auto def = model.members.find(definition);
  if (def == model.members.end() || !def->second.is_json()) return blocks;
  add(def->second.doc);
  const std::string directory(directory_of(definition));
  for (const char* engine : kEngineKeys) {
    const Json* name = find(def->second.doc, engine);
    if (name == nullptr || !name->is_string()) continue;
    const auto member = model.members.find(directory + name->get<std::string>());
    if (member != model.members.end() && member->second.is_json()) add(member->second.doc);
  }
  return blocks;
}

}  // namespace

void Origins::read() {
  read_ = true;
  if (request_ == nullptr) return;
  if (documents_ == nullptr) {
    model_ = from_members(*request_->members, {});
    read_unnamed(model_, request_->definition);
  }
  const Model& model = documents_ == nullptr ? model_ : *documents_;
  Options options;
  options.allow_legacy = request_->allow_legacy;
  const auto resources = read_definition(*request_->members, request_->definition,
                                         static_cast<ArchType>(request_->target), options);
  if (!resources) return;
  const auto json = blocks_of(model, request_->definition);
  if (json.size() != resources->blocks.size()) return;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Block& block = resources->blocks[i];
    const Json* function = find(*json[i], "function_start");
    const Json* desc = find(*json[i], "desc");
    for (std::size_t d = 0; d < block.desc.size(); ++d)
      by_instance_[{block.queue, block.instance}].push_back(
          {json[i], desc != nullptr && d < desc->size() ? &(*desc)[d] : nullptr,
           function != nullptr && function->is_string() && !function->get_ref<const std::string&>().empty(),
           block.section_start});
  }
}

std::optional<Origin> Origins::of(std::uint64_t queue, std::uint64_t instance, std::uint64_t index) {
  if (!read_) read();
  const auto it = by_instance_.find({queue, instance});
  if (it == by_instance_.end() || index >= it->second.size()) return std::nullopt;
  return it->second[index];
}

}  // namespace assay::harness::compare
