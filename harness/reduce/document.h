// SPDX-License-Identifier: Apache-2.0
// JSON documents under a reducer: pointers resolved without exceptions, every value with its place.
// It knows nothing of what a document means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/gen/model.h"

namespace assay::harness::reduce {

// The value at an RFC 6901 pointer, or nullptr: on any document, for any text.
const Json* find(const Json& root, std::string_view pointer);
inline Json* find(Json& root, std::string_view pointer) {
  return const_cast<Json*>(find(static_cast<const Json&>(root), pointer));
}

// The value of a key, or nullptr; of anything, nullptr included.
const Json* at(const Json* value, std::string_view key);
inline Json* at(Json* value, std::string_view key) {
  return const_cast<Json*>(at(static_cast<const Json*>(value), key));
}
// The same where it is a string, an integer not below 0, an array.
const std::string* text_at(const Json* value, std::string_view key);
std::optional<std::uint64_t> number_of(const Json* value);  // an integer not below 0
std::optional<std::uint64_t> number_at(const Json* value, std::string_view key);
const Json* array_at(const Json* value, std::string_view key);
inline Json* array_at(Json* value, std::string_view key) {
  return const_cast<Json*>(array_at(static_cast<const Json*>(value), key));
}
// The document of a member, or nullptr.
const Json* document(const Model& model, const std::string& path);
Json* document(Model& model, const std::string& path);

// `pointer` one token further.
std::string below(std::string_view pointer, std::string_view key);
std::string below(std::string_view pointer, std::size_t index);

struct Node {
  const Json* value;
  std::size_t parent;            // index of its node; the root's is its own
  const std::string* key;        // in an object, or nullptr
  std::size_t index;             // in its parent
};
// Every value of a document, in the order they are written.
std::vector<Node> nodes_of(const Json& root);
std::string pointer_of(const std::vector<Node>& nodes, std::size_t node);

}  // namespace assay::harness::reduce
