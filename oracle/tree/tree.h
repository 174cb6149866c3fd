// SPDX-License-Identifier: Apache-2.0
// The owning KBIN tree: native records linked by native pointers, each allocation at its exact
// size, as the runtime's heap holds them. It knows sizes and kinds and no rule of lowering.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/records/fields.h"
#include "oracle/records/kbin.h"

namespace assay {

struct Allocation {
  void* address = nullptr;  // owned by the tree, aligned to 8; or lent bytes of any alignment
  std::uint64_t bytes = 0;  // exact, tails included, no padding
  std::uint64_t count = 0;  // as in the image directory: elements, or bytes for 16 and 17
  Kind kind = Kind::none;
};

// Owns every record below root(). All memory starts zeroed (LOW-009). Functions that allocate
// throw std::bad_alloc; lower() and to_tree() turn that into a refusal.
class Tree {
 public:
  Tree();
  ~Tree();
  Tree(Tree&&) noexcept;
  Tree& operator=(Tree&&) noexcept;

  kbin_t& root() { return *root_; }
  const kbin_t& root() const { return *root_; }
  std::uint32_t subgraph = 0;  // index of the graph in the KELF descriptor

  // Room for about as many more allocations. A large tree is built faster after it.
  void expect(std::uint64_t allocations);
  // From now on make_bytes copies nothing: what it is given lies in memory that `owner` holds,
  // which the tree shares and nobody may write through its pointers. A model is mostly blobs.
  void lend_from(std::shared_ptr<const void> owner) { lender_ = std::move(owner); }

  kbin_engine_t* make_engine(ByteView blob);                      // copies blob behind the record
  kbin_dma_t* make_dma(std::uint32_t instances);                  // sets ring_instance_count
  kbin_dma_ring_instance_t* make_ring_instance(std::uint32_t ndesc);  // sets ndesc
  kbin_mem_ref_set_t* make_mem_ref_set(std::uint32_t nmem);       // sets nmem
  kbin_sb_carveouts_t* make_carveouts(std::uint64_t count);       // sets count
  kbin_dve_config_t* make_dve_config();
  kbin_debug_tensor_md_t* make_debug_md();
  kbin_replica_group_set_t* make_replica_group_set();
  char* make_string(std::string_view text);   // adds the NUL; text must hold none
  std::uint8_t* make_bytes(ByteView bytes);   // NULL when empty
  std::uint32_t* make_u32s(std::uint64_t n);  // NULL when 0
  // Arrays of kinds 6, 9 to 14: NULL when n is 0.
  template <class T>
  T* make_array(Kind kind, std::uint64_t n) {
    return static_cast<T*>(n == 0 ? nullptr : allocate(kind, n, n * sizeof(T)));
  }

  // Every allocation, root first, then in the order they were made.
  const std::vector<Allocation>& allocations() const { return allocations_; }

  // Bytes of an engine's blob (the record alone tells only ninstr). 0 for a foreign pointer.
  std::uint64_t blob_bytes(const kbin_engine_t* engine) const;

 private:
  void* allocate(Kind kind, std::uint64_t count, std::uint64_t bytes);

  struct Arena;
  // In this order: making the root already uses the other two.
  std::unique_ptr<Arena> arena_;
  std::vector<Allocation> allocations_;
  kbin_t* root_;
  std::shared_ptr<const void> lender_;
};

// The record's tail: what starts right behind a record of type R.
template <class T, class R>
T* tail(R* record) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uint8_t*>(record) + sizeof(R));
}
template <class T, class R>
const T* tail(const R* record) {
  return reinterpret_cast<const T*>(reinterpret_cast<const std::uint8_t*>(record) + sizeof(R));
}
inline kbin_mem_ref* mem_of(kbin_mem_ref_set_t* s) { return tail<kbin_mem_ref>(s); }
inline kbin_dma_ring_instance_t** instances_of(kbin_dma_t* d) {
  return tail<kbin_dma_ring_instance_t*>(d);
}
inline kbin_dma_desc_t* desc_of(kbin_dma_ring_instance_t* i) { return tail<kbin_dma_desc_t>(i); }
inline kbin_sb_carveout_t* carveouts_of(kbin_sb_carveouts_t* c) {
  return tail<kbin_sb_carveout_t>(c);
}
inline std::uint8_t* blob_of(kbin_engine_t* e) { return tail<std::uint8_t>(e); }

}  // namespace assay
