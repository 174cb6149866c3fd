// SPDX-License-Identifier: Apache-2.0
// Integers: every field that takes one, at both ends of its range and just past them, and every
// JSON value that is no integer literal (JSN-005, JSN-006, JSN-015).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

struct Spot {
  const char* member;
  const char* pointer;
  int bits;            // of the field; negative: signed
  const char* path;    // where the value is stored; nullptr: nowhere, or another rule bounds it
  bool bound = false;  // another rule bounds the value, so only the types are tried
};

constexpr const char* kDef = "def.json";
const Spot kSpots[] = {
    {kDef, "/var/in/var_id", 32, nullptr, true},
    {kDef, "/var/in/size", 64, "mem_ref_set.mem[1].size"},
    {kDef, "/var/in/alignment", 64, nullptr, true},
    {kDef, "/var/in/shape/1", 64, "mem_ref_set.mem[1].shape[1]"},
    {kDef, "/var/tmp/pipe", 32, "mem_ref_set.mem[3].dtensor_md.pipe_id"},
    {kDef, "/var/virt/backing_variable_off", 64, nullptr, true},
    {kDef, "/var/ptr/referenced_var_id", 32, nullptr, true},
    {kDef, "/var/ptr/size", 64, nullptr, true},
    {kDef, "/var/list/list/1", 32, "mem_ref_set.mem[6].u.list.list[1]"},
    {kDef, "/var/table/list/1", 32, nullptr, true},
    {kDef, "/var/file/size", 64, nullptr, true},
    {kDef, "/dma_queue/q_act/semaphore", 32, "dma[0].semaphores[0]"},
    {kDef, "/dma_queue/q_data/num_queues", 32, nullptr, true},
    {kDef, "/dma_queue/q_data/semaphore_set/1", 32, "dma[1].semaphores[1]"},
    {kDef, "/dma_queue/q_dyn/dynamic_dma/SB_scratch_partition_offset", 32,
     "dma[2].dge_sb_scratch_addr"},
    {kDef, "/dma_queue/q_dyn/dynamic_dma/SB_scratch_partition_size", 32,
     "dma[2].dge_sb_scratch_size"},
    {kDef, "/dma_queue/q_emb/embedding_update_sync_semaphore", 32, nullptr},
    {kDef, "/replica_groups/0/1/0", 32, "replica_groups.groups[0].subgroups[1].participants[0]"},
    {kDef, "/src_target_pairs/0/1/0", 32, "src_target_pairs.pairs_set[0].pairs[1].src"},
    {kDef, "/src_target_pairs/0/1/1", 32, "src_target_pairs.pairs_set[0].pairs[1].target"},
    {kDef, "/ucode_lib/0/opcode", -32, nullptr},
    {kDef, "/ucode_lib/0/cpu_id", 8, nullptr, true},
    {kDef, "/ucode_lib/0/total_cpus", 8, nullptr, true},
    {kDef, "/ucode_lib/0/functions/0/opcode", 8,
     "ucode_lib_set.libs[0].function_set.functions[0].opcode"},
    {kDef, "/ucode_lib/0/functions/0/sub_opcode", 8,
     "ucode_lib_set.libs[0].function_set.functions[0].sub_opcode"},
    {kDef, "/runtime_statebuffer_reservation/0/offset", 64, "sb_carveouts.carveouts[0].offset"},
    {kDef, "/runtime_statebuffer_reservation/0/size", 64, "sb_carveouts.carveouts[0].size"},
    {kDef, "/runtime_statebuffer_reservation/0/base_partition", 64,
     "sb_carveouts.carveouts[0].start_partition"},
    {kDef, "/runtime_statebuffer_reservation/0/partitions", 64,
     "sb_carveouts.carveouts[0].num_partitions"},
    {kDef, "/cc_streams/num_streams", 64, "cc_streams.num_streams"},
    {kDef, "/dma/0/id", 32, "dma[4].ring_instances[0].desc[0].block_id"},
    {kDef, "/dma/0/desc/0/from_off", 64, "dma[4].ring_instances[0].desc[0].u.from[0].off"},
    {kDef, "/dma/0/desc/0/to_off", 64, "dma[4].ring_instances[0].desc[0].u.to.off"},
    {kDef, "/dma/0/desc/0/from_sizes/1", 64, nullptr, true},
    {kDef, "/dma/0/desc/0/from_steps/1", -64,
     "dma[4].ring_instances[0].desc[0].u.from[0].steps[1]"},
    {kDef, "/dma/0/desc/0/to_steps/1", -64, "dma[4].ring_instances[0].desc[0].u.to.steps[1]"},
    {kDef, "/dma/1/priority_class", 8, "dma[1].ring_instances[1].desc[0].priority_class"},
    {kDef, "/dma/1/desc/0/size", 64, nullptr, true},
    {kDef, "/dma/1/desc/1/from_arr/1/from_off", 64,
     "dma[1].ring_instances[1].desc[1].u.from[1].off"},
    {kDef, "/dma/1/desc/5/transpose_element_size", 32,
     "dma[1].ring_instances[1].desc[5].u.info.element_size"},
    {kDef, "/dma/1/desc/5/transpose_shape/3", 32,
     "dma[1].ring_instances[1].desc[5].u.info.shape[3]"},
    {kDef, "/dma/1/desc/5/num_tiling_dimensions", 32,
     "dma[1].ring_instances[1].desc[5].u.num_tiling_dims"},
    {kDef, "/fp8_conversion_config/emax_fp8_e4m3", 32, "fp8_conv_cfg.emax_fp8_e4m3"},
    {kDef, "/fp8_conversion_config/emax_fp8_e5m2", 32, "fp8_conv_cfg.emax_fp8_e5m2"},
    {"act.json", "/act_semaphore", 32, "act_function_sets.act_tbl_semaphore"},
    {"pool.json", "/dma/0/id", 32, "dma[5].ring_instances[0].desc[0].block_id"},
    {"profile.json", "/profile_meta_data/0/func_id", 32,
     "act_function_sets.sets[0].profile_data[0].func_id"},
    {"profile.json", "/profile_meta_data/0/exp_offset", -32,
     "act_function_sets.sets[0].profile_data[0].exp_offset"},
    {"profile.json", "/profile_meta_data/0/imm_bias", 8,
     "act_function_sets.sets[0].profile_data[0].imm_bias"},
};

std::string name_of(const Spot& s) { return std::string(s.member) + s.pointer; }

Model with(const Spot& s, const std::string& literal) {
  Model m = full_model();
  put_raw(m, s.member, s.pointer, literal);
  return m;
}

void expect_refusal(const Spot& s, const std::string& literal,
                    std::initializer_list<const char*> ids) {
  const auto tree = lower_model(with(s, literal));
  if (tree) {
    ADD_FAILURE() << name_of(s) << " = " << literal << " accepted";
    return;
  }
  const std::string id(row_of(tree.error().reason).id);
  bool known = false;
  for (const char* wanted : ids) known |= id == wanted;
  EXPECT_TRUE(known) << name_of(s) << " = " << literal << ": " << tree.error().text();
  EXPECT_EQ(tree.error().place.member, std::string("sg00/") + s.member);
  EXPECT_EQ(tree.error().place.pointer, s.pointer) << literal;
}

void expect_stored(const Spot& s, const std::string& literal, std::uint64_t value) {
  const Stored stored(with(s, literal));
  if (s.path == nullptr) return;
  // Byte for byte at the field's own width, or wider with zeroes on top.
  EXPECT_EQ(stored.number(s.path), value) << name_of(s) << " = " << literal;
}

TEST(JsonNumbers, OnlyIntegerLiterals) {
  ASSAY_COVERS("JSN-005", "JSN-015", "JSN-016");
  must_lower(full_model());
  for (const Spot& s : kSpots) {
    for (const char* literal : {"5.0", "1e2", "1E0", "0.0", "-0.0", "0e0", "1.5", "true", "false",
                                "\"5\"", "\"\"", "null", "[]", "[5]", "{}"})
      expect_refusal(s, literal, {"not-an-integer"});
    if (s.bits > 0)
      for (const char* literal : {"-1", "-5", "-9223372036854775808"})
        expect_refusal(s, literal, {"not-an-integer"});
  }
}

TEST(JsonNumbers, MinusZeroIsZero) {
  ASSAY_COVERS("JSN-005");
  for (const Spot& s : kSpots)
    if (!s.bound) expect_stored(s, "-0", 0);
}

TEST(JsonNumbers, UnsignedRange) {
  ASSAY_COVERS("JSN-005", "JSN-006");
  for (const Spot& s : kSpots) {
    if (s.bits < 0) continue;
    const std::uint64_t max = s.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << s.bits) - 1;
    if (!s.bound) {
      expect_stored(s, "0", 0);
      expect_stored(s, std::to_string(max), max);
      expect_stored(s, std::to_string(max - 1), max - 1);
    }
    if (s.bits == 64) continue;
    // One past the field, and what a cut to the field would turn into a small value.
    for (const std::uint64_t n :
         {max + 1, max + 2, (std::uint64_t{1} << 32), (std::uint64_t{1} << 32) + 1,
          (std::uint64_t{1} << 63), ~std::uint64_t{0}})
      expect_refusal(s, std::to_string(n), {"integer-too-wide", "act-profile-value"});
  }
}

TEST(JsonNumbers, SignedRange) {
  ASSAY_COVERS("JSN-005", "JSN-006");
  for (const Spot& s : kSpots) {
    if (s.bits > 0) continue;
    const bool narrow = s.bits == -32;
    const auto bits = [&](std::int64_t n) {
      return narrow ? static_cast<std::uint32_t>(n) : static_cast<std::uint64_t>(n);
    };
    const std::int64_t max = narrow ? std::numeric_limits<std::int32_t>::max()
                                    : std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t n : {max, -max - 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}})
      expect_stored(s, std::to_string(n), bits(n));
    const auto reasons = {"integer-too-wide", "act-profile-value"};
    if (narrow)
      for (const char* literal : {"2147483648", "-2147483649", "4294967295", "4294967296",
                                  "9223372036854775807", "-9223372036854775808"})
        expect_refusal(s, literal, reasons);
    for (const char* literal : {"9223372036854775808", "18446744073709551615"})
      expect_refusal(s, literal, {"not-an-integer"});
  }
}

}  // namespace
}  // namespace assay::test
