// SPDX-License-Identifier: Apache-2.0
// Short names for long ones. What already has its short name is no part of these groups, so that
// renaming comes to an end.
#include <algorithm>

#include "harness/reduce/passes.h"

namespace assay::harness::reduce {
namespace {

constexpr std::size_t kShort = 10;

void add(Group& g, const std::string& name, std::string to) {
  if (name == to) return;
  g.names.push_back(name);
  g.to.push_back(std::move(to));
  g.parts = g.names.size();
}

bool is_plain(std::string_view name) {
  return !name.empty() && name.size() <= kShort && std::all_of(name.begin(), name.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

bool is_npy(std::string_view path) { return path.size() >= 4 && path.substr(path.size() - 4) == ".npy"; }

}  // namespace

std::optional<Group> variable_names(const Model& model, std::uint64_t index) {
  const auto all = definitions_of(model);
  if (index >= all.size()) return std::nullopt;
  Group g{all[index].path, {}, {}};
  auto variables = variables_of(*document(model, g.member));
  const auto by_id = [](const Variable& a, const Variable& b) { return a.id < b.id; };
  std::stable_sort(variables.begin(), variables.end(), by_id);
  for (std::size_t i = 0; i < variables.size(); ++i) add(g, variables[i].name, "v" + std::to_string(i));
  return g;
}

// Queues are lowered in the byte order of their names, which therefore stays.
std::optional<Group> queue_names(const Model& model, std::uint64_t index) {
  const auto all = definitions_of(model);
  if (index >= all.size()) return std::nullopt;
  Group g{all[index].path, {}, {}};
  const auto queues = queues_of(*document(model, g.member));
  for (std::size_t i = 0; i < queues.size(); ++i)
    add(g, queues[i], (queues.size() > 10 && i < 10 ? "q0" : "q") + std::to_string(i));
  std::size_t n = 0;
  for (const std::string& name : instances_of(model, all[index]))
    if (std::find(queues.begin(), queues.end(), name) == queues.end()) add(g, name, "i" + std::to_string(n++));
  return g;
}

std::optional<Group> act_set_names(const Model& model, std::uint64_t index) {
  const auto all = definitions_of(model);
  if (index >= all.size()) return std::nullopt;
  Group g{all[index].path, {}, {}};
  std::set<std::string> done;
  for (const Json* name : set_names_in(model, all[index]))
    if (const auto& text = *name->get_ptr<const std::string*>(); done.insert(text).second)
      add(g, text, "s" + std::to_string(done.size() - 1));
  return g;
}

std::optional<Group> member_names(const Model& model, std::uint64_t index) {
  if (index > 0) return std::nullopt;
  using Use = Reference::Use;
  Group g;
  std::set<std::string> taken, done;
  for (const auto& member : model.members) taken.insert(member.first);
  for (const Reference& r : references_of(model)) {
    if (!done.insert(r.path).second) continue;
    const std::string directory(directory_of(r.path));
    std::string to;
    if (r.use == Use::kelf) {
      if (r.path == "kelf-0.json" || r.path == "kelf-a.json") continue;
      to = "kelf-0.json";
    } else if (r.use == Use::definition) {
      to = directory + "def.json";
    } else {
      if (is_plain(std::string_view(r.path).substr(r.directory.size()))) continue;
      for (std::size_t n = 0; to.empty() || taken.count(to) != 0; ++n)
        to = r.directory + "m" + std::to_string(n) + (is_npy(r.path) ? ".npy" : "");
    }
    if (r.path == to || !taken.insert(to).second) continue;
    add(g, r.path, std::move(to));
  }
  return g;
}

}  // namespace assay::harness::reduce
