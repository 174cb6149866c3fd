// SPDX-License-Identifier: Apache-2.0
// Defects of the dma_queue section.
#include <iterator>

#include "harness/gen/near_misses/ground.h"
#include "oracle/dtype/dtype.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}
At any_queue(Ground& g) {
  static constexpr const char* kTypes[] = {"data", "in", "out", "dynamic"};
  return g.queue(g.c.pick(kTypes));
}
At single_queue(Ground& g) {
  static constexpr const char* kTypes[] = {"in", "out", "embedding_update"};
  return g.queue(g.c.pick(kTypes));
}
At all_queues(Ground& g) {
  g.queue("data");
  return g.root() / "dma_queue";
}

// How many queues of the sub-graph count for the target's descriptor-generation limit (DMQ-018).
std::uint32_t hw_dge_queues(Ground& g) {
  std::uint32_t n = 0;
  for (const Json& q : g.def()["dma_queue"]) {
    const bool dge = q.contains("dge") && q["dge"] == true;
    n += dge || (q["type"] == "dynamic" && !q.contains("dynamic_dma"));
  }
  return n;
}

const Kind kKinds[] = {
    {{"queues-33", Reason::too_many_queues}, kAny, all_queues,
     [](Ground& g, At&) {
       Json& queues = g.def()["dma_queue"];
       for (int i = 0; queues.size() < 33; ++i)
         queues["near-miss " + std::to_string(i)] = {{"type", "data"}, {"owner", "pe"}};
     }},
    {{"owner-unknown", Reason::owner_unknown}, kAny, any_queue,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "PE", "gpsimd", "pe ", "poo"};
       set(g, at, "owner", g.c.pick(kWrong));
     }},
    {{"owner-absent", Reason::owner_missing}, kAny, any_queue, [](Ground& g, At& at) { g.at(at).erase("owner"); }},
    {{"queue-type-absent", Reason::queue_type_missing}, kAny, any_queue,
     [](Ground& g, At& at) { g.at(at).erase("type"); }},
    {{"queue-type-unknown", Reason::queue_type_unknown}, kAny, any_queue,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "IN", "input", "data ", "act", "embedding"};
       set(g, at, "type", g.c.pick(kWrong));
     }},
    {{"num-queues-on-single", Reason::queue_set_forbidden}, kAny, single_queue,
     [](Ground& g, At& at) { set(g, at, "num_queues", g.c.below(3)); }},
    {{"instances-on-single", Reason::queue_set_forbidden}, kAny, single_queue,
     [](Ground& g, At& at) { set(g, at, "queue_instances", Json::array()); }},
    {{"num-queues-17", Reason::too_many_in_set}, kAny, [](Ground& g) { return g.queue("data"); },
     [](Ground& g, At& at) { set(g, at, "num_queues", 17 + g.c.below(2)); }},
    {{"act-load-set", Reason::act_load_set}, kAny, [](Ground& g) { return g.queue("act_load"); },
     [](Ground& g, At& at) { set(g, at, "num_queues", g.c.chance(50) ? 0 : 2); }},
    {{"act-load-twice", Reason::act_load_twice}, kAny,
     [](Ground& g) {
       g.queue("act_load");
       return g.root() / "dma_queue";
     },
     [](Ground& g, At&) {
       Json& queues = g.def()["dma_queue"];
       const std::string first = g.queue_name("act_load");
       // In the place of another where there are 32: queues are counted before blocks name them.
       std::string name = "near-miss second";
       if (queues.size() == 32) name = queues.begin().key() == first ? std::prev(queues.end()).key() : queues.begin().key();
       queues[name] = {{"type", "act_load"}, {"owner", "act"}};
     }},
    {{"sync-semaphore-absent", Reason::sync_semaphore_missing}, kAny,
     [](Ground& g) { return g.queue("embedding_update"); },
     [](Ground& g, At& at) { g.at(at).erase("embedding_update_sync_semaphore"); }},
    {{"semaphores-33", Reason::too_many_semaphores}, kAny, any_queue,
     [](Ground& g, At& at) { set(g, at, "semaphore_set", Json(std::vector<int>(33 + g.c.below(2), 5))); }},
    {{"hw-dge-over-limit", Reason::too_many_hw_dge}, kAny, all_queues,
     [](Ground& g, At&) {
       Json& queues = g.def()["dma_queue"];
       const std::uint32_t limit = max_hw_dge_count(code(g.target));
       for (auto& q : queues)
         if (hw_dge_queues(g) <= limit && !q.contains("dge")) q["dge"] = true;
       for (int i = 0; hw_dge_queues(g) <= limit; ++i)
         queues["near-miss dge " + std::to_string(i)] = {{"type", "data"}, {"owner", "pe"}, {"dge", true}};
     }},
    {{"instance-twice", Reason::instance_twice}, kAny,
     [](Ground& g) {
       const At at = g.queue("data");
       Json& list = g.at(at)["queue_instances"];
       if (list.is_null()) list = Json::array();
       if (list.empty()) list.push_back("near-miss instance");
       return at;
     },
     [](Ground& g, At& at) {
       Json& list = g.at(at)["queue_instances"];
       list.push_back(list[0]);
     }},
};

}  // namespace

std::span<const Kind> queue_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
