// SPDX-License-Identifier: Apache-2.0
// Image to native tree: every record copied whole, its pointer slots turned into addresses.
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay {
namespace {

// An empty record of the entry's kind and size; its bytes are copied over it afterwards.
void* allocate(Tree& tree, const DirEntry& e, const std::uint8_t* from) {
  const image::RecordPlan* p = kind_row(e.kind).record == RecordId::none
                                   ? nullptr
                                   : &image::plan_of(kind_row(e.kind).record);
  const std::uint64_t tail = p != nullptr && p->tail_count ? p->tail_count.read(from) : 0;
  const auto tail32 = static_cast<std::uint32_t>(tail);
  const ByteView all{from, e.size};
  switch (e.kind) {
    case Kind::none: return nullptr;
    case Kind::kbin: return &tree.root();
    case Kind::engine: return tree.make_engine(all.subspan(kind_row(e.kind).bytes));
    case Kind::dma: return tree.make_dma(tail32);
    case Kind::ring_instance: return tree.make_ring_instance(tail32);
    case Kind::mem_ref_set: return tree.make_mem_ref_set(tail32);
    case Kind::act_function_sets: return tree.make_array<kbin_act_function_set_t>(e.kind, e.count);
    case Kind::dve_config: return tree.make_dve_config();
    case Kind::sb_carveouts: return tree.make_carveouts(tail);
    case Kind::replica_groups: return tree.make_array<kbin_replica_group_t>(e.kind, e.count);
    case Kind::replica_subgroups: return tree.make_array<kbin_replica_subgroup_t>(e.kind, e.count);
    case Kind::src_target_pairs: return tree.make_array<kbin_src_target_pairs_t>(e.kind, e.count);
    case Kind::src_target_pair: return tree.make_array<kbin_src_target_pair_t>(e.kind, e.count);
    case Kind::ucode_libs: return tree.make_array<kbin_ucode_lib_t>(e.kind, e.count);
    case Kind::ucode_functions: return tree.make_array<kbin_ucode_lib_function_t>(e.kind, e.count);
    case Kind::debug_tensor_md: return tree.make_debug_md();
    case Kind::string: return tree.make_string(as_text(all.first(all.size() - 1)));
    case Kind::bytes: return tree.make_bytes(all);
    case Kind::u32s: return tree.make_u32s(e.count);
    case Kind::replica_group_set: return tree.make_replica_group_set();
  }
  return nullptr;
}

Tree copy(const View& view) {
  Tree tree;
  tree.subgraph = view.header().subgraph;
  const std::uint8_t* bytes = view.bytes().data();
  std::vector<std::uint8_t*> at(view.records());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const DirEntry& e = view.record_at(i);
    at[i] = static_cast<std::uint8_t*>(allocate(tree, e, bytes + e.offset));
    std::memcpy(at[i], bytes + e.offset, e.size);
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const DirEntry& e = view.record_at(i);
    image::for_each_pointer(view.bytes(), e.kind, e.offset, e.size,
                            [&](const image::PointerSlot& s, const image::RecordPlan&,
                                std::uint64_t base) {
      const std::uint64_t slot = base + s.offset;
      const DirEntry* to = view.follow(slot);
      const std::uint8_t* address =
          to == nullptr ? nullptr : at[static_cast<std::size_t>(to - &view.record_at(0))];
      store(at[i] + (slot - e.offset), address);
    });
  }
  return tree;
}

}  // namespace

Result<Tree> to_tree(const View& view) {
  try {
    return copy(view);
    // unreached: memory runs out
  } catch (const std::bad_alloc&) {
    return refuse(Reason::out_of_memory);
  } catch (const std::length_error&) {
    return refuse(Reason::out_of_memory);
  }
  // reached
}

}  // namespace assay
