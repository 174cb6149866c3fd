// SPDX-License-Identifier: Apache-2.0
// A model with an act engine and two function sets, "exp" (named by the engine) and "gelu".
#pragma once

#include <string>

#include "oracle/test/edit.h"

namespace assay::test {

inline Model act_model() {
  Model m = small_model();
  m.def["act"] = "act.json";
  m.files["act.json"] = R"({"activation_function_sets": ["exp"], "act_info": "act_info.json"})";
  m.files["act_info.json"] = R"({"act_func_sets": [
    {"name": "exp", "bkt_bin": "bkt.bin", "ctrl_bin": "ctrl.bin", "profile_json": "profile.json"},
    {"name": "gelu", "bkt_bin": "empty.bin", "ctrl_bin": "gelu.bin",
     "profile_json": "none.json"}]})";
  m.files["profile.json"] = R"({"profile_meta_data": [{"func_id": 7}]})";
  m.files["none.json"] = R"({"profile_meta_data": []})";
  m.files["bkt.bin"] = "exp bkt";
  m.files["ctrl.bin"] = "exp ctrl";
  m.files["empty.bin"] = "";
  m.files["gelu.bin"] = "gelu ctrl";
  return m;
}

inline std::string text_of(const std::uint8_t* bytes, std::size_t n) {
  return {reinterpret_cast<const char*>(bytes), n};
}

}  // namespace assay::test
