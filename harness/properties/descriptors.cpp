// SPDX-License-Identifier: Apache-2.0
// Descriptors against the documents they came from: what a block says of them; and JSON -> record ->
// JSON and record -> bytes -> record, where each descriptor of an image is written as JSON again, in
// the one spelling that says everything, and lowered once more in its old place.
#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/compare/origins.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/dtype/dtype.h"
#include "oracle/tree/tree.h"

namespace assay::harness::checks {
namespace {

constexpr std::string_view kOps[] = {"copy", "fma", "add", "min", "max", "transpose"};  // by code

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

// Of a block and its descriptor what the record must say, by the document alone.
void judge_record(const kbin_dma_desc_t& d, const compare::Origin& o, bool above_sunda, const std::string& place,
                  std::vector<Violation>& out) {
  const Json& block = *o.block;
  const auto wrong = [&](std::string_view row, const char* field, std::uint64_t want, std::uint64_t got) {
    if (want != got) out.push_back({std::string(row), place + "." + field, fmt::format("{}", want), fmt::format("{}", got), {}});
  };
  wrong("DMB-008", "block_id", block.at("id").get<std::uint64_t>(), d.block_id);
  wrong("DMB-008", "block_end_desc", o.desc == &block.at("desc").back() ? 1 : 0, d.block_end_desc);
  wrong("DMB-009", "priority_class", block.value("priority_class", 0u), d.priority_class);
  wrong("DMB-038", "u.num_tiling_dims", o.desc->value("num_tiling_dimensions", 0u), d.u.num_tiling_dims);
  const std::string op = o.desc->value("op", "copy");
  const auto at = std::find(std::begin(kOps), std::end(kOps), op == "cast" ? "copy" : op);
  wrong(op == "cast" ? "DMB-016" : "DMB-015", "op", static_cast<std::uint64_t>(at - std::begin(kOps)), static_cast<std::uint64_t>(d.op));
  if (o.own_function) {
    const std::string want = block.at("function_start").get<std::string>().substr(0, 256);
    const std::string got = d.function_name == nullptr ? "" : d.function_name;
    if (want != got) out.push_back({"DMB-010", place + ".function_name", want, got, {}});
  }
  const bool named = d.function_name != nullptr, sure = op == "transpose" || o.own_function;
  const std::string_view row = !above_sunda || sure ? "DMB-012" : o.section_start ? "DMB-014" : named ? "DMB-013" : "DMB-012";
  wrong(row, "reset_engine_round_robin", above_sunda && (sure || o.section_start || named) ? 1 : 0, d.reset_engine_round_robin);
}

// visit(descriptor, origin, path) for every descriptor whose origin is known.
void each_descriptor(const Tree& tree, compare::Origins& origins,
                     const std::function<void(const kbin_dma_desc_t&, const compare::Origin&, const std::string&)>& visit) {
  for (std::size_t d = 0; d < KBIN_MAX_DMA && tree.root().dma[d] != nullptr; ++d) {
    kbin_dma_t* queue = tree.root().dma[d];
    for (std::uint32_t i = 0; i < queue->ring_instance_count; ++i) {
      kbin_dma_ring_instance_t* instance = instances_of(queue)[i];
      for (std::uint32_t k = 0; k < instance->ndesc; ++k)
        if (const auto origin = origins.of(d, i, k); origin && origin->desc != nullptr)
          visit(desc_of(instance)[k], *origin, fmt::format("dma[{}].ring_instances[{}].desc[{}]", d, i, k));
    }
  }
}

}  // namespace

Verdict blocks_as_written(const Subject& s, const Case& c) {
  return each_agreed(s, std::get<ModelCase>(c).model, [](const Asked& asked, std::size_t g, const Tree& tree, auto& found) {
    const LowerRequest q = asked.request(g);
    compare::Origins origins(&q, &asked.model());
    const bool above_sunda = q.target > static_cast<std::uint32_t>(code(ArchType::SUNDA));
    each_descriptor(tree, origins, [&](const kbin_dma_desc_t& d, const compare::Origin& o, const std::string& place) {
      judge_record(d, o, above_sunda, place, found);
    });
  });
}

Verdict descriptor_round_trip(const Subject& s, const Case& c) {
  return each_agreed(s, std::get<ModelCase>(c).model, [&](const Asked& asked, std::size_t g, const Tree& tree, auto& found) {
    const LowerRequest q = asked.request(g);
    auto* set = tree.root().mem_ref_set;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < set->nmem; ++i) names.emplace_back(mem_of(set)[i].name);
    Model model = asked.model();
    compare::Origins origins(&q, &model);
    std::vector<Rewritten> rewritten;
    each_descriptor(tree, origins, [&](const kbin_dma_desc_t& d, const compare::Origin& o, const std::string&) {
      rewritten.push_back({o.desc, json_of(d, names)});
    });
    if (rewritten.empty()) return;
    for (Rewritten& r : rewritten) *const_cast<Json*>(r.where) = std::move(r.value);  // of the copy
    const Members members = to_members(model);
    LowerRequest again = q;
    again.members = &members;
    const auto second = s.lower(again);
    if (!second.ok()) {
      found.push_back(unwanted(second, kNoRow, q.definition));
      return;
    }
    for (Violation& v : compare_images(asked.answer(s, g).value.view(), second.value.view(), &again))
      found.push_back(std::move(v));
  });
}

}  // namespace assay::harness::checks
