// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tuple>

#include "oracle/manifest/definition/definition.h"

namespace assay::definition {
namespace {

constexpr std::size_t kFunctionNameBytes = 256;  // DMB-011: cut to its first 256

// A string key of a block; an absent one and an empty one are alike (DMB-002, DMB-011).
Result<std::string_view> string_or_empty(const Keys<BlockKey>& k, BlockKey key) {
  if (!k.has(key)) return std::string_view{};
  return k[key].string();
}

// The keys whose records' layout is not known (DMB-019).
Result<> check_signals(Context& c, const Keys<BlockKey>& k) {
  for (const BlockKey key : {BlockKey::event_, BlockKey::semaphore_, BlockKey::remote_semaphores_}) {
    if (!k.has(key)) continue;
    if (!c.options.assume_no_signals) return k[key].refuse(Reason::signals_unspecified);
    c.out.assumed.push_back(k[key].place());
  }
  return {};
}

std::uint32_t find_or_make_instance(Context& c, std::uint32_t queue, std::string_view name) {
  auto& known = c.instances_of_queue[queue];
  const auto at = known.find(name);
  if (at != known.end()) return at->second;
  std::vector<Queue::Instance>& all = c.out.queues[queue].instances;
  const auto made = static_cast<std::uint32_t>(all.size());
  all.push_back({std::string(name), 0});
  known.emplace(name, made);
  return made;
}

// Which queue and instance a block goes to (DMB-003..DMB-006).
Result<> find_destination(Context& c, const Keys<BlockKey>& k, Block& b) {
  ASSAY_TRY_LET(instance, string_or_empty(k, BlockKey::instance_name_));
  if (!instance.empty()) {
    const auto listed = c.listed_instances.find(instance);
    if (listed != c.listed_instances.end()) {
      std::tie(b.queue, b.instance) = listed->second;
      return {};
    }
  }
  ASSAY_TRY_LET(queue, string_or_empty(k, BlockKey::queue_));
  if (queue.empty()) {
    if (instance.empty()) return k.node().refuse(Reason::block_key_missing, "no \"queue\" and no \"instance_name\"");
    return k[BlockKey::instance_name_].refuse(Reason::instance_unknown, fmt::format("\"{}\"", instance));
  }
  const auto at = c.queue_index.find(queue);
  if (at == c.queue_index.end())
    return k[BlockKey::queue_].refuse(Reason::queue_unknown, fmt::format("\"{}\"", queue));
  b.queue = at->second;
  b.instance = find_or_make_instance(c, b.queue, instance.empty() ? queue : instance);
  return {};
}

Result<> read_block(Context& c, const Node& node) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<BlockKey> k(node);
  ASSAY_TRY(check_signals(c, k));
  ASSAY_TRY(require(k, {BlockKey::id_, BlockKey::desc_}, Reason::block_key_missing));
  Block b;
  ASSAY_TRY_LET(id, k[BlockKey::id_].integer<std::uint32_t>());
  b.id = id;
  ASSAY_TRY(find_destination(c, k, b));
  ASSAY_TRY_LET(priority, k.integer_or<std::uint8_t>(BlockKey::priority_class_, 0));
  b.priority_class = priority;
  if (c.target != ArchType::SUNDA) {  // there it decides no byte (JSN-013, DMB-014)
    ASSAY_TRY_LET(start, k.boolean_or(BlockKey::section_start_desc_, false));
    b.section_start = start;
  }
  ASSAY_TRY_LET(function, string_or_empty(k, BlockKey::function_start_));
  std::string& in_force = c.function_in_force[b.queue];
  if (!function.empty()) in_force = function.substr(0, kFunctionNameBytes);
  b.function = in_force;

  const Node desc = k[BlockKey::desc_];
  ASSAY_TRY(desc.expect(JsonType::array));
  ASSAY_TRY(for_each_element(desc, [&](const Node& item) -> Result<> {
    ASSAY_TRY(c.charge(sizeof(kbin_dma_desc_t), item));
    ASSAY_TRY_LET(d, read_descriptor(c, item));
    b.desc.push_back(std::move(d));
    return {};
  }));
  c.out.queues[b.queue].instances[b.instance].ndesc += static_cast<std::uint32_t>(b.desc.size());
  c.out.blocks.push_back(std::move(b));
  return {};
}

}  // namespace

Result<> read_blocks(Context& c, const Node& dma) {
  ASSAY_TRY(dma.expect(JsonType::array));
  return for_each_element(dma, [&](const Node& block) { return read_block(c, block); });
}

}  // namespace assay::definition
