// SPDX-License-Identifier: Apache-2.0
// The catalogue and the suite as the tests of this room read them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite/load.h"
#include "harness/cases/files.h"

namespace assay::conformance::suite_test {

using Json = nlohmann::json;

struct Rows {
  std::vector<std::string> ids, levels, ops;
  std::vector<std::string_view> views;
  std::map<std::string, std::string, std::less<>> level_of;
};

inline const Rows& rows() {
  static const Rows all = [] {
    Rows r;
    std::ifstream in(ASSAY_CORPUS_DIR "/spec/requirements.json");
    const Json j = Json::parse(in, nullptr, false);
    if (!j.is_object()) return r;
    for (const Json& row : j["requirements"]) {
      r.ids.push_back(row["id"].get<std::string>());
      r.levels.push_back(row["level"].get<std::string>());
      r.ops.push_back(row["observable"].get<std::string>());
      r.level_of[r.ids.back()] = r.levels.back();
    }
    return r;
  }();
  static const Rows with_views = [] {
    Rows r = all;
    r.views.assign(r.ids.begin(), r.ids.end());
    return r;
  }();
  return with_views;
}

inline bool is_must(std::string_view id) {
  const auto it = rows().level_of.find(id);
  return it == rows().level_of.end() || it->second == "must";
}

// The suite's files: name -> text.
inline const std::map<std::string, std::string>& files() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> out;
    const std::string directory = ASSAY_SOURCE_DIR "/conformance/vectors";
    for (const std::string& name : harness::names_in(directory).value_or(std::vector<std::string>()))
      if (name.size() > 5 && name.substr(name.size() - 5) == ".json")
        out[name] = harness::read_whole(directory + "/" + name).value_or("");
    return out;
  }();
  return all;
}

inline const Suite& suite() {
  static const Suite loaded = [] {
    auto s = load_suite(ASSAY_SOURCE_DIR "/conformance/vectors", rows().views);
    if (s) return std::move(*s);
    for (const std::string& e : s.error()) ADD_FAILURE() << e;
    return Suite();
  }();
  return loaded;
}

}  // namespace assay::conformance::suite_test
