// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "oracle/dtype/dtype.h"
#include "oracle/manifest/definition/definition.h"
#include "oracle/manifest/definition/name_index.h"

namespace assay::definition {
namespace {

using Pattern = kbin_dma_desc_info_t;
using Desc = Keys<DescKey>;
using Source = Keys<SourceKey>;

// The keys of one side's pattern: a descriptor's from or to side, or a source of from_arr.
template <class E>
struct Side {
  E variable, off, sizes, steps, dtype;
};
constexpr Side<DescKey> kTo{DescKey::to_, DescKey::to_off_, DescKey::to_sizes_, DescKey::to_steps_,
                            DescKey::to_dtype_};
constexpr Side<DescKey> kFrom{DescKey::from_, DescKey::from_off_, DescKey::from_sizes_,
                              DescKey::from_steps_, DescKey::from_dtype_};
constexpr Side<SourceKey> kSource{SourceKey::from_, SourceKey::from_off_, SourceKey::from_sizes_,
                                  SourceKey::from_steps_, SourceKey::from_dtype_};

bool is_compute(DescOp op) {
  return op == DescOp::FMA || op == DescOp::ADD || op == DescOp::MIN || op == DescOp::MAX;
}

Result<Dtype> dtype_at(const Node& node) {
  ASSAY_TRY_LET(text, node.string());
  const auto d = match_DefJsonDtype(text);
  if (!d) return node.refuse(Reason::desc_dtype_unknown, fmt::format("\"{}\"", text));
  return *d;
}

// A JSON number as a finite float32, rounded half to even from its double (DMB-032, DMB-033).
Result<float> float32_at(const Node& node, Reason out_of_range) {
  ASSAY_TRY_LET(d, node.number());
  // Halfway between the largest float and the next power of two, and beyond, rounds to infinity;
  // the conversion itself would be undefined there.
  constexpr double kRoundsToInfinity = 0x1.ffffffp127;
  if (!(std::fabs(d) < kRoundsToInfinity)) return node.refuse(out_of_range, fmt::format("{}", d));
  return static_cast<float>(d);
}

Result<> read_dims(const Node& sizes, const Node& steps, Pattern& p) {
  ASSAY_TRY(sizes.expect(JsonType::array));
  ASSAY_TRY(steps.expect(JsonType::array));
  const std::size_t n = count_of(sizes.value()), m = count_of(steps.value());
  if (n != m) return sizes.refuse(Reason::pattern_lengths, fmt::format("{} sizes, {} steps", n, m));
  if (n == 0 || n > KBIN_MAX_DIMS)
    return sizes.refuse(Reason::pattern_dims, fmt::format("{} dimensions", n));
  p.num_dims = static_cast<std::uint32_t>(n);
  std::size_t i = 0;
  ASSAY_TRY(for_each_element(sizes, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(size, item.integer<std::uint64_t>());
    if (size == 0) return item.refuse(Reason::pattern_size_zero);
    p.sizes[i++] = size;
    return {};
  }));
  i = 0;
  return for_each_element(steps, [&](const Node& item) -> Result<> {
    ASSAY_TRY_LET(step, item.integer<std::int64_t>());
    p.steps[i++] = step;
    return {};
  });
}

// One side of a descriptor. `desc` gives the default `size` (DMB-025).
template <class E>
Result<> read_side(const Context& c, const Keys<E>& k, const Side<E>& side, const Desc& desc,
                   bool dtype_required, Pattern& p) {
  ASSAY_TRY(require(k, {side.variable}, Reason::desc_variable_missing));
  ASSAY_TRY_LET(name, k[side.variable].string());
  const std::uint32_t* id = c.variables->find(name);
  if (id == nullptr)
    return k[side.variable].refuse(Reason::desc_variable_unknown, fmt::format("\"{}\"", name));
  p.idx = *id;
  ASSAY_TRY_LET(off, k.template integer_or<std::uint64_t>(side.off, 0));
  p.off = off;

  if (k.has(side.sizes) != k.has(side.steps))
    return k[k.has(side.sizes) ? side.sizes : side.steps].refuse(Reason::pattern_half);
  if (k.has(side.sizes)) {
    ASSAY_TRY(read_dims(k[side.sizes], k[side.steps], p));
  } else if (desc.has(DescKey::size_)) {
    const Node node = desc[DescKey::size_];
    ASSAY_TRY_LET(size, node.integer<std::uint64_t>());
    if (size == 0) return node.refuse(Reason::plain_size_zero);
    p.num_dims = 1;
    p.sizes[0] = size;
    p.steps[0] = 1;
  } else {
    return k.node().refuse(Reason::pattern_dims, "neither sizes and steps nor size");
  }

  if (k.has(side.dtype)) {
    ASSAY_TRY_LET(d, dtype_at(k[side.dtype]));
    p.dtype = static_cast<std::uint32_t>(d);
  } else if (dtype_required) {
    return require(k, {side.dtype}, Reason::pattern_dtype_missing);
  }
  return {};
}

// A source's scale and scale_dtype, the descriptor's where it has none, else 1.0 as float32.
Result<float> read_scale(const Source& source, const Desc& desc) {
  const bool own_dtype = source.has(SourceKey::scale_dtype_);
  if (own_dtype || desc.has(DescKey::scale_dtype_)) {
    const Node node = own_dtype ? source[SourceKey::scale_dtype_] : desc[DescKey::scale_dtype_];
    ASSAY_TRY_LET(d, dtype_at(node));
    if (d != Dtype::FP32) return node.refuse(Reason::scale_dtype);
  }
  if (source.has(SourceKey::scale_)) return float32_at(source[SourceKey::scale_], Reason::scale_range);
  if (desc.has(DescKey::scale_)) return float32_at(desc[DescKey::scale_], Reason::scale_range);
  return 1.0F;
}

Result<> read_sources(const Context& c, const Desc& desc, Descriptor& out) {
  ASSAY_TRY(require(desc, {DescKey::from_arr_}, Reason::from_arr_missing));
  const Node arr = desc[DescKey::from_arr_];
  ASSAY_TRY(arr.expect(JsonType::array));
  const std::size_t n = count_of(arr.value());
  const std::size_t limit =
      out.op == DescOp::FMA ? max_fma_sources(code(c.target)) : std::size_t{KBIN_MAX_SOURCES};
  if (n == 0 || n > limit)
    return arr.refuse(Reason::source_count, fmt::format("{} sources, limit {}", n, limit));
  return for_each_element(arr, [&](const Node& item) -> Result<> {
    ASSAY_TRY(item.expect(JsonType::object));
    const Source source(item);
    ASSAY_TRY(read_side(c, source, kSource, desc, true, out.from.emplace_back()));
    if (out.op != DescOp::FMA) return {};
    ASSAY_TRY_LET(scale, read_scale(source, desc));
    out.scales.push_back(scale);
    return {};
  });
}

Result<std::uint32_t> constant_bits(const Node& node, Dtype dtype) {
  if (dtype == Dtype::FP32) {
    ASSAY_TRY_LET(f, float32_at(node, Reason::constant_range));
    return std::bit_cast<std::uint32_t>(f);
  }
  const auto out_of_range = [&](const auto& r) {
    return node.refuse(Reason::constant_range, r.error().detail);
  };
  if (dtype == Dtype::INT32) {
    const auto i = node.integer<std::int32_t>();
    if (!i) return out_of_range(i);
    return std::bit_cast<std::uint32_t>(*i);
  }
  const auto u = node.integer<std::uint32_t>();
  if (!u) return out_of_range(u);
  return *u;
}

Result<> read_constant(const Desc& k, Descriptor& out) {
  // Without constant_dtype a constant is not even read (DMB-034, JSN-013).
  if (!k.has(DescKey::constant_dtype_)) return {};
  const Node dtype_node = k[DescKey::constant_dtype_];
  ASSAY_TRY_LET(text, dtype_node.string());
  const auto d = match_DefJsonDtype(text);
  if (d != Dtype::FP32 && d != Dtype::INT32 && d != Dtype::UINT32)
    return dtype_node.refuse(Reason::constant_dtype, fmt::format("\"{}\"", text));
  // uint32 alone: float8_e4m3fn_x4 and its like become the same code and are no constants.
  if (d == Dtype::UINT32 && text != "uint32")
    return dtype_node.refuse(Reason::constant_dtype, fmt::format("\"{}\"", text));
  ASSAY_TRY(require(k, {DescKey::constant_}, Reason::constant_missing));
  ASSAY_TRY_LET(bits, constant_bits(k[DescKey::constant_], *d));
  out.use_constant = true;
  out.constant_dtype = *d;
  out.constant = bits;
  return {};
}

Result<> read_transpose(const Desc& k, Descriptor& out) {
  if (k.has(DescKey::transpose_op_)) {
    const Node node = k[DescKey::transpose_op_];
    ASSAY_TRY_LET(text, node.string());
    bool order = text.size() == 4;
    for (const char letter : {'W', 'X', 'Y', 'Z'})
      order = order && text.find(letter) != std::string_view::npos;
    if (!order) return node.refuse(Reason::transpose_op, fmt::format("\"{}\"", text));
    std::memcpy(out.transpose_op.data(), text.data(), 4);
  }
  ASSAY_TRY_LET(size, k.integer_or<std::uint32_t>(DescKey::transpose_element_size_, 0));
  out.transpose_element_size = size;
  if (k.has(DescKey::transpose_shape_)) {
    const Node node = k[DescKey::transpose_shape_];
    ASSAY_TRY(node.expect(JsonType::array));
    const std::size_t n = count_of(node.value());
    if (n != 4) return node.refuse(Reason::transpose_shape, fmt::format("{} elements", n));
    std::size_t i = 0;
    return for_each_element(node, [&](const Node& item) -> Result<> {
      ASSAY_TRY_LET(dim, item.integer<std::uint32_t>());
      out.transpose_shape[i++] = dim;
      return {};
    });
  }
  return {};
}

}  // namespace

Result<Descriptor> read_descriptor(const Context& c, const Node& node) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Desc k(node);
  Descriptor out;
  if (k.has(DescKey::op_)) {
    ASSAY_TRY_LET(text, k[DescKey::op_].string());
    // "cast" is a copy in every respect (DMB-016).
    const auto op = text == "cast" ? DescOp::COPY : match_DmaOp(text);
    if (!op) return k[DescKey::op_].refuse(Reason::op_unknown, fmt::format("\"{}\"", text));
    out.op = *op;
  }
  const bool compute = is_compute(out.op);
  if (compute) ASSAY_TRY(read_sources(c, k, out));
  else ASSAY_TRY(read_side(c, k, kFrom, k, false, out.from.emplace_back()));
  ASSAY_TRY(read_side(c, k, kTo, k, compute, out.to));
  if (out.op == DescOp::MIN || out.op == DescOp::MAX) ASSAY_TRY(read_constant(k, out));
  if (out.op == DescOp::TRANSPOSE) ASSAY_TRY(read_transpose(k, out));
  ASSAY_TRY_LET(tiling, k.integer_or<std::uint32_t>(DescKey::num_tiling_dimensions_, 0));
  out.num_tiling_dims = tiling;
  return out;
}

}  // namespace assay::definition
