// SPDX-License-Identifier: Apache-2.0
// Wrong in the value of one field.
#include <algorithm>
#include <cstring>

#include "harness/mutants/records.h"
#include "harness/mutants/tables.h"

namespace assay::harness::wrong {
namespace {

template <class T, class V>
bool put(T& field, V value) {
  if (field == static_cast<T>(value)) return false;
  field = static_cast<T>(value);
  return true;
}
template <class T, class E>
bool is(T field, E value) {
  return field == static_cast<T>(code(value));
}
bool is_compute(const kbin_dma_desc_t& d) {
  return is(d.op, DescOp::FMA) || is(d.op, DescOp::ADD) || is(d.op, DescOp::MIN) || is(d.op, DescOp::MAX);
}
// Of more than 4 dimensions another row speaks (DMB-024).
bool reverse_dims(kbin_dma_desc_info_t& p) {
  const std::uint32_t n = p.num_dims > 4 ? 0 : p.num_dims;
  std::reverse(p.sizes, p.sizes + n);
  std::reverse(p.steps, p.steps + n);
  return n > 1;
}

const Mutant kMutants[] = {
    {"VAR-003-in-out-swapped", "VAR-003", "input is MR_OUTPUT and output MR_INPUT", [](Records& r) {
       return r.variables([](kbin_mem_ref& m) {
         if (is(m.mr_type, MrType::MR_INPUT)) return put(m.mr_type, code(MrType::MR_OUTPUT));
         return is(m.mr_type, MrType::MR_OUTPUT) && put(m.mr_type, code(MrType::MR_INPUT));
       });
     }},
    {"VAR-030-size-32-bits", "VAR-030", "sizes are cut to 32 bits", [](Records& r) {
       return r.variables([](kbin_mem_ref& m) {
         return !is(m.mr_type, MrType::MR_BUFFER) && put(m.size, static_cast<std::uint32_t>(m.size));
       });
     }},
    {"VAR-032-list-size-8", "VAR-032", "a list has size 8", [](Records& r) {
       return r.variables([](kbin_mem_ref& m) { return is(m.mr_type, MrType::MR_LIST) && put(m.size, 8); });
     }},
    {"DMQ-005-in-is-out", "DMQ-005", "an in queue is an OUT ring", [](Records& r) {
       // Not the other way round too: two queues alike would then only change places.
       return r.queues([](kbin_dma_t& q) {
         return is(q.ring_type, RingType::IN) && put(q.ring_type, code(RingType::OUT));
       });
     }},
    {"DMQ-006-plain-data", "DMQ-006", "indirect_memcpy is not looked at", [](Records& r) {
       return r.queues([](kbin_dma_t& q) {
         return is(q.ring_type, RingType::INDIRECT_MEMCPY) && put(q.ring_type, code(RingType::DATA));
       });
     }},
    {"DMQ-007-no-scratch", "DMQ-007", "dynamic_dma's scratch address and size are dropped", [](Records& r) {
       return r.queues([](kbin_dma_t& q) {
         const bool address = put(q.dge_sb_scratch_addr, 0);
         return put(q.dge_sb_scratch_size, 0) || address;
       });
     }},
    {"DMQ-023-cut-at-254", "DMQ-023", "a long instance name is cut to 254 bytes", [](Records& r) {
       return r.instances([](kbin_dma_ring_instance_t& i) { return put(i.name[254], 0); });
     }},
    {"DMB-008-all-end", "DMB-008", "every descriptor of a block is its last", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) { return put(d.block_end_desc, 1); });
     }},
    {"DMB-009-no-priority", "DMB-009", "priority_class is dropped", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) { return put(d.priority_class, 0); });
     }},
    {"DMB-012-transpose-false", "DMB-012", "a TRANSPOSE above SUNDA does not reset the round robin", [](Records& r) {
       return r.target() > static_cast<std::uint32_t>(code(ArchType::SUNDA)) && r.descriptors([](kbin_dma_desc_t& d) {
         return is(d.op, DescOp::TRANSPOSE) && put(d.reset_engine_round_robin, 0);
       });
     }},
    {"DMB-015-max-is-min", "DMB-015", "max is MIN", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) { return is(d.op, DescOp::MAX) && put(d.op, code(DescOp::MIN)); });
     }},
    {"DMB-018-event", "DMB-018", "desc_type is EVENT", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) { return put(d.desc_type, code(DescType::EVENT)); });
     }},
    {"DMB-022-idx-from-1", "DMB-022", "idx counts variables from 1", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) {
         ++d.u.to.idx;
         const std::uint32_t sources = is_compute(d) ? d.u.info.cce.num_sources : 1;
         for (std::uint32_t i = 0; i < sources && i < KBIN_MAX_SOURCES; ++i) ++d.u.from[i].idx;
         return true;
       });
     }},
    {"DMB-023-outermost-first", "DMB-023", "dimension 0 is the outermost", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) {
         bool any = reverse_dims(d.u.to);
         for (kbin_dma_desc_info_t& p : d.u.from) any = reverse_dims(p) || any;
         return any;
       });
     }},
    {"DMB-036-no-destination", "DMB-036", "num_dests is 0", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) { return is_compute(d) && put(d.u.info.cce.num_dests, 0); });
     }},
    {"DMB-037-copy-has-info", "DMB-037", "a COPY's info says one source, one destination", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) {
         return is(d.op, DescOp::COPY) && put(d.u.info.cce.num_sources, 1) && put(d.u.info.cce.num_dests, 1);
       });
     }},
    {"DMB-038-transpose-only", "DMB-038", "num_tiling_dimensions is read on TRANSPOSE alone", [](Records& r) {
       return r.descriptors([](kbin_dma_desc_t& d) {
         return !is(d.op, DescOp::TRANSPOSE) && put(d.u.num_tiling_dims, 0);
       });
     }},
    {"LOW-003-ninstr-up", "LOW-003", "ninstr counts a last slot that is not full", [](Records& r) {
       return r.engines([](kbin_engine_t& e, std::uint64_t bytes) { return put(e.ninstr, (bytes + 63) / 64); });
     }},
    {"LOW-009-padding", "LOW-009", "the padding of variables is not cleared", [](Records& r) {
       return r.variables([](kbin_mem_ref& m) { return put(m.pad52, 0xFFFFFFFF); });
     }},
    {"LOW-012-nameless", "LOW-012", "an engine without code has no name", [](Records& r) {
       return r.engines([](kbin_engine_t& e, std::uint64_t code_bytes) {
         if (code_bytes != 0 || e.name[0] == 0) return false;
         std::memset(e.name, 0, sizeof e.name);
         return true;
       });
     }},
};

}  // namespace

std::span<const Mutant> field_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
