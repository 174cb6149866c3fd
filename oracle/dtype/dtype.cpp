// SPDX-License-Identifier: Apache-2.0
#include "oracle/dtype/dtype.h"

#include <iterator>

namespace assay {
namespace {

constexpr std::uint8_t kToSdma[] = {13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12};
constexpr std::uint8_t kToSdmaCce[] = {1, 0, 3, 2};
constexpr std::uint8_t kDataTypeSizes[] = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};
// Indexed by nrt_dtype_t; 0 marks a code that no string produces.
constexpr std::uint8_t kNrtSizes[] = {1, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 0, 8, 0, 0, 0};
constexpr std::uint8_t kInstrClass[] = {1, 2, 3, 9, 10};
static_assert(std::size(kToSdma) == 15 && std::size(kDataTypeSizes) == 16);

struct TargetLimits {
  std::uint32_t fma_sources, cce_elements, hw_dge;
};
constexpr TargetLimits kSunda{16, 1024, 0}, kCayman{16, 2048, 2}, kMariana{32, 2048, 2};

TargetLimits limits_of(std::int64_t target) {
  switch (target) {
    case code(ArchType::SUNDA): return kSunda;
    case code(ArchType::CAYMAN): return kCayman;
    case code(ArchType::MARIANA): return kMariana;
    default: return {0, 0, 0};
  }
}

}  // namespace

std::optional<std::int32_t> kbin_dtype_to_sdma_dtype(std::int64_t d) {
  if (d < 1 || d > 15) return std::nullopt;
  return kToSdma[d - 1];
}

std::optional<std::int32_t> kbin_cce_op_to_sdma_cce_op(std::int64_t op) {
  if (op < 1 || op > 4) return std::nullopt;
  return kToSdmaCce[op - 1];
}

std::uint32_t kbin_get_dtype_size(std::int64_t d) {
  const auto sdma = kbin_dtype_to_sdma_dtype(d);
  return sdma ? kDataTypeSizes[*sdma] : 0;
}

std::optional<std::uint32_t> nrt_dtype_size(std::int64_t d) {
  if (d < 0 || d > 15 || kNrtSizes[d] == 0) return std::nullopt;
  return kNrtSizes[d];
}

std::uint32_t max_fma_sources(std::int64_t target) { return limits_of(target).fma_sources; }
std::uint32_t max_cce_elements(std::int64_t target) { return limits_of(target).cce_elements; }
std::uint32_t max_hw_dge_count(std::int64_t target) { return limits_of(target).hw_dge; }

std::optional<std::uint32_t> engine_instr_usage_class(std::int64_t engine) {
  if (engine < 0 || engine > 4) return std::nullopt;
  return kInstrClass[engine];
}

}  // namespace assay
