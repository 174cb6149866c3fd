// SPDX-License-Identifier: Apache-2.0
// Every object of a model that a lowering reads, by its kind in keys.def, with the sub-graph it
// belongs to. Found by way of the manifests, on any model; what does not look as it should is left
// out. Nothing here changes a model.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/gen/model.h"
#include "harness/reduce/references.h"

namespace assay::harness::mutating {

// The kinds of objects in keys.def, in its order; and the entries of profile_meta_data, whose keys
// are the fields of kbin_act_profile_data_t.
enum class Object : std::uint8_t {
#define KEYS_BEGIN(object) object,
#define KEY(object, key)
#define KEYS_END(object)
#include "oracle/manifest/keys.def"
#undef KEYS_BEGIN
#undef KEY
#undef KEYS_END
  Profile,
  count_,
};
inline constexpr std::size_t kObjects = static_cast<std::size_t>(Object::count_);
inline constexpr std::size_t kNoGraph = ~std::size_t{0};

struct Place {
  Object object = Object::Kelf;
  Json* value = nullptr;              // an object
  Json* up = nullptr;                 // the descriptor of a source, or nullptr
  std::size_t graph = kNoGraph;       // index into Places::graphs
  const std::string* name = nullptr;  // of a variable, queue or engine
};

// Borrows from the model, which must not lose what is found.
struct Places {
  explicit Places(Model& model);

  std::vector<reduce::Definition> graphs;
  std::vector<Json*> definitions;  // beside graphs
  std::vector<Place> all;          // kind by kind within a sub-graph
  std::array<std::uint32_t, kObjects> count{};

 private:
  void add(Object object, Json* value, std::size_t graph = kNoGraph, const std::string* name = nullptr,
           Json* up = nullptr);
  void each(Object object, Json* array, std::size_t graph);
  void manifests(Model& model);
  void definition(Model& model, std::size_t graph);
  void blocks(Json* document, std::size_t graph);
  void libraries(Model& model, Json* def, std::size_t graph);
  void engine(Model& model, Json* document, const std::string& name, std::size_t graph);
};

// The name of a profile's key for a field of its record.
std::string_view profile_key(std::string_view field);

}  // namespace assay::harness::mutating
