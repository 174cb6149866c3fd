// SPDX-License-Identifier: Apache-2.0
// Small models for tests: a def.json as an editable document with its neighbours, lowered in one
// call, and the assertion that a refusal and its twin differ by the one fault.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

namespace assay::test {

using Json = nlohmann::json;

struct Model {
  Json def;                                  // sg00/def.json
  std::map<std::string, std::string> files;  // other members below sg00/
  ArchType target = ArchType::CAYMAN;
  Options options;
  std::string raw;  // when not empty, the bytes of def.json instead of `def`

  Members members() const {
    Members m;
    m.put("sg00/def.json", Buffer(raw.empty() ? def.dump() : raw));
    for (const auto& [name, bytes] : files) m.put("sg00/" + name, Buffer(bytes));
    return m;
  }
  // Edits a JSON neighbour ("pe.json") in place.
  void edit(const std::string& name, const std::function<void(Json&)>& f) {
    Json j = Json::parse(files.at(name));
    f(j);
    files[name] = j.dump();
  }
};

// The least that lowers: one output, an empty carveout list.
inline Model small_model() {
  Model m;
  m.def = Json::parse(R"({"var":{"out":{"type":"output","var_id":0,"size":4}},
                          "runtime_statebuffer_reservation":[]})");
  return m;
}

// A model that uses every section, with something to break in each.
Model full_model();

inline Result<Tree> lower_model(const Model& m, std::vector<Place>* assumed = nullptr) {
  const Members members = m.members();
  return lower_definition(members, "sg00/def.json", m.target, 0, m.options, assumed);
}

// Lowers, encodes and inspects; fails the test with the refusal or the first finding.
inline std::optional<Tree> must_lower(const Model& m) {
  auto tree = lower_model(m);
  if (!tree) {
    ADD_FAILURE() << tree.error().text();
    return std::nullopt;
  }
  const auto image = encode(*tree);
  if (!image) {
    ADD_FAILURE() << image.error().text();
    return std::nullopt;
  }
  const Inspection seen = inspect(image->view());
  for (const Finding& f : seen.findings)
    ADD_FAILURE() << row_of(f.reason).requirement << " " << f.path << " " << f.detail;
  return std::move(*tree);
}

// The twin lowers, and the same model with `fault` applied is refused for `reason`, at a place
// whose text contains `place`.
inline void expect_refused(const Model& twin, const std::function<void(Model&)>& fault, Reason reason,
                           const std::string& place = {}) {
  must_lower(twin);
  Model broken = twin;
  fault(broken);
  const auto tree = lower_model(broken);
  ASSERT_FALSE(tree.has_value()) << "accepted, expected " << row_of(reason).id;
  EXPECT_EQ(row_of(tree.error().reason).id, row_of(reason).id) << tree.error().text();
  EXPECT_NE(tree.error().place.text().find(place), std::string::npos) << tree.error().text();
}

inline void expect_accepted(const Model& base, const std::function<void(Model&)>& change) {
  Model m = base;
  change(m);
  must_lower(m);
}

}  // namespace assay::test
