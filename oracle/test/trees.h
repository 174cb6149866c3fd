// SPDX-License-Identifier: Apache-2.0
// Trees made by hand for the image tests: the smallest one, and a small one that holds every kind
// of record, every op and every union member. Nothing here lowers.
#pragma once

#include <cstring>
#include <string_view>

#include "oracle/tree/tree.h"

namespace assay::test {

template <std::size_t N>
void put(char (&field)[N], std::string_view text) {
  std::memcpy(field, text.data(), text.size() < N ? text.size() : N - 1);
}
inline ByteView view_of(std::string_view s) { return as_bytes(s); }

template <class E>
std::uint32_t u(E e) {
  return static_cast<std::uint32_t>(code(e));
}

// Five engines without code and no variable: all that an image cannot do without.
inline Tree minimal_tree() {
  Tree t;
  const char* names[] = {"act", "dve", "pe", "pool", "sp"};
  const EngineType types[] = {EngineType::ACT, EngineType::DVE, EngineType::PE, EngineType::POOL,
                              EngineType::SP};
  for (int i = 0; i < 5; ++i) {
    t.root().engine[i] = t.make_engine({});
    put(t.root().engine[i]->name, names[i]);
    t.root().engine[i]->eng_type = u(types[i]);
  }
  t.root().mem_ref_set = t.make_mem_ref_set(0);
  t.root().target = u(ArchType::SUNDA);
  t.root().cc_streams.num_streams = 1;
  return t;
}

inline void set_pattern(kbin_dma_desc_info_t& p, std::uint32_t idx, std::uint32_t dims,
                        Dtype dtype) {
  p.idx = idx;
  p.off = 16 * idx;
  p.num_dims = dims;
  for (std::uint32_t d = 0; d < dims; ++d) {
    p.steps[d] = d == 0 ? 1 : -64 * static_cast<int>(d);
    p.sizes[d] = d + 1;
  }
  p.dtype = u(dtype);
}

// Descriptor of one op with `sources` patterns (1 for COPY, TRANSPOSE and INVALID).
inline void set_desc(kbin_dma_desc_t& d, DescOp op, std::uint32_t sources) {
  d.op = code(op);
  set_pattern(d.u.to, 1, 2, Dtype::FP32);
  for (std::uint32_t s = 0; s < sources; ++s) set_pattern(d.u.from[s], s, 1 + s % 8, Dtype::FP32);
  d.u.num_tiling_dims = 1;
  d.block_id = 7;
  const bool cce = op == DescOp::FMA || op == DescOp::ADD || op == DescOp::MIN || op == DescOp::MAX;
  if (cce) {
    d.u.info.cce.num_sources = sources;
    d.u.info.cce.num_dests = 1;
  }
  if (op == DescOp::FMA) {
    d.u.info.cce.u.fma.scale_dtype = u(Dtype::FP32);
    for (std::uint32_t s = 0; s < sources; ++s)
      d.u.info.cce.u.fma.scale[s] = 1.0F + 0.5F * static_cast<float>(s);
  }
  if (op == DescOp::MIN || op == DescOp::MAX) {
    d.u.info.cce.u.min_max.use_constant = 1;
    d.u.info.cce.u.min_max.constant_dtype = u(Dtype::UINT32);
    d.u.info.cce.u.min_max.constant = 0x01020304;
  }
  if (op == DescOp::TRANSPOSE) {
    std::memcpy(d.u.info.transpose.transpose_op, "WZYX", 4);
    d.u.info.transpose.element_size = 2;
    for (std::uint32_t i = 0; i < 4; ++i) d.u.info.transpose.shape[i] = i + 2;
  }
}

inline void add_queues(Tree& t) {
  kbin_dma_t* q = t.root().dma[0] = t.make_dma(2);
  q->ring_type = u(RingType::DATA);
  q->owner = u(EngineType::POOL);
  q->queue_set_cnt = 1;
  q->semaphore_cnt = 2;
  q->semaphores[0] = 10, q->semaphores[1] = 0;
  q->pseudo_serialization_semaphore_cnt = 1;
  q->pseudo_serialization_semaphores[0] = 3;
  q->dge_sb_scratch_addr = 64, q->dge_sb_scratch_size = 128, q->flags = 5;
  auto* full = instances_of(q)[0] = t.make_ring_instance(5);
  put(full->name, "q_main");
  const DescOp ops[] = {DescOp::COPY, DescOp::FMA, DescOp::ADD, DescOp::MIN, DescOp::TRANSPOSE};
  for (int i = 0; i < 5; ++i) {
    set_desc(desc_of(full)[i], ops[i], i >= 1 && i <= 3 ? 2 : 1);
    if (i < 2) desc_of(full)[i].function_name = t.make_string("f");  // equal, and not shared
  }
  desc_of(full)[4].block_end_desc = desc_of(full)[4].reset_engine_round_robin = 1;
  desc_of(full)[4].priority_class = 3;
  put((instances_of(q)[1] = t.make_ring_instance(0))->name, "q_empty");
  t.root().dma[1] = t.make_dma(0);
  t.root().dma[1]->ring_type = u(RingType::IN);
}

inline void add_variables(Tree& t) {
  const MrType types[] = {MrType::MR_INPUT, MrType::MR_OUTPUT, MrType::MR_TMP_BUF,
                          MrType::MR_BUFFER, MrType::MR_BUFFER, MrType::MR_PTR,
                          MrType::MR_VIRTUAL_TMP_BUF, MrType::MR_LIST, MrType::MR_PTR_TABLE,
                          MrType::MR_REMOTE, MrType::MR_SB};
  kbin_mem_ref_set_t* set = t.root().mem_ref_set = t.make_mem_ref_set(11);
  set->local_scratchpad_size = 4096, set->shared_scratchpad_size = 64;
  for (std::uint32_t i = 0; i < 11; ++i) {
    kbin_mem_ref& m = mem_of(set)[i];
    m.mr_type = u(types[i]);
    m.var_id = i;
    m.size = i < 3 ? 128 : 0;
    m.name = t.make_string(i == 10 ? "" : i == 9 ? "caf\xc3" : "var");
    if (i < 2) put(m.dtype, "float32"), m.shape[0] = 32, m.alignment = 64;
    if (i == 2 || i == 6) {
      m.dtensor_md = t.make_debug_md();
      put(m.dtensor_md->prefix_str, "layer/1");
      m.dtensor_md->pipe_id = 4;
    }
  }
  mem_of(set)[3].size = 5;
  mem_of(set)[3].buffer = t.make_bytes(view_of("01234"));
  mem_of(set)[5].size = 8;
  mem_of(set)[5].u.ptr.referenced_var_id = 1, mem_of(set)[5].u.ptr.io_ref = 1;
  mem_of(set)[6].size = 256;
  mem_of(set)[6].u.virtual_.offset = 512;
  mem_of(set)[6].u.virtual_.backing_buf = u(BackingBuf::SHARED);
  mem_of(set)[7].u.list.length = 3;
  mem_of(set)[7].u.list.list = t.make_u32s(3);
  for (std::uint32_t i = 0; i < 3; ++i) mem_of(set)[7].u.list.list[i] = i;
  mem_of(set)[9].u.remote.remote_vtpb_rel_sg_id = 1, mem_of(set)[9].u.remote.remote_var_id = 2;
}

inline kbin_replica_group_t* add_groups(Tree& t) {
  auto* groups = t.make_array<kbin_replica_group_t>(Kind::replica_groups, 2);
  auto* subs = groups[0].subgroups =
      t.make_array<kbin_replica_subgroup_t>(Kind::replica_subgroups, 2);
  groups[0].num_subgroups = 2;
  subs[0].participants = t.make_u32s(2);
  subs[0].num_participants = 2;
  subs[0].participants[1] = 1;
  return groups;  // the second sub-group and the second group are empty
}

// Every kind, op and union member; about 34 KB as an image.
inline Tree small_tree() {
  Tree t = minimal_tree();
  kbin_t& k = t.root();
  t.subgraph = 3;
  k.target = u(ArchType::CAYMAN);
  const char* blobs[] = {"", "\1\2\3", nullptr, "", ""};
  std::string long_blob(130, 'x');
  for (int i = 1; i < 3; ++i) {
    kbin_engine_t* e = t.make_engine(i == 2 ? view_of(long_blob) : view_of(blobs[i]));
    std::memcpy(e, k.engine[i], sizeof *e);
    k.engine[i] = e;
  }
  k.engine[2]->ninstr = 2;
  add_queues(t);
  add_variables(t);
  auto* act = k.act_function_sets.sets =
      t.make_array<kbin_act_function_set_t>(Kind::act_function_sets, 1);
  k.act_function_sets.num_function_sets = 1;
  k.act_function_sets.act_tbl_semaphore = 9;
  put(act->name, "gelu");
  act->bkt_tbl = t.make_bytes(view_of("bucket")), act->bkt_sz = 6;
  act->num_functions = 2;
  for (std::uint32_t i = 0; i < 2; ++i) {
    act->profile_data[i].func_id = 20 + i, act->profile_data[i].exp_offset = -3;
    act->profile_data[i].pos_small_signal_pwl_control = 0xfffe, act->profile_data[i].imm_bias = 255;
  }
  k.dve_config = t.make_dve_config();
  k.dve_config->opcode_table = {t.make_bytes(view_of("opc")), 3};
  k.dve_config->datapath_table = {t.make_bytes(view_of("datapath.....17b")), 16};
  k.sb_carveouts = t.make_carveouts(1);
  carveouts_of(k.sb_carveouts)[0] = {u(CarveoutType::EVTACCEL), 0, 229368, 8, 0, 128};
  k.replica_groups = {add_groups(t), 2};
  auto* pairs = k.src_target_pairs.pairs_set =
      t.make_array<kbin_src_target_pairs_t>(Kind::src_target_pairs, 2);
  k.src_target_pairs.num = 2;
  pairs[0].rg_set = t.make_replica_group_set();
  *pairs[0].rg_set = {add_groups(t), 2};
  pairs[0].pairs = t.make_array<kbin_src_target_pair_t>(Kind::src_target_pair, 2);
  pairs[0].num_pairs = 2;
  pairs[0].pairs[0] = {0, 1}, pairs[0].pairs[1] = {1, 0};
  auto* lib = k.ucode_lib_set.libs = t.make_array<kbin_ucode_lib_t>(Kind::ucode_libs, 1);
  k.ucode_lib_set.num_libs = 1;
  lib->content = t.make_bytes(view_of("ucode")), lib->content_size = 5;
  lib->flags = 6, lib->total_cpus = 8;
  lib->function_set.functions =
      t.make_array<kbin_ucode_lib_function_t>(Kind::ucode_functions, 2);
  lib->function_set.num_functions = 2;
  put(lib->function_set.functions[0].name, "fn"), put(lib->function_set.functions[1].name, "g");
  lib->function_set.functions[0].opcode = 200, lib->function_set.functions[0].sub_opcode = 1;
  k.fp8_conv_cfg = {1, {}, 8, 16, 1, 0, 1, 0};
  return t;
}

}  // namespace assay::test
