// SPDX-License-Identifier: Apache-2.0
// The reducer of models on invalid ones, on twins, on garbage and at its limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "harness/gen/gen.h"
#include "harness/reduce/reduce.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kMostChecks = 5000;

// ---- single edits ----

Json parsed(const char* text) { return Json::parse(text, nullptr, false); }

struct Row {
  const char* name;
  ModelEdit edit;  // `member` is def.json unless it says otherwise
  const char* before;
  const char* after;  // nullptr: no such part
};
using Kind = ModelEdit::Kind;

ModelEdit named(Kind kind, std::vector<std::string> names, std::string pointer = {}) {
  ModelEdit e;
  e.kind = kind;
  e.member = "def.json";
  e.pointer = std::move(pointer);
  e.names = std::move(names);
  return e;
}
ModelEdit range(const char* pointer, std::uint64_t first, std::uint64_t count, const char* member = "def.json") {
  ModelEdit e;
  e.member = member;
  e.pointer = pointer;
  e.first = first;
  e.count = count;
  return e;
}

constexpr const char* kBlocks = R"({"var":{},"dma_queue":{"p":{"queue_instances":["i","j"]},
         "q":{"queue_instances":["k"]}},
  "dma":[{"queue":"p"},{"queue":"q"},{"instance_name":"i"},{"instance_name":"k","queue":"p"},
         {"instance_name":"new","queue":"p"}]})";

const Row kRows[] = {
    {"ids are renumbered, gaps and doubles kept", named(Kind::drop_variables, {"b"}),
     R"({"var":{"a":{"var_id":0},"b":{"var_id":1},"c":{"var_id":3},"d":{"var_id":3},"e":{"var_id":"5"}}})",
     R"({"var":{"a":{"var_id":0},"c":{"var_id":2},"d":{"var_id":2},"e":{"var_id":"5"}}})"},
    {"an id that another variable has is not gone", named(Kind::drop_variables, {"b"}),
     R"({"var":{"a":{"var_id":1},"b":{"var_id":1},"p":{"type":"pointer","var_id":2,"referenced_var_id":1}}})",
     R"({"var":{"a":{"var_id":1},"p":{"type":"pointer","var_id":2,"referenced_var_id":1}}})"},
    {"pointers to what goes go, and pointers to them", named(Kind::drop_variables, {"a"}),
     R"({"var":{"a":{"var_id":0},"b":{"var_id":3,"type":"pointer","referenced_var_id":2},
         "c":{"var_id":2,"type":"pointer","referenced_var_id":0},
         "d":{"var_id":1,"type":"pointer","referenced_var_id":1},
         "e":{"var_id":4,"type":"remote","referenced_var_id":0}}})",
     R"({"var":{"d":{"var_id":0,"type":"pointer","referenced_var_id":0},
         "e":{"var_id":1,"type":"remote","referenced_var_id":0}}})"},
    {"lists lose what goes, and follow the numbers", named(Kind::drop_variables, {"b", "nobody"}),
     R"({"var":{"a":{"var_id":0,"type":"list","list":[0,1,2,"1",4294967295]},"b":{"var_id":1},
         "c":{"var_id":2,"type":"dge-table","list":[1,1,2,-1]}}})",
     R"({"var":{"a":{"var_id":0,"type":"list","list":[0,1,"1",4294967295]},
         "c":{"var_id":1,"type":"dge-table","list":[1,-1]}}})"},
    {"descriptors that name it go", named(Kind::drop_variables, {"a"}),
     R"({"var":{"a":{"var_id":0},"b":{"var_id":1}},"dma":[7,{"desc":[{"from":"a","to":"b"},{"from":"b","to":"a"},
         {"from":"b","to":"b"},{"to":"b","from_arr":[{"from":"b"},{"from":"a"}]},"a"]}]})",
     R"({"var":{"b":{"var_id":0}},"dma":[7,{"desc":[{"from":"b","to":"b"},"a"]}]})"},
    {"one variable for another", named(Kind::merge_variables, {"b", "a"}),
     R"({"var":{"a":{"var_id":0},"b":{"var_id":1},"c":{"var_id":2,"type":"list","list":[1,2]},
         "p":{"var_id":3,"type":"pointer","referenced_var_id":1}},"dma":[{"desc":[{"from":"b","to":"c"}]}]})",
     R"({"var":{"a":{"var_id":0},"c":{"var_id":1,"type":"list","list":[0,1]},
         "p":{"var_id":2,"type":"pointer","referenced_var_id":0}},"dma":[{"desc":[{"from":"a","to":"c"}]}]})"},
    {"no such variable", named(Kind::drop_variables, {"x"}), R"({"var":{"a":{"var_id":0}}})", nullptr},
    {"no variables at all", named(Kind::drop_variables, {"x"}), R"({"var":[1]})", nullptr},
    {"a queue goes with its blocks", named(Kind::drop_queues, {"p"}), kBlocks,
     R"({"var":{},"dma_queue":{"q":{"queue_instances":["k"]}},
         "dma":[{"queue":"q"},{"instance_name":"k","queue":"p"}]})"},
    {"names change places", named(Kind::rename_variables, {"a", "b", "b", "a"}),
     R"({"var":{"a":{"var_id":0},"b":{"var_id":1}},"dma":[{"desc":[{"from":"b","to":"c"}]}]})",
     R"({"var":{"b":{"var_id":0},"a":{"var_id":1}},"dma":[{"desc":[{"from":"a","to":"c"}]}]})"},
    {"a name that is taken", named(Kind::rename_variables, {"a", "b"}), R"({"var":{"a":1,"b":2}})", nullptr},
    {"queues and instances are renamed everywhere",
     named(Kind::rename_queues, {"p", "x", "k", "p", "new", "n"}), kBlocks,
     R"({"var":{},"dma_queue":{"x":{"queue_instances":["i","j"]},"q":{"queue_instances":["p"]}},
         "dma":[{"queue":"x"},{"queue":"q"},{"instance_name":"i"},{"instance_name":"p","queue":"x"},
         {"instance_name":"n","queue":"x"}]})"},
    {"steps go with sizes", range("/var/0/to_sizes", 1, 2), R"({"var":[{"to_sizes":[1,2,3],"to_steps":[4,5,6]}]})",
     R"({"var":[{"to_sizes":[1],"to_steps":[4]}]})"},
    {"not where they differ in length", range("/var/to_sizes", 1, 2),
     R"({"var":{"to_sizes":[1,2,3],"to_steps":[4,5]}})",
     R"({"var":{"to_sizes":[1],"to_steps":[4,5]}})"},
    {"keys that go together", named(Kind::drop_value, {"from_steps", "constant"}, "/var"),
     R"({"var":{"from_sizes":1,"from_steps":2,"constant":3,"constant_dtype":4,"to_sizes":5}})",
     R"({"var":{"to_sizes":5}})"},
    {"a range past the end", range("/var", 3, 1), R"({"var":[1,2,3]})", nullptr},
    {"no pointer", range("var/~2/01x", 0, 1), R"({"var":[1,2,3]})", nullptr},
};

TEST(ReduceModel, EditsTakeWhatRefersToIt) {
  for (const Row& row : kRows) {
    Model model;
    model.put("def.json", parsed(row.before));
    EXPECT_EQ(apply(row.edit, model), row.after != nullptr) << row.name;
    EXPECT_EQ(model.json("def.json"), parsed(row.after != nullptr ? row.after : row.before)) << row.name;
  }
}

TEST(ReduceModel, ANodeGoesFromEveryPartOfTheGraph) {
  Model model;
  model.put("neff.json", parsed(R"({"nodes":["a","b","c"],"node_row_ptr":[0,2,3,4],"arg_nodes":[0,1,2,"x"],
      "heads":[[2,0],[1,0],[0,1,5],[]],"attrs":{"dltype":["list_str",["p","q","r","s"]],"shape":["l",[0,1,2,3]]}})"));
  ASSERT_TRUE(apply(range("/nodes", 1, 1, "neff.json"), model));
  EXPECT_EQ(model.json("neff.json"), parsed(R"({"nodes":["a","c"],"node_row_ptr":[0,2,3],"arg_nodes":[0,1,"x"],
      "heads":[[1,0],[0,1,5],[]],"attrs":{"dltype":["list_str",["p","q","s"]],"shape":["l",[0,1,3]]}})"));
}

TEST(ReduceModel, MembersGoAndChangeTheirNamesWithTheirReferences) {
  Model model;
  model.put("kelf-a.json", parsed(R"({"graphs":[{"name":"g","definition":"0/def.json"},
         {"name":"h","definition":"1/def.json"}]})"));
  for (const std::string dir : {"0/", "1/"}) {
    model.put(dir + "def.json", parsed(R"({"var":{"w":{"file_name":"w.npy","size":3}},"pe":"pe.json"})"));
    model.put(dir + "pe.json", parsed(R"({"instr":"i.bin"})"));
    model.put_bytes(dir + "i.bin", "code");
    model.put_bytes(dir + "w.npy", std::string("\x93NUMPY\x01\0\x01\0 abc", 14));
    model.put_bytes(dir + "readme", "text");
  }
  ModelEdit edit = named(Kind::drop_graphs, {"h", "no such"});
  ASSERT_TRUE(apply(edit, model));
  ASSERT_EQ(model.members.size(), 7U);
  EXPECT_EQ(model.members.count("1/readme"), 1U);  // nobody names it: it goes for itself
  EXPECT_FALSE(apply(edit, model));

  ASSERT_TRUE(apply(named(Kind::rename_members, {"0/i.bin", "0/w.npy", "0/w.npy", "0/v.npy"}), model));
  EXPECT_EQ(model.json("0/pe.json")["instr"], "w.npy");
  EXPECT_EQ(model.json("0/def.json")["var"]["w"]["file_name"], "v.npy");
  EXPECT_EQ(model.members.at("0/w.npy").bytes, "code");
  EXPECT_FALSE(apply(named(Kind::rename_members, {"0/def.json", "0/pe.json"}), model));
  EXPECT_FALSE(apply(named(Kind::rename_members, {"0/pe.json", "pe.json"}), model));  // no name leads there

  edit.kind = Kind::shorten_bytes;
  edit.member = "0/v.npy";
  edit.count = 12;
  ASSERT_TRUE(apply(edit, model));
  EXPECT_EQ(model.json("0/def.json")["var"]["w"]["size"], 1U);  // it was right and stays right
  EXPECT_FALSE(apply(edit, model));
  model.json("0/def.json")["var"]["w"]["size"] = 9;
  edit.count = 11;
  ASSERT_TRUE(apply(edit, model));
  EXPECT_EQ(model.json("0/def.json")["var"]["w"]["size"], 9);  // it was wrong and stays wrong
}

// ---- whole reductions ----

TEST(ReduceModel, ChunksHalve) {
  static constexpr std::uint64_t kElements = 4096, kNeedle = 777;
  Model model;
  Json& list = model.members["def.json"].doc = {{"var", Json::object()}, {"dma", Json::array()}};
  for (std::uint64_t i = 0; i < kElements; ++i) list["dma"].push_back(i);
  const auto still = [](const Model& m) {
    const Json dma = m.members.count("def.json") == 0 ? Json() : m.members.at("def.json").doc.value("dma", Json());
    return std::find(dma.begin(), dma.end(), kNeedle) != dma.end();
  };
  const ReduceStats stats = reduce_model(model, still);
  EXPECT_EQ(model.json("def.json"), parsed(R"({"dma":[777]})"));
  EXPECT_LT(stats.checks, 80U);  // 12 halvings, and a round that brings nothing more
}

// A reduction of a near-miss with its twin beside it: each edit must leave the one broken in the
// same way, and the other lowering.
TEST(ReduceModel, NearMissesBecomeSmallWithTheirTwins) {
  for (const NearMissKind& kind : near_miss_kinds()) {
    RandomChoices c(7);
    GenOptions options;
    options.size.variables = 40;
    NearMiss miss = gen_near_miss(c, kind, options);
    std::size_t checks = 0;
    Cursor cursor;
    while (const auto edit = next_edit(miss.broken, cursor)) {
      ASSERT_LT(++checks, kMostChecks) << kind.name;
      Model broken = miss.broken, twin = miss.twin;
      if (!apply(*edit, broken) || !apply(*edit, twin)) continue;
      const auto refused = lower_model(broken);
      if (refused || refused.error().reason != kind.reason || !lower_model(twin)) continue;
      miss.broken = std::move(broken);
      miss.twin = std::move(twin);
      cursor.accept();
    }
    std::size_t bytes = 0;
    for (const auto& [path, member] : miss.broken.members) bytes += member.text().size();
    std::printf("%-32s %zu checks, %zu bytes\n", std::string(kind.name).c_str(), checks, bytes);
    EXPECT_LT(bytes, 7000U) << kind.name;  // 256 functions are 6300
  }
}

// Whoever accepts anything, or at random, comes to an end; and so does one who looks at garbage.
TEST(ReduceModel, ComesToAnEndWhateverIsAccepted) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    // Values in odd places: each document gets parts of others anywhere.
    std::vector<Json> parts;
    for (const auto& [path, member] : model.members)
      if (member.is_json())
        for (const Json& part : member.doc) parts.push_back(part);
    for (auto& [path, member] : model.members)
      for (int n = 0; member.is_json() && n < 6; ++n) {
        Json* at = &member.doc;
        while (at->is_structured() && !at->empty() && c.below(5) != 0) {
          auto it = at->begin();
          std::advance(it, static_cast<std::ptrdiff_t>(c.below(at->size())));
          at = &*it;
        }
        *at = c.pick(std::span<const Json>(parts));
      }
    const std::uint32_t percent = std::uint32_t{4} << seed % 5;
    ReduceLimits limits;
    limits.checks = 200000;
    const ReduceStats stats = reduce_model(model, [&](const Model&) { return c.chance(percent); }, limits);
    EXPECT_FALSE(stats.exhausted) << "seed " << seed << ": " << stats.accepted << " accepted of " << stats.checks;
  }
}

TEST(ReduceModel, EditsLeaveAModelWithoutTheirPartAlone) {
  RandomChoices c(3);
  const Model rich = gen_model(c, {ArchType::SUNDA, {2, 20, 4, 3, 6, 2, 3, 2, 3, 2, 300, 24}});
  Model poor;
  poor.put("kelf-0.json", {{"graphs", {1, {{"definition", "def.json"}}}}});
  poor.put("def.json", {{"var", 5}, {"dma", {{"desc", {0}}}}, {"dma_queue", {{"q", "x"}}}});
  std::size_t edits = 0;
  Cursor cursor;
  while (const auto edit = next_edit(rich, cursor)) {
    ++edits;
    Model changed = rich, copy = poor;
    if (!apply(*edit, copy)) {
      EXPECT_EQ(copy.members.size(), 2U);
      for (const auto& [path, member] : poor.members) EXPECT_EQ(copy.members.at(path).doc, member.doc);
    }
    const bool applied = apply(*edit, changed);
    bool same = changed.members.size() == rich.members.size();
    for (const auto& [path, member] : rich.members)
      same = same && changed.members.count(path) != 0 && changed.members.at(path).text() == member.text();
    EXPECT_EQ(applied, !same) << static_cast<int>(edit->kind) << " " << edit->member << edit->pointer;
  }
  EXPECT_GT(edits, 500U);
}

TEST(ReduceModel, StopsAtItsLimits) {
  RandomChoices c(4);
  Model model = gen_model(c);
  ReduceLimits limits;
  limits.checks = 10;
  const ReduceStats stats = reduce_model(model, [](const Model&) { return false; }, limits);
  EXPECT_TRUE(stats.exhausted);
  EXPECT_EQ(stats.checks, 10U);
  std::atomic<bool> stop = false;
  limits.stop = &stop;
  limits.checks = 1000;
  const ReduceStats stopped = reduce_model(model, [&](const Model&) { return !(stop = true); }, limits);
  EXPECT_TRUE(stopped.exhausted);
  EXPECT_EQ(stopped.checks, 1U);
}

}  // namespace
}  // namespace assay::harness
