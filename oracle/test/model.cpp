// SPDX-License-Identifier: Apache-2.0
#include "oracle/test/model.h"

namespace assay::test {

Model full_model() {
  Model m;
  m.def = Json::parse(R"({
    "act": "act.json", "dve": "dve.json", "pe": "pe.json", "pool": "pool.json", "sp": "sp.json",
    "var": {
      "sb": {"type": "state-buffer", "var_id": 0},
      "in": {"type": "input", "var_id": 1, "size": 4096, "alignment": 64, "dtype": "float32", "shape": [32, 32]},
      "out": {"type": "output", "var_id": 2, "size": 4096},
      "tmp": {"type": "tmp-buf", "var_id": 3, "size": 4096, "prefix": "layer/", "pipe": 7},
      "virt": {"type": "virtual", "var_id": 4, "size": 256, "backing_variable_off": 1024, "backing_buf": "shared"},
      "ptr": {"type": "pointer", "var_id": 5, "size": 8, "referenced_var_id": 1},
      "list": {"type": "list", "var_id": 6, "list": [1, 2, 3]},
      "table": {"type": "dge-table", "var_id": 7, "list": [1, 2]},
      "file": {"type": "file", "var_id": 8, "file_name": "weights.bin", "size": 5},
      "far": {"type": "remote", "var_id": 9}
    },
    "dma_queue": {
      "q_act": {"type": "act_load", "owner": "act", "semaphore": 3},
      "q_data": {"type": "data", "owner": "pe", "num_queues": 2, "semaphore_set": [4, 5],
                 "queue_instances": ["q_data_0", "q_data_1"]},
      "q_dyn": {"type": "dynamic", "owner": "sp", "dynamic_dma":
                {"SB_scratch_partition_offset": 16, "SB_scratch_partition_size": 32}},
      "q_emb": {"type": "embedding_update", "owner": "dve", "embedding_update_sync_semaphore": 6},
      "q_in": {"type": "in", "owner": "pool", "semaphore": 1},
      "q_out": {"type": "out", "owner": "pool", "semaphore": 2}
    },
    "replica_groups": [[[0, 1], [2, 3]], []],
    "src_target_pairs": [[[0, 1], [1, 0]], []],
    "ucode_lib": [{"library": "lib.so", "ulib_to_ucode_version": "1.2.3", "opcode": 5, "total_cpus": 8,
                   "functions": [{"name": "f", "opcode": 1, "sub_opcode": 2}, {"name": "g", "opcode": 3}]}],
    "runtime_statebuffer_reservation": [{"type": "evtaccel", "offset": 229368, "size": 8,
                                         "base_partition": 0, "partitions": 128}],
    "cc_streams": {"num_streams": 4},
    "dma": [
      {"id": 1, "queue": "q_in", "desc": [
        {"from": "in", "from_off": 0, "to": "sb", "to_off": 64, "from_sizes": [128, 2],
         "from_steps": [1, 128], "to_sizes": [128, 2], "to_steps": [1, 256]}]},
      {"id": 2, "instance_name": "q_data_1", "priority_class": 3, "function_start": "fn", "desc": [
        {"op": "copy", "from": "tmp", "from_off": 0, "to": "out", "to_off": 0, "size": 64},
        {"op": "fma", "to": "out", "to_off": 0, "to_dtype": "float32", "size": 64, "from_arr": [
          {"from": "in", "from_off": 0, "from_dtype": "float16", "scale": 0.5},
          {"from": "tmp", "from_off": 4, "from_dtype": "bfloat16"}]},
        {"op": "add", "to": "out", "to_off": 0, "to_dtype": "float32", "size": 64, "from_arr": [
          {"from": "in", "from_off": 0, "from_dtype": "float32"}]},
        {"op": "min", "to": "out", "to_off": 0, "to_dtype": "int32", "size": 64, "from_arr": [
          {"from": "in", "from_off": 0, "from_dtype": "int32"}], "constant": -1, "constant_dtype": "int32"},
        {"op": "max", "to": "out", "to_off": 0, "to_dtype": "int32", "size": 64, "from_arr": [
          {"from": "in", "from_off": 0, "from_dtype": "int32"}]},
        {"op": "transpose", "from": "in", "from_off": 0, "to": "out", "to_off": 0, "size": 64,
         "transpose_op": "WXZY", "transpose_element_size": 4, "transpose_shape": [1, 2, 3, 4],
         "num_tiling_dimensions": 2}]}
    ],
    "fp8_conversion_config": {"fp8_range_extension": true, "emax_fp8_e4m3": 8, "emax_fp8_e5m2": 15,
                              "ocp_sat": true, "fp8_sis": false, "fp8_sns": true}
  })");
  m.files["pe.json"] = R"({"instr": "pe.bin", "dma": []})";
  m.files["act.json"] = R"({"instr": "act.bin", "act_semaphore": 12, "act_info": "act_info.json",
                            "activation_function_sets": ["exp"], "dma": []})";
  m.files["pool.json"] = R"({"instr": "pool.bin", "dma": [{"id": 3, "queue": "q_out", "desc": [
                             {"from": "sb", "from_off": 0, "to": "out", "to_off": 0, "size": 16}]}]})";
  m.files["dve.json"] = R"({"instr": "dve.bin", "dve_tables": [{"opcode_table": "op.bin",
                            "control_fast_table": "fast.bin", "control_slow_table": "slow.bin",
                            "datapath_table": "path.bin"}]})";
  m.files["sp.json"] = R"({"instr": "sp.bin"})";
  m.files["act_info.json"] = R"({"act_func_sets": [{"name": "exp", "bkt_bin": "bkt.bin",
                                 "ctrl_bin": "ctrl.bin", "profile_json": "profile.json"}]})";
  m.files["profile.json"] = R"({"profile_meta_data": [
    {"func_name": "exp", "func_id": 7, "exp_offset": -19, "symmetry_opt_use_neg_region": 1, "imm_bias": 2}]})";
  m.files["pe.bin"] = std::string(64, 'p');
  m.files["act.bin"] = std::string(129, 'a');
  m.files["pool.bin"] = std::string(192, 'o');
  m.files["dve.bin"] = "";
  m.files["sp.bin"] = std::string(63, 's');
  m.files["op.bin"] = "op";
  m.files["fast.bin"] = "fast";
  m.files["slow.bin"] = "slow";
  m.files["path.bin"] = "path";
  m.files["bkt.bin"] = "bkt";
  m.files["ctrl.bin"] = "ctrl";
  m.files["weights.bin"] = "12345";
  m.files["lib.so"] = "content";
  return m;
}

}  // namespace assay::test
