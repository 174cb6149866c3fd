// SPDX-License-Identifier: Apache-2.0
// Wrong in where records lie and how long they are, and in answering twice the same.
#include "harness/mutants/tables.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/image.h"
#include "oracle/records/kbin.h"

namespace assay::harness::wrong {
namespace {

// Edits every record of a kind; f says whether it changed something.
template <class F>
std::optional<Buffer> edited(ByteView image, Kind kind, F f) {
  auto raw = read_raw(image);
  if (!raw) return std::nullopt;
  bool any = false;
  for (RawRecord& r : raw->records)
    if (r.kind == kind) any = f(r) || any;
  if (!any) return std::nullopt;
  return raw->write();
}
bool grow(RawRecord& r, std::size_t bytes) {
  r.bytes.resize(r.bytes.size() + bytes);
  return true;
}

std::optional<Buffer> engines_longer(ByteView image) {
  return edited(image, Kind::engine,
                [](RawRecord& r) { return r.bytes.size() > sizeof(kbin_engine_t) && grow(r, 16); });
}
std::optional<Buffer> rings_longer(ByteView image) {
  return edited(image, Kind::dma, [](RawRecord& r) { return grow(r, 8); });
}
std::optional<Buffer> one_variable_less(ByteView image) {
  return edited(image, Kind::mem_ref_set, [](RawRecord& r) {
    std::uint8_t* nmem = r.bytes.data() + offsetof(kbin_mem_ref_set_t, nmem);
    store(nmem, load<std::uint32_t>(nmem) - 1);
    return true;
  });
}
// Each descriptor ends with its last field, and the next one starts there.
std::optional<Buffer> descriptors_packed(ByteView image) {
  return edited(image, Kind::ring_instance, [](RawRecord& r) {
    constexpr std::size_t kHeader = sizeof(kbin_dma_ring_instance_t), kFull = sizeof(kbin_dma_desc_t),
                          kPacked = offsetof(kbin_dma_desc_t, pad5449);
    const std::size_t n = (r.bytes.size() - kHeader) / kFull;
    for (std::size_t i = 0; i < n; ++i)
      std::memmove(r.bytes.data() + kHeader + kPacked * i, r.bytes.data() + kHeader + kFull * i, kPacked);
    r.bytes.resize(kHeader + kPacked * n);
    for (RawRecord::Pointer& p : r.pointers) p.slot -= (kFull - kPacked) * ((p.slot - kHeader) / kFull);
    return n > 0;
  });
}

// Sixteen zero bytes between the last record and the directory.
std::optional<Buffer> directory_apart(ByteView image) {
  using namespace assay::image;
  constexpr std::uint64_t kGap = 16;
  if (image.size() < kHeaderSize) return std::nullopt;
  const auto at = load<std::uint64_t>(image.data() + kDirOffsetAt);
  if (at > image.size()) return std::nullopt;
  Buffer out(image.size() + kGap);
  std::memcpy(out.data(), image.data(), at);
  std::memset(out.data() + at, 0, kGap);
  std::memcpy(out.data() + at + kGap, image.data() + at, image.size() - at);
  for (const std::uint64_t field : {kImageSizeAt, kDirOffsetAt, kRelocOffsetAt})
    store(out.data() + field, load<std::uint64_t>(out.data() + field) + kGap);
  repair_checksum(out);
  return out;
}

const Mutant kMutants[] = {
    {"DMB-041-packed", "DMB-041", "a descriptor ends with its last field, 7 bytes early", &descriptors_packed},
    {"LOW-004-longer", "LOW-004", "an engine record is 16 bytes longer than its code needs", &engines_longer},
    {"LOW-005-one-slot-more", "LOW-005", "a ring record is one slot longer than its instances", &rings_longer},
    {"LOW-006-one-less", "LOW-006", "nmem is one short of the variables in the record", &one_variable_less},
    {"LOW-011-unsteady", "LOW-011", "asked the same again, answers another number of streams", Unsteady{}},
    {"IMG-001-gap", "IMG-001", "the directory starts 16 bytes late", &directory_apart},
};

}  // namespace

std::span<const Mutant> layout_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
