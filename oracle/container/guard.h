// SPDX-License-Identifier: Apache-2.0
// The door of a public function: whatever the standard library throws inside becomes a refusal.
#pragma once

#include <exception>
#include <utility>

#include "oracle/base/result.h"

namespace assay::container {

// Runs `f`, which returns a Result. Only allocations throw in this room, as std::bad_alloc or as
// the std::length_error of a string or vector: both are Reason::out_of_memory.
template <class F>
auto guarded(F&& f) noexcept -> decltype(f()) {
  try {
    return std::forward<F>(f)();
    // unreached: memory runs out
  } catch (const std::exception&) {
    return refuse(Reason::out_of_memory);
  }
  // reached
}

}  // namespace assay::container
