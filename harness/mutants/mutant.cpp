// SPDX-License-Identifier: Apache-2.0
#include "harness/mutants/mutant.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "harness/mutants/records.h"
#include "harness/mutants/source.h"
#include "harness/mutants/tables.h"
#include "harness/mutate/raw_image.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

using namespace wrong;

// The smallest image there is for a target: five engines without code, one output.
Buffer smallest_image(std::uint32_t target, std::uint32_t subgraph) {
  static constexpr struct {
    const char* name;
    EngineType type;
  } kSlots[] = {{"act", EngineType::ACT},
                {"dve", EngineType::DVE},
                {"pe", EngineType::PE},
                {"pool", EngineType::POOL},
                {"sp", EngineType::SP}};
  Tree t;
  t.subgraph = subgraph;
  const bool known = target >= static_cast<std::uint32_t>(code(ArchType::SUNDA)) &&
                     target <= static_cast<std::uint32_t>(code(ArchType::MARIANA));
  t.root().target = known ? target : static_cast<std::uint32_t>(code(ArchType::SUNDA));
  t.root().cc_streams.num_streams = 1;
  for (std::size_t i = 0; i < KBIN_NUM_ENGINES; ++i) {
    kbin_engine_t* e = t.root().engine[i] = t.make_engine({});
    e->eng_type = static_cast<std::uint32_t>(kSlots[i].type);
    std::memcpy(e->name, kSlots[i].name, std::strlen(kSlots[i].name));
  }
  kbin_mem_ref_set_t* set = t.root().mem_ref_set = t.make_mem_ref_set(1);
  mem_of(set)->mr_type = static_cast<std::uint32_t>(code(MrType::MR_OUTPUT));
  mem_of(set)->name = t.make_string("out");
  auto image = encode(t);
  return image ? std::move(*image) : Buffer();
}

// A hash of a whole request; equal requests have equal ones.
std::size_t hash_of(std::string_view text, std::size_t seed) {
  return std::hash<std::string_view>()(text) ^ (seed * 0x9E3779B97F4A7C15ULL + 1);
}
std::size_t hash_of(const LowerRequest& q) {
  std::size_t h = hash_of(q.definition, q.target * 8 + q.subgraph * 2 + (q.allow_legacy ? 1 : 0));
  for (const auto& [path, bytes] : *q.members) h = hash_of(bytes.text(), hash_of(path, h));
  const Fp8Overrides& f = q.fp8;
  for (const auto& v : {f.emax_fp8_e4m3, f.emax_fp8_e5m2}) h = h * 31 + (v ? std::size_t{*v} + 1 : 0);
  for (const auto& v : {f.fp8_range_extension, f.ocp_sat, f.fp8_sis, f.fp8_sns}) h = h * 31 + (v ? (*v ? 2 : 1) : 0);
  return h;
}
// The graph's members with its documents edited; nullopt when nothing is to be edited.
std::optional<Members> edited_members(const DocumentEdit& edit, const LowerRequest& q) {
  const auto holds = [&](std::string_view text) {
    return text.find(edit.needs) != std::string_view::npos || text.find('\\') != std::string_view::npos;  // escapes
  };
  if (std::none_of(q.members->begin(), q.members->end(), [&](const auto& m) { return holds(m.second.text()); }))
    return std::nullopt;
  Model model = from_members(*q.members, {});
  bool any = false;
  for (const GraphPaths& g : graphs_of(model)) {
    if (g.definition != q.definition) continue;
    const auto def = model.members.find(g.definition);
    if (def == model.members.end() || !def->second.is_json()) continue;
    any = edit.edit(def->second.doc) || any;
    for (const auto& [engine, path] : g.engines) any = edit.edit(model.json(path)) || any;
    break;  // one definition may be named by several graphs
  }
  if (!any) return std::nullopt;
  return to_members(model);
}

class MutantSubject final : public Subject {
 public:
  MutantSubject(const Mutant& mutant, const Subject& base) : mutant_(mutant), base_(base) {}

  std::string name() const override { return "mutant " + std::string(mutant_.id); }

  Reply<DtypeAnswer> dtype(const DtypeRequest& q) const override {
    auto r = base_.dtype(q);
    if (const auto* edit = std::get_if<DtypeEdit>(&mutant_.edit); edit != nullptr && r.ok()) (*edit)(q, r.value);
    return r;
  }

  Reply<Buffer> lower(const LowerRequest& q) const override {
    auto r = base_.lower(q);
    if (is_lax(r)) return Reply<Buffer>::of(smallest_image(q.target, q.subgraph));
    if (!r.ok()) return r;
    if (const auto* edit = std::get_if<DocumentEdit>(&mutant_.edit)) {
      edit_documents(*edit, q, r.value);
    } else {
      edit_image(r.value, Source(q));
      if (again(q)) one_more_stream(r.value);
    }
    return r;
  }

  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override {
    auto r = base_.lower_neff(q);
    if (is_lax(r)) {
      LowerNeffAnswer a;
      a.images.push_back(smallest_image(q.arch.value_or(0), 0));
      return Reply<LowerNeffAnswer>::of(std::move(a));
    }
    if (!r.ok()) return r;
    if (const auto* edit = std::get_if<IoEdit>(&mutant_.edit)) (*edit)(r.value.io);
    const File file(q);
    for (std::size_t i = 0; i < r.value.images.size(); ++i) {
      Buffer& image = r.value.images[i];
      if (const auto* edit = std::get_if<DocumentEdit>(&mutant_.edit)) {
        if (const auto graph = file.graph(i)) edit_documents(*edit, *graph, image);
      } else {
        edit_image(image, Source(file, i));
      }
    }
    return r;
  }

  Reply<std::string> decode(ByteView image) const override {
    auto r = base_.decode(image);
    if (!std::holds_alternative<LaxDecoding>(mutant_.edit) || !refuses_mine(r)) return r;
    const Inspection seen = inspect(image);
    return Reply<std::string>::of(seen.view ? fields_json(*seen.view) : "{}");
  }

 private:
  template <class T>
  bool refuses_mine(const Reply<T>& r) const {
    return r.refused() && r.refusal && r.refusal->row().requirement == mutant_.requirement;
  }
  template <class T>
  bool is_lax(const Reply<T>& r) const {
    return std::holds_alternative<LaxLowering>(mutant_.edit) && refuses_mine(r);
  }

  void edit_image(Buffer& image, const Source& source) const {
    if (const auto* fields = std::get_if<FieldEdit>(&mutant_.edit)) {
      Records records(image);
      if ((*fields)(records)) repair_checksum(image);
    } else if (const auto* layout = std::get_if<LayoutEdit>(&mutant_.edit)) {
      if (auto other = (*layout)(image.view())) image = std::move(*other);
    } else if (const auto* edit = std::get_if<TreeEdit>(&mutant_.edit)) {
      const auto view = assay::decode(image.view());
      if (!view) return;
      auto tree = to_tree(*view);
      if (!tree || !(*edit)(*tree, source)) return;
      if (auto other = encode(*tree)) image = std::move(*other);
    }
  }

  void edit_documents(const DocumentEdit& edit, LowerRequest q, Buffer& image) const {
    const auto members = edited_members(edit, q);
    if (!members) return;
    q.members = &*members;
    auto other = base_.lower(q);
    if (other.ok()) image = std::move(other.value);
  }

  // Whether the request before was the same one.
  bool again(const LowerRequest& q) const {
    if (!std::holds_alternative<Unsteady>(mutant_.edit)) return false;
    const std::size_t hash = hash_of(q);
    return last_.exchange(hash) == hash;
  }
  static void one_more_stream(Buffer& image) {
    Records records(image);
    if (kbin_t* root = records.root(); root != nullptr) {
      ++root->cc_streams.num_streams;
      repair_checksum(image);
    }
  }

  const Mutant& mutant_;
  const Subject& base_;
  mutable std::atomic<std::size_t> last_{0};
};

}  // namespace

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> list;
    for (const auto family : {dtype_mutants(), lax_mutants(), field_mutants(), tree_mutants(), layout_mutants(),
                              document_mutants()})
      list.insert(list.end(), family.begin(), family.end());
    // In the areas' own order; within one, by id.
    const auto rank = [](const Mutant& m) {
      constexpr std::string_view kAreas[] = {"DT-", "VAR", "DMQ", "DMB", "LOW", "IMG"};
      std::size_t area = 0;
      while (area < std::size(kAreas) && m.id.substr(0, 3) != kAreas[area]) ++area;
      return std::pair(area, m.id);
    };
    std::sort(list.begin(), list.end(), [&](const Mutant& a, const Mutant& b) { return rank(a) < rank(b); });
    return list;
  }();
  return all;
}

const Mutant* find_mutant(std::string_view id) {
  for (const Mutant& m : mutants())
    if (m.id == id) return &m;
  return nullptr;
}

std::unique_ptr<Subject> make_mutant(const Mutant& mutant, const Subject& base) {
  return std::make_unique<MutantSubject>(mutant, base);
}

}  // namespace assay::harness
