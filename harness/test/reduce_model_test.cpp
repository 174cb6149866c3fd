// SPDX-License-Identifier: Apache-2.0
// Failures planted in models of 200 variables come to the minimal forms stated here, in few checks.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "harness/gen/gen.h"
#include "harness/reduce/reduce.h"
#include "oracle/tree/tree.h"

namespace assay::harness {
namespace {

constexpr std::uint64_t kSeeds = 10, kMostChecks = 600;
constexpr std::size_t kVariables = 200;

struct Planted {
  const char* name;
  void (*plant)(Choices&, Model&, Json& def, const std::string& dir);
  bool (*fails)(const Tree&, const Json& def);  // of a graph that lowers
  const char* definition;         // what def.json comes to
  std::vector<std::pair<std::string, std::string>> members = {};  // and other members of its directory
};

// ---- the model around it: generated, with nothing in it that a predicate below could mean ----

void tame(Json& value) {
  if (value.is_array())
    for (Json& v : value) tame(v);
  if (!value.is_object()) return;
  value.erase("ocp_sat");
  value.erase("function_start");
  if (value.value("type", Json()) == "pointer") value["type"] = "remote";
  for (auto it = value.begin(); it != value.end(); ++it) {
    const std::string& key = it.key();
    const bool pattern = key == "from_sizes" || key == "from_steps";
    const std::size_t most = pattern ? 3 : key == "from_arr" ? 4 : key == "profile_meta_data" ? 2 : ~std::size_t{0};
    while (it->is_array() && it->size() > most) it->erase(it->size() - 1);
    if ((key == "backing_variable_off" || key == "size") && it->is_number_unsigned())
      if (value.contains("backing_variable_off")) *it = it->get<std::uint64_t>() & 0xFFFF;
    tame(*it);
  }
}

Model noise(Choices& c, std::string& definition, std::string& dir) {
  GenOptions options;
  options.target = ArchType::SUNDA;
  options.size = {2, kVariables - 20, 8, 2, 20, 4, 4, 3, 4, 2, 600, 30};
  Model model = gen_model(c, options);
  for (auto& [path, member] : model.members) {
    if (member.is_json()) tame(member.doc);
    else if (path.size() < 4 || path.substr(path.size() - 4) != ".npy") {
      ModelEdit slots;
      slots.kind = ModelEdit::Kind::shorten_bytes;
      slots.member = path;
      slots.count = member.bytes.size() / 64 * 64;
      apply(slots, model);
    }
  }
  definition = graphs_of(model)[0].definition;
  dir = graphs_of(model)[0].directory;
  Json& var = model.json(definition)["var"];
  for (std::size_t i = var.size(); i < kVariables; ++i)
    var["filler " + std::to_string(i)] = {
        {"type", i % 2 == 0 ? "input" : "tmp-buf"}, {"var_id", i}, {"size", c.bits()}};
  return model;
}

// ---- what is planted ----

std::string add_variable(Choices& c, Json& def, const char* type, Json more = Json::object()) {
  Json& var = def["var"];
  more["type"] = type;
  more["var_id"] = var.size();
  if (!more.contains("size")) more["size"] = c.bits();
  const std::string name = "planted variable of type " + std::string(type) + " " + std::to_string(var.size());
  var[name] = std::move(more);
  return name;
}

Json side(Choices& c, const std::string& which, const std::string& name, std::size_t dimensions) {
  Json d{{which, name}, {which + "_off", c.bits()}, {which + "_dtype", "bfloat16"}};
  for (std::size_t i = 0; i < dimensions; ++i) {
    d[which + "_sizes"].push_back(1 + c.below(1000000));
    d[which + "_steps"].push_back(static_cast<std::int64_t>(c.bits()));
  }
  return d;
}

Json copy(Choices& c, Json& def, std::size_t from_dimensions) {
  Json d = side(c, "from", add_variable(c, def, "input"), from_dimensions);
  d.update(side(c, "to", add_variable(c, def, "tmp-buf"), 2));
  d["op"] = "copy";
  d["num_tiling_dimensions"] = c.below(100);
  return d;
}

void add_block(Choices& c, Json& def, Json descriptors, const char* function = nullptr) {
  Json queue{{"type", "data"}, {"owner", "pool"}, {"semaphore_set", {1, 2, 3}}, {"pinned", true}, {"num_queues", 7}};
  def["dma_queue"]["a planted queue"] = std::move(queue);
  Json block{{"id", c.below(5000)}, {"queue", "a planted queue"}, {"priority_class", 3}};
  block["desc"] = std::move(descriptors);
  if (function != nullptr) block["function_start"] = function;
  def["dma"].push_back(std::move(block));
}

template <class F>
bool any_descriptor(const kbin_t& root, F f) {
  for (const kbin_dma_t* dma : root.dma)
    for (std::uint32_t i = 0; dma != nullptr && i < dma->ring_instance_count; ++i) {
      const kbin_dma_ring_instance_t* ring = instances_of(const_cast<kbin_dma_t*>(dma))[i];
      const auto* desc = tail<kbin_dma_desc_t>(ring);
      for (std::uint32_t k = 0; k < ring->ndesc; ++k)
        if (f(desc[k], k + 1 < ring->ndesc ? &desc[k + 1] : nullptr)) return true;
    }
  return false;
}

#define OUTPUT R"("v0":{"size":0,"type":"output","var_id":0})"
#define QUEUE R"("dma_queue":{"q0":{"owner":"pe","type":"data"}})"
#define COPY R"({"from":"v0","from_sizes":[1],"from_steps":[0],"to":"v0","to_sizes":[1],"to_steps":[0]})"
#define SOURCE R"({"from":"v0","from_dtype":"float32")"

const Planted kPlanted[] = {
    {"a descriptor reads more than 3 dimensions",
     [](Choices& c, Model&, Json& def, const std::string&) { add_block(c, def, Json::array({copy(c, def, 2), copy(c, def, 6)})); },
     [](const Tree& tree, const Json&) {
       return any_descriptor(tree.root(), [](const kbin_dma_desc_t& d, const kbin_dma_desc_t*) {
         return d.u.from[0].num_dims > 3;
       });
     },
     R"({"dma":[{"desc":[{"from":"v0","from_sizes":[1,1,1,1],"from_steps":[0,0,0,0],)"
     R"("to":"v0","to_sizes":[1],"to_steps":[0]}],"id":0,"queue":"q0"}],)" QUEUE R"(,"var":{)" OUTPUT "}}"},
    {"a virtual variable ends beyond 2^40",
     [](Choices& c, Model&, Json& def, const std::string&) {
       const std::uint64_t size = 1 + c.below(1 << 20), off = (std::uint64_t{1} << 40) + c.below(1 << 30);
       add_variable(c, def, "virtual", {{"size", size}, {"backing_variable_off", off}});
     },
     [](const Tree&, const Json& def) {
       for (const Json& v : def.value("var", Json::object()))
         if (v.value("type", "") == "virtual" && v.contains("size") && v.contains("backing_variable_off") &&
             v["size"].is_number_unsigned() && v["backing_variable_off"].is_number_unsigned() &&
             v["size"].get<std::uint64_t>() + v["backing_variable_off"].get<std::uint64_t>() > 1ULL << 40)
           return true;
       return false;
     },
     R"({"var":{)" OUTPUT R"(,"v1":{"backing_variable_off":1099511627777,"size":0,"type":"virtual","var_id":1}}})"},
    {"a queue of 3 or more instances",
     [](Choices& c, Model&, Json& def, const std::string&) {
       add_block(c, def, Json::array());
       for (int i = 0; i < 6; ++i)
         def["dma_queue"]["a planted queue"]["queue_instances"].push_back("instance number " + std::to_string(i));
     },
     [](const Tree&, const Json& def) {  // that it lists: blocks of the model around it make some as well
       for (const Json& q : def.value("dma_queue", Json::object()))
         if (q.value("queue_instances", Json::array()).size() >= 3) return true;
       return false;
     },
     R"({"dma_queue":{"q0":{"owner":"pe","queue_instances":["i0","i1","i2"],"type":"data"}},"var":{)" OUTPUT "}}"},
    {"code that is no multiple of 64 bytes",
     [](Choices& c, Model& model, Json& def, const std::string& dir) {
       def["pool"] = "pool.json";
       model.put(dir + "pool.json", {{"instr", "planted.bin"}, {"comment", "x"}});
       model.put_bytes(dir + "planted.bin", std::string(64 * (1 + c.below(40)) + 1 + c.below(63), 'i'));
     },
     [](const Tree& tree, const Json&) {
       for (const kbin_engine_t* e : tree.root().engine)
         if (tree.blob_bytes(e) % 64 != 0) return true;
       return false;
     },
     R"({"pool":"pool.json","var":{)" OUTPUT "}}",
     {{"pool.json", R"({"instr":"m0"})"}, {"m0", std::string(1, '\0')}}},
    {"two pointers to one variable",
     [](Choices& c, Model&, Json& def, const std::string&) {
       for (int i = 0; i < 3; ++i) add_variable(c, def, "pointer", {{"size", 8}, {"referenced_var_id", 77}});
     },
     [](const Tree&, const Json& def) {
       std::map<std::uint64_t, int> to;
       for (const Json& v : def.value("var", Json::object()))
         if (v.value("type", "") == "pointer" && ++to[v.value("referenced_var_id", 0U)] == 2) return true;
       return false;
     },
     R"({"var":{)" OUTPUT R"(,"v1":{"referenced_var_id":0,"size":8,"type":"pointer","var_id":1},)"
     R"("v2":{"referenced_var_id":0,"size":8,"type":"pointer","var_id":2}}})"},
    {"an FMA of 5 sources, one scale not 1",
     [](Choices& c, Model&, Json& def, const std::string&) {
       Json d = side(c, "to", add_variable(c, def, "tmp-buf"), 3);
       d.update({{"op", "fma"}, {"size", 4096}, {"to_dtype", "float32"}});
       for (int i = 0; i < 5; ++i) {
         d["from_arr"].push_back(side(c, "from", add_variable(c, def, "input"), 2));
         d["from_arr"][i].update({{"scale", 0.3125 * (i + 1)}, {"from_dtype", "float32"}});
       }
       add_block(c, def, Json::array({d, copy(c, def, 2)}));
     },
     [](const Tree& tree, const Json&) {
       return any_descriptor(tree.root(), [](const kbin_dma_desc_t& d, const kbin_dma_desc_t*) {
         if (d.op != code(DescOp::FMA) || d.u.info.cce.num_sources != 5) return false;
         for (int i = 0; i < 5; ++i)
           if (d.u.info.cce.u.fma.scale[i] != 1.0F) return true;
         return false;
       });
     },
     R"({"dma":[{"desc":[{"from_arr":[)" SOURCE "}," SOURCE "}," SOURCE "}," SOURCE "}," SOURCE
     R"(,"scale":0}],"op":"fma","size":1,"to":"v0","to_dtype":"float32"}],"id":0,"queue":"q0"}],)"
     QUEUE R"(,"var":{)" OUTPUT "}}"},
    {"an fp8 section that saturates",
     [](Choices& c, Model&, Json& def, const std::string&) {
       def["fp8_conversion_config"]["ocp_sat"] = true;
       def["fp8_conversion_config"]["emax_fp8_e4m3"] = c.below(1000);
     },
     [](const Tree&, const Json& def) {
       return def.contains("fp8_conversion_config") && def["fp8_conversion_config"].value("ocp_sat", Json()) == true;
     },
     R"({"fp8_conversion_config":{"ocp_sat":true},"var":{)" OUTPUT "}}"},
    {"a function inherited across blocks",
     [](Choices& c, Model&, Json& def, const std::string&) {
       add_block(c, def, Json::array({copy(c, def, 2), copy(c, def, 1)}), "a function's long name");
       add_block(c, def, Json::array({copy(c, def, 3)}));
       add_block(c, def, Json::array({copy(c, def, 3)}));
     },
     [](const Tree& tree, const Json&) {
       return any_descriptor(tree.root(), [](const kbin_dma_desc_t& d, const kbin_dma_desc_t* next) {
         return d.block_end_desc && next != nullptr && next->function_name != nullptr && d.function_name != nullptr &&
                std::string_view(d.function_name) == next->function_name;
       });
     },
     R"({"dma":[{"desc":[)" COPY R"(],"function_start":"a","id":0,"queue":"q0"},{"desc":[)" COPY
     R"(],"id":0,"queue":"q0"}],)" QUEUE R"(,"var":{)" OUTPUT "}}"},
    {"an activation set of 3 functions",
     [](Choices& c, Model& model, Json& def, const std::string& dir) {
       def["act"] = "act.json";
       model.put(dir + "act.json",
                 {{"activation_function_sets", {"gelu and others", "exp"}}, {"act_info", "info.json"}});
       Json profile{{"func_name", "gelu"}, {"exp_offset", -19}, {"symmetry_point", c.below(100)}};
       model.put(dir + "p.json", {{"profile_meta_data", {profile, profile, profile, profile, profile}}});
       model.put(dir + "q.json", {{"profile_meta_data", Json::array()}});
       Json sets = Json::array();
       for (const char* name : {"exp", "gelu and others"})
         sets.push_back({{"name", name}, {"bkt_bin", "bkt.bin"}, {"ctrl_bin", "ctl.bin"},
                         {"profile_json", name[1] == 'x' ? "q.json" : "p.json"}});
       model.put(dir + "info.json", {{"act_func_sets", sets}});
       model.put_bytes(dir + "bkt.bin", std::string(100, 'b'));
       model.put_bytes(dir + "ctl.bin", std::string(200, 'c'));
     },
     [](const Tree& tree, const Json&) {
       const auto& all = tree.root().act_function_sets;
       for (std::uint32_t i = 0; i < all.num_function_sets; ++i)
         if (all.sets[i].num_functions >= 3) return true;
       return false;
     },
     R"({"act":"act.json","var":{)" OUTPUT "}}",
     {{"act.json", R"({"act_info":"info.json","activation_function_sets":["s0"]})"},
      {"info.json", R"({"act_func_sets":[{"bkt_bin":"bkt.bin","ctrl_bin":"bkt.bin","name":"s0",)"
                    R"("profile_json":"p.json"}]})"},
      {"p.json", R"({"profile_meta_data":[{},{},{}]})"},
      {"bkt.bin", ""}}},
};

// ---- the tests ----

bool fails(const Planted& planted, const Model& model) {
  const auto lowered = lower_model(model);
  if (!lowered) return false;
  for (const LoweredGraph& g : lowered->graphs)
    if (planted.fails(g.tree, model.members.at(g.definition).doc)) return true;
  return false;
}

TEST(ReduceModel, PlantedFailuresComeToTheirMinimalForm) {
  for (const Planted& planted : kPlanted)
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      RandomChoices c(seed);
      std::string definition, dir;
      Model model = noise(c, definition, dir);
      ASSERT_FALSE(fails(planted, model)) << planted.name << ", seed " << seed;
      planted.plant(c, model, model.json(definition), dir);
      const auto lowered = lower_model(model);
      ASSERT_TRUE(lowered.has_value()) << planted.name << ", seed " << seed << ": " << lowered.error().text();
      ASSERT_TRUE(fails(planted, model)) << planted.name << ", seed " << seed;
      const std::size_t variables = model.json(definition)["var"].size();
      EXPECT_GE(variables, kVariables);

      const auto begin = std::chrono::steady_clock::now();
      const ReduceStats stats = reduce_model(model, [&](const Model& m) { return fails(planted, m); });
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
      std::printf("%-40s seed %llu: %zu variables, %llu checks, %llu accepted, %.0f ms\n", planted.name,
                  static_cast<unsigned long long>(seed), variables, static_cast<unsigned long long>(stats.checks),
                  static_cast<unsigned long long>(stats.accepted), took.count());
      EXPECT_LT(stats.checks, kMostChecks) << planted.name << ", seed " << seed;
      EXPECT_FALSE(stats.exhausted);
      ASSERT_TRUE(fails(planted, model));

      const auto graphs = graphs_of(model);
      ASSERT_EQ(graphs.size(), 1U);
      std::map<std::string, std::string> texts, expected{{graphs[0].definition, planted.definition}};
      for (const auto& [name, text] : planted.members) expected[graphs[0].directory + name] = text;
      for (const auto& [path, member] : model.members)
        if (path != kelf_path(model)) texts[path] = member.text();
      EXPECT_EQ(texts, expected) << planted.name << ", seed " << seed;
    }
}

}  // namespace
}  // namespace assay::harness
