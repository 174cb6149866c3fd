// SPDX-License-Identifier: Apache-2.0
// Variable names -> var_ids. It stores positions in the list of variables alone and reads the
// names there: of a million variables the names would be the larger part of it.
#pragma once

#include <tsl/robin_set.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "oracle/base/pages.h"
#include "oracle/manifest/definition/resources.h"

namespace assay::definition {

class NameIndex {
 public:
  // Begins anew for a list of at most n variables, which outlives the index. Throws std::bad_alloc.
  void begin(const std::vector<Variable>& variables, std::size_t n) {
    set_ = Set(0, Hash{&variables}, Equal{&variables});
    set_.max_load_factor(0.8F);
    set_.reserve(n);
  }
  // False when a variable of that name is there already.
  bool add(std::uint32_t position) { return set_.insert(position).second; }
  // nullptr, or the variable's position, which is its var_id once they are sorted.
  const std::uint32_t* find(std::string_view name) const {
    const auto it = set_.find(name);
    return it == set_.end() ? nullptr : &*it;
  }

 private:
  struct Names {
    const std::vector<Variable>* variables = nullptr;
    std::string_view of(std::string_view name) const { return name; }
    std::string_view of(std::uint32_t position) const { return (*variables)[position].name; }
  };
  struct Hash : Names {
    using is_transparent = void;
    template <class T>
    std::size_t operator()(const T& t) const { return std::hash<std::string_view>()(of(t)); }
  };
  struct Equal : Names {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const { return of(a) == of(b); }
  };
  static constexpr bool kKeepHash = true;  // so that most names are never looked at again
  using Set =
      tsl::robin_set<std::uint32_t, Hash, Equal, LargePageAllocator<std::uint32_t>, kKeepHash>;

  Set set_;
};

}  // namespace assay::definition
