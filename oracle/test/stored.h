// SPDX-License-Identifier: Apache-2.0
// What a lowering stored, by path: the image of a model's tree, decoded and walked. And edits of a
// document that a DOM cannot hold, such as -0 or 1e2. Nothing here asserts beyond "it lowers".
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "oracle/test/model.h"

namespace assay::test {

class Stored {
 public:
  explicit Stored(const Tree& tree) {
    const auto image = encode(tree);
    if (!image) {
      ADD_FAILURE() << image.error().text();
      return;
    }
    const auto view = decode(image->view());
    if (!view) {
      ADD_FAILURE() << view.error().text();
      return;
    }
    walk(*view, [&](const FieldVisit& v) {
      values_[v.path] = v.is_null ? "NULL" : std::string(as_text(v.raw));
    });
  }
  explicit Stored(const Model& m) : Stored(lowered(m)) {}

  bool has(const std::string& path) const { return values_.count(path) != 0; }
  // A value's bytes; strings and char arrays without their NUL, "NULL" for a NULL pointer.
  std::string text(const std::string& path) const {
    const auto at = values_.find(path);
    if (at != values_.end()) return at->second;
    ADD_FAILURE() << "no " << path;
    return "?";
  }
  // A little-endian integer of at most 64 bits, not sign-extended.
  std::uint64_t number(const std::string& path) const {
    std::uint64_t n = 0;
    const std::string bytes = text(path);
    EXPECT_LE(bytes.size(), 8u) << path;
    std::memcpy(&n, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return n;
  }
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  static Tree lowered(const Model& m) {
    auto tree = must_lower(m);
    return tree ? std::move(*tree) : Tree();
  }
  std::map<std::string, std::string> values_;
};

// Puts a literal, as text, at a JSON pointer of def.json or of another member.
inline void put_raw(Model& m, const std::string& member, const std::string& pointer,
                    const std::string& literal) {
  const bool is_def = member == "def.json";
  Json doc = is_def ? m.def : Json::parse(m.files.at(member));
  doc[Json::json_pointer(pointer)] = "@literal@";
  std::string text = doc.dump();
  text.replace(text.find("\"@literal@\""), 11, literal);
  (is_def ? m.raw : m.files[member]) = text;
}

// The reason's id, or "ok".
inline std::string outcome_of(const Model& m) {
  const auto tree = lower_model(m);
  return tree ? "ok" : std::string(row_of(tree.error().reason).id);
}

}  // namespace assay::test
