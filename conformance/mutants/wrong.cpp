// SPDX-License-Identifier: Apache-2.0
#include "conformance/mutants/wrong.h"

#include <algorithm>
#include <map>
#include <vector>

#include "conformance/mutants/tables.h"
#include "harness/mutants/source.h"

namespace assay::conformance {

using harness::LowerNeffAnswer;
using harness::LowerNeffRequest;
using harness::LowerRequest;
using harness::Reply;
using harness::ReplyStatus;

// ---- documents ----

const Json* Documents::in(const Json& document, const char* key) {
  if (!document.is_object()) return nullptr;
  const auto it = document.find(key);
  return it == document.end() ? nullptr : &*it;
}
const Json& Documents::document(const std::string& path) const {
  const auto found = read_.find(path);
  if (found != read_.end()) return found->second;
  const Buffer* bytes = request_.members->find(path);
  Json read = bytes == nullptr ? Json() : Json::parse(bytes->text(), nullptr, false);
  return read_[path] = read.is_discarded() ? Json() : std::move(read);
}
const Json& Documents::definition() const { return document(request_.definition); }
const Json& Documents::engine(const char* key) const {
  static const Json none;
  const Json* name = in(definition(), key);
  if (name == nullptr || !name->is_string()) return none;
  return document(std::string(directory_of(request_.definition)) + name->get<std::string>());
}
bool Documents::has_member(const std::string& name) const {
  return request_.members->find(std::string(directory_of(request_.definition)) + name) != nullptr;
}

namespace {

template <class T>
Reply<T> refusal() {
  Reply<T> r;
  r.status = ReplyStatus::refused;
  r.code = static_cast<std::uint32_t>(NrtStatus::invalid);
  r.reason = "mutant";
  return r;
}

// "dma[].owner" against "dma[3].owner": whether the pattern is the path's beginning, and where it ends.
std::optional<std::size_t> ends_at(std::string_view pattern, std::string_view path) {
  std::size_t at = 0;
  for (const char c : pattern) {
    if (c == ']')
      while (at < path.size() && path[at] != ']') ++at;
    if (at >= path.size() || path[at] != c) return std::nullopt;
    ++at;
  }
  return at;
}

std::string mixed_up(const FieldMixup& mixup, const std::string& text) {
  Json fields = Json::parse(text, nullptr, false);
  if (!fields.is_object()) return text;
  const Json right = fields;
  for (auto& [path, value] : fields.items()) {
    const auto record = ends_at(mixup.record, path);
    if (!record || std::string_view(path).substr(*record) != mixup.field) continue;
    const std::string other = path.substr(0, *record) + std::string(mixup.read_at);
    if (mixup.read_at.empty()) value = value.is_string() ? Json("") : Json(0);
    else if (right.contains(other)) value = right[other];
  }
  return fields.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class WrongSubject final : public harness::Subject {
 public:
  WrongSubject(const SuiteMutant& mutant, const Wrong& wrong, const harness::Subject& base)
      : mutant_(mutant), wrong_(wrong), base_(base) {}

  std::string name() const override { return "mutant " + std::string(mutant_.id); }
  Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest& q) const override { return base_.dtype(q); }

  Reply<Buffer> lower(const LowerRequest& q) const override {
    if (const auto edited = edited_texts(q)) {
      LowerRequest other = q;
      other.members = &*edited;
      return base_.lower(other);
    }
    auto r = base_.lower(q);
    return r.ok() && refuses(q) ? refusal<Buffer>() : std::move(r);
  }

  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override {
    auto r = base_.lower_neff(q);
    if (const auto* edit = std::get_if<CodeEdit>(&wrong_); edit != nullptr && r.refused()) (*edit)(q, r.code);
    if (!r.ok()) return r;
    if (const auto* edit = std::get_if<FilesEdit>(&wrong_)) (*edit)(r.value);
    if (const auto* file = std::get_if<RefuseFile>(&wrong_); file != nullptr && (*file)(q))
      return refusal<LowerNeffAnswer>();
    const harness::wrong::File file(q);
    for (std::size_t i = 0; i < r.value.images.size() && works_on_graphs(); ++i) {
      const auto graph = file.graph(i);
      if (!graph) continue;
      if (refuses(*graph)) return refusal<LowerNeffAnswer>();
      const auto edited = edited_texts(*graph);
      if (!edited) continue;
      LowerRequest other = *graph;
      other.members = &*edited;
      auto image = base_.lower(other);
      if (!image.ok()) return refusal<LowerNeffAnswer>();
      r.value.images[i] = std::move(image.value);
    }
    return r;
  }

  Reply<std::string> decode(ByteView image) const override {
    auto r = base_.decode(image);
    if (!r.ok()) return r;
    if (const auto* refuse = std::get_if<RefuseImage>(&wrong_); refuse != nullptr && (*refuse)(image))
      return refusal<std::string>();
    if (const auto* mixup = std::get_if<FieldMixup>(&wrong_)) r.value = mixed_up(*mixup, r.value);
    return r;
  }

 private:
  bool works_on_graphs() const {
    return std::holds_alternative<RefuseLowering>(wrong_) || std::holds_alternative<TextEdit>(wrong_);
  }
  bool refuses(const LowerRequest& q) const {
    const auto* refuse = std::get_if<RefuseLowering>(&wrong_);
    return refuse != nullptr && (*refuse)(Documents(q));
  }
  std::optional<Members> edited_texts(const LowerRequest& q) const {
    const auto* edit = std::get_if<TextEdit>(&wrong_);
    if (edit == nullptr) return std::nullopt;
    bool any = false;
    Members out;
    for (const auto& [path, bytes] : *q.members) {
      std::string text(bytes.text());
      const bool json = path.size() > 5 && path.substr(path.size() - 5) == ".json";
      any = (json && (*edit)(text)) || any;
      out.put(path, Buffer(text));
    }
    if (!any) return std::nullopt;
    return out;
  }

  const SuiteMutant& mutant_;
  const Wrong& wrong_;
  const harness::Subject& base_;
};

// Of the harness's: those that change every image.
constexpr std::string_view kEverywhere[] = {"IMG-001-gap",      "VAR-003-in-out-swapped", "LOW-002-by-type",
                                            "LOW-006-one-less", "LOW-009-padding",        "LOW-012-nameless"};

std::string_view area(const SuiteMutant& m) { return m.requirement.substr(0, m.requirement.find('-')); }

}  // namespace

std::span<const SuiteMutant> suite_mutants() {
  static const std::vector<SuiteMutant> all = [] {
    std::vector<SuiteMutant> list;
    for (const harness::Mutant& m : harness::mutants()) {
      const bool everywhere = std::find(std::begin(kEverywhere), std::end(kEverywhere), m.id) != std::end(kEverywhere);
      list.push_back({m.id, m.requirement, m.what, m.edit, everywhere});
    }
    for (const auto family : {lax_rows(), strict_rows(), value_rows(), layout_rows()})
      list.insert(list.end(), family.begin(), family.end());
    // In the order of the levels' areas; within one, by id.
    const auto rank = [](const SuiteMutant& m) {
      constexpr std::string_view kAreas[] = {"DT",  "LAY", "IMG", "JSN", "SEC", "VAR", "DMQ", "DMB", "CCM",
                                             "UCL", "SBC", "FP8", "ACT", "DVE", "LOW", "CON", "IO"};
      return std::pair(std::find(std::begin(kAreas), std::end(kAreas), area(m)) - std::begin(kAreas), m.id);
    };
    std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return list;
  }();
  return all;
}

const SuiteMutant* find_suite_mutant(std::string_view id) {
  for (const SuiteMutant& m : suite_mutants())
    if (m.id == id) return &m;
  return nullptr;
}

namespace {

// A mutant of the harness's kinds: the harness makes it, and wants it to live as long.
class HarnessMutant final : public harness::Subject {
 public:
  HarnessMutant(const SuiteMutant& m, const harness::Edit& edit, const harness::Subject& base)
      : mutant_{m.id, m.requirement, m.what, edit}, subject_(harness::make_mutant(mutant_, base)) {}
  std::string name() const override { return subject_->name(); }
  Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest& q) const override { return subject_->dtype(q); }
  Reply<Buffer> lower(const LowerRequest& q) const override { return subject_->lower(q); }
  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override { return subject_->lower_neff(q); }
  Reply<std::string> decode(ByteView image) const override { return subject_->decode(image); }

 private:
  harness::Mutant mutant_;
  std::unique_ptr<harness::Subject> subject_;
};

}  // namespace

namespace {

class OddOnly final : public harness::Subject {
 public:
  OddOnly(std::unique_ptr<harness::Subject> mutant, const harness::Subject& base)
      : mutant_(std::move(mutant)), base_(base) {}
  std::string name() const override { return mutant_->name(); }
  Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest& q) const override { return mutant_->dtype(q); }
  Reply<Buffer> lower(const LowerRequest& q) const override {
    const Buffer* definition = q.members->find(q.definition);
    return definition != nullptr && definition->size() % 2 == 1 ? mutant_->lower(q) : base_.lower(q);
  }
  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override { return base_.lower_neff(q); }
  Reply<std::string> decode(ByteView image) const override { return mutant_->decode(image); }

 private:
  std::unique_ptr<harness::Subject> mutant_;
  const harness::Subject& base_;
};

std::unique_ptr<harness::Subject> make_whole(const SuiteMutant& mutant, const harness::Subject& base) {
  if (const auto* edit = std::get_if<harness::Edit>(&mutant.edit))
    return std::make_unique<HarnessMutant>(mutant, *edit, base);
  return std::make_unique<WrongSubject>(mutant, std::get<Wrong>(mutant.edit), base);
}

}  // namespace

std::unique_ptr<harness::Subject> make_suite_mutant(const SuiteMutant& mutant, const harness::Subject& base) {
  auto whole = make_whole(mutant, base);
  if (mutant.odd_only) return std::make_unique<OddOnly>(std::move(whole), base);
  return whole;
}

}  // namespace assay::conformance
