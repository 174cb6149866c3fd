// SPDX-License-Identifier: Apache-2.0
#include "oracle/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay {
namespace {

// Copies a name into a zeroed char array, cut so that a NUL remains (DMQ-023, ACT-008).
template <std::size_t N>
void put_name(char (&field)[N], std::string_view name) {
  std::memcpy(field, name.data(), std::min(name.size(), N - 1));
}

struct EngineSlot {
  const char* name;
  EngineType type;
};
// Slots in byte order of the names, not of the types (LOW-002).
constexpr EngineSlot kSlots[KBIN_NUM_ENGINES] = {{"act", EngineType::ACT},
                                                 {"dve", EngineType::DVE},
                                                 {"pe", EngineType::PE},
                                                 {"pool", EngineType::POOL},
                                                 {"sp", EngineType::SP}};

void lower_engines(const Resources& r, Tree& t) {
  for (std::size_t i = 0; i < KBIN_NUM_ENGINES; ++i) {
    const ByteView code_bytes = r.engines[static_cast<std::size_t>(kSlots[i].type)].code;
    kbin_engine_t* e = t.make_engine(code_bytes);
    e->eng_type = static_cast<std::uint32_t>(kSlots[i].type);
    put_name(e->name, kSlots[i].name);
    e->ninstr = static_cast<std::uint32_t>(code_bytes.size() >> 6);
    t.root().engine[i] = e;
  }
}

void lower_union(const Variable& v, Tree& t, kbin_mem_ref& m) {
  switch (v.type) {
    case MrType::MR_PTR:
      m.u.ptr.referenced_var_id = v.referenced_var_id;
      m.u.ptr.io_ref = v.io_ref;
      break;
    case MrType::MR_VIRTUAL_TMP_BUF:
      m.u.virtual_.offset = v.backing_off;
      m.u.virtual_.backing_buf = static_cast<std::uint32_t>(v.backing);
      break;
    case MrType::MR_LIST:
    case MrType::MR_PTR_TABLE: {
      if (!v.rest) break;
      const auto& list = v.rest->list;
      m.u.list.length = static_cast<std::uint32_t>(list.size());
      m.u.list.list = t.make_u32s(list.size());
      if (!list.empty()) std::memcpy(m.u.list.list, list.data(), list.size() * 4);
      break;
    }
    default: break;  // remote's ids are filled by a later pass (VAR-033)
  }
}

void lower_rest(const Variable::Rest& rest, Tree& t, kbin_mem_ref& m) {
  std::copy(rest.dtype.begin(), rest.dtype.end(), m.dtype);
  std::copy(rest.shape.begin(), rest.shape.end(), m.shape);
  if (rest.debug) {
    m.dtensor_md = t.make_debug_md();
    put_name(m.dtensor_md->prefix_str, rest.debug->prefix);
    m.dtensor_md->pipe_id = rest.debug->pipe;
  }
  m.buffer = t.make_bytes(rest.payload);
}

void lower_variables(const Resources& r, Tree& t) {
  t.expect(r.variables.size());
  kbin_mem_ref_set_t* set = t.make_mem_ref_set(static_cast<std::uint32_t>(r.variables.size()));
  t.root().mem_ref_set = set;
  set->local_scratchpad_size = r.local_scratchpad_size;
  set->shared_scratchpad_size = r.shared_scratchpad_size;
  kbin_mem_ref* m = mem_of(set);
  for (const Variable& v : r.variables) {
    m->mr_type = static_cast<std::uint32_t>(v.type);
    m->name = t.make_string(v.name);
    m->size = v.size;
    m->alignment = v.alignment;
    m->var_id = v.var_id;
    if (v.rest) lower_rest(*v.rest, t, *m);
    lower_union(v, t, *m);
    ++m;
  }
}

void lower_info(const Descriptor& d, kbin_dma_desc_t& out) {
  if (d.op == DescOp::COPY) return;
  if (d.op == DescOp::TRANSPOSE) {
    auto& info = out.u.info.transpose;
    std::copy(d.transpose_op.begin(), d.transpose_op.end(), info.transpose_op);
    info.element_size = d.transpose_element_size;
    std::copy(d.transpose_shape.begin(), d.transpose_shape.end(), info.shape);
    return;
  }
  auto& info = out.u.info.cce;
  info.num_sources = static_cast<std::uint32_t>(d.from.size());
  info.num_dests = 1;
  if (d.op == DescOp::FMA) {
    info.u.fma.scale_dtype = static_cast<std::uint32_t>(Dtype::FP32);
    std::copy(d.scales.begin(), d.scales.end(), info.u.fma.scale);
  } else if (d.op == DescOp::MIN || d.op == DescOp::MAX) {
    info.u.min_max.use_constant = d.use_constant;
    info.u.min_max.constant_dtype = static_cast<std::uint32_t>(d.constant_dtype);
    info.u.min_max.constant = d.constant;
  }
}

// DMB-012..DMB-014.
bool resets_round_robin(const Descriptor& d, const Block& b, ArchType target) {
  return target != ArchType::SUNDA &&
         (d.op == DescOp::TRANSPOSE || !b.function.empty() || b.section_start);
}

void lower_descriptor(const Descriptor& d, const Block& b, bool last, ArchType target, Tree& t,
                      kbin_dma_desc_t& out) {
  out.desc_type = static_cast<std::uint32_t>(DescType::DATA);
  out.op = static_cast<std::int32_t>(d.op);
  out.u.to = d.to;
  std::copy(d.from.begin(), d.from.end(), out.u.from);
  out.u.num_tiling_dims = d.num_tiling_dims;
  lower_info(d, out);
  out.block_id = b.id;
  out.block_end_desc = last;
  out.reset_engine_round_robin = resets_round_robin(d, b, target);
  if (!b.function.empty()) out.function_name = t.make_string(b.function);
  out.priority_class = b.priority_class;
}

void lower_queues(const Resources& r, ArchType target, Tree& t) {
  std::vector<std::vector<kbin_dma_desc_t*>> next(r.queues.size());
  for (std::size_t i = 0; i < r.queues.size(); ++i) {
    const Queue& q = r.queues[i];
    kbin_dma_t* d = t.make_dma(static_cast<std::uint32_t>(q.instances.size()));
    t.root().dma[i] = d;
    d->ring_type = static_cast<std::uint32_t>(q.ring_type);
    d->owner = static_cast<std::uint32_t>(q.owner);
    d->queue_set_cnt = q.set_count;
    d->semaphore_cnt = static_cast<std::uint32_t>(q.semaphores.size());
    std::copy(q.semaphores.begin(), q.semaphores.end(), d->semaphores);
    d->dge_sb_scratch_addr = q.scratch_offset;
    d->dge_sb_scratch_size = q.scratch_size;
    d->flags = (q.pinned ? 1U : 0U) | (q.hw_dge ? 2U : 0U) | (q.dynamic ? 4U : 0U);  // DMQ-019
    for (std::size_t j = 0; j < q.instances.size(); ++j) {
      kbin_dma_ring_instance_t* instance = t.make_ring_instance(q.instances[j].ndesc);
      put_name(instance->name, q.instances[j].name);
      instances_of(d)[j] = instance;
      next[i].push_back(desc_of(instance));
    }
  }
  for (const Block& b : r.blocks) {
    kbin_dma_desc_t*& at = next[b.queue][b.instance];
    for (std::size_t i = 0; i < b.desc.size(); ++i)
      lower_descriptor(b.desc[i], b, i + 1 == b.desc.size(), target, t, *at++);
  }
}

void lower_collectives(const Resources& r, Tree& t) {
  kbin_replica_group_set_t& set = t.root().replica_groups;
  set.num_groups = r.replica_groups.size();
  set.groups = t.make_array<kbin_replica_group_t>(Kind::replica_groups, set.num_groups);
  for (std::size_t i = 0; i < r.replica_groups.size(); ++i) {
    const auto& group = r.replica_groups[i];
    kbin_replica_group_t& g = set.groups[i];
    g.num_subgroups = group.size();
    g.subgroups = t.make_array<kbin_replica_subgroup_t>(Kind::replica_subgroups, group.size());
    for (std::size_t j = 0; j < group.size(); ++j) {
      kbin_replica_subgroup_t& s = g.subgroups[j];
      s.num_participants = group[j].size();
      s.participants = t.make_u32s(group[j].size());
      std::copy(group[j].begin(), group[j].end(), s.participants);
    }
  }

  auto& pairs = t.root().src_target_pairs;
  pairs.num = r.src_target_pairs.size();
  pairs.pairs_set = t.make_array<kbin_src_target_pairs_t>(Kind::src_target_pairs, pairs.num);
  for (std::size_t i = 0; i < r.src_target_pairs.size(); ++i) {
    const auto& from = r.src_target_pairs[i];
    kbin_src_target_pairs_t& p = pairs.pairs_set[i];
    p.num_pairs = from.size();
    p.pairs = t.make_array<kbin_src_target_pair_t>(Kind::src_target_pair, from.size());
    std::copy(from.begin(), from.end(), p.pairs);
  }
}

void lower_ucode(const Resources& r, Tree& t) {
  auto& set = t.root().ucode_lib_set;
  set.num_libs = r.ucode_libs.size();
  set.libs = t.make_array<kbin_ucode_lib_t>(Kind::ucode_libs, set.num_libs);
  for (std::size_t i = 0; i < r.ucode_libs.size(); ++i) {
    const UcodeLib& from = r.ucode_libs[i];
    kbin_ucode_lib_t& lib = set.libs[i];
    lib.content = t.make_bytes(from.content);
    lib.content_size = from.content.size();
    lib.flags = from.flags;
    lib.cpu_id = from.cpu_id;
    lib.total_cpus = from.total_cpus;
    lib.function_set.num_functions = static_cast<std::uint8_t>(from.functions.size());
    lib.function_set.functions =
        t.make_array<kbin_ucode_lib_function_t>(Kind::ucode_functions, from.functions.size());
    std::copy(from.functions.begin(), from.functions.end(), lib.function_set.functions);
  }
}

void lower_tables(const Resources& r, Tree& t) {
  auto& act = t.root().act_function_sets;
  act.act_tbl_semaphore = r.act_semaphore;
  act.num_function_sets = r.act_sets.size();
  act.sets = t.make_array<kbin_act_function_set_t>(Kind::act_function_sets, r.act_sets.size());
  for (std::size_t i = 0; i < r.act_sets.size(); ++i) {
    const ActSet& from = r.act_sets[i];
    kbin_act_function_set_t& s = act.sets[i];
    put_name(s.name, from.name);
    s.bkt_tbl = t.make_bytes(from.bkt);
    s.bkt_sz = static_cast<std::uint32_t>(from.bkt.size());
    s.ctl_tbl = t.make_bytes(from.ctl);
    s.ctl_sz = static_cast<std::uint32_t>(from.ctl.size());
    s.num_functions = static_cast<std::uint8_t>(from.profiles.size());
    std::copy(from.profiles.begin(), from.profiles.end(), s.profile_data);
  }

  if (r.dve_tables) {
    kbin_dve_config_t* dve = t.make_dve_config();
    t.root().dve_config = dve;
    kbin_buffer_t* const buffers[] = {&dve->opcode_table, &dve->control_fast_table,
                                      &dve->control_slow_table, &dve->datapath_table};
    for (std::size_t i = 0; i < r.dve_tables->size(); ++i) {
      buffers[i]->buffer = t.make_bytes((*r.dve_tables)[i]);
      buffers[i]->size = (*r.dve_tables)[i].size();
    }
  }
}

void lower_carveouts(const Resources& r, Tree& t) {
  if (!r.carveouts) return;
  t.root().sb_carveouts = t.make_carveouts(r.carveouts->size());
  std::copy(r.carveouts->begin(), r.carveouts->end(), carveouts_of(t.root().sb_carveouts));
}

// What the blobs cost: the same member may be named many times, so that a small file could ask
// for far more memory than it has bytes. Descriptors were charged when they were read.
Result<> check_cost(const Resources& r, const Limits& limits) {
  std::uint64_t bytes = sizeof(kbin_t);
  bool fits = true;
  const auto add = [&](std::uint64_t n) { fits = fits && checked_add(bytes, n, bytes) && bytes <= limits.image_bytes; };
  for (const Engine& e : r.engines) add(e.code.size());
  for (const Variable& v : r.variables)
    add(sizeof(kbin_mem_ref) + v.name.size() + (v.rest ? v.rest->payload.size() : 0));
  for (const Block& b : r.blocks) add(b.desc.size() * (sizeof(kbin_dma_desc_t) + b.function.size()));
  for (const ActSet& s : r.act_sets) add(sizeof(kbin_act_function_set_t) + s.bkt.size() + s.ctl.size());
  for (const UcodeLib& l : r.ucode_libs) add(l.content.size());
  if (r.dve_tables)
    for (const ByteView table : *r.dve_tables) add(table.size());
  if (!fits) return refuse(Reason::limit_image_bytes, {}, fmt::format("allowed are {} bytes", limits.image_bytes));
  return {};
}

}  // namespace

Result<> check_target(ArchType target) {
  if (target == ArchType::INVALID) return refuse(Reason::target_zero, {{}, {}, {}, "target"});
  if (target != ArchType::SUNDA && target != ArchType::CAYMAN && target != ArchType::MARIANA)
    return refuse(Reason::target_range, {{}, {}, {}, "target"}, fmt::format("is {}", code(target)));
  return {};
}

Result<Tree> lower(const Resources& r, ArchType target, std::uint32_t subgraph, const Limits& limits,
                   std::shared_ptr<const void> lender) {
  ASSAY_TRY(check_target(target));
  ASSAY_TRY(check_cost(r, limits));
  Tree t;
  t.lend_from(std::move(lender));
  t.subgraph = subgraph;
  // In LOW-001's order.
  lower_engines(r, t);
  lower_queues(r, target, t);
  lower_variables(r, t);
  lower_tables(r, t);
  lower_collectives(r, t);
  lower_ucode(r, t);
  lower_carveouts(r, t);
  t.root().fp8_conv_cfg = r.fp8;
  t.root().cc_streams.num_streams = r.num_streams;
  t.root().target = static_cast<std::uint32_t>(target);
  return t;
}

}  // namespace assay
