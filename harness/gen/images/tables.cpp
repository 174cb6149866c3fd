// SPDX-License-Identifier: Apache-2.0
// Activation sets, dve tables, carveouts, replica groups, pairs and ucode libraries.
#include "harness/gen/images/images.h"
#include "oracle/records/fields.h"

namespace assay::harness::images {

// Plain numbers only: the table names them.
void Maker::profile(kbin_act_profile_data_t& d) {
  auto* at = reinterpret_cast<std::uint8_t*>(&d);
  for (const Field& f : record(RecordId::kbin_act_profile_data_t).fields) {
    const std::uint32_t width = width_of(f.type);
    const std::uint64_t v = c.edge(0, (std::uint64_t{1} << 8 * width) - 1);
    std::memcpy(at + f.offset, &v, width);
  }
}

void Maker::act_sets() {
  if (!has(kActSets, 25)) return;
  const bool want = wanted(kActSets);
  const std::uint32_t n = std::max(up_to(size.act_sets), want ? 1u : 0u);
  auto* sets = tree.make_array<kbin_act_function_set_t>(Kind::act_function_sets, n);
  tree.root().act_function_sets.sets = sets;
  tree.root().act_function_sets.num_function_sets = n;
  tree.root().act_function_sets.act_tbl_semaphore = u32();
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool roomy = want && i == 0;
    kbin_act_function_set_t& s = sets[i];
    put(s.name, text(roomy ? 40 : 255));
    std::uint64_t bytes_made = 0;
    s.bkt_tbl = bytes(roomy ? 2 : 0, bytes_made);
    s.bkt_sz = static_cast<std::uint32_t>(bytes_made);
    s.ctl_tbl = bytes(roomy ? 2 : 0, bytes_made);
    s.ctl_sz = static_cast<std::uint32_t>(bytes_made);
    s.num_functions = static_cast<std::uint8_t>(roomy            ? 1 + c.below(3)
                                                : c.chance(70) ? c.below(4)
                                                               : c.edge(0, 25));
    for (std::uint32_t p = 0; p < s.num_functions; ++p) profile(s.profile_data[p]);
  }
}

void Maker::dve() {
  if (!has(kDve, 30)) return;
  kbin_dve_config_t* d = tree.root().dve_config = tree.make_dve_config();
  kbin_buffer_t* const buffers[] = {&d->opcode_table, &d->control_fast_table, &d->control_slow_table,
                                    &d->datapath_table};
  for (std::size_t i = 0; i < 4; ++i) {
    const bool want = wanted(kDve) && i % 2 == 0;
    const bool drawn = maybe(60) && !(wanted(kDve) && i == 3);
    if (want || drawn) buffers[i]->buffer = bytes(want ? 2 : 0, buffers[i]->size);
  }
}

void Maker::carveouts() {
  if (!has(kCarveouts, 60)) return;
  const std::uint32_t n = std::max(up_to(3), wanted(kCarveouts) ? 1u : 0u);
  tree.root().sb_carveouts = tree.make_carveouts(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    kbin_sb_carveout_t& s = carveouts_of(tree.root().sb_carveouts)[i];
    s.type = any(EnumId::CarveoutType);
    s.offset = u64();
    s.size = u64();
    s.start_partition = u64();
    s.num_partitions = u64();
    // What later stages want (SBC-004), or one part of it otherwise.
    static constexpr std::uint64_t kWanted[] = {229368, 8, 0, 128};
    if (c.below(100) < 70) continue;
    const std::uint64_t spoilt = c.below(8);
    if (spoilt != 0) s.offset = kWanted[0];
    if (spoilt != 1) s.size = kWanted[1];
    if (spoilt != 2) s.start_partition = kWanted[2];
    if (spoilt != 3) s.num_partitions = kWanted[3];
  }
}

void Maker::groups(kbin_replica_group_set_t& into, bool full) {
  const std::uint32_t least = full ? 2 : 0;
  into.num_groups = std::max(up_to(size.groups), least);
  into.groups = tree.make_array<kbin_replica_group_t>(Kind::replica_groups, into.num_groups);
  for (std::uint64_t g = 0; g < into.num_groups; ++g) {
    kbin_replica_group_t& group = into.groups[g];
    group.num_subgroups = std::max(up_to(3), g == 0 ? least : 0);
    group.subgroups = tree.make_array<kbin_replica_subgroup_t>(Kind::replica_subgroups, group.num_subgroups);
    for (std::uint64_t s = 0; s < group.num_subgroups; ++s) {
      kbin_replica_subgroup_t& sub = group.subgroups[s];
      sub.num_participants = std::max(c.chance(90) ? up_to(4) : up_to(size.blob_bytes / 4), g == 0 ? least : 0);
      sub.participants = tree.make_u32s(sub.num_participants);
      for (std::uint64_t p = 0; p < sub.num_participants; ++p) sub.participants[p] = u32();
    }
  }
}

void Maker::pairs() {
  if (!has(kPairs, 20)) return;
  const bool want = wanted(kPairs);
  const std::uint32_t n = std::max(up_to(size.groups), want ? 1u : 0u);
  auto* sets = tree.make_array<kbin_src_target_pairs_t>(Kind::src_target_pairs, n);
  tree.root().src_target_pairs.pairs_set = sets;
  tree.root().src_target_pairs.num = n;
  for (std::uint32_t i = 0; i < n; ++i) {
    const bool full = want && i == 0;
    const bool with_set = maybe(30);
    if (with_set || full) {
      sets[i].rg_set = tree.make_replica_group_set();
      groups(*sets[i].rg_set, full);
    }
    sets[i].num_pairs = std::max(up_to(4), full ? 2u : 0u);
    sets[i].pairs = tree.make_array<kbin_src_target_pair_t>(Kind::src_target_pair, sets[i].num_pairs);
    for (std::uint64_t p = 0; p < sets[i].num_pairs; ++p) {
      sets[i].pairs[p].src = u64();
      sets[i].pairs[p].target = u64();
    }
    sets[i].aux = u64();
  }
}

void Maker::libs() {
  if (!has(kLibs, 30)) return;
  const std::uint32_t n = std::max(up_to(size.ucode_libs), wanted(kLibs) ? 1u : 0u);
  auto* libs = tree.make_array<kbin_ucode_lib_t>(Kind::ucode_libs, n);
  tree.root().ucode_lib_set.libs = libs;
  tree.root().ucode_lib_set.num_libs = n;
  for (std::uint32_t i = 0; i < n; ++i) {
    kbin_ucode_lib_t& lib = libs[i];
    const bool last = wanted(kLibs) && i + 1 == n;
    lib.content = bytes(last ? 2 : 0, lib.content_size);
    lib.flags = u32();
    lib.cpu_id = u8();
    lib.total_cpus = u8();
    std::uint32_t functions = up_to(size.functions);
    if (maybe(1)) functions = 255;
    if (last) functions = 1 + functions % 7;  // 258 bytes each: not a multiple of 16 in all
    lib.function_set.functions = tree.make_array<kbin_ucode_lib_function_t>(Kind::ucode_functions, functions);
    lib.function_set.num_functions = static_cast<std::uint8_t>(functions);
    for (std::uint32_t f = 0; f < functions; ++f) {
      kbin_ucode_lib_function_t& fn = lib.function_set.functions[f];
      put(fn.name, text(last ? 40 : 255));
      fn.opcode = u8();
      fn.sub_opcode = u8();
    }
  }
}

}  // namespace assay::harness::images
