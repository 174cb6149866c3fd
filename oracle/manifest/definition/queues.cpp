// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "oracle/dtype/dtype.h"
#include "oracle/manifest/definition/definition.h"

namespace assay::definition {
namespace {

constexpr std::uint32_t kMaxQueuesOfSet = 16;

// Types whose queues are single and unnamed inside (DMQ-009).
bool forbids_sets(RingType t) {
  return t == RingType::IN || t == RingType::OUT || t == RingType::EMBEDDING_UPDATE;
}

Result<> read_semaphores(const Keys<QueueKey>& k, Queue& q) {
  // With both keys the set counts, even when empty (DMQ-016).
  if (k.has(QueueKey::semaphore_set_)) {
    const Node set = k[QueueKey::semaphore_set_];
    ASSAY_TRY(set.expect(JsonType::array));
    return for_each_element(set, [&](const Node& s) -> Result<> {
      if (q.semaphores.size() == KBIN_MAX_SEMAPHORES)
        return set.refuse(Reason::too_many_semaphores, fmt::format("{}", count_of(set.value())));
      ASSAY_TRY_LET(n, s.integer<std::uint32_t>());
      q.semaphores.push_back(n);
      return {};
    });
  }
  if (k.has(QueueKey::semaphore_)) {
    ASSAY_TRY_LET(n, k[QueueKey::semaphore_].integer<std::uint32_t>());
    q.semaphores.push_back(n);
  }
  return {};
}

Result<> read_set(const Keys<QueueKey>& k, Queue& q) {
  if (forbids_sets(q.ring_type)) {
    for (const QueueKey key : {QueueKey::num_queues_, QueueKey::queue_instances_})
      if (k.has(key)) return k[key].refuse(Reason::queue_set_forbidden);
    return {};
  }
  ASSAY_TRY_LET(n, k.integer_or<std::uint32_t>(QueueKey::num_queues_, 1));
  q.set_count = n;
  if (q.ring_type == RingType::DYNAMIC_ACT_TBL && n != 1)
    return k[QueueKey::num_queues_].refuse(Reason::act_load_set, fmt::format("is {}", n));
  if (n > kMaxQueuesOfSet)
    return k[QueueKey::num_queues_].refuse(Reason::too_many_in_set, fmt::format("is {}", n));
  if (!k.has(QueueKey::queue_instances_)) return {};
  const Node list = k[QueueKey::queue_instances_];
  ASSAY_TRY(list.expect(JsonType::array));
  return for_each_element(list, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(name, item.string());
    q.instances.push_back({std::string(name), 0});
    return {};
  });
}

Result<> read_dynamic(const Keys<QueueKey>& k, Queue& q) {
  q.dynamic = true;
  if (!k.has(QueueKey::dynamic_dma_)) {
    q.hw_dge = true;  // DMQ-018
    return {};
  }
  const Node node = k[QueueKey::dynamic_dma_];
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<DynamicDmaKey> d(node);
  ASSAY_TRY_LET(off, d.integer_or<std::uint32_t>(DynamicDmaKey::SB_scratch_partition_offset_, 0));
  ASSAY_TRY_LET(size, d.integer_or<std::uint32_t>(DynamicDmaKey::SB_scratch_partition_size_, 0));
  q.scratch_offset = off;
  q.scratch_size = size;
  return {};
}

Result<> read_queue(const Node& node, Queue& q) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<QueueKey> k(node);
  ASSAY_TRY(require(k, {QueueKey::type_}, Reason::queue_type_missing));
  ASSAY_TRY_LET(type, k[QueueKey::type_].string());
  const auto ring = match_QueueType(type);
  if (!ring) return k[QueueKey::type_].refuse(Reason::queue_type_unknown, fmt::format("\"{}\"", type));
  q.ring_type = *ring;

  ASSAY_TRY(require(k, {QueueKey::owner_}, Reason::owner_missing));
  ASSAY_TRY_LET(owner_text, k[QueueKey::owner_].string());
  const auto owner = match_EngineName(owner_text);
  if (!owner) return k[QueueKey::owner_].refuse(Reason::owner_unknown, fmt::format("\"{}\"", owner_text));
  q.owner = *owner;

  // "data" and "dynamic" are one ring type and two kinds of queue (DMQ-006, DMQ-007).
  if (type == "data") {
    ASSAY_TRY_LET(indirect, k.boolean_or(QueueKey::indirect_memcpy_, false));
    if (indirect) q.ring_type = RingType::INDIRECT_MEMCPY;
  }
  if (type == "dynamic") ASSAY_TRY(read_dynamic(k, q));
  ASSAY_TRY(read_set(k, q));
  ASSAY_TRY(read_semaphores(k, q));
  if (q.ring_type == RingType::EMBEDDING_UPDATE) {
    ASSAY_TRY(require(k, {QueueKey::embedding_update_sync_semaphore_}, Reason::sync_semaphore_missing));
    // Stored nowhere (DMQ-014).
    ASSAY_TRY(k[QueueKey::embedding_update_sync_semaphore_].integer<std::uint32_t>());
  }
  ASSAY_TRY_LET(dge, k.boolean_or(QueueKey::dge_, false));
  q.hw_dge |= dge;
  ASSAY_TRY_LET(pinned, k.boolean_or(QueueKey::pinned_, false));
  q.pinned = pinned;
  return {};
}

// The rules over all queues, once they are in their final order.
Result<> check_queues(Context& c, const Node& all) {
  std::uint32_t hw_dge = 0, act_load = 0;
  for (std::uint32_t i = 0; i < c.out.queues.size(); ++i) {
    const Queue& q = c.out.queues[i];
    hw_dge += q.hw_dge;
    act_load += q.ring_type == RingType::DYNAMIC_ACT_TBL;
    c.queue_index.emplace(q.name, i);
    for (std::uint32_t j = 0; j < q.instances.size(); ++j) {
      if (!c.listed_instances.emplace(q.instances[j].name, std::pair(i, j)).second)
        return Node(all, q.name, all.value())
            .refuse(Reason::instance_twice, fmt::format("\"{}\"", q.instances[j].name));
      c.instances_of_queue[i].emplace(q.instances[j].name, j);
    }
  }
  if (act_load > 1) return all.refuse(Reason::act_load_twice);
  const std::uint32_t limit = max_hw_dge_count(code(c.target));
  if (hw_dge > limit)
    return all.refuse(Reason::too_many_hw_dge, fmt::format("{}, the target has {}", hw_dge, limit));
  return {};
}

}  // namespace

Result<> read_queues(Context& c, const Def& def) {
  if (!def.has(DefKey::dma_queue_)) return {};
  const Node all = def[DefKey::dma_queue_];
  ASSAY_TRY(all.expect(JsonType::object));
  std::vector<Queue>& queues = c.out.queues;
  ObjectCursor cursor(all.value());
  std::string_view name;
  JsonValue value;
  while (cursor.next(name, value)) {
    const Node node(all, name, value);
    if (name.find('\0') != std::string_view::npos) return node.refuse(Reason::nul_in_string);
    for (const Queue& q : queues)
      if (q.name == name) return node.refuse(Reason::queue_name_twice);
    if (queues.size() == KBIN_MAX_DMA)
      return all.refuse(Reason::too_many_queues, fmt::format("{}", count_of(all.value())));
    Queue& q = queues.emplace_back();
    q.name = name;
    ASSAY_TRY(read_queue(node, q));
  }
  std::sort(queues.begin(), queues.end(),
            [](const Queue& a, const Queue& b) { return a.name < b.name; });
  c.function_in_force.assign(queues.size(), {});
  c.instances_of_queue.resize(queues.size());
  return check_queues(c, all);
}

}  // namespace assay::definition
