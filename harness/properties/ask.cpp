// SPDX-License-Identifier: Apache-2.0
#include "harness/properties/ask.h"

#include <algorithm>

#include "harness/compare/compare.h"

namespace assay::harness {

LowerRequest Asked::request(std::size_t graph) const {
  LowerRequest q;
  q.members = &members_;
  q.definition = manifest_->graphs[graph].definition;
  q.target = static_cast<std::uint32_t>(code(manifest_->target));
  q.allow_legacy = options_.allow_legacy;
  q.subgraph = static_cast<std::uint32_t>(graph);
  q.fp8 = options_.fp8;
  return q;
}

Asked::Asked(const Model& model, Members members, const Subject& subject, std::vector<Buffer> images)
    : Asked(model, std::move(members)) {
  for (std::size_t i = 0; i < images.size(); ++i)
    answers_.push_back({&subject, i, Reply<Buffer>::of(std::move(images[i])), false, false, false, {}, {}});
}

namespace {

thread_local AskOnce* innermost = nullptr;

}  // namespace

AskOnce::AskOnce(const Case& c) : case_(&c), outer_(innermost) {
  if (const auto* m = std::get_if<ModelCase>(&c)) asked_ = std::make_shared<const Asked>(m->model);
  innermost = this;
}
AskOnce::AskOnce(const Case& c, Members members, std::vector<Buffer> images) : case_(&c), outer_(innermost) {
  if (const auto* m = std::get_if<ModelCase>(&c))
    asked_ = std::make_shared<const Asked>(m->model, std::move(members), reference(), std::move(images));
  innermost = this;
}
AskOnce::~AskOnce() { innermost = outer_; }

std::shared_ptr<const Asked> ask_about(const Model& model) {
  if (innermost != nullptr)
    if (const auto* m = std::get_if<ModelCase>(innermost->case_); m != nullptr && &m->model == &model)
      return innermost->asked_;
  return std::make_shared<const Asked>(model);
}

std::shared_ptr<const Reply<DtypeAnswer>> ask_dtype(const Subject& subject, const DtypeRequest& request) {
  const auto ask = [&] { return std::make_shared<const Reply<DtypeAnswer>>(subject.dtype(request)); };
  if (innermost == nullptr) return ask();
  const auto* d = std::get_if<DtypeCase>(innermost->case_);
  if (d == nullptr || &d->request != &request) return ask();
  for (const AskOnce::Dtypes& known : innermost->dtypes_)
    if (known.subject == &subject) return known.reply;
  return innermost->dtypes_.emplace_back(AskOnce::Dtypes{&subject, ask()}).reply;
}

Asked::Answer& Asked::remembered(const Subject& subject, std::size_t graph) const {
  for (Answer& a : answers_)
    if (a.subject == &subject && a.graph == graph) return a;
  return answers_.emplace_back(Answer{&subject, graph, subject.lower(request(graph)), false, false, false, {}, {}});
}

const Reply<Buffer>& Asked::answer(const Subject& subject, std::size_t graph) const {
  return remembered(subject, graph).reply;
}

const View* Asked::view(const Subject& subject, std::size_t graph) const {
  Answer& a = remembered(subject, graph);
  if (!a.viewed && a.reply.ok()) {
    Inspection found = inspect(a.reply.value.view(), 1);
    a.valid = found.findings.empty();
    a.view = std::move(found.view);
  }
  a.viewed = true;
  return a.view ? &*a.view : nullptr;
}

bool Asked::valid(const Subject& subject, std::size_t graph) const {
  return view(subject, graph) != nullptr && remembered(subject, graph).valid;
}

const Tree* Asked::agreed_tree(const Subject& subject, std::size_t graph) const {
  Answer& a = remembered(subject, graph);
  if (a.agreed) return a.tree ? &*a.tree : nullptr;
  a.agreed = true;
  const Reply<Buffer>& expected = answer(reference(), graph);
  if (!expected.ok() || !a.reply.ok() || !equal(expected.value.view(), a.reply.value.view())) return nullptr;
  const View* view = this->view(subject, graph);
  if (view == nullptr) return nullptr;
  auto tree = to_tree(*view);
  if (!tree) return nullptr;
  a.tree.emplace(std::move(*tree));
  return &*a.tree;
}

const Subject& reference() { return oracle_subject(); }

bool equal(ByteView a, ByteView b) { return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin()); }

std::vector<const Reply<Buffer>*> lower_all(const Subject& subject, const Asked& asked) {
  std::vector<const Reply<Buffer>*> out;
  for (std::size_t i = 0; i < asked.graphs(); ++i) {
    const Reply<Buffer>& reply = asked.answer(subject, i);
    out.push_back(&reply);
    if (!reply.ok()) break;
  }
  return out;
}

Verdict each_view(const Subject& subject, const Model& model,
                  const std::function<void(const View&, const LowerRequest&, std::vector<Violation>&)>& check) {
  const auto asked = ask_about(model);
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i)
    if (const View* view = asked->view(subject, i)) check(*view, asked->request(i), found);
  return Verdict::of(std::move(found));
}

Verdict each_agreed(const Subject& subject, const Model& model,
                    const std::function<void(const Asked&, std::size_t graph, const Tree&, std::vector<Violation>&)>& check) {
  const auto asked = ask_about(model);
  std::vector<Violation> found;
  for (std::size_t i = 0; i < asked->graphs(); ++i)
    if (const Tree* tree = asked->agreed_tree(subject, i)) check(*asked, i, *tree, found);
  return Verdict::of(std::move(found));
}

bool is_steady(const Subject& subject, const LowerRequest& request, const Buffer& image) {
  const auto again = subject.lower(request);
  return again.ok() && equal(again.value.view(), image.view());
}

std::vector<Violation> compare_files(const Reply<LowerNeffAnswer>& reply, const Reply<LowerNeffAnswer>& expected) {
  if (!reply.ok()) return {unwanted(reply, kNoRow, "file")};
  std::vector<Violation> found = compare_io(expected.value.io, reply.value.io);
  if (reply.value.images.size() != expected.value.images.size()) {
    found.push_back({"CON-021", "images", std::to_string(expected.value.images.size()),
                     std::to_string(reply.value.images.size()), {}});
    return found;
  }
  for (std::size_t i = 0; i < expected.value.images.size(); ++i)
    for (Violation& v : compare_images(expected.value.images[i].view(), reply.value.images[i].view(), nullptr))
      found.push_back(std::move(v));
  return found;
}

}  // namespace assay::harness
