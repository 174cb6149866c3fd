// SPDX-License-Identifier: Apache-2.0
// Wrong in the order of records, or in which of them there are.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "harness/mutants/source.h"
#include "harness/mutants/tables.h"

namespace assay::harness::wrong {
namespace {

template <class F>
void each_queue(Tree& t, F f) {
  for (std::size_t i = 0; i < KBIN_MAX_DMA; ++i)
    if (kbin_dma_t* q = t.root().dma[i]; q != nullptr) f(*q, i);
}

bool engines_by_type(Tree& t, const Source&) {
  kbin_engine_t** e = t.root().engine;
  std::sort(e, e + KBIN_NUM_ENGINES,
            [](const kbin_engine_t* a, const kbin_engine_t* b) { return a->eng_type < b->eng_type; });
  return true;
}

bool variables_by_name(Tree& t, const Source&) {
  kbin_mem_ref_set_t* set = t.root().mem_ref_set;
  kbin_mem_ref* m = mem_of(set);
  const auto by_name = [](const kbin_mem_ref& a, const kbin_mem_ref& b) { return std::strcmp(a.name, b.name) < 0; };
  if (std::is_sorted(m, m + set->nmem, by_name)) return false;
  std::sort(m, m + set->nmem, by_name);
  return true;
}

bool file_without_buffer(Tree& t, const Source&) {
  bool any = false;
  kbin_mem_ref_set_t* set = t.root().mem_ref_set;
  for (kbin_mem_ref* m = mem_of(set); m != mem_of(set) + set->nmem; ++m) {
    any |= m->buffer != nullptr;
    m->buffer = nullptr;
  }
  return any;
}

bool queues_backwards(Tree& t, const Source&) {
  kbin_dma_t** q = t.root().dma;
  const auto end = std::find(q, q + KBIN_MAX_DMA, nullptr);
  std::reverse(q, end);
  return end - q > 1;
}

bool descriptors_backwards(Tree& t, const Source&) {
  bool any = false;
  each_queue(t, [&](kbin_dma_t& q, std::size_t) {
    for (std::uint32_t i = 0; i < q.ring_instance_count; ++i) {
      kbin_dma_ring_instance_t* instance = instances_of(&q)[i];
      std::reverse(desc_of(instance), desc_of(instance) + instance->ndesc);
      any |= instance->ndesc > 1;
    }
  });
  return any;
}

// A block whose name differs from the one in force before it has a function_start of its own; one
// that only inherits is another row's (DMB-011).
bool functions_lost(Tree& t, const Source& source) {
  const Resources* r = source.resources();
  if (r == nullptr) return false;
  bool any = false;
  std::vector<std::string_view> in_force(r->queues.size());
  std::vector<std::vector<std::uint32_t>> next(r->queues.size());  // descriptor, by queue and instance
  for (std::size_t i = 0; i < next.size(); ++i) next[i].resize(r->queues[i].instances.size());
  for (const Block& b : r->blocks) {
    const bool own = b.function != in_force[b.queue];
    in_force[b.queue] = b.function;
    std::uint32_t& at = next[b.queue][b.instance];
    const kbin_dma_t* q = b.queue < KBIN_MAX_DMA ? t.root().dma[b.queue] : nullptr;
    if (q == nullptr || b.instance >= q->ring_instance_count) return any;
    kbin_dma_ring_instance_t* instance = tail<kbin_dma_ring_instance_t*>(const_cast<kbin_dma_t*>(q))[b.instance];
    for (std::size_t d = 0; d < b.desc.size() && at < instance->ndesc; ++d, ++at)
      if (own) {
        any |= desc_of(instance)[at].function_name != nullptr;
        desc_of(instance)[at].function_name = nullptr;
      }
  }
  return any;
}

const Mutant kMutants[] = {
    {"VAR-031-name-order", "VAR-031", "mem[] is in the order of the variables' names", &variables_by_name},
    {"VAR-034-no-buffer", "VAR-034", "a file's payload is not kept", &file_without_buffer},
    {"DMQ-001-backwards", "DMQ-001", "queues are in descending order of their names", &queues_backwards},
    {"DMB-007-backwards", "DMB-007", "an instance's descriptors stand in reverse", &descriptors_backwards},
    {"DMB-010-no-function", "DMB-010", "a block's own function_start is dropped", &functions_lost},
    {"LOW-002-by-type", "LOW-002", "engine[] slots are in the order of eng_type", &engines_by_type},
};

}  // namespace

std::span<const Mutant> tree_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
