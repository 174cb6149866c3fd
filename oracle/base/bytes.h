// SPDX-License-Identifier: Apache-2.0
// Bytes: views of them, an owning buffer, checked sizes, little-endian loads and stores.
// Not a container library: a Buffer neither grows nor is shared.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace assay {

using ByteView = std::span<const std::uint8_t>;

inline ByteView as_bytes(std::string_view s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
inline std::string_view as_text(ByteView b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

// An exact-size heap block. Past its end lie kPadding zero bytes that only the JSON parser may
// read; under AddressSanitizer they are poisoned, so that any other reader is caught.
class Buffer {
 public:
  static constexpr std::size_t kPadding = 64;

  Buffer() = default;
  // `size` bytes, not initialised. Throws std::bad_alloc.
  explicit Buffer(std::size_t size);
  explicit Buffer(ByteView copy_of);
  explicit Buffer(std::string_view copy_of) : Buffer(as_bytes(copy_of)) {}
  ~Buffer();
  Buffer(Buffer&& o) noexcept : data_(o.data_), size_(o.size_) { o.data_ = nullptr, o.size_ = 0; }
  Buffer& operator=(Buffer&& o) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  ByteView view() const { return {data_, size_}; }
  std::string_view text() const { return as_text(view()); }

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

// Little-endian load of a trivially copyable T at any alignment; the caller has checked bounds.
template <class T>
T load(const std::uint8_t* p) {
  static_assert(std::is_trivially_copyable_v<T>);
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
void store(std::uint8_t* p, T v) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(p, &v, sizeof v);
}

// Sums and products of untrusted sizes: false when the result does not fit 64 bits.
inline bool checked_add(std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
  return !__builtin_add_overflow(a, b, &out);
}
inline bool checked_mul(std::uint64_t a, std::uint64_t b, std::uint64_t& out) {
  return !__builtin_mul_overflow(a, b, &out);
}

constexpr std::uint64_t align_up(std::uint64_t v, std::uint64_t to) {
  return (v + to - 1) / to * to;
}

bool all_zero(ByteView bytes);

}  // namespace assay
