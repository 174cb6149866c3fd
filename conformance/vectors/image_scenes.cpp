// SPDX-License-Identifier: Apache-2.0
#include "conformance/vectors/image_scenes.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/image/image.h"
#include "oracle/tree/tree.h"

namespace assay::conformance::vectors {
namespace {

void put(char* to, std::string_view text) { std::copy(text.begin(), text.end(), to); }

// What every tree has: five engines, of which the one in the middle has code, and a set of variables.
Tree bare(std::uint32_t variables = 0) {
  Tree t;
  for (std::uint32_t i = 0; i < KBIN_NUM_ENGINES; ++i) {
    const std::string code(i == 2 ? 130 : 0, '\x11');
    kbin_engine_t* e = t.make_engine(as_bytes(code));
    e->eng_type = i;
    e->ninstr = static_cast<std::uint32_t>(code.size() / 64);
    put(e->name, "e");
    t.root().engine[i] = e;
  }
  t.root().mem_ref_set = t.make_mem_ref_set(variables);
  t.root().target = 2;
  return t;
}

// A queue with one instance, whose descriptors are to be filled.
kbin_dma_desc_t* queue(Tree& t, std::uint32_t descriptors) {
  kbin_dma_t* q = t.make_dma(1);
  q->ring_type = static_cast<std::uint32_t>(code(RingType::DATA));
  q->semaphore_cnt = 2;
  q->pseudo_serialization_semaphore_cnt = 1;
  kbin_dma_ring_instance_t* i = t.make_ring_instance(descriptors);
  put(i->name, "qi");
  instances_of(q)[0] = i;
  t.root().dma[0] = q;
  return desc_of(i);
}

Tree descriptor(DescOp op, std::uint32_t sources) {
  Tree t = bare();
  kbin_dma_desc_t* d = queue(t, 1);
  d->op = code(op);
  d->u.to.num_dims = 2;
  for (std::uint32_t i = 0; i < sources; ++i) d->u.from[i].num_dims = 2;
  if (op == DescOp::COPY) d->function_name = t.make_string("fn");
  else d->u.info.cce.num_sources = sources;
  return t;
}

// One variable of each type, and a list of none.
Tree variables() {
  const std::uint32_t n = static_cast<std::uint32_t>(enum_row(EnumId::MrType).values.size());
  Tree t = bare(n + 1);
  mem_of(t.root().mem_ref_set)[n].mr_type = static_cast<std::uint32_t>(code(MrType::MR_LIST));
  mem_of(t.root().mem_ref_set)[n].var_id = n;
  mem_of(t.root().mem_ref_set)[n].name = t.make_string("");
  for (std::uint32_t i = 0; i < n; ++i) {
    kbin_mem_ref& m = mem_of(t.root().mem_ref_set)[i];
    m.mr_type = i;
    m.var_id = i;
    m.name = t.make_string(fmt::format("v{}", i));
    put(m.dtype, "int8");
    const auto type = static_cast<MrType>(i);
    if (type == MrType::MR_BUFFER) {
      m.buffer = t.make_bytes(as_bytes("payload"));
      m.size = 7;
    } else if (type == MrType::MR_TMP_BUF) {
      m.dtensor_md = t.make_debug_md();
      put(m.dtensor_md->prefix_str, "p");
    } else if (type == MrType::MR_LIST || type == MrType::MR_PTR_TABLE) {
      m.u.list.list = t.make_u32s(2);
      m.u.list.length = 2;
    }
  }
  return t;
}

// Two sets, of which the second is empty.
Tree act() {
  Tree t = bare();
  auto* set = t.make_array<kbin_act_function_set_t>(Kind::act_function_sets, 2);
  put(set->name, "s");
  set->bkt_tbl = t.make_bytes(as_bytes("bucket"));
  set->bkt_sz = 6;
  set->ctl_tbl = t.make_bytes(as_bytes("ctl"));
  set->ctl_sz = 3;
  set->num_functions = 1;
  t.root().act_function_sets.sets = set;
  t.root().act_function_sets.num_function_sets = 2;
  return t;
}

// The smaller parts of kbin_t, all in one: of those that may be empty one that is, last.
Tree parts() {
  Tree t = bare();
  kbin_t& root = t.root();
  root.dve_config = t.make_dve_config();
  for (kbin_buffer_t* b : {&root.dve_config->opcode_table, &root.dve_config->control_fast_table,
                           &root.dve_config->control_slow_table}) {
    b->buffer = t.make_bytes(as_bytes("tbl"));
    b->size = 3;
  }
  root.sb_carveouts = t.make_carveouts(1);
  carveouts_of(root.sb_carveouts)->type = static_cast<std::uint32_t>(code(CarveoutType::EVTACCEL));
  auto* group = t.make_array<kbin_replica_group_t>(Kind::replica_groups, 2);
  group->subgroups = t.make_array<kbin_replica_subgroup_t>(Kind::replica_subgroups, 2);
  group->num_subgroups = 2;
  group->subgroups->participants = t.make_u32s(2);
  group->subgroups->num_participants = 2;
  root.replica_groups.groups = group;
  root.replica_groups.num_groups = 2;
  auto* lib = t.make_array<kbin_ucode_lib_t>(Kind::ucode_libs, 2);
  lib->content = t.make_bytes(as_bytes("content"));
  lib->content_size = 7;
  lib->function_set.functions = t.make_array<kbin_ucode_lib_function_t>(Kind::ucode_functions, 1);
  lib->function_set.num_functions = 1;
  put(lib->function_set.functions->name, "f");
  root.ucode_lib_set.libs = lib;
  root.ucode_lib_set.num_libs = 2;
  return t;
}

Tree only_a_queue() {
  Tree t = bare();
  queue(t, 0);
  return t;
}

}  // namespace

std::vector<Scene> image_scenes() {
  std::vector<Scene> out;
  const auto add = [&](const char* name, const Tree& tree) {
    if (auto image = encode(tree)) out.push_back({name, std::move(*image)});
  };
  add("bare", bare());
  add("variables", variables());
  add("queue", only_a_queue());
  add("copy", descriptor(DescOp::COPY, 1));
  add("fma", descriptor(DescOp::FMA, 9));
  add("add", descriptor(DescOp::ADD, 1));
  add("min", descriptor(DescOp::MIN, 1));
  add("max", descriptor(DescOp::MAX, 1));
  add("act", act());
  add("parts", parts());
  return out;
}

}  // namespace assay::conformance::vectors
