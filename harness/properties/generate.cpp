// SPDX-License-Identifier: Apache-2.0
// The cases of the properties: each draws one whole case from one source of choices.
#include <algorithm>

#include "harness/properties/checks.h"

namespace assay::harness::checks {
namespace {

// A document of the model to spell anew: a sub-graph's definition.
std::string definition_of(Choices& c, const Model& model) {
  const auto graphs = graphs_of(model);
  return graphs[c.below(graphs.size())].definition;
}

// A model, the document of it to be spelled anew, and the seed of the spelling.
TextCase text_of(Choices& c) {
  TextCase t;
  t.model = gen_model(c);
  t.definition = definition_of(c, t.model);
  t.seed = c.bits();
  return t;
}

// What almost is a dtype's name.
std::string near(Choices& c, std::string s) {
  const std::size_t at = c.below(s.size() + 1);
  switch (c.below(8)) {
    case 0: return s + " ";
    case 1: return " " + s;
    case 2: s[0] = static_cast<char>(s[0] ^ 0x20); return s;
    case 3: return s + static_cast<char>(c.below(256));
    case 4: return s.substr(0, at);
    case 5: return s + "_x4";
    case 6: std::transform(s.begin(), s.end(), s.begin(), [](char x) { return x >= 'a' && x <= 'z' ? static_cast<char>(x - 32) : x; }); return s;
    default: return s + std::string(1, '\0');
  }
}

}  // namespace

Case model(Choices& c) { return ModelCase{gen_model(c)}; }

Case near_miss(Choices& c) {
  const auto kinds = near_miss_kinds();
  const NearMissKind& kind = kinds[c.below(kinds.size())];
  return NearMissCase{gen_near_miss(c, kind)};
}

Case respelled(Choices& c) {
  TextCase t = text_of(c);
  RandomChoices spelling(t.seed);
  t.text = respell(spelling, t.model.json(t.definition));
  return t;
}

Case misspelt(Choices& c) {
  TextCase t = text_of(c);
  RandomChoices spelling(t.seed);
  BadText bad = misspell(spelling, t.model.json(t.definition));
  t.text = std::move(bad.text);
  t.kind = bad.kind;
  t.reason = bad.reason;
  return t;
}

Case image(Choices& c) { return ImageCase{gen_image(c)}; }

Case corruption(Choices& c) {
  const auto kinds = corruption_kinds();
  const CorruptionKind& kind = kinds[c.below(kinds.size())];
  CorruptionCase k;
  k.corruption = gen_corruption(c, kind, k.valid);
  return k;
}

Case neff(Choices& c) {
  const auto kinds = neff_kinds();
  const NeffKind& kind = kinds[c.below(kinds.size())];
  return NeffCase{gen_neff(c, kind)};
}

// Every known string of both matchers in some order among strings near them, and codes at the edges.
Case dtypes(Choices& c) {
  static constexpr const char* kKnown[] = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "bfloat16",
                                           "float32", "float32r", "float8e3", "float8e4", "float8e5", "float8_e4m3fn", "float8_e4m3fn_x4",
                                           "float8_e5m2_x4", "float4_e2m1fn_x4", "float8_e5m2", "float4_e2m1fn", ""};
  DtypeCase d;
  for (const char* text : kKnown)
    for (const bool io : {false, true}) d.request.match.push_back({io, text});
  for (std::uint64_t n = c.below(12); n > 0; --n) {
    const bool io = c.below(2) == 0;
    d.request.match.push_back({io, near(c, kKnown[c.below(std::size(kKnown) - 1)])});
  }
  for (std::size_t i = d.request.match.size(); i > 1; --i) std::swap(d.request.match[i - 1], d.request.match[c.below(i)]);
  for (std::int64_t k = -1; k <= 17; ++k) {
    d.request.to_sdma.push_back(k);
    d.request.size.push_back(k);
    if (k < 9) d.request.cce_op.push_back(k);
  }
  for (auto* list : {&d.request.to_sdma, &d.request.size, &d.request.cce_op})
    list->push_back(static_cast<std::int64_t>(c.edge(16, 0x7fffffff)));
  return d;
}

}  // namespace assay::harness::checks
