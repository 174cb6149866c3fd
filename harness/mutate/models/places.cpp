// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/models/places.h"

#include <algorithm>

namespace assay::harness::mutating {
namespace {

using reduce::array_at;
using reduce::at;
using reduce::document;
using reduce::text_at;

const std::string kEngines[] = {"pe", "act", "pool", "dve", "sp"};

}  // namespace

std::string_view profile_key(std::string_view field) {
  return field == "sym_opt_use_neg_region" ? "symmetry_opt_use_neg_region" : field;
}

Places::Places(Model& model) : graphs(reduce::definitions_of(model)) {
  all.reserve(64);
  manifests(model);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    definitions.push_back(document(model, graphs[i].path));
    definition(model, i);
  }
}

void Places::add(Object object, Json* value, std::size_t graph, const std::string* name, Json* up) {
  if (value == nullptr || !value->is_object()) return;
  all.push_back({object, value, up, graph, name});
  ++count[static_cast<std::size_t>(object)];
}

void Places::each(Object object, Json* array, std::size_t graph) {
  if (array == nullptr) return;
  for (Json& element : *array) add(object, &element, graph);
}

void Places::manifests(Model& model) {
  Json* neff = document(model, "neff.json");
  add(Object::Neff, neff);
  add(Object::NeffAttrs, at(neff, "attrs"));
  if (Json* nodes = array_at(neff, "nodes"))
    for (Json& node : *nodes) {
      add(Object::NeffNode, &node);
      add(Object::NeffNodeAttrs, at(&node, "attrs"));
    }
  Json* kelf = document(model, kelf_path(model));
  add(Object::Kelf, kelf);
  each(Object::KelfGraph, array_at(kelf, "graphs"), kNoGraph);
}

void Places::blocks(Json* doc, std::size_t graph) {
  Json* list = array_at(doc, "dma");
  if (list == nullptr) return;
  for (Json& block : *list) {
    add(Object::Block, &block, graph);
    Json* descriptors = array_at(&block, "desc");
    if (descriptors == nullptr) continue;
    for (Json& d : *descriptors) {
      add(Object::Desc, &d, graph);
      if (Json* sources = array_at(&d, "from_arr"))
        for (Json& source : *sources) add(Object::Source, &source, graph, nullptr, &d);
    }
  }
}

void Places::libraries(Model& model, Json* def, std::size_t graph) {
  Json* list = array_at(def, "ucode_lib");
  if (const std::string* name = text_at(def, "ucode_lib")) {
    list = document(model, graphs[graph].directory + *name);
    if (list != nullptr && !list->is_array()) list = nullptr;
  }
  if (list == nullptr) return;
  for (Json& library : *list) {
    add(Object::Ucode, &library, graph);
    each(Object::UcodeFunction, array_at(&library, "functions"), graph);
  }
}

void Places::engine(Model& model, Json* doc, const std::string& name, std::size_t graph) {
  add(Object::Engine, doc, graph, &name);
  Json* tables = at(doc, "dve_tables");
  if (tables != nullptr && tables->is_array()) each(Object::DveTables, tables, graph);
  else add(Object::DveTables, tables, graph);
  const std::string* member = text_at(doc, "act_info");
  Json* info = member == nullptr ? nullptr : document(model, graphs[graph].directory + *member);
  add(Object::ActInfo, info, graph);
  Json* sets = array_at(info, "act_func_sets");
  if (sets == nullptr) return;
  for (Json& set : *sets) {
    add(Object::ActSet, &set, graph);
    const std::string* profile = text_at(&set, "profile_json");
    Json* file = profile == nullptr ? nullptr : document(model, graphs[graph].directory + *profile);
    add(Object::ProfileFile, file, graph);
    each(Object::Profile, array_at(file, "profile_meta_data"), graph);
  }
}

void Places::definition(Model& model, std::size_t graph) {
  Json* def = definitions[graph];
  add(Object::Def, def, graph);
  for (const auto& [key, object] : {std::pair{"var", Object::Var}, std::pair{"dma_queue", Object::Queue}}) {
    Json* named = at(def, key);
    if (named == nullptr || !named->is_object()) continue;
    for (auto it = named->begin(); it != named->end(); ++it) {
      add(object, &*it, graph, &it.key());
      if (object == Object::Queue) add(Object::DynamicDma, at(&*it, "dynamic_dma"), graph);
    }
  }
  add(Object::CcStreams, at(def, "cc_streams"), graph);
  Json* ext = at(def, "ext_isa_ucode_lib_def");
  add(Object::ExtIsa, ext, graph);
  each(Object::UcodeFunction, array_at(ext, "functions"), graph);
  libraries(model, def, graph);
  each(Object::Carveout, array_at(def, "runtime_statebuffer_reservation"), graph);
  add(Object::Fp8, at(def, "fp8_conversion_config"), graph);
  for (const std::string& path : graphs[graph].documents) blocks(document(model, path), graph);
  for (const std::string& name : kEngines)
    if (const std::string* member = text_at(def, name))
      if (Json* doc = document(model, graphs[graph].directory + *member)) engine(model, doc, name, graph);
}

}  // namespace assay::harness::mutating
