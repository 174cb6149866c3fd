// SPDX-License-Identifier: Apache-2.0
// Queues, ring instances and descriptors: every op, 1..32 sources, 1..8 dimensions.
#include "harness/gen/images/images.h"

namespace assay::harness::images {
namespace {

struct OpRow {
  Wants wanted;
  DescOp op;
};
constexpr OpRow kOps[] = {{kCopy, DescOp::COPY},    {kFma, DescOp::FMA},    {kAdd, DescOp::ADD},
                          {kMinMax, DescOp::MIN},   {kMinMax, DescOp::MAX}, {kTranspose, DescOp::TRANSPOSE},
                          {kNothing, DescOp::INVALID}};
constexpr std::uint64_t kAnyOp = kCopy | kFma | kAdd | kMinMax | kTranspose;

}  // namespace

void Maker::pattern(kbin_dma_desc_info_t& p, bool roomy) {
  p.idx = u32();
  p.off = u64();
  p.num_dims = static_cast<std::uint32_t>(c.edge(1, roomy ? 7 : 8));
  for (std::uint32_t d = 0; d < p.num_dims; ++d) {
    p.steps[d] = static_cast<std::int64_t>(u64());
    p.sizes[d] = u64();
  }
  p.dtype = any(EnumId::Dtype);
}

void Maker::info(kbin_dma_desc_t& d, DescOp op, std::uint32_t sources) {
  if (op == DescOp::TRANSPOSE) {
    kbin_dma_desc_transpose_info_t& t = d.u.info.transpose;
    for (std::uint8_t& letter : t.transpose_op) letter = static_cast<std::uint8_t>("WZYX"[c.below(4)]);
    t.element_size = u32();
    for (std::uint32_t& n : t.shape) n = u32();
    if (maybe(10)) t.reserved[c.below(sizeof t.reserved)] = u8();
    return;
  }
  if (op == DescOp::COPY || op == DescOp::INVALID) return;
  kbin_dma_desc_cce_info_t& cce = d.u.info.cce;
  cce.num_sources = sources;
  cce.num_dests = u32();
  if (op == DescOp::FMA) {
    cce.u.fma.scale_dtype = any(EnumId::Dtype);
    for (std::uint32_t s = 0; s < sources; ++s) {
      const std::uint32_t bits = u32();  // any float, not-a-numbers too
      std::memcpy(&cce.u.fma.scale[s], &bits, sizeof bits);
    }
  } else if (op != DescOp::ADD) {
    cce.u.min_max.use_constant = flag();
    cce.u.min_max.constant_dtype = any(EnumId::Dtype);
    cce.u.min_max.constant = u32();
  }
}

void Maker::descriptor(kbin_dma_desc_t& d, DescOp op, bool roomy) {
  d.op = code(op);
  const bool many = op != DescOp::COPY && op != DescOp::TRANSPOSE && op != DescOp::INVALID;
  const auto sources = static_cast<std::uint32_t>(!many ? 1 : roomy ? 1 + c.below(4) : c.edge(1, 32));
  pattern(d.u.to, roomy);
  for (std::uint32_t s = 0; s < sources; ++s) pattern(d.u.from[s], roomy);
  d.u.num_tiling_dims = u32();
  info(d, op, sources);
  d.block_id = u32();
  d.block_end_desc = flag();
  d.reset_engine_round_robin = flag();
  d.priority_class = u8();
  const bool named = maybe(40);
  if (named || roomy) d.function_name = tree.make_string(roomy ? "f" + text(20) : text(300));
}

void Maker::queue(kbin_dma_t& q, bool roomy) {
  q.ring_type = any(EnumId::RingType);
  q.owner = any(EnumId::EngineType);
  q.queue_set_cnt = u32();
  const std::uint64_t most = roomy ? 31 : 32;
  q.semaphore_cnt = static_cast<std::uint32_t>(c.chance(60) ? c.below(3) : c.edge(0, most));
  for (std::uint32_t i = 0; i < q.semaphore_cnt; ++i) q.semaphores[i] = u32();
  q.pseudo_serialization_semaphore_cnt = static_cast<std::uint32_t>(c.chance(60) ? c.below(3) : c.edge(0, most));
  for (std::uint32_t i = 0; i < q.pseudo_serialization_semaphore_cnt; ++i)
    q.pseudo_serialization_semaphores[i] = u32();
  q.dge_sb_scratch_addr = u32();
  q.dge_sb_scratch_size = u32();
  q.flags = u32();
}

void Maker::queues() {
  std::uint32_t n = up_to(size.queues);
  if (maybe(1)) n = 32;
  const std::uint64_t ops = wants & kAnyOp;
  const bool instances = wanted(kInstances) || ops != 0;
  if (n < 2 && wanted(kQueues)) n = 2;
  if (n < 1 && instances) n = 1;
  if (n > 31 && (wanted(kQueues) || instances)) n = 31;
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool wants_here = i == 0 && instances;
    // A queue of a crowd has no instances: a descriptor takes 5 KB.
    std::uint32_t count = n > size.queues ? 0 : up_to(size.instances);
    if (wants_here && count < 2) count = 2;
    kbin_dma_t* q = tree.root().dma[i] = tree.make_dma(count);
    queue(*q, i == 0 && (instances || wanted(kQueues)));
    for (std::uint32_t k = 0; k < count; ++k) {
      std::vector<DescOp> made;
      std::size_t roomy = 0;
      if (wants_here && k == 0) {
        for (const OpRow& r : kOps)
          if ((ops & r.wanted) != 0) made.push_back(r.op);
        if (made.empty()) made.push_back(DescOp::COPY);
        roomy = made.size();
      }
      if (!wants_here || k > 1)
        for (std::uint32_t more = up_to(size.descriptors); more > 0; --more)
          made.push_back(c.pick(kOps).op);
      kbin_dma_ring_instance_t* r = instances_of(q)[k] =
          tree.make_ring_instance(static_cast<std::uint32_t>(made.size()));
      put(r->name, text(roomy > 0 ? 40 : 255));
      for (std::size_t d = 0; d < made.size(); ++d) descriptor(desc_of(r)[d], made[d], d < roomy);
    }
  }
}

}  // namespace assay::harness::images
