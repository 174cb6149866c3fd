// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/makers.h"

namespace assay::harness {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& ch : out)
    if (ch >= 'A' && ch <= 'Z') ch = static_cast<char>(ch + 32);
  return out;
}

CaseMaker corruption_maker(const CorruptionKind& kind) {
  return [&kind](Choices& c) -> Case {
    CorruptionCase made;
    made.corruption = gen_corruption(c, kind, made.valid);
    return made;
  };
}

// A text's fault follows from its seed: seeds are drawn until one leads there. The last of them counts
// where none does, which a fault of a few in a thousand has no reason to.
CaseMaker text_maker(const MisspellingKind& kind) {
  return [&kind](Choices& c) -> Case {
    constexpr int kTries = 20000;
    TextCase t;
    t.model = gen_model(c);
    const auto graphs = graphs_of(t.model);
    t.definition = graphs[c.below(graphs.size())].definition;
    const Json& document = t.model.json(t.definition);
    for (int i = 0; i < kTries && (t.kind != kind.name || t.reason != kind.reason); ++i) {
      t.seed = c.bits();
      RandomChoices spelling(t.seed);
      BadText bad = misspell(spelling, document);
      t.text = std::move(bad.text);
      t.kind = bad.kind;
      t.reason = bad.reason;
    }
    return t;
  };
}

bool fits(const Defect& d, const std::string& id) {
  const std::string requirement = lower(row_of(d.reason).requirement);
  return d.name == id || requirement == id || requirement.substr(0, requirement.find_first_of("-:")) == id;
}

}  // namespace

std::vector<CaseMaker> makers_of_kind(std::string_view kind) {
  std::vector<CaseMaker> makers;
  if (kind == name_of(CaseKind::model)) makers.push_back([](Choices& c) -> Case { return ModelCase{gen_model(c)}; });
  else if (kind == name_of(CaseKind::image))
    makers.push_back([](Choices& c) -> Case { return ImageCase{gen_image(c)}; });
  else if (kind == name_of(CaseKind::text) || kind == name_of(CaseKind::dtype)) {
    // As the properties that judge them have them.
    for (const Property& p : properties())
      if (name_of(p.kind) == kind) makers.emplace_back(p.generate);
  } else if (kind == name_of(CaseKind::neff)) {
    for (const NeffKind& k : neff_kinds())
      makers.push_back([&k](Choices& c) -> Case { return NeffCase{gen_neff(c, k)}; });
  } else {
    for (const Defect& d : defects())
      if (name_of(d.kind) == kind) makers.push_back(d.make);
  }
  return makers;
}

const std::vector<Defect>& defects() {
  static const std::vector<Defect> all = [] {
    std::vector<Defect> out;
    for (const NearMissKind& k : near_miss_kinds())
      out.push_back({k.name, CaseKind::near_miss, k.reason,
                     [&k](Choices& c) -> Case { return NearMissCase{gen_near_miss(c, k)}; }});
    for (const MisspellingKind& k : misspelling_kinds())
      out.push_back({k.name, CaseKind::text, k.reason, text_maker(k)});
    for (const CorruptionKind& k : corruption_kinds())
      out.push_back({k.name, CaseKind::corruption, k.reason, corruption_maker(k)});
    for (const NeffKind& k : neff_kinds())
      if (k.reason)
        out.push_back({k.name, CaseKind::neff, *k.reason,
                       [&k](Choices& c) -> Case { return NeffCase{gen_neff(c, k)}; }});
    return out;
  }();
  return all;
}

std::vector<const Defect*> defects_of(std::string_view id) {
  std::vector<const Defect*> out;
  for (const Defect& d : defects())
    if (fits(d, lower(id))) out.push_back(&d);
  return out;
}

}  // namespace assay::harness
