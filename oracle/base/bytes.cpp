// SPDX-License-Identifier: Apache-2.0
#include "oracle/base/bytes.h"

#include <cstdlib>
#include <new>

#include "oracle/base/asan.h"
#include "oracle/base/pages.h"

#ifdef ASSAY_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace assay {

Buffer::Buffer(std::size_t size) : size_(size) {
  if (size > std::numeric_limits<std::size_t>::max() - kPadding) throw std::bad_alloc();
  data_ = static_cast<std::uint8_t*>(std::malloc(size + kPadding));
  if (data_ == nullptr) throw std::bad_alloc();
  use_large_pages(data_, size);
  std::memset(data_ + size, 0, kPadding);
#ifdef ASSAY_ASAN
  // The poison starts at the exact end; ASan keeps the first partial granule byte-exact.
  __asan_poison_memory_region(data_ + size, kPadding);
#endif
}

Buffer::Buffer(ByteView copy_of) : Buffer(copy_of.size()) {
  if (!copy_of.empty()) std::memcpy(data_, copy_of.data(), copy_of.size());
}

Buffer::~Buffer() {
#ifdef ASSAY_ASAN
  if (data_ != nullptr) __asan_unpoison_memory_region(data_ + size_, kPadding);
#endif
  std::free(data_);
}

Buffer& Buffer::operator=(Buffer&& o) noexcept {
  std::swap(data_, o.data_);
  std::swap(size_, o.size_);
  return *this;
}

bool all_zero(ByteView bytes) {
  // A range is zero when its first byte is and it equals itself moved by one.
  return bytes.empty() ||
         (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace assay
