/* SPDX-License-Identifier: Apache-2.0
 *
 * The KBIN records as the runtime lays them out on a 64-bit little-endian machine (layout.json).
 * Plain C11, so that a consumer in any language can include or transcribe it. Flexible tails are
 * not members: they start right behind the record (records.def names their offsets). Enums are
 * stored as their integers and booleans as bytes, because a hostile record may hold any value.
 */
#ifndef ASSAY_ORACLE_RECORDS_KBIN_H
#define ASSAY_ORACLE_RECORDS_KBIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  KBIN_NUM_ENGINES = 5,
  KBIN_MAX_DMA = 32,
  KBIN_MAX_SEMAPHORES = 32,
  KBIN_MAX_DIMS = 8,
  KBIN_MAX_SOURCES = 32,
  KBIN_MAX_PROFILES = 25,
  KBIN_NAME_BYTES = 256,
  KBIN_PREFIX_BYTES = 512,
  KBIN_DTYPE_BYTES = 16,
  KBIN_INFO_BYTES = 140
};

typedef struct kbin_engine_t { /* + blob */
  uint32_t eng_type;
  char name[256];
  uint32_t ninstr; /* slots of 64 bytes: blob bytes >> 6 */
  uint8_t pad264[56];
} kbin_engine_t;

typedef struct kbin_dma_desc_info_t { /* one access pattern; sizes[0] and steps in bytes */
  uint32_t idx;
  uint32_t pad4;
  uint64_t off; /* bytes */
  uint32_t num_dims;
  uint32_t pad20;
  int64_t steps[8];
  uint64_t sizes[8];
  uint32_t dtype;
  uint32_t pad156;
} kbin_dma_desc_info_t;

typedef struct kbin_dma_desc_cce_info_t {
  uint32_t num_sources;
  union {
    struct {
      uint32_t scale_dtype;
      float scale[32];
    } fma;
    struct {
      uint8_t use_constant;
      uint8_t pad5[3];
      uint32_t constant_dtype;
      uint32_t constant;
    } min_max;
    uint8_t raw[132];
  } u;
  uint32_t num_dests;
} kbin_dma_desc_cce_info_t;

typedef struct kbin_dma_desc_transpose_info_t {
  uint8_t transpose_op[4]; /* four letters, no NUL */
  uint32_t element_size;
  uint32_t shape[4];
  uint8_t reserved[116];
} kbin_dma_desc_transpose_info_t;

typedef struct kbin_dma_desc_t {
  uint32_t desc_type;
  int32_t op;
  struct {
    kbin_dma_desc_info_t to;
    kbin_dma_desc_info_t from[32];
    uint32_t num_tiling_dims;
    union {
      kbin_dma_desc_cce_info_t cce;             /* FMA, ADD, MIN, MAX */
      kbin_dma_desc_transpose_info_t transpose; /* TRANSPOSE */
      uint8_t raw[140];                         /* COPY: zero */
    } info;
  } u;
  uint32_t block_id;
  uint8_t block_end_desc;
  uint8_t reset_engine_round_robin;
  uint8_t pad5438[2];
  char* function_name;
  uint8_t priority_class;
  uint8_t pad5449[7];
} kbin_dma_desc_t;

typedef struct kbin_dma_ring_instance_t { /* + kbin_dma_desc_t[ndesc] */
  char name[256];
  uint32_t ndesc;
  uint32_t pad260;
} kbin_dma_ring_instance_t;

typedef struct kbin_dma_t { /* + kbin_dma_ring_instance_t*[ring_instance_count] */
  uint32_t ring_type;
  uint32_t owner;
  uint32_t queue_set_cnt;
  uint32_t semaphore_cnt;
  uint32_t semaphores[32];
  uint32_t pseudo_serialization_semaphore_cnt;
  uint32_t pseudo_serialization_semaphores[32];
  uint32_t dge_sb_scratch_addr;
  uint32_t dge_sb_scratch_size;
  uint32_t flags;
  uint32_t ring_instance_count;
  uint32_t pad292;
} kbin_dma_t;

typedef struct kbin_debug_tensor_md_t {
  char prefix_str[512];
  uint32_t pipe_id;
} kbin_debug_tensor_md_t;

typedef struct kbin_mem_ref {
  uint32_t mr_type;
  uint32_t pad4;
  char* name;
  uint64_t size; /* bytes */
  uint64_t alignment;
  uint32_t var_id;
  char dtype[16];
  uint32_t pad52;
  uint64_t shape[8];
  kbin_debug_tensor_md_t* dtensor_md;
  uint8_t* buffer;
  union {
    struct {
      uint32_t referenced_var_id;
      uint8_t io_ref;
      uint8_t pad141[11];
    } ptr;
    struct {
      uint64_t offset;
      uint32_t backing_buf;
      uint32_t pad148;
    } virtual_;
    struct {
      uint32_t length;
      uint32_t pad140;
      uint32_t* list;
    } list;
    struct {
      uint32_t remote_vtpb_rel_sg_id;
      uint32_t remote_var_id;
      uint8_t pad144[8];
    } remote;
    uint8_t raw[16];
  } u;
} kbin_mem_ref;

typedef struct kbin_mem_ref_set_t { /* + kbin_mem_ref[nmem] */
  uint64_t local_scratchpad_size;
  uint64_t shared_scratchpad_size;
  uint32_t nmem;
  uint32_t pad20;
} kbin_mem_ref_set_t;

typedef struct kbin_act_profile_data_t {
  uint32_t func_id;
  uint32_t symmetry_point;
  uint8_t sym_invert_sign_point;
  uint8_t symmetry_opt_en;
  uint8_t sym_opt_use_neg_region;
  uint8_t pad11;
  int32_t exp_offset;
  uint32_t pwl_control_base_pos;
  uint32_t pwl_control_base_neg;
  uint8_t small_pos_signal_exp_threshold;
  uint8_t small_neg_signal_exp_threshold;
  uint8_t large_pos_signal_exp_threshold;
  uint8_t large_neg_signal_exp_threshold;
  uint32_t large_pos_signal_mantissa_threshold;
  uint32_t large_neg_signal_mantissa_threshold;
  uint16_t pos_small_signal_pwl_control;
  uint16_t neg_small_signal_pwl_control;
  uint16_t pos_large_signal_pwl_control;
  uint16_t neg_large_signal_pwl_control;
  uint8_t pad44[4];
  uint32_t fnan_result;
  uint32_t fpinf_result;
  uint32_t fninf_result;
  uint32_t fzero_result;
  uint32_t fma_const_0;
  uint32_t fma_const_1;
  uint8_t fma_indirection_src_sel;
  uint8_t imm_bias;
  uint8_t pad74[2];
} kbin_act_profile_data_t;

typedef struct kbin_act_function_set_t {
  char name[256];
  uint8_t* bkt_tbl;
  uint32_t bkt_sz; /* bytes */
  uint32_t pad268;
  uint8_t* ctl_tbl;
  uint32_t ctl_sz; /* bytes */
  kbin_act_profile_data_t profile_data[25];
  uint8_t num_functions;
  uint8_t pad2185[7];
} kbin_act_function_set_t;

typedef struct kbin_buffer_t {
  uint8_t* buffer;
  uint64_t size; /* bytes */
} kbin_buffer_t;

typedef struct kbin_dve_config_t {
  kbin_buffer_t opcode_table;
  kbin_buffer_t control_fast_table;
  kbin_buffer_t control_slow_table;
  kbin_buffer_t datapath_table;
} kbin_dve_config_t;

typedef struct kbin_sb_carveout_t {
  uint32_t type;
  uint32_t pad4;
  uint64_t offset;
  uint64_t size;
  uint64_t start_partition;
  uint64_t num_partitions;
} kbin_sb_carveout_t;

typedef struct kbin_sb_carveouts_t { /* + kbin_sb_carveout_t[count] */
  uint64_t count;
} kbin_sb_carveouts_t;

typedef struct kbin_replica_subgroup_t {
  uint32_t* participants;
  uint64_t num_participants;
} kbin_replica_subgroup_t;

typedef struct kbin_replica_group_t {
  kbin_replica_subgroup_t* subgroups;
  uint64_t num_subgroups;
} kbin_replica_group_t;

typedef struct kbin_replica_group_set_t {
  kbin_replica_group_t* groups;
  uint64_t num_groups;
} kbin_replica_group_set_t;

typedef struct kbin_src_target_pair_t {
  uint64_t src;
  uint64_t target;
} kbin_src_target_pair_t;

typedef struct kbin_src_target_pairs_t {
  kbin_replica_group_set_t* rg_set;
  kbin_src_target_pair_t* pairs;
  uint64_t num_pairs;
  uint64_t aux;
} kbin_src_target_pairs_t;

typedef struct kbin_ucode_lib_function_t {
  char name[256];
  uint8_t opcode;
  uint8_t sub_opcode;
} kbin_ucode_lib_function_t;

typedef struct kbin_ucode_lib_t {
  uint8_t* content;
  uint64_t content_size; /* bytes */
  uint32_t flags;
  uint8_t cpu_id;
  uint8_t total_cpus;
  uint8_t pad22[2];
  struct {
    kbin_ucode_lib_function_t* functions;
    uint8_t num_functions;
    uint8_t pad33[7];
  } function_set;
} kbin_ucode_lib_t;

typedef struct kbin_fp8_conv_cfg_t {
  uint8_t fp8_range_extension;
  uint8_t pad1[3];
  uint32_t emax_fp8_e4m3;
  uint32_t emax_fp8_e5m2;
  uint8_t ocp_sat;
  uint8_t sis;
  uint8_t sns;
  uint8_t pad15;
} kbin_fp8_conv_cfg_t;

typedef struct kbin_t {
  kbin_engine_t* engine[5];
  kbin_dma_t* dma[32];
  kbin_mem_ref_set_t* mem_ref_set;
  struct {
    kbin_act_function_set_t* sets;
    uint64_t num_function_sets;
    uint32_t act_tbl_semaphore;
    uint32_t pad324;
  } act_function_sets;
  kbin_dve_config_t* dve_config;
  kbin_sb_carveouts_t* sb_carveouts;
  kbin_replica_group_set_t replica_groups;
  struct {
    kbin_src_target_pairs_t* pairs_set;
    uint64_t num;
  } src_target_pairs;
  struct {
    kbin_ucode_lib_t* libs;
    uint64_t num_libs;
  } ucode_lib_set;
  struct {
    uint64_t num_streams;
  } cc_streams;
  kbin_fp8_conv_cfg_t fp8_conv_cfg;
  uint32_t target;
  uint32_t pad420;
} kbin_t;

typedef struct kbin_patch_location_t {
  uint32_t offset; /* bytes */
  uint32_t count;  /* slots of 64 bytes */
  uint32_t type;
  uint32_t section;
} kbin_patch_location_t;

typedef struct neff_header_t { /* the archive starts at +1024 whatever header_size says */
  uint64_t pkg_version;
  uint64_t header_size;
  uint64_t data_size; /* bytes of archive */
  uint64_t neff_version_major;
  uint64_t neff_version_minor;
  uint8_t neff_build_version[128];
  uint32_t num_tpb;
  uint8_t hash[32];
  uint8_t uuid[16];
  char name[256];
  uint32_t requested_tpb_count;
  uint8_t tpb_per_node[64];
  uint64_t feature_bits;
  uint32_t vnc_size;
  uint8_t pad556[468];
} neff_header_t;

#ifdef __cplusplus
}
#endif
#endif
