// SPDX-License-Identifier: Apache-2.0
#include "harness/reduce/document.h"

#include <algorithm>
#include <charconv>

namespace assay::harness::reduce {
namespace {

std::string unescaped(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
    out += !escape ? token[i] : token[++i] == '0' ? '~' : '/';
  }
  return out;
}

}  // namespace

const Json* find(const Json& root, std::string_view pointer) {
  const Json* value = &root;
  while (!pointer.empty()) {
    if (pointer[0] != '/') return nullptr;
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view token = pointer.substr(1, end - 1);
    pointer = pointer.substr(end);
    if (value->is_object()) {
      value = at(value, unescaped(token));
    } else if (value->is_array()) {
      std::size_t index = 0;
      const auto read = std::from_chars(token.data(), token.data() + token.size(), index);
      if (read.ec != std::errc() || read.ptr != token.data() + token.size() || index >= value->size()) return nullptr;
      value = &(*value)[index];
    } else {
      return nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

const Json* at(const Json* value, std::string_view key) {
  if (value == nullptr || !value->is_object()) return nullptr;
  const auto it = value->find(key);
  return it == value->end() ? nullptr : &*it;
}
const std::string* text_at(const Json* value, std::string_view key) {
  const Json* v = at(value, key);
  return v == nullptr ? nullptr : v->get_ptr<const std::string*>();
}
std::optional<std::uint64_t> number_of(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* u = value->get_ptr<const Json::number_unsigned_t*>()) return *u;
  const auto* i = value->get_ptr<const Json::number_integer_t*>();
  if (i == nullptr || *i < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*i);
}
std::optional<std::uint64_t> number_at(const Json* value, std::string_view key) { return number_of(at(value, key)); }
const Json* array_at(const Json* value, std::string_view key) {
  const Json* v = at(value, key);
  return v == nullptr || !v->is_array() ? nullptr : v;
}

const Json* document(const Model& model, const std::string& path) {
  const auto it = model.members.find(path);
  return it == model.members.end() || !it->second.is_json() ? nullptr : &it->second.doc;
}
Json* document(Model& model, const std::string& path) {
  return const_cast<Json*>(document(static_cast<const Model&>(model), path));
}

std::string below(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out += '/';
  for (const char c : key) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}
std::string below(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + "/" + std::to_string(index);
}

std::vector<Node> nodes_of(const Json& root) {
  std::vector<Node> nodes, open{{&root, 0, nullptr, 0}};
  while (!open.empty()) {  // no recursion: documents may be deep
    const Node node = open.back();
    open.pop_back();
    const std::size_t self = nodes.size();
    nodes.push_back(node);
    if (!node.value->is_structured()) continue;
    std::size_t index = 0;
    if (node.value->is_object()) {
      for (auto it = node.value->begin(); it != node.value->end(); ++it)
        open.push_back({&*it, self, &it.key(), index++});
    } else {
      for (const Json& element : *node.value) open.push_back({&element, self, nullptr, index++});
    }
    std::reverse(open.end() - static_cast<std::ptrdiff_t>(index), open.end());
  }
  return nodes;
}

std::string pointer_of(const std::vector<Node>& nodes, std::size_t node) {
  std::vector<std::size_t> way;
  for (; nodes[node].parent != node; node = nodes[node].parent) way.push_back(node);
  std::string out;
  for (auto it = way.rbegin(); it != way.rend(); ++it)
    out = nodes[*it].key != nullptr ? below(out, *nodes[*it].key) : below(out, nodes[*it].index);
  return out;
}

}  // namespace assay::harness::reduce
