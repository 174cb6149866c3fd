// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "oracle/image/image.h"

namespace assay {

const DirEntry* View::find(std::uint64_t record_offset) const {
  const auto it =
      std::lower_bound(dir_.begin(), dir_.end(), record_offset,
                       [](const DirEntry& e, std::uint64_t o) { return e.offset < o; });
  return it != dir_.end() && it->offset == record_offset ? &*it : nullptr;
}

const DirEntry* View::follow(std::uint64_t slot) const {
  const auto target = load<std::uint64_t>(bytes_.data() + slot);
  return target == 0 ? nullptr : find(target);
}

}  // namespace assay
