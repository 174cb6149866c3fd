// SPDX-License-Identifier: Apache-2.0
#include "harness/mutants/records.h"

#include "oracle/image/image.h"

namespace assay::harness::wrong {

using namespace assay::image;

Records::Records(Buffer& image) : image_(image) {
  if (const kbin_t* r = root(); r != nullptr) target_ = r->target;
}

std::uint64_t Records::count() const {
  if (image_.size() < kHeaderSize) return 0;
  const auto directory = load<std::uint64_t>(image_.data() + kDirOffsetAt);
  const std::uint64_t n = load<std::uint32_t>(image_.data() + kDirCountAt);
  return directory <= image_.size() && n <= (image_.size() - directory) / kDirEntryBytes ? n : 0;
}

bool Records::entry(std::uint64_t i, Found& out) {
  const std::uint8_t* e =
      image_.data() + load<std::uint64_t>(image_.data() + kDirOffsetAt) + i * kDirEntryBytes;
  const auto offset = load<std::uint64_t>(e), size = load<std::uint64_t>(e + 8);
  const auto kind = load<std::uint32_t>(e + 16);
  if (offset % kRecordAlign != 0 || offset > image_.size() || size > image_.size() - offset) return false;
  if (kind == 0 || kind > kMaxKind || size < kind_row(static_cast<Kind>(kind)).bytes) return false;
  out = {image_.data() + offset, size, static_cast<Kind>(kind)};
  return true;
}

kbin_t* Records::root() {
  Found r{};
  if (count() == 0 || !entry(0, r) || r.kind != Kind::kbin) return nullptr;
  return reinterpret_cast<kbin_t*>(r.at);
}

}  // namespace assay::harness::wrong
