// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/expected.h"

#include <fmt/format.h>

#include "oracle/image/image.h"

namespace assay::harness {
namespace {

std::string print(const Json& j) { return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }
std::string hex32(std::uint32_t v) { return fmt::format("{:08x}", v); }

// The checksum in the header, and size, of an image.
Json image_row(std::string_view name, ByteView image) {
  return {{"name", name}, {"bytes", image.size()}, {"crc32", hex32(load<std::uint32_t>(image.data() + image::kCrcAt))}};
}

Json refused(const Refusal& r) {
  return {{"outcome", name_of(r.row().outcome)},
          {"reason", r.row().id},
          {"requirement", r.row().requirement},
          {"place", r.place.text()}};
}

Json lowered(const Result<Lowered>& result) {
  if (!result) return refused(result.error());
  Json images = Json::array();
  for (const LoweredGraph& g : result->graphs) {
    const auto image = encode(g.tree);
    if (!image) return refused(image.error());
    images.push_back(image_row(g.name, image->view()));
  }
  return {{"outcome", "ok"}, {"images", std::move(images)}};
}

Json decoded(ByteView image) {
  const auto view = decode(image);
  if (!view) return refused(view.error());
  return {{"outcome", "ok"}, {"images", Json::array({image_row("input.kbin", image)})}};
}

Json dtypes(const DtypeRequest& request) {
  const auto answer = oracle_subject().dtype(request);
  const auto list = [](const std::vector<std::optional<std::int64_t>>& codes) {
    Json out = Json::array();
    for (const auto& v : codes) out.push_back(v ? Json(*v) : Json("refused"));
    return out;
  };
  const DtypeAnswer& a = answer.value;
  return {{"outcome", "ok"}, {"match", list(a.match)}, {"to_sdma", list(a.to_sdma)},
          {"cce_op", list(a.cce_op)}, {"size", list(a.size)}};
}

struct Answer {
  Json operator()(const ModelCase& c) const { return lowered(lower_model(c.model)); }
  Json operator()(const NearMissCase& c) const { return lowered(lower_model(c.miss.broken)); }
  Json operator()(const TextCase& c) const {
    Members members = to_members(c.model);
    members.put(c.definition, Buffer(c.text));
    return lowered(lower_members(members, c.model.options));
  }
  Json operator()(const ImageCase& c) const { return decoded(c.image.view()); }
  Json operator()(const CorruptionCase& c) const { return decoded(c.corruption.image.view()); }
  Json operator()(const NeffCase& c) const {
    const auto members = read_neff(c.neff.file.view(), c.neff.options);
    if (!members) return refused(members.error());
    Json list = Json::array();
    for (const auto& [path, bytes] : *members)
      list.push_back({{"path", path}, {"bytes", bytes.size()}, {"crc32", hex32(crc32_of(bytes.view()))}});
    return {{"outcome", "ok"}, {"members", std::move(list)}};
  }
  Json operator()(const DtypeCase& c) const { return dtypes(c.request); }
};

CaseMaker near_miss_maker(const NearMissKind& kind) {
  return [&kind](Choices& c) -> Case { return NearMissCase{gen_near_miss(c, kind)}; };
}
CaseMaker neff_maker(const NeffKind& kind) {
  return [&kind](Choices& c) -> Case { return NeffCase{gen_neff(c, kind)}; };
}
CaseMaker corruption_maker(const CorruptionKind& kind) {
  return [&kind](Choices& c) -> Case {
    CorruptionCase made;
    made.corruption = gen_corruption(c, kind, made.valid);
    return made;
  };
}

}  // namespace

std::vector<CaseMaker> makers_of_kind(std::string_view kind) {
  std::vector<CaseMaker> makers;
  if (kind == name_of(CaseKind::model)) makers.push_back([](Choices& c) -> Case { return ModelCase{gen_model(c)}; });
  else if (kind == name_of(CaseKind::image))
    makers.push_back([](Choices& c) -> Case { return ImageCase{gen_image(c)}; });
  else if (kind == name_of(CaseKind::near_miss))
    for (const NearMissKind& k : near_miss_kinds()) makers.push_back(near_miss_maker(k));
  else if (kind == name_of(CaseKind::corruption))
    for (const CorruptionKind& k : corruption_kinds()) makers.push_back(corruption_maker(k));
  else if (kind == name_of(CaseKind::neff))
    for (const NeffKind& k : neff_kinds()) makers.push_back(neff_maker(k));
  else  // texts and dtypes: as the properties that judge them have them
    for (const Property& p : properties())
      if (name_of(p.kind) == kind) makers.emplace_back(p.generate);
  return makers;
}

std::vector<CaseMaker> makers_of_defect(std::string_view id) {
  std::vector<CaseMaker> makers;
  const auto fits = [&](std::string_view name, Reason reason) {
    return name == id || row_of(reason).requirement == id;
  };
  for (const NearMissKind& k : near_miss_kinds())
    if (fits(k.name, k.reason)) makers.push_back(near_miss_maker(k));
  for (const CorruptionKind& k : corruption_kinds())
    if (fits(k.name, k.reason)) makers.push_back(corruption_maker(k));
  for (const NeffKind& k : neff_kinds())
    if (k.reason && fits(k.name, *k.reason)) makers.push_back(neff_maker(k));
  return makers;
}

std::string expected_json(const Case& c) { return print(std::visit(Answer{}, c)); }

}  // namespace assay::harness
