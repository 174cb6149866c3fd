// SPDX-License-Identifier: Apache-2.0
#include "oracle/base/pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "oracle/base/bytes.h"

namespace assay {

void use_large_pages(void* data, std::size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kLarge = std::uintptr_t{2} << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  const auto begin = align_up(at, kLarge), end = (at + size) / kLarge * kLarge;
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)data, (void)size;
#endif
}

}  // namespace assay
