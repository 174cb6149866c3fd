// SPDX-License-Identifier: Apache-2.0
// Keys of def.json itself, and of engines, tables and libraries (SEC, CCM, UCL, ACT, DVE).
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/adopt.h"
#include "harness/mutate/models/structure.h"

namespace assay::harness::mutating::rules {
namespace {

using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::document;
using reduce::text_at;

bool fresh(Spot& s) {
  const Model model = fresh_model(s.c(), s.edit.model);
  Donor donor(model);
  return adopt_section(s.edit, donor, s.place.graph, s.key);
}

bool is_act(const Spot& s) { return s.place.name != nullptr && *s.place.name == "act"; }

// Changes a number some levels down, or a list on the way.
bool change_numbers(Choices& c, Json& list, std::uint64_t depth) {
  if (!list.is_array()) return false;
  const bool pair = depth == 0;  // of exactly two
  if (!list.empty() && c.chance(60)) {
    Json& element = list[c.below(list.size())];
    if (element.is_array()) return change_numbers(c, element, depth == 0 ? 0 : depth - 1);
    element = models::any_u32(c);
    return true;
  }
  return !pair && edit_list(c, list, 0, 64);
}

}  // namespace

bool any_section(Spot& s, const KeyRule&) {
  const std::size_t graph = s.place.graph;
  if (s.key == "var") {
    if (s.c().chance(25)) return fresh(s);
    return s.c().chance(50) ? twice_variable(s.edit, graph) : drop_variable(s.edit, graph);
  }
  if (s.key == "dma_queue") {
    if (s.c().chance(25)) return fresh(s);
    return s.c().chance(50) ? twice_queue(s.edit, graph) : drop_queue(s.edit, graph);
  }
  if (Json* list = array_at(s.place.value, s.key);
      list != nullptr && s.key == "runtime_statebuffer_reservation" && s.c().chance(60))
    return edit_list(s.c(), *list, 0, 16);
  if (Json* list = array_at(s.place.value, s.key); list != nullptr && list->size() > 1 && s.key == "ucode_lib") {
    std::swap(list->front(), list->back());  // names are unlike each other, so none is doubled
    return true;
  }
  return fresh(s);
}

// `lo` levels of arrays, the innermost of pairs for 2.
bool numbers(Spot& s, const KeyRule& r) {
  Json* list = array_at(s.place.value, s.key);
  if (list == nullptr || s.c().chance(15)) return fresh(s);
  if (r.lo == 3) return change_numbers(s.c(), *list, 3);
  if (list->empty() || s.c().chance(40)) return edit_list(s.c(), *list, 0, 64);
  Json& set = (*list)[s.c().below(list->size())];
  if (!set.is_array()) return false;
  switch (set.empty() ? 0 : s.c().below(3)) {
    case 0:
      set.push_back(Json::array({models::any_u32(s.c()), models::any_u32(s.c())}));
      return true;
    case 1: return edit_list(s.c(), set, 0, 64);
    default: return change_numbers(s.c(), set[s.c().below(set.size())], 0);
  }
}

bool list(Spot& s, const KeyRule&) {
  Json* entries = array_at(s.place.value, s.key);
  if (entries != nullptr && !entries->empty() && s.c().chance(70)) {
    const std::size_t most = s.key != "functions" ? s.key == "profile_meta_data" ? 25 : 256
                             : s.place.object == Object::ExtIsa ? 18 : 255;
    return edit_list(s.c(), *entries, 0, most);
  }
  if (s.key == "dma") {
    if (entries == nullptr) return idle(s.c()) && s.put(Json::array());
    const Model model = fresh_model(s.c(), s.edit.model);
    Donor donor(model);
    return adopt_section(s.edit, donor, s.place.graph, "dma");
  }
  if (s.key == "desc") {
    const Model model = fresh_model(s.c(), s.edit.model);
    Donor donor(model);
    return adopt_descriptor(s.edit, donor);
  }
  Json entry = Json::object();
  if (s.key == "functions") {
    entry["name"] = models::any_text(s.c(), 16);
    entry["opcode"] = s.c().edge(0, 255);
  }
  if (entries == nullptr) return s.put(Json::array({std::move(entry)}));
  if (entries->size() > 17) return false;
  entries->push_back(std::move(entry));
  return true;
}

bool blob(Spot& s, const KeyRule&) {
  const auto names = blobs_in(s.edit.model, s.directory());
  return !names.empty() && s.put(names[s.c().below(names.size())]);
}

bool library(Spot& s, const KeyRule&) {
  const std::string* name = text_at(&s.object(), "library");
  if (name == nullptr) return false;
  const auto it = s.edit.model.members.find(s.directory() + *name);
  if (it == s.edit.model.members.end() || it->second.is_json()) return false;
  return rename_member(s.edit, it->first);
}

bool ucode_version(Spot& s, const KeyRule&) {
  static constexpr std::string_view kVersions[] = {"1.0", "1.", "1.2.3", "1..", "1.x", "1.\xC3\xBC", "1.0 "};
  return s.put(s.c().pick(kVersions));
}

bool total_cpus(Spot& s, const KeyRule&) {
  static constexpr std::uint32_t kCpus[] = {0, 1, 8};
  return s.put(s.c().pick(kCpus));
}

bool engine_member(Spot& s, const KeyRule&) {
  switch (s.c().below(4)) {
    case 0: return s.erase(s.key);
    case 1: {  // another engine's, which reads as well
      static constexpr std::string_view kPlain[] = {"pe", "pool", "sp"};
      if (s.key == "act" || s.key == "dve") return false;
      const std::string* other = text_at(&s.object(), s.c().pick(kPlain));
      return other != nullptr && s.put(*other);
    }
    default: return fresh(s);
  }
}

bool engine_tables(Spot& s, const KeyRule&) {
  if (s.place.name == nullptr || *s.place.name != "dve") return s.unread();
  Json* tables = at(s.place.value, s.key);
  if (tables == nullptr) return s.put(Json::object());
  if (tables->is_array() && tables->size() == 1) {
    Json inner = std::move(tables->front());
    return s.put(std::move(inner));
  }
  if (!tables->is_object()) return false;
  Json outer = Json::array();
  outer.push_back(std::move(*tables));
  return s.put(std::move(outer));
}

bool act_number(Spot& s, const KeyRule& r) {
  return is_act(s) ? s.put(s.c().edge(r.lo, r.hi)) : s.unread();
}

bool act_list(Spot& s, const KeyRule&) {
  if (!is_act(s)) return s.unread();
  Json* listed = array_at(s.place.value, s.key);
  if (listed == nullptr) return s.put(Json::array());
  return edit_list(s.c(), *listed, 0, 16);
}

// Key act_info of an engine, and the list it leads to.
bool act_info(Spot& s, const KeyRule&) {
  if (s.place.object == Object::ActInfo) {
    Json* sets = array_at(s.place.value, s.key);
    if (sets == nullptr || sets->empty() || !idle(s.c())) return false;
    // Behind the ones meant, so that the first of a name stays (ACT-007).
    Json copy = (*sets)[s.c().below(sets->size())];
    if (sets->size() > 16) sets->erase(sets->size() - 1);
    else sets->push_back(std::move(copy));
    return true;
  }
  const Json* listed = array_at(s.place.value, "activation_function_sets");
  if (!is_act(s) || listed == nullptr || listed->empty()) return s.unread();
  const std::string* name = text_at(&s.object(), s.key);
  return name != nullptr && rename_member(s.edit, s.directory() + *name);
}

bool set_name(Spot& s, const KeyRule&) {
  const std::string* old = text_at(&s.object(), s.key);
  if (old == nullptr) return false;
  for (const Place& p : s.edit.places.all) {
    if (p.object != Object::Engine || p.graph != s.place.graph) continue;
    Json* listed = array_at(p.value, "activation_function_sets");
    if (listed == nullptr) continue;
    std::string to = models::any_text(s.c(), 24);
    for (const Place& other : s.edit.places.all)
      if (const std::string* taken = text_at(other.value, "name"); taken != nullptr && *taken == to) return false;
    for (Json& name : *listed)
      if (name.is_string() && name.get_ref<const std::string&>() == *old) name = to;
    return s.put(std::move(to));
  }
  return false;
}

bool profile_member(Spot& s, const KeyRule&) {
  const std::string* name = text_at(&s.object(), s.key);
  if (name == nullptr) return false;
  for (const Place& p : s.edit.places.all) {
    const std::string* other =
        p.object == Object::ActSet && p.graph == s.place.graph ? text_at(p.value, s.key) : nullptr;
    if (other != nullptr && *other != *name &&
        document(s.edit.model, s.directory() + *other) != nullptr && s.c().chance(60))
      return s.put(*other);
  }
  return rename_member(s.edit, s.directory() + *name);
}

}  // namespace assay::harness::mutating::rules
