// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness {
namespace {

using namespace models;

// Directories differ, so that sub-graphs share no member, or are one and the same.
std::string directory(Choices& c, std::uint32_t index) {
  std::string n = std::to_string(index);
  n += '/';
  if (!rarely(c, 15)) return n.insert(0, "sg0");
  switch (c.below(4)) {
    case 0: return index == 0 ? std::string() : n.insert(0, "sg");
    case 1: return n.insert(0, "deep/er/sg");
    case 2: return n.insert(0, "\xC3\xBC b");
    default: return "sg/";
  }
}

void add_unread_members(Graph& g) {
  if (!rarely(g.c, 15)) return;
  const std::string name = new_member(g, g.c.below(2) == 0 ? ".txt" : ".json");
  g.model.put_bytes(g.dir + name, any_bytes(g.c, 64));
}

GraphEntry make_graph(Choices& c, const GenSize& size, ArchType target, std::uint32_t index, Model& model) {
  Graph g{c, size, target, model.options.allow_legacy, model, directory(c, index)};
  add_variables(g);
  add_queues(g);
  add_collectives(g);
  add_ucode(g);
  add_config(g);
  add_engines(g);
  add_unread_members(g);
  add_noise(c, g.def);
  std::string name = "def.json";
  // Without a slash, because the definition's own directory is the sub-graph's.
  if (model.members.count(g.dir + name) != 0 || rarely(c, 3)) name = "d\xC3\xA9" "f" + std::to_string(model.members.size());
  g.put(name, std::move(g.def));
  return {"", g.dir + name};
}

}  // namespace

Model gen_model(Choices& c, const GenOptions& options) {
  static constexpr ArchType kTargets[] = {ArchType::CAYMAN, ArchType::SUNDA, ArchType::MARIANA};
  const ArchType target = options.target ? *options.target : c.pick(kTargets);
  Model model;
  choose_options(c, target, model);
  const std::uint32_t most = std::max<std::uint32_t>(options.size.graphs, 1);
  const std::uint32_t n = rarely(c, 25) ? 1 + static_cast<std::uint32_t>(c.below(most)) : 1;
  std::vector<GraphEntry> graphs;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < n; ++i) {
    GraphEntry entry = i > 0 && rarely(c, 5) ? graphs[0]  // one definition, twice
                                             : make_graph(c, options.size, target, i, model);
    entry.name = new_name(c, options.size.text_bytes, names);
    names.push_back(entry.name);
    graphs.push_back(std::move(entry));
  }
  add_manifests(c, target, graphs, model);
  return model;
}

}  // namespace assay::harness
