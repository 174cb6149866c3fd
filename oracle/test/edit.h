// SPDX-License-Identifier: Apache-2.0
// Edits of a model by JSON pointer, and what an edited model must show: refused at an exact place,
// ignored altogether, or lowered so that a record can be looked at. It adds to model.h what tables
// of many like cases need; it knows no rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/test/model.h"

namespace assay::test {

using Change = std::function<void(Model&)>;

// Puts a value at a pointer of def.json; "-" appends to an array.
inline Change set(const std::string& pointer, const Json& value) {
  return [=](Model& m) { m.def[Json::json_pointer(pointer)] = value; };
}

// Takes the value at a pointer of def.json away.
inline Change drop(const std::string& pointer) {
  return [=](Model& m) {
    const Json::json_pointer at(pointer);
    Json& parent = m.def.at(at.parent_pointer());
    if (parent.is_array())
      parent.erase(std::stoul(at.back()));
    else
      parent.erase(at.back());
  };
}

// The same in a neighbour of def.json.
inline Change set_in(const std::string& member, const std::string& pointer, const Json& value) {
  return
      [=](Model& m) { m.edit(member, [&](Json& j) { j[Json::json_pointer(pointer)] = value; }); };
}
inline Change drop_in(const std::string& member, const std::string& pointer) {
  return [=](Model& m) {
    m.edit(member, [&](Json& j) {
      const Json::json_pointer at(pointer);
      j.at(at.parent_pointer()).erase(at.back());
    });
  };
}

// Puts a literal at a pointer of def.json that nlohmann would not write so ("1e2", "-0"). The last
// edit of a model: later ones would not be seen.
inline Change literal(const std::string& pointer, const std::string& text) {
  return [=](Model& m) {
    m.def[Json::json_pointer(pointer)] = "@literal@";
    m.raw = m.def.dump();
    const std::string mark = "\"@literal@\"";
    m.raw.replace(m.raw.find(mark), mark.size(), text);
  };
}

inline Change without_member(const std::string& name) {
  return [=](Model& m) { ASSERT_EQ(m.files.erase(name), 1U); };
}

inline Change operator+(const Change& a, const Change& b) {
  return [=](Model& m) {
    a(m);
    b(m);
  };
}

inline Model edited(Model m, const Change& change) {
  change(m);
  return m;
}

// The image's bytes; fails the test where there is none.
inline std::string image_of(const Model& m) {
  const auto tree = must_lower(m);
  if (!tree) return {};
  const auto image = encode(*tree);
  return image ? std::string(image->text()) : std::string();
}

// A change that decides no byte (JSN-012, JSN-013).
inline void expect_ignored(const Model& base, const Change& change) {
  EXPECT_TRUE(image_of(base) == image_of(edited(base, change))) << "the images differ";
}
// A change that decides at least one.
inline void expect_seen(const Model& base, const Change& change) {
  EXPECT_FALSE(image_of(base) == image_of(edited(base, change))) << "the images are equal";
}

// Refused for `reason` at exactly `at` ("/dma/0/id", or "pe.json/dma/0/id" below sg00/); the twin
// without the fault is accepted.
inline void expect_refused_at(const Model& twin, const Change& fault, Reason reason,
                              const std::string& at) {
  const bool in_def = at.empty() || at.front() == '/';
  const std::string place = in_def ? "sg00/def.json" + at : "sg00/" + at;
  SCOPED_TRACE(place);
  expect_refused(twin, fault, reason);
  const auto tree = lower_model(edited(twin, fault));
  if (!tree) {
    EXPECT_EQ(tree.error().place.text(), place);
  }
}

// One refusal of a table.
struct Fault {
  const char* what;
  Change change;
  Reason reason;
  std::string at;
};
inline void expect_all_refused(const Model& twin, const std::vector<Fault>& faults) {
  for (const Fault& f : faults) {
    SCOPED_TRACE(f.what);
    expect_refused_at(twin, f.change, f.reason, f.at);
  }
}

// Every JSON value that is not of a wanted type, to try on keys that are or are not read.
inline std::vector<Json> values_of_every_type() {
  return {nullptr, true, -1, 1.5, "text", Json::array(), Json::object()};
}

// Keys that are not read, whatever they hold.
inline void expect_never_read(const Model& base, const std::vector<std::string>& pointers) {
  const std::string want = image_of(base);
  for (const std::string& pointer : pointers) {
    for (const Json& value : values_of_every_type()) {
      SCOPED_TRACE(pointer + " = " + value.dump());
      EXPECT_TRUE(image_of(edited(base, set(pointer, value))) == want);
    }
  }
}

inline kbin_dma_t& queue_at(Tree& t, std::size_t queue) { return *t.root().dma[queue]; }
inline kbin_dma_ring_instance_t& instance_at(Tree& t, std::size_t queue, std::size_t instance) {
  return *instances_of(t.root().dma[queue])[instance];
}
inline kbin_dma_desc_t& desc_at(Tree& t, std::size_t queue, std::size_t instance, std::size_t i) {
  return desc_of(&instance_at(t, queue, instance))[i];
}

inline const std::vector<ArchType> kTargets = {ArchType::SUNDA, ArchType::CAYMAN,
                                               ArchType::MARIANA};

// Two variables, one data queue "q" and one block of one copy.
inline Model dma_model() {
  Model m;
  m.def = Json::parse(R"({
    "var": {"in": {"type": "input", "var_id": 1, "size": 4096},
            "out": {"type": "output", "var_id": 0, "size": 4096}},
    "runtime_statebuffer_reservation": [],
    "dma_queue": {"q": {"type": "data", "owner": "pe"}},
    "dma": [{"id": 1, "queue": "q", "desc": [{"from": "in", "to": "out", "size": 64}]}]})");
  return m;
}

inline const std::string kDesc = "/dma/0/desc/0";  // dma_model's descriptor

// A valid descriptor of that op, with `sources` sources where it computes.
inline Json desc_of_op(const std::string& op, std::size_t sources = 1) {
  if (op == "copy" || op == "cast" || op == "transpose")
    return {{"op", op}, {"from", "in"}, {"to", "out"}, {"size", 64}};
  Json d = {{"op", op}, {"to", "out"}, {"to_dtype", "float32"}, {"size", 64}};
  d["from_arr"] = Json::array();
  for (std::size_t i = 0; i < sources; ++i)
    d["from_arr"].push_back({{"from", "in"}, {"from_off", i}, {"from_dtype", "float16"}});
  return d;
}
inline Model desc_model(const Json& desc, ArchType target = ArchType::CAYMAN) {
  Model m = dma_model();
  m.def["dma"][0]["desc"][0] = desc;
  m.target = target;
  return m;
}

}  // namespace assay::test
