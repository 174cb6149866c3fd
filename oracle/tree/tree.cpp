// SPDX-License-Identifier: Apache-2.0
#include "oracle/tree/tree.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "oracle/base/pages.h"

namespace assay {

// Large records get a block each, so that AddressSanitizer sees their ends; small ones share
// zeroed chunks, because a model of a million names would otherwise pay a million mallocs.
struct Tree::Arena {
  static constexpr std::size_t kFirstChunk = 1 << 12, kLastChunk = 1 << 25;  // doubling
  static constexpr std::size_t kLarge = 2048;

  std::vector<void*> blocks;
  std::uint8_t* next = nullptr;
  std::size_t left = 0;
  std::size_t chunk = kFirstChunk;

  ~Arena() {
    for (void* b : blocks) std::free(b);
  }

  void* block(std::size_t bytes) {
    void*& slot = blocks.emplace_back(nullptr);  // first, so that a failing push_back leaks nothing
    slot = std::calloc(1, bytes == 0 ? 1 : bytes);
    if (slot == nullptr) throw std::bad_alloc();
    use_large_pages(slot, bytes);
    return slot;
  }

  void* take(std::uint64_t bytes) {
    if (bytes >= kLarge) return block(bytes);
    const std::size_t rounded = align_up(bytes == 0 ? 1 : bytes, 8);
    if (rounded > left) {
      next = static_cast<std::uint8_t*>(block(chunk));
      left = chunk;
      chunk = std::min(2 * chunk, kLastChunk);
    }
    void* p = next;
    next += rounded;
    left -= rounded;
    return p;
  }
};

Tree::Tree()
    : arena_(std::make_unique<Arena>()),
      root_(static_cast<kbin_t*>(allocate(Kind::kbin, 1, sizeof(kbin_t)))) {}
Tree::~Tree() = default;
Tree::Tree(Tree&&) noexcept = default;
Tree& Tree::operator=(Tree&&) noexcept = default;

void Tree::expect(std::uint64_t n) { reserve_large(allocations_, allocations_.size() + n); }

void* Tree::allocate(Kind kind, std::uint64_t count, std::uint64_t bytes) {
  void* p = arena_->take(bytes);
  allocations_.push_back({p, bytes, count, kind});
  return p;
}

kbin_engine_t* Tree::make_engine(ByteView blob) {
  auto* e = static_cast<kbin_engine_t*>(
      allocate(Kind::engine, 1, sizeof(kbin_engine_t) + blob.size()));
  if (!blob.empty()) std::memcpy(blob_of(e), blob.data(), blob.size());
  return e;
}

kbin_dma_t* Tree::make_dma(std::uint32_t n) {
  auto* d = static_cast<kbin_dma_t*>(
      allocate(Kind::dma, 1, sizeof(kbin_dma_t) + std::uint64_t{n} * sizeof(void*)));
  d->ring_instance_count = n;
  return d;
}

kbin_dma_ring_instance_t* Tree::make_ring_instance(std::uint32_t n) {
  auto* i = static_cast<kbin_dma_ring_instance_t*>(
      allocate(Kind::ring_instance, 1,
               sizeof(kbin_dma_ring_instance_t) + std::uint64_t{n} * sizeof(kbin_dma_desc_t)));
  i->ndesc = n;
  return i;
}

kbin_mem_ref_set_t* Tree::make_mem_ref_set(std::uint32_t n) {
  auto* s = static_cast<kbin_mem_ref_set_t*>(allocate(
      Kind::mem_ref_set, 1, sizeof(kbin_mem_ref_set_t) + std::uint64_t{n} * sizeof(kbin_mem_ref)));
  s->nmem = n;
  return s;
}

kbin_sb_carveouts_t* Tree::make_carveouts(std::uint64_t n) {
  auto* c = static_cast<kbin_sb_carveouts_t*>(
      allocate(Kind::sb_carveouts, 1, sizeof(kbin_sb_carveouts_t) + n * sizeof(kbin_sb_carveout_t)));
  c->count = n;
  return c;
}

kbin_dve_config_t* Tree::make_dve_config() {
  return static_cast<kbin_dve_config_t*>(allocate(Kind::dve_config, 1, sizeof(kbin_dve_config_t)));
}

kbin_debug_tensor_md_t* Tree::make_debug_md() {
  return static_cast<kbin_debug_tensor_md_t*>(
      allocate(Kind::debug_tensor_md, 1, sizeof(kbin_debug_tensor_md_t)));
}

kbin_replica_group_set_t* Tree::make_replica_group_set() {
  return static_cast<kbin_replica_group_set_t*>(
      allocate(Kind::replica_group_set, 1, sizeof(kbin_replica_group_set_t)));
}

char* Tree::make_string(std::string_view text) {
  auto* s = static_cast<char*>(allocate(Kind::string, text.size() + 1, text.size() + 1));
  if (!text.empty()) std::memcpy(s, text.data(), text.size());
  return s;
}

std::uint8_t* Tree::make_bytes(ByteView bytes) {
  if (bytes.empty()) return nullptr;
  if (lender_ != nullptr) {
    auto* lent = const_cast<std::uint8_t*>(bytes.data());
    allocations_.push_back({lent, bytes.size(), bytes.size(), Kind::bytes});
    return lent;
  }
  auto* b = static_cast<std::uint8_t*>(allocate(Kind::bytes, bytes.size(), bytes.size()));
  std::memcpy(b, bytes.data(), bytes.size());
  return b;
}

std::uint32_t* Tree::make_u32s(std::uint64_t n) {
  return static_cast<std::uint32_t*>(n == 0 ? nullptr : allocate(Kind::u32s, n, n * 4));
}

std::uint64_t Tree::blob_bytes(const kbin_engine_t* engine) const {
  for (const Allocation& a : allocations_)
    if (a.kind == Kind::engine && a.address == engine) return a.bytes - sizeof(kbin_engine_t);
  return 0;
}

}  // namespace assay
