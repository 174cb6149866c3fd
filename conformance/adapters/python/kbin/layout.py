# SPDX-License-Identifier: Apache-2.0
"""The records, byte-exact, transcribed by hand, and the packing of fields.

Not a C parser: a line is `name offset type count [enum]`; `pad a b` is padding
from a up to b. Members of unions are listed like fields under their own names
and are packed and read by name alone.
"""

import struct

_TEXT = {
    ("kbin_t", 424): """
        engine 0 ptr 5
        dma 40 ptr 32
        mem_ref_set 296 ptr 1
        act_function_sets.sets 304 ptr 1
        act_function_sets.num_function_sets 312 u64 1
        act_function_sets.act_tbl_semaphore 320 u32 1
        pad 324 328
        dve_config 328 ptr 1
        sb_carveouts 336 ptr 1
        replica_groups.groups 344 ptr 1
        replica_groups.num_groups 352 u64 1
        src_target_pairs.pairs_set 360 ptr 1
        src_target_pairs.num 368 u64 1
        ucode_lib_set.libs 376 ptr 1
        ucode_lib_set.num_libs 384 u64 1
        cc_streams.num_streams 392 u64 1
        fp8_conv_cfg 400 struct 16
        target 416 u32 1
        pad 420 424""",
    ("kbin_engine_t", 320): """
        eng_type 0 u32 1 al_hal_tpb_eng_type
        name 4 char 256
        ninstr 260 u32 1
        pad 264 320""",
    ("kbin_dma_t", 296): """
        ring_type 0 u32 1 kbin_dma_ring_type
        owner 4 u32 1 al_hal_tpb_eng_type
        queue_set_cnt 8 u32 1
        semaphore_cnt 12 u32 1
        semaphores 16 u32 32
        pseudo_serialization_semaphore_cnt 144 u32 1
        pseudo_serialization_semaphores 148 u32 32
        dge_sb_scratch_addr 276 u32 1
        dge_sb_scratch_size 280 u32 1
        flags 284 u32 1
        ring_instance_count 288 u32 1
        pad 292 296""",
    ("kbin_dma_ring_instance_t", 264): """
        name 0 char 256
        ndesc 256 u32 1
        pad 260 264""",
    ("kbin_dma_desc_info_t", 160): """
        idx 0 u32 1
        pad 4 8
        off 8 u64 1
        num_dims 16 u32 1
        pad 20 24
        steps 24 i64 8
        sizes 88 u64 8
        dtype 152 u32 1 kbin_dtype
        pad 156 160""",
    ("kbin_dma_desc_cce_info_t", 140): """
        num_sources 0 u32 1
        num_dests 136 u32 1""",
    # The three inactive-or-active members of the 132-byte union at +4.
    ("cce.fma", 140): """
        u.fma.scale_dtype 4 u32 1 kbin_dtype
        u.fma.scale 8 f32 32""",
    ("cce.min_max", 140): """
        u.min_max.use_constant 4 bool 1
        pad 5 8
        u.min_max.constant_dtype 8 u32 1 kbin_dtype
        u.min_max.constant 12 u32 1
        pad 16 136""",
    ("cce.add", 140): """
        pad 4 136""",
    ("kbin_dma_desc_transpose_info_t", 140): """
        transpose_op 0 u8 4
        element_size 4 u32 1
        shape 8 u32 4
        reserved 24 u8 116""",
    ("kbin_dma_desc_t", 5456): """
        desc_type 0 u32 1 kbin_dma_desc_type
        op 4 i32 1 kbin_dma_desc_op
        u.to 8 struct 160
        u.from 168 struct 5120
        u.num_tiling_dims 5288 u32 1
        u.info 5292 struct 140
        block_id 5432 u32 1
        block_end_desc 5436 bool 1
        reset_engine_round_robin 5437 bool 1
        pad 5438 5440
        function_name 5440 ptr 1
        priority_class 5448 u8 1
        pad 5449 5456""",
    ("kbin_mem_ref_set_t", 24): """
        local_scratchpad_size 0 u64 1
        shared_scratchpad_size 8 u64 1
        nmem 16 u32 1
        pad 20 24""",
    ("kbin_mem_ref", 152): """
        mr_type 0 u32 1 kbin_mr_type
        pad 4 8
        name 8 ptr 1
        size 16 u64 1
        alignment 24 u64 1
        var_id 32 u32 1
        dtype 36 char 16
        pad 52 56
        shape 56 u64 8
        dtensor_md 120 ptr 1
        buffer 128 ptr 1""",
    # The members of the 16-byte union at +136, and what is outside each.
    ("mem.none", 152): """
        pad 136 152""",
    ("mem.ptr", 152): """
        u.ptr.referenced_var_id 136 u32 1
        u.ptr.io_ref 140 bool 1
        pad 141 152""",
    ("mem.virtual", 152): """
        u.virtual.offset 136 u64 1
        u.virtual.backing_buf 144 u32 1 kbin_backing_buf
        pad 148 152""",
    ("mem.list", 152): """
        u.list.length 136 u32 1
        pad 140 144
        u.list.list 144 ptr 1""",
    ("mem.remote", 152): """
        u.remote.remote_vtpb_rel_sg_id 136 u32 1
        u.remote.remote_var_id 140 u32 1
        pad 144 152""",
    ("kbin_debug_tensor_md_t", 516): """
        prefix_str 0 char 512
        pipe_id 512 u32 1""",
    ("kbin_act_profile_data_t", 76): """
        func_id 0 u32 1
        symmetry_point 4 u32 1
        sym_invert_sign_point 8 u8 1
        symmetry_opt_en 9 u8 1
        sym_opt_use_neg_region 10 u8 1
        pad 11 12
        exp_offset 12 i32 1
        pwl_control_base_pos 16 u32 1
        pwl_control_base_neg 20 u32 1
        small_pos_signal_exp_threshold 24 u8 1
        small_neg_signal_exp_threshold 25 u8 1
        large_pos_signal_exp_threshold 26 u8 1
        large_neg_signal_exp_threshold 27 u8 1
        large_pos_signal_mantissa_threshold 28 u32 1
        large_neg_signal_mantissa_threshold 32 u32 1
        pos_small_signal_pwl_control 36 u16 1
        neg_small_signal_pwl_control 38 u16 1
        pos_large_signal_pwl_control 40 u16 1
        neg_large_signal_pwl_control 42 u16 1
        pad 44 48
        fnan_result 48 u32 1
        fpinf_result 52 u32 1
        fninf_result 56 u32 1
        fzero_result 60 u32 1
        fma_const_0 64 u32 1
        fma_const_1 68 u32 1
        fma_indirection_src_sel 72 u8 1
        imm_bias 73 u8 1
        pad 74 76""",
    ("kbin_act_function_set_t", 2192): """
        name 0 char 256
        bkt_tbl 256 ptr 1
        bkt_sz 264 u32 1
        pad 268 272
        ctl_tbl 272 ptr 1
        ctl_sz 280 u32 1
        profile_data 284 struct 1900
        num_functions 2184 u8 1
        pad 2185 2192""",
    ("kbin_buffer_t", 16): """
        buffer 0 ptr 1
        size 8 u64 1""",
    ("kbin_dve_config_t", 64): """
        opcode_table 0 struct 16
        control_fast_table 16 struct 16
        control_slow_table 32 struct 16
        datapath_table 48 struct 16""",
    ("kbin_sb_carveouts_t", 8): """
        count 0 u64 1""",
    ("kbin_sb_carveout_t", 40): """
        type 0 u32 1 kbin_sb_carveout_type
        pad 4 8
        offset 8 u64 1
        size 16 u64 1
        start_partition 24 u64 1
        num_partitions 32 u64 1""",
    ("kbin_replica_group_t", 16): """
        subgroups 0 ptr 1
        num_subgroups 8 u64 1""",
    ("kbin_replica_subgroup_t", 16): """
        participants 0 ptr 1
        num_participants 8 u64 1""",
    ("kbin_src_target_pairs_t", 32): """
        rg_set 0 ptr 1
        pairs 8 ptr 1
        num_pairs 16 u64 1
        aux 24 u64 1""",
    ("kbin_src_target_pair_t", 16): """
        src 0 u64 1
        target 8 u64 1""",
    ("kbin_replica_group_set_t", 16): """
        groups 0 ptr 1
        num_groups 8 u64 1""",
    ("kbin_ucode_lib_t", 40): """
        content 0 ptr 1
        content_size 8 u64 1
        flags 16 u32 1
        cpu_id 20 u8 1
        total_cpus 21 u8 1
        pad 22 24
        function_set.functions 24 ptr 1
        function_set.num_functions 32 u8 1
        pad 33 40""",
    ("kbin_ucode_lib_function_t", 258): """
        name 0 char 256
        opcode 256 u8 1
        sub_opcode 257 u8 1""",
    ("kbin_fp8_conv_cfg_t", 16): """
        fp8_range_extension 0 bool 1
        pad 1 4
        emax_fp8_e4m3 4 u32 1
        emax_fp8_e5m2 8 u32 1
        ocp_sat 12 bool 1
        sis 13 bool 1
        sns 14 bool 1
        pad 15 16""",
}

FORMATS = {"u8": "B", "bool": "B", "u16": "H", "u32": "I", "i32": "i",
           "u64": "Q", "i64": "q", "f32": "I", "ptr": "Q"}
# Descriptor parts that are embedded at fixed places.
DESC_TO, DESC_FROM, DESC_INFO = 8, 168, 5292
INFO_BYTES, PATTERN_BYTES = 140, 160
PROFILE_DATA, PROFILE_BYTES, MAX_PROFILES = 284, 76, 25
FP8_CFG = 400


class Field:
    __slots__ = ("name", "offset", "type", "count", "enum", "code", "width")

    def __init__(self, name, offset, kind, count, enum=None):
        self.name, self.type, self.enum = name, kind, enum
        self.offset, self.count = int(offset), int(count)
        self.code = "<" + FORMATS[kind] if kind in FORMATS else None
        self.width = struct.calcsize(self.code) if self.code else 1


class Struct:
    def __init__(self, name, size, text):
        self.name, self.size = name, size
        self.fields, self.padding = {}, []
        for line in text.split("\n"):
            words = line.split()
            if words and words[0] == "pad":
                self.padding.append((int(words[1]), int(words[2])))
            elif words:
                self.fields[words[0]] = Field(*words)


STRUCTS = {name: Struct(name, size, text) for (name, size), text in _TEXT.items()}


def size_of(name):
    return STRUCTS[name].size


def put(buffer, base, struct_name, field_name, value, index=0):
    """Writes one field of the record at `base`; a too-wide value is a bug."""
    field = STRUCTS[struct_name].fields[field_name]
    if field.type == "char":
        assert len(value) < field.count
        at = base + field.offset
        buffer[at:at + len(value)] = value
    else:
        struct.pack_into(field.code, buffer, base + field.offset + index * field.width, value)


def slot(base, struct_name, field_name, index=0):
    """The offset of a pointer slot."""
    return base + STRUCTS[struct_name].fields[field_name].offset + 8 * index


def read(buffer, base, struct_name, field_name, index=0):
    field = STRUCTS[struct_name].fields[field_name]
    return struct.unpack_from(field.code, buffer, base + field.offset + index * field.width)[0]
