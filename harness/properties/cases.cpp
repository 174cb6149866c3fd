// SPDX-License-Identifier: Apache-2.0
// What a case is called, and copies of it.
#include <fmt/format.h>

#include "harness/properties/property.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

void label_model(const Model& m, std::vector<std::string>& out) {
  const auto graphs = graphs_of(m);
  out.push_back(fmt::format("graphs {}", graphs.size()));
  for (const GraphPaths& g : graphs) {
    const auto it = m.members.find(g.definition);
    if (it == m.members.end() || !it->second.is_json() || !it->second.doc.is_object()) continue;
    for (const auto& [key, value] : it->second.doc.items())
      if (value.is_structured()) out.push_back("section " + key);
  }
}

void label_image(ByteView image, std::vector<std::string>& out) {
  if (const auto view = decode(image)) {
    out.push_back(fmt::format("target {}", view->header().target));
    out.push_back(fmt::format("records {}", view->records() < 16 ? "below 16" : view->records() < 64 ? "16 to 63" : "64 and more"));
  }
}

Members copy_of(const Members& members) {
  Members out;
  for (const auto& [path, bytes] : members) out.put(path, Buffer(bytes.view()));
  return out;
}

}  // namespace

std::string_view name_of(CaseKind kind) {
  static constexpr std::string_view kNames[] = {"model", "near-miss", "text", "image", "corruption", "neff", "dtype"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<std::string> labels_of(const Case& c) {
  std::vector<std::string> out{std::string(name_of(kind_of(c)))};
  std::visit(Overload{
                 [&](const ModelCase& m) { label_model(m.model, out); },
                 [&](const NearMissCase& m) { out.emplace_back(m.miss.kind->name); },
                 [&](const TextCase& t) { out.push_back(t.reason ? t.kind : "respelled"); },
                 [&](const ImageCase& i) { label_image(i.image.view(), out); },
                 [&](const CorruptionCase& k) { out.emplace_back(k.corruption.kind->name); },
                 [&](const NeffCase& n) { out.emplace_back(n.neff.kind->name); },
                 [&](const DtypeCase& d) { out.push_back(d.request.match.size() > 40 ? "strings more than 40" : "strings up to 40"); },
             },
             c);
  return out;
}

Case copy_of(const Case& c) {
  return std::visit(
      Overload{
          [](const ModelCase& m) -> Case { return m; },
          [](const NearMissCase& m) -> Case { return m; },
          [](const TextCase& t) -> Case { return t; },
          [](const ImageCase& i) -> Case { return ImageCase{Buffer(i.image.view())}; },
          [](const CorruptionCase& k) -> Case {
            return CorruptionCase{Buffer(k.valid.view()),
                                  {k.corruption.kind, Buffer(k.corruption.image.view()), k.corruption.offset}};
          },
          [](const NeffCase& n) -> Case {
            return NeffCase{{n.neff.kind, n.neff.options, Buffer(n.neff.file.view()), Buffer(n.neff.twin.view()),
                             copy_of(n.neff.members), n.neff.offset}};
          },
          [](const DtypeCase& d) -> Case { return d; },
      },
      c);
}

}  // namespace assay::harness
