// SPDX-License-Identifier: Apache-2.0
// Engine members, and the blocks, which belong to def.json or to an engine.
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

Json engine_member(Graph& g, std::string_view engine) {
  Choices& c = g.c;
  Json e = Json::object();
  if (!rarely(c, 15)) e["instr"] = raw_member(g, rarely(c, 3) ? ".asm.npy.bin" : ".bin");
  if (engine == "act") add_act_tables(g, e);
  else add_unread(c, e, {"act_semaphore", "activation_function_sets", "act_info"}, 1);
  if (engine == "dve") add_dve_tables(g, e);
  else add_unread(c, e, {"dve_tables"}, 2);
  add_unread(c, e, {"name", "debug_info", "asm_dbg"}, 5);
  add_noise(c, e);
  return e;
}

}  // namespace

void add_engines(Graph& g) {
  Choices& c = g.c;
  struct Made {
    std::string_view engine;
    Json doc;
  };
  std::vector<Made> made;
  for (const std::string_view engine : kEngineKeys)
    if (!rarely(c, 25)) made.push_back({engine, engine_member(g, engine)});

  // Blocks of def.json and of the engines.
  if (rarely(c, 15)) g.def["dma"] = Json::array();
  for (Made& m : made)
    if (rarely(c, 15)) m.doc["dma"] = Json::array();
  if (!g.queues.empty())
    for (auto n = std::max(c.below(g.size.blocks + 1), c.below(g.size.blocks + 1)); n > 0; --n) {
      const auto to = c.below(made.size() + 2);
      Json& holder = to < made.size() ? made[to].doc : g.def;
      holder["dma"].push_back(make_block(g));
    }

  for (Made& m : made) {
    std::string name(m.engine);
    name += ".json";
    if (g.model.members.count(g.dir + name) != 0 || rarely(c, 5)) name = new_member(g, ".json");
    g.def[std::string(m.engine)] = name;
    g.put(name, std::move(m.doc));
  }
  add_unread(c, g.def, {"pe_instr", "act_instr", "sp_instr", "debug_info", "pe_dbg"}, 2);
}

}  // namespace assay::harness::models
