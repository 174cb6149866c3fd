// SPDX-License-Identifier: Apache-2.0
// Keys of queues (DMQ), and of the blocks that go to them (DMB).
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/key_rules.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::mutating::rules {
namespace {

using models::any_u32;
using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::text_at;

constexpr std::uint32_t kMaxSet = 16;

bool is_any(Spot& s, std::initializer_list<std::string_view> types) {
  return std::any_of(types.begin(), types.end(), [&](std::string_view t) { return s.is("type", t); });
}

// Whether one more queue may count for the target's limit.
bool may_count(Spot& s) {
  return counting_queues(*s.def()) < max_hw_dge_count(code(target_of(s.edit.model)));
}
bool is_dge(Spot& s) {
  const Json* dge = s.value("dge");
  return dge != nullptr && dge->is_boolean() && dge->get<bool>();
}

bool has_act_load(Spot& s) {
  for (const Json& q : *at(s.def(), "dma_queue")) {
    const std::string* type = text_at(&q, "type");
    if (type != nullptr && *type == "act_load") return true;
  }
  return false;
}

std::string new_instance(Spot& s) {
  std::string name = models::any_text(s.c(), 20);
  while (name.empty() || is_listed(s.def(), name)) name += static_cast<char>('a' + s.c().below(26));
  return name;
}

bool is_named(Spot& s, const std::string& instance) {
  for (const Place& p : s.edit.places.all) {
    if (p.object != Object::Block || p.graph != s.place.graph) continue;
    const std::string* name = text_at(p.value, "instance_name");
    if (name != nullptr && *name == instance) return true;
  }
  return false;
}

// Every instance that queues list.
std::vector<std::string> all_listed(Spot& s) {
  std::vector<std::string> out;
  const Json* queues = at(s.def(), "dma_queue");
  if (queues == nullptr || !queues->is_object()) return out;
  for (const Json& q : *queues)
    if (const Json* list = array_at(&q, "queue_instances"))
      for (const Json& name : *list)
        if (name.is_string()) out.push_back(name.get<std::string>());
  return out;
}

bool names_queue(Spot& s) {
  const std::string* queue = text_at(&s.object(), "queue");
  return queue != nullptr && !queue->empty() && at(at(s.def(), "dma_queue"), *queue) != nullptr;
}

}  // namespace

bool seldom(Spot& s, const KeyRule&) { return rarely(s.c(), 3) && s.put(models::any_value(s.c())); }

bool queue_type(Spot& s, const KeyRule&) {
  const Json* listed = array_at(&s.object(), "queue_instances");
  const bool lists = listed != nullptr && !listed->empty();
  const std::string_view to = lists && s.c().chance(98) ? (s.c().below(2) == 0 ? "data" : "dynamic")
                                                        : s.c().pick(matcher("queue_type")).text;
  if (s.is("type", to) || (to == "act_load" && has_act_load(s))) return false;
  for (const char* key : {"indirect_memcpy", "dynamic_dma", "embedding_update_sync_semaphore"}) s.erase(key);
  if (to == "dynamic" && (is_dge(s) || !may_count(s) || s.c().below(2) == 0)) s.put("dynamic_dma", Json::object());
  if (to == "embedding_update") s.put("embedding_update_sync_semaphore", any_u32(s.c()));
  if (to != "data" && to != "dynamic") {
    s.erase("num_queues");
    s.erase("queue_instances");
  }
  return s.put("type", to);
}

bool queue_count(Spot& s, const KeyRule&) {
  if (s.is("type", "act_load")) return s.put(1);
  return (is_any(s, {"data", "dynamic"}) || rarely(s.c(), 3)) && s.put(s.c().edge(0, kMaxSet));
}

bool queue_semaphore(Spot& s, const KeyRule&) {
  if (s.key == "semaphore") return s.has("semaphore_set") ? s.unread() : s.put(any_u32(s.c()));
  Json* set = array_at(&s.object(), "semaphore_set");
  if (set == nullptr || s.c().chance(10)) {
    Json fresh = Json::array();
    for (auto n = rarely(s.c(), 10) ? std::uint32_t{KBIN_MAX_SEMAPHORES} : models::few(s.c(), 0, 4); n > 0; --n)
      fresh.push_back(any_u32(s.c()));
    return s.put(std::move(fresh));
  }
  if (set->size() < KBIN_MAX_SEMAPHORES && s.c().chance(40)) {
    set->push_back(any_u32(s.c()));
    return true;
  }
  return edit_list(s.c(), *set, 0, KBIN_MAX_SEMAPHORES);
}

bool queue_instances(Spot& s, const KeyRule&) {
  if (!is_any(s, {"data", "dynamic", "act_load"})) return rarely(s.c(), 3) && s.put(Json::array());
  Json* list = array_at(&s.object(), "queue_instances");
  if (list == nullptr) return s.put(Json::array({new_instance(s)}));
  if (list->empty() || s.c().chance(40)) {
    list->push_back(new_instance(s));
    return true;
  }
  Json& name = (*list)[s.c().below(list->size())];
  if (s.c().chance(30)) {
    std::swap(name, list->front());
    return name != list->front();
  }
  if (!name.is_string() || is_named(s, name.get_ref<const std::string&>())) return false;
  if (s.c().chance(50)) name = new_instance(s);
  else list->erase(static_cast<std::size_t>(&name - &list->front()));
  return true;
}

bool queue_for_type(Spot& s, const KeyRule&) {
  if (s.key == "indirect_memcpy") return s.is("type", "data") ? s.put(s.c().below(2) == 1) : s.unread();
  if (s.key == "embedding_update_sync_semaphore")
    return s.is("type", "embedding_update") ? s.put(s.c().edge(0, 0xFFFFFFFF)) : s.unread();
  if (!s.is("type", "dynamic")) return s.unread();
  if (s.has(s.key) && s.c().chance(40)) return (is_dge(s) || may_count(s)) && s.erase(s.key);
  Json d = Json::object();
  if (s.c().chance(70)) d["SB_scratch_partition_offset"] = any_u32(s.c());
  if (s.c().chance(70)) d["SB_scratch_partition_size"] = any_u32(s.c());
  return s.put(std::move(d));
}

bool queue_dge(Spot& s, const KeyRule&) {
  if (is_dge(s)) return s.put(false);
  const bool counts = s.is("type", "dynamic") && !s.has("dynamic_dma");
  return s.put(counts || may_count(s));
}

bool block_queue(Spot& s, const KeyRule&) {
  const std::string* instance = text_at(&s.object(), "instance_name");
  if (instance != nullptr && is_listed(s.def(), *instance) && s.c().chance(40)) return s.unread();
  const std::string* name = any_key(s.c(), at(s.def(), "dma_queue"));
  return name != nullptr && !name->empty() && s.put(*name);
}

bool block_instance(Spot& s, const KeyRule&) {
  if (s.c().chance(50)) {
    const auto listed = all_listed(s);
    if (!listed.empty()) return s.put(listed[s.c().below(listed.size())]);
  }
  if (!names_queue(s)) return false;
  switch (s.c().below(3)) {
    case 0: return s.erase(s.key);
    case 1: return s.put("");
    default: return s.put(new_instance(s));
  }
}

}  // namespace assay::harness::mutating::rules
