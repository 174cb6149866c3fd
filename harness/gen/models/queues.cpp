// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::models {
namespace {

constexpr const char* kEngines[] = {"pe", "act", "pool", "dve", "sp"};
constexpr std::uint32_t kMaxSet = 16;

// What is left of the sub-graph's allowances while its queues are made.
struct Left {
  std::uint32_t hw_dge;
  bool act_load;
};

void add_semaphores(Choices& c, Json& q) {
  const bool set = rarely(c, 35);
  if (set) {
    Json& s = q["semaphore_set"] = Json::array();
    for (std::uint32_t n = rarely(c, 5) ? std::uint32_t{KBIN_MAX_SEMAPHORES} : few(c, 0, 4); n > 0; --n)
      s.push_back(any_u32(c));
    add_unread(c, q, {"semaphore"}, 10);  // beside a set it decides nothing
  } else if (rarely(c, 50)) {
    q["semaphore"] = any_u32(c);
  }
}

void add_instances(Graph& g, Json& q, QueueNames& names) {
  if (!rarely(g.c, 45)) return;
  Json& list = q["queue_instances"] = Json::array();
  for (std::uint32_t n = few(g.c, 0, g.size.instances); n > 0; --n) {
    std::string name;
    switch (g.c.below(12)) {
      case 10: name = text_of(g.c, 254 + static_cast<std::uint32_t>(g.c.below(4))); break;  // cut at 255
      case 11: name = names.name; break;  // an instance named like its queue
      default: name = any_text(g.c, g.size.text_bytes);
    }
    // Empty is as absent in a block, so it would be out of reach.
    while (name.empty() || std::find(g.listed.begin(), g.listed.end(), name) != g.listed.end())
      name += std::to_string(g.listed.size());
    list.push_back(name);
    g.listed.push_back(name);
    names.listed.push_back(std::move(name));
  }
}

void add_dynamic(Choices& c, Json& q, Left& left, bool& counts) {
  if (left.hw_dge > 0 && rarely(c, 50)) {
    counts = true;  // DMQ-018
    return;
  }
  Json d = Json::object();
  if (rarely(c, 70)) d["SB_scratch_partition_offset"] = any_u32(c);
  if (rarely(c, 70)) d["SB_scratch_partition_size"] = any_u32(c);
  add_noise(c, d);
  q["dynamic_dma"] = std::move(d);
}

Json queue(Graph& g, QueueNames& names, Left& left) {
  static constexpr const char* kTypes[] = {"data", "in", "out", "dynamic", "data", "embedding_update", "act_load"};
  Choices& c = g.c;
  std::string_view type = c.pick(kTypes);
  if (type == "act_load" && !left.act_load) type = "out";
  const bool data = type == "data", dynamic = type == "dynamic", act_load = type == "act_load";

  Json q = Json::object();
  q["type"] = type;
  q["owner"] = c.pick(kEngines);
  add_semaphores(c, q);
  if (data || dynamic) {
    if (rarely(c, 40)) q["num_queues"] = rarely(c, 20) ? kMaxSet : c.below(kMaxSet + 1);
    add_instances(g, q, names);
  }
  if (act_load) {
    left.act_load = false;
    if (rarely(c, 40)) q["num_queues"] = 1;
    add_instances(g, q, names);
  }
  bool counts = false;
  if (data) {
    if (rarely(c, 50)) q["indirect_memcpy"] = rarely(c, 75);
  } else {
    add_unread(c, q, {"indirect_memcpy"});
  }
  if (dynamic) add_dynamic(c, q, left, counts);
  else add_unread(c, q, {"dynamic_dma"});
  if (type == "embedding_update") q["embedding_update_sync_semaphore"] = any_u32(c);
  else add_unread(c, q, {"embedding_update_sync_semaphore"});
  if (rarely(c, 20)) {
    const bool dge = (counts || left.hw_dge > 0) && rarely(c, 75);
    q["dge"] = dge;
    counts |= dge;
  }
  if (rarely(c, 20)) q["pinned"] = rarely(c, 75);
  left.hw_dge -= counts ? 1 : 0;
  add_unread(c, q, {"fabric_path"});
  add_noise(c, q);
  return q;
}

}  // namespace

void add_queues(Graph& g) {
  Choices& c = g.c;
  std::uint32_t n = g.size.queues == 0 ? 0 : static_cast<std::uint32_t>(c.below(g.size.queues + 1));
  if (g.size.queues >= 4 && rarely(c, 1)) n = KBIN_MAX_DMA - static_cast<std::uint32_t>(c.below(2));
  if (n == 0 && !rarely(c, 50)) return;

  Left left{max_hw_dge_count(code(g.target)), true};
  std::vector<std::string> taken;
  Json& all = g.def["dma_queue"] = Json::object();
  for (std::uint32_t i = 0; i < n; ++i) {
    QueueNames names;
    names.name = new_name(c, g.size.text_bytes, taken);
    // A block cannot name a queue with an empty name: the first one is always within reach.
    if (i == 0 && names.name.empty()) names.name = "q";
    taken.push_back(names.name);
    all[names.name] = queue(g, names, left);
    g.queues.push_back(std::move(names));
  }
}

}  // namespace assay::harness::models
