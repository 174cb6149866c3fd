// SPDX-License-Identifier: Apache-2.0
// A def.json with its engine members, read and checked: what a lowering needs and nothing else.
// Names are owned; payloads are views into the Members they came from, which must outlive them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/base/result.h"
#include "oracle/dtype/enums.h"
#include "oracle/records/kbin.h"

namespace assay {

struct DebugMd {
  std::string prefix;  // at most 511 bytes
  std::uint32_t pipe = 0;
};

// Models have up to millions of them, so they are kept small.
struct Variable {
  // What most variables have nothing of.
  struct Rest {
    std::array<char, KBIN_DTYPE_BYTES> dtype{};
    std::array<std::uint64_t, KBIN_MAX_DIMS> shape{};
    std::unique_ptr<DebugMd> debug;
    ByteView payload;                     // MR_BUFFER
    std::vector<std::uint32_t> list;      // MR_LIST, MR_PTR_TABLE
  };

  std::string_view name;                  // lies in Resources::variable_names
  MrType type = MrType::MR_INVALID;
  std::uint32_t var_id = 0;
  std::uint64_t size = 0;                 // bytes, as the record stores it (0 for types without one)
  std::uint32_t alignment = 0;            // as stored: 0 or a power of two
  BackingBuf backing = BackingBuf::MAIN;  // MR_VIRTUAL_TMP_BUF
  std::uint64_t backing_off = 0;          // MR_VIRTUAL_TMP_BUF, bytes
  std::uint32_t referenced_var_id = 0;    // MR_PTR
  bool io_ref = false;                    // MR_PTR
  std::unique_ptr<Rest> rest;             // or nullptr

  Rest& make_rest() {
    if (!rest) rest = std::make_unique<Rest>();
    return *rest;
  }
};

struct Queue {
  struct Instance {
    std::string name;
    std::uint32_t ndesc = 0;  // over all blocks that go to it
  };
  std::string name;
  RingType ring_type = RingType::DATA;
  EngineType owner = EngineType::PE;
  std::uint32_t set_count = 1;                // num_queues
  std::vector<std::uint32_t> semaphores;      // at most 32
  std::uint32_t scratch_offset = 0, scratch_size = 0;
  bool pinned = false, hw_dge = false, dynamic = false;
  std::vector<Instance> instances;            // listed ones first, then those blocks made
};

struct Descriptor {
  DescOp op = DescOp::COPY;
  kbin_dma_desc_info_t to{};
  std::vector<kbin_dma_desc_info_t> from;     // 1..32
  std::vector<float> scales;                  // FMA: one per source
  bool use_constant = false;                  // MIN, MAX
  Dtype constant_dtype = Dtype::INVALID;
  std::uint32_t constant = 0;                 // its 32 bits
  std::uint32_t num_tiling_dims = 0;
  std::array<std::uint8_t, 4> transpose_op{};
  std::uint32_t transpose_element_size = 0;
  std::array<std::uint32_t, 4> transpose_shape{};
};

struct Block {
  std::uint32_t queue = 0;     // index into Resources::queues
  std::uint32_t instance = 0;  // index into that queue's instances
  std::uint32_t id = 0;
  std::uint8_t priority_class = 0;
  std::string function;        // in force for this block, cut to 256 bytes; empty is none
  bool section_start = false;
  std::vector<Descriptor> desc;
};

struct Engine {
  ByteView code;  // empty for a placeholder
};

struct ActSet {
  std::string name;  // uncut
  ByteView bkt, ctl;
  std::vector<kbin_act_profile_data_t> profiles;  // at most 25
};

struct UcodeLib {
  ByteView content;
  std::uint32_t flags = 0;
  std::uint8_t cpu_id = 0, total_cpus = 0;
  std::vector<kbin_ucode_lib_function_t> functions;  // at most 255
};

struct Resources {
  Buffer variable_names;             // one after the other
  std::vector<Variable> variables;  // ascending var_id, dense
  std::uint64_t local_scratchpad_size = 0, shared_scratchpad_size = 0;  // bytes
  std::vector<Queue> queues;        // ascending byte order of names, at most 32
  std::vector<std::vector<std::vector<std::uint32_t>>> replica_groups;
  std::vector<std::vector<kbin_src_target_pair_t>> src_target_pairs;
  std::vector<UcodeLib> ucode_libs;  // the synthesized one first
  std::optional<std::vector<kbin_sb_carveout_t>> carveouts;
  std::uint64_t num_streams = 1;
  std::vector<Block> blocks;         // in DMB-001's order
  kbin_fp8_conv_cfg_t fp8{};         // overrides applied
  std::array<Engine, KBIN_NUM_ENGINES> engines;  // indexed by EngineType
  std::uint32_t act_semaphore = 0;
  std::vector<ActSet> act_sets;
  std::optional<std::array<ByteView, 4>> dve_tables;  // opcode, control fast, slow, datapath
  std::vector<Place> assumed;        // keys of DMB-019 passed over under assume_no_signals
};

}  // namespace assay
