// SPDX-License-Identifier: Apache-2.0
// The records of an image, edited where they lie: values only, no size and no pointer. It verifies
// nothing beyond what keeps it inside the bytes, and is for images that are right.
#pragma once

#include <cstdint>

#include "oracle/base/bytes.h"
#include "oracle/records/fields.h"
#include "oracle/records/kbin.h"

namespace assay::harness::wrong {

class Records {
 public:
  // Borrows the image, which is edited in place.
  explicit Records(Buffer& image);

  std::uint32_t target() const { return target_; }  // 0 when there is no root
  kbin_t* root();                                   // nullptr when there is none

  // Each calls f for every record of its type and returns whether any call returned true.
  template <class F>
  bool engines(F f) {  // f(kbin_engine_t&, bytes of code)
    return each(Kind::engine, [&](std::uint8_t* p, std::uint64_t size) {
      return f(*reinterpret_cast<kbin_engine_t*>(p), size - sizeof(kbin_engine_t));
    });
  }
  template <class F>
  bool queues(F f) {
    return each(Kind::dma, [&](std::uint8_t* p, std::uint64_t) { return f(*reinterpret_cast<kbin_dma_t*>(p)); });
  }
  template <class F>
  bool instances(F f) {
    return each(Kind::ring_instance, [&](std::uint8_t* p, std::uint64_t) {
      return f(*reinterpret_cast<kbin_dma_ring_instance_t*>(p));
    });
  }
  template <class F>
  bool descriptors(F f) {
    return each(Kind::ring_instance, [&](std::uint8_t* p, std::uint64_t size) {
      return tails<kbin_dma_desc_t>(p + sizeof(kbin_dma_ring_instance_t), size - sizeof(kbin_dma_ring_instance_t), f);
    });
  }
  template <class F>
  bool variables(F f) {
    return each(Kind::mem_ref_set, [&](std::uint8_t* p, std::uint64_t size) {
      return tails<kbin_mem_ref>(p + sizeof(kbin_mem_ref_set_t), size - sizeof(kbin_mem_ref_set_t), f);
    });
  }

 private:
  struct Found {
    std::uint8_t* at;
    std::uint64_t size;
    Kind kind;
  };
  std::uint64_t count() const;
  bool entry(std::uint64_t i, Found& out);

  template <class F>
  bool each(Kind kind, F f) {
    bool any = false;
    Found r{};
    for (std::uint64_t i = 0; i < count(); ++i)
      if (entry(i, r) && r.kind == kind && f(r.at, r.size)) any = true;
    return any;
  }
  template <class T, class F>
  static bool tails(std::uint8_t* p, std::uint64_t bytes, F& f) {
    bool any = false;
    for (; bytes >= sizeof(T); p += sizeof(T), bytes -= sizeof(T))
      if (f(*reinterpret_cast<T*>(p))) any = true;
    return any;
  }

  Buffer& image_;
  std::uint32_t target_ = 0;
};

}  // namespace assay::harness::wrong
