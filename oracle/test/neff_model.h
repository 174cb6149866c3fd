// SPDX-License-Identifier: Apache-2.0
// A small whole model above its sub-graphs: neff.json, a KELF descriptor and two graphs, each an
// editable document. The graph-level model is model.h's.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "oracle/test/model.h"

namespace assay::test {

struct NeffModel {
  Json neff = Json::parse(R"({
    "nodes": [
      {"op": "null", "name": "a"},
      {"op": "null", "name": "b", "attrs": {}},
      {"op": "tvm_op", "name": "k", "attrs": {"func_name": "__kelf", "kelf": "k.json"},
       "output_names": ["x", "y"]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0], [2, 1, 0]], "node_row_ptr": [0, 1, 2, 4],
    "attrs": {"dltype": ["list_str", ["float16", "int32", "uint64", "float8e4"]],
              "shape": ["list_shape", [[2, 3], [5], [], [7, 11]]]}})");
  Json kelf = Json::parse(R"({"version": "0.5", "target": "cayman", "graphs": [
    {"name": "first", "definition": "sg00/def.json"},
    {"name": "second", "definition": "sg01/def.json"}]})");
  std::map<std::string, std::string> files;  // every other member, by its whole path
  Options options;
  std::string raw_neff;  // when not empty, the bytes of neff.json

  NeffModel() {
    for (const char* sg : {"sg00/", "sg01/"}) {
      files[std::string(sg) + "def.json"] = small_model().def.dump();
    }
    options.arch = ArchType::CAYMAN;
  }

  Members members() const {
    Members m;
    for (const auto& [path, bytes] : files) m.put(path, Buffer(std::string_view(bytes)));
    if (!neff.is_discarded())
      m.put("neff.json", Buffer(std::string_view(raw_neff.empty() ? neff.dump() : raw_neff)));
    if (!kelf.is_discarded()) m.put("k.json", Buffer(std::string_view(kelf.dump())));
    return m;
  }
  Result<Lowered> lower() const { return lower_members(members(), options); }
};

inline Json no_member() { return Json(Json::value_t::discarded); }

inline std::optional<Lowered> must_lower(const NeffModel& m) {
  auto lowered = m.lower();
  if (lowered) return std::move(*lowered);
  ADD_FAILURE() << lowered.error().text();
  return std::nullopt;
}

// The twin lowers; with `fault` applied it is refused for `reason` at exactly `place`.
inline void expect_refused(const NeffModel& twin, const std::function<void(NeffModel&)>& fault,
                           Reason reason, const std::string& place) {
  must_lower(twin);
  NeffModel broken = twin;
  fault(broken);
  const auto lowered = broken.lower();
  ASSERT_FALSE(lowered.has_value()) << "accepted, expected " << row_of(reason).id;
  EXPECT_EQ(row_of(lowered.error().reason).id, row_of(reason).id) << lowered.error().text();
  EXPECT_EQ(lowered.error().place.text(), place) << lowered.error().text();
}

inline void expect_accepted(const NeffModel& base, const std::function<void(NeffModel&)>& change) {
  NeffModel m = base;
  change(m);
  must_lower(m);
}

}  // namespace assay::test
