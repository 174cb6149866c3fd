// SPDX-License-Identifier: Apache-2.0
// Large pages for large fresh memory. Touching it page by page costs more than what is then done
// with it. Advice only: it changes no byte, and on a system without large pages nothing at all.
#pragma once

#include <cstddef>
#include <memory>

namespace assay {

// To be called before `size` bytes at `data`, of any alignment, are touched for the first time.
// What is shorter than a large page is left alone.
void use_large_pages(void* data, std::size_t size);

// Reserves room for n elements in an empty vector and asks for large pages for it.
template <class V>
void reserve_large(V& vector, std::size_t n) {
  vector.reserve(n);
  use_large_pages(vector.data(), vector.capacity() * sizeof(typename V::value_type));
}

// std::allocator with large pages.
template <class T>
struct LargePageAllocator {
  using value_type = T;
  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) {}
  T* allocate(std::size_t n) {
    T* p = std::allocator<T>().allocate(n);
    use_large_pages(p, n * sizeof(T));
    return p;
  }
  void deallocate(T* p, std::size_t n) { std::allocator<T>().deallocate(p, n); }
  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

}  // namespace assay
