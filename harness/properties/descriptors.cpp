// SPDX-License-Identifier: Apache-2.0
// JSON -> record -> JSON and record -> bytes -> record: each descriptor of an image is written as
// JSON again, in the one spelling that says everything, and lowered once more in its old place.
#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/compare/origins.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/dtype/dtype.h"
#include "oracle/tree/tree.h"

namespace assay::harness::checks {
namespace {

// def.json's names of the dtypes that one string alone gives (matchers.def has the others).
const char* dtype_text(std::uint32_t code) {
  static constexpr const char* kNames[] = {nullptr, "float8e3", "float8e4", "float8e5", "float16", "float32", "float32r", "bfloat16",
                                           "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"};
  return code < 16 ? kNames[code] : nullptr;
}

void put_pattern(Json& to, const std::string& side, const kbin_dma_desc_info_t& p, const std::vector<std::string>& names) {
  to[side] = names.at(p.idx);
  to[side + "_off"] = p.off;
  Json sizes = Json::array(), steps = Json::array();
  for (std::uint32_t i = 0; i < p.num_dims; ++i) {
    sizes.push_back(p.sizes[i]);
    steps.push_back(p.steps[i]);
  }
  to[side + "_sizes"] = sizes;
  to[side + "_steps"] = steps;
  if (const char* dtype = dtype_text(p.dtype)) to[side + "_dtype"] = dtype;
}

Json json_of(const kbin_dma_desc_t& d, const std::vector<std::string>& names) {
  static constexpr const char* kOps[] = {"copy", "fma", "add", "min", "max", "transpose"};
  Json out = Json::object();
  const auto op = static_cast<DescOp>(d.op);
  out["op"] = kOps[d.op];
  out["num_tiling_dimensions"] = d.u.num_tiling_dims;
  put_pattern(out, "to", d.u.to, names);
  if (op == DescOp::COPY || op == DescOp::TRANSPOSE) put_pattern(out, "from", d.u.from[0], names);
  if (op == DescOp::TRANSPOSE) {
    const auto& t = d.u.info.transpose;
    // ruling: four zero bytes are no order of letters, they are the absent key.
    if (t.transpose_op[0] != 0) out["transpose_op"] = std::string(reinterpret_cast<const char*>(t.transpose_op), 4);
    out["transpose_element_size"] = t.element_size;
    out["transpose_shape"] = Json::array({t.shape[0], t.shape[1], t.shape[2], t.shape[3]});
    return out;
  }
  if (op == DescOp::COPY) return out;
  const auto& cce = d.u.info.cce;
  for (std::uint32_t i = 0; i < cce.num_sources; ++i) {
    Json source = Json::object();
    put_pattern(source, "from", d.u.from[i], names);
    if (op == DescOp::FMA) {
      source["scale"] = static_cast<double>(cce.u.fma.scale[i]);
      source["scale_dtype"] = "float32";
    }
    out["from_arr"].push_back(std::move(source));
  }
  if ((op == DescOp::MIN || op == DescOp::MAX) && cce.u.min_max.use_constant) {
    const std::uint32_t bits = cce.u.min_max.constant;
    const auto dtype = static_cast<Dtype>(cce.u.min_max.constant_dtype);
    out["constant_dtype"] = dtype_text(cce.u.min_max.constant_dtype);
    if (dtype == Dtype::FP32) out["constant"] = static_cast<double>(load<float>(reinterpret_cast<const std::uint8_t*>(&bits)));
    else if (dtype == Dtype::INT32) out["constant"] = static_cast<std::int32_t>(bits);
    else out["constant"] = bits;
  }
  return out;
}

// The document that a JSON value of a model's copy lies in is edited through the same pointers, so
// the descriptors are collected first and put in place afterwards.
struct Rewritten {
  const Json* where;
  Json value;
};

}  // namespace

Verdict descriptor_round_trip(const Subject& s, const Case& c) {
  const Model& model = std::get<ModelCase>(c).model;
  const Asked asked(model);
  std::vector<Violation> found;
  for (std::size_t g = 0; g < asked.graphs(); ++g) {
    const LowerRequest q = asked.request(g);
    const auto expected = reference().lower(q);
    const auto reply = s.lower(q);
    // Where the first lowering is wrong, another property says so.
    if (!expected.ok() || !reply.ok() || !equal(expected.value.view(), reply.value.view())) continue;
    const auto view = decode(reply.value.view());
    if (!view) continue;
    const auto tree = to_tree(*view);
    if (!tree) continue;
    auto* set = tree->root().mem_ref_set;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < set->nmem; ++i) names.emplace_back(mem_of(set)[i].name);

    compare::Origins origins(&q);
    std::vector<Rewritten> rewritten;
    for (std::size_t d = 0; d < KBIN_MAX_DMA && tree->root().dma[d] != nullptr; ++d) {
      kbin_dma_t* queue = tree->root().dma[d];
      for (std::uint32_t i = 0; i < queue->ring_instance_count; ++i) {
        kbin_dma_ring_instance_t* instance = instances_of(queue)[i];
        for (std::uint32_t k = 0; k < instance->ndesc; ++k)
          if (const auto origin = origins.of(d, i, k); origin && origin->desc != nullptr)
            rewritten.push_back({origin->desc, json_of(desc_of(instance)[k], names)});
      }
    }
    if (rewritten.empty()) continue;
    for (Rewritten& r : rewritten) *const_cast<Json*>(r.where) = std::move(r.value);  // of origins' own copy
    const Members members = to_members(origins.model());
    LowerRequest again = q;
    again.members = &members;
    const auto second = s.lower(again);
    if (!second.ok()) {
      found.push_back(unwanted(second, kNoRow, q.definition));
      continue;
    }
    for (Violation& v : compare_images(reply.value.view(), second.value.view(), &again)) found.push_back(std::move(v));
  }
  return Verdict::of(std::move(found));
}

}  // namespace assay::harness::checks
