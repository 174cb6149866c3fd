// SPDX-License-Identifier: Apache-2.0
// Reads one field of a record where another one lies, or a record for what it is not: told by decode.
#include "conformance/mutants/tables.h"
#include "harness/mutate/raw_image.h"
#include "oracle/records/fields.h"

namespace assay::conformance {
namespace {

bool holds(ByteView image, bool (*wanted)(const harness::RawRecord&)) {
  const auto raw = harness::read_raw(image);
  if (!raw) return false;
  for (const harness::RawRecord& r : raw->records)
    if (wanted(r)) return true;
  return false;
}

std::uint64_t groups_of(const harness::RawRecord& r) {
  if (r.kind != Kind::kbin || r.bytes.size() < sizeof(kbin_t)) return 0;
  return load<std::uint64_t>(r.bytes.data() + offsetof(kbin_t, replica_groups) +
                             offsetof(kbin_replica_group_set_t, num_groups));
}
// A record that the pointer of an inline set leads to would be too short for more groups than one.
bool sets_are_records(ByteView image) {
  return holds(image, [](const harness::RawRecord& r) { return groups_of(r) > 1; });
}
bool groups_without_count(ByteView image) {
  return holds(image, [](const harness::RawRecord& r) { return groups_of(r) != 0; });
}
// Of four buffers of 12 bytes the fourth lies where the third's size is: no pointer.
bool buffers_of_12_bytes(ByteView image) {
  return holds(image, [](const harness::RawRecord& r) {
    if (r.kind != Kind::dve_config) return false;
    for (const harness::RawRecord::Pointer& p : r.pointers)
      if (p.slot == offsetof(kbin_dve_config_t, datapath_table)) return true;
    return false;
  });
}

const SuiteMutant kMutants[] = {
    {"LAY-001-sets-apart", "LAY-001", "takes the inline sets of kbin_t for pointers to records",
     Wrong(RefuseImage(&sets_are_records))},
    {"LAY-002-target", "LAY-002", "reads target at act_tbl_semaphore's offset",
     Wrong(FieldMixup{"", "target", "act_function_sets.act_tbl_semaphore"})},
    {"LAY-003-ninstr", "LAY-003", "reads an engine's eng_type at ninstr's offset",
     Wrong(FieldMixup{"engine[]", ".eng_type", ".ninstr"})},
    {"LAY-004-owner", "LAY-004", "reads ring_type at owner's offset",
     Wrong(FieldMixup{"dma[]", ".ring_type", ".owner"})},
    {"LAY-005-ndesc", "LAY-005", "reads an instance's name as empty: at the padding behind ndesc",
     Wrong(FieldMixup{"dma[].ring_instances[]", ".name", ""})},
    {"LAY-006-off", "LAY-006", "reads a pattern's off at num_dims' offset",
     Wrong(FieldMixup{"dma[].ring_instances[].desc[].u.to", ".off", ".num_dims"})},
    {"LAY-007-sources", "LAY-007", "reads num_sources at num_dests' offset",
     Wrong(FieldMixup{"dma[].ring_instances[].desc[].u.info", ".num_sources", ".num_dests"})},
    {"LAY-009-block-id", "LAY-009", "reads block_id at op's offset",
     Wrong(FieldMixup{"dma[].ring_instances[].desc[]", ".block_id", ".op"})},
    {"LAY-010-nmem", "LAY-010", "reads nmem as 0: 4 bytes late", Wrong(FieldMixup{"mem_ref_set", ".nmem", ""})},
    {"LAY-011-size", "LAY-011", "reads a variable's alignment at its size's offset",
     Wrong(FieldMixup{"mem_ref_set.mem[]", ".alignment", ".size"})},
    {"LAY-012-pipe-id", "LAY-012", "reads pipe_id as 0: 4 bytes late",
     Wrong(FieldMixup{"mem_ref_set.mem[].dtensor_md", ".pipe_id", ""})},
    {"LAY-013-symmetry", "LAY-013", "reads func_id at symmetry_point's offset",
     Wrong(FieldMixup{"act_function_sets.sets[].profile_data[]", ".func_id", ".symmetry_point"})},
    {"LAY-014-sizes", "LAY-014", "reads ctl_sz at bkt_sz's offset",
     Wrong(FieldMixup{"act_function_sets.sets[]", ".ctl_sz", ".bkt_sz"})},
    {"LAY-015-12-bytes", "LAY-015", "takes a buffer for 12 bytes, so that the fourth has no pointer",
     Wrong(RefuseImage(&buffers_of_12_bytes))},
    {"LAY-016-tables", "LAY-016", "reads the opcode table where the datapath table lies",
     Wrong(FieldMixup{"dve_config", ".opcode_table.size", ".datapath_table.size"})},
    {"LAY-017-count", "LAY-017", "reads count as 0: 4 bytes late", Wrong(FieldMixup{"sb_carveouts", ".count", ""})},
    {"LAY-018-partitions", "LAY-018", "reads start_partition at num_partitions' offset",
     Wrong(FieldMixup{"sb_carveouts.carveouts[]", ".start_partition", ".num_partitions"})},
    {"LAY-019-subgroups", "LAY-019", "reads num_subgroups as 0: 4 bytes late",
     Wrong(FieldMixup{"replica_groups.groups[]", ".num_subgroups", ""})},
    {"LAY-020-participants", "LAY-020", "reads num_participants as 0: 4 bytes late",
     Wrong(FieldMixup{"replica_groups.groups[].subgroups[]", ".num_participants", ""})},
    {"LAY-023-groups", "LAY-023", "reads num_groups 4 bytes late, and refuses a pointer without a count",
     Wrong(RefuseImage(&groups_without_count))},
    {"LAY-024-cpus", "LAY-024", "reads cpu_id at total_cpus' offset",
     Wrong(FieldMixup{"ucode_lib_set.libs[]", ".cpu_id", ".total_cpus"})},
    {"LAY-025-opcodes", "LAY-025", "reads opcode at sub_opcode's offset",
     Wrong(FieldMixup{"ucode_lib_set.libs[].function_set.functions[]", ".opcode", ".sub_opcode"})},
    {"LAY-026-emax", "LAY-026", "reads emax_fp8_e4m3 at emax_fp8_e5m2's offset",
     Wrong(FieldMixup{"fp8_conv_cfg", ".emax_fp8_e4m3", ".emax_fp8_e5m2"})},
};

}  // namespace

std::span<const SuiteMutant> layout_rows() { return kMutants; }

}  // namespace assay::conformance
