// SPDX-License-Identifier: Apache-2.0
#include "conformance/test/small_suite.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "conformance/protocol/messages.h"
#include "conformance/protocol/requests.h"
#include "harness/gen/gen.h"
#include "oracle/manifest/kelf.h"

namespace assay::conformance::test {

using harness::Model;
using harness::RandomChoices;
using harness::ReplyStatus;

namespace {

Case expecting_oracle(Case c) {
  const auto answered = ask(harness::oracle_subject(), c);
  const Answer a = answered.value_or(Answer{});
  c.expect = a.status;
  c.answer = a.body;
  c.code = a.code;
  return c;
}

Case case_of(std::string id, std::vector<std::string> requirements, Op op, std::string request) {
  Case c;
  c.id = std::move(id);
  c.requirements = std::move(requirements);
  c.op = op;
  c.request = std::move(request);
  return expecting_oracle(std::move(c));
}

Case dtype_case(std::string id, std::string row, std::vector<std::string> texts) {
  harness::DtypeRequest q;
  for (std::string& t : texts) q.match.push_back({true, std::move(t)});
  return case_of(std::move(id), {std::move(row)}, Op::dtype, request_of(q));
}

std::vector<Case> made() {
  std::vector<Case> out;
  out.push_back(dtype_case("DT-002/known", "DT-002", {"int8", "bfloat16", "float32"}));
  out.push_back(dtype_case("DT-003/unknown", "DT-003", {"float8e4", "", "int8x"}));
  out.back().differs_from = "DT-002/known";

  RandomChoices c(7);
  const Model plain = harness::gen_model(c);
  out.push_back(lower_case("LOW-003/ragged", {"LOW-003", "LOW-004"}, model_seen_by("LOW-003-ninstr-up")));
  out.push_back(lower_case("LOW-012/name", {"LOW-012", "LOW-004", "DMQ-019"}, plain));
  for (const auto& kind : harness::near_miss_kinds()) {
    if (kind.name != "var-id-gap") continue;
    const auto miss = harness::gen_near_miss(c, kind);
    const std::string row(row_of(kind.reason).requirement);
    out.push_back(lower_case(row + "/mended", {row}, miss.twin));
    out.push_back(lower_case(row + "/gap", {row}, miss.broken));
    out.back().twin = row + "/mended";
  }
  for (const char* id : {"LAY-003/engine", "LAY-003/other"})
    out.push_back(decode_case(id, {"LAY-003", "LAY-002"}, harness::gen_image(c).view()));
  for (const auto& kind : harness::corruption_kinds()) {
    if (row_of(kind.reason).requirement != "IMG-007") continue;
    Buffer valid;
    const auto broken = harness::gen_corruption(c, kind, valid);
    out.push_back(decode_case("IMG-007/right", {"IMG-007"}, valid.view()));
    out.push_back(decode_case("IMG-007/wrong", {"IMG-007"}, broken.image.view()));
    out.back().twin = "IMG-007/right";
    break;
  }
  return out;
}

struct Rows {
  std::deque<std::string> texts;
  std::vector<Requirement> rows;
};
const Rows& whole() {
  static const Rows all = [] {
    Rows r;
    std::ifstream in(ASSAY_SHARED_DIR "/spec/requirements.json");
    const auto j = nlohmann::json::parse(in);
    const auto keep = [&](const nlohmann::json& row, const char* key) -> std::string_view {
      const auto it = row.find(key);
      return r.texts.emplace_back(it == row.end() || !it->is_string() ? "none" : it->get<std::string>());
    };
    for (const auto& row : j.at("requirements"))
      r.rows.push_back({keep(row, "id"), keep(row, "area"), keep(row, "level"), keep(row, "evidence"),
                        keep(row, "observable"), keep(row, "statement")});
    std::sort(r.rows.begin(), r.rows.end(), [](const Requirement& a, const Requirement& b) { return a.id < b.id; });
    return r;
  }();
  return all;
}

}  // namespace

Catalogue whole_catalogue() { return whole().rows; }

const std::vector<Case>& small_suite() {
  static const std::vector<Case> suite = made();
  return suite;
}

Catalogue small_catalogue() {
  static const std::vector<Requirement> rows = [] {
    std::vector<Requirement> out;
    for (const Requirement& r : whole_catalogue())
      for (const Case& c : small_suite())
        if (std::find(c.requirements.begin(), c.requirements.end(), r.id) != c.requirements.end() &&
            (out.empty() || out.back().id != r.id))
          out.push_back(r);
    return out;
  }();
  return rows;
}

Case lower_case(std::string id, std::vector<std::string> requirements, const Model& model) {
  const Members members = harness::to_members(model);
  const auto manifest = read_manifest(members, model.options);
  harness::LowerRequest q;
  q.members = &members;
  q.definition = manifest->graphs.front().definition;
  q.target = static_cast<std::uint32_t>(code(manifest->target));
  q.allow_legacy = model.options.allow_legacy;
  q.fp8 = model.options.fp8;
  return case_of(std::move(id), std::move(requirements), Op::lower, *request_of(q));
}

Case lower_neff_case(std::string id, std::vector<std::string> requirements, const Model& model) {
  const auto neff = harness::to_neff(model);
  harness::LowerNeffRequest q;
  q.neff = neff->view();
  if (model.options.arch) q.arch = static_cast<std::uint32_t>(code(*model.options.arch));
  q.allow_legacy = model.options.allow_legacy;
  return case_of(std::move(id), std::move(requirements), Op::lower_neff, request_of(q));
}

Case decode_case(std::string id, std::vector<std::string> requirements, ByteView image) {
  return case_of(std::move(id), std::move(requirements), Op::decode, request_of_decode(image));
}

Answered ask(const harness::Subject& subject, const Case& c) {
  const auto line = request_line(3, c.op, c.request);
  if (!line) return tl::unexpected<std::string>(line.error());
  const std::string reply = respond(subject, {"test", "1", all_subject_ops()}, *line);
  auto answer = read_answer(3, c.op, c.request, reply);
  if (!answer) return tl::unexpected<std::string>(answer.error().what);
  return std::move(*answer);
}

const harness::Subject& mutant(std::string_view id) {
  static std::map<std::string_view, std::unique_ptr<harness::Subject>> made_so_far;
  const harness::Mutant* m = harness::find_mutant(id);
  auto& subject = made_so_far[m->id];
  if (!subject) subject = harness::make_mutant(*m, harness::oracle_subject());
  return *subject;
}

Model model_seen_by(std::string_view mutant_id) {
  for (std::uint64_t seed = 1;; ++seed) {
    RandomChoices c(seed);
    Model model = harness::gen_model(c);
    const Case one = lower_case("probe", {"LOW-003"}, model);
    const auto wrong = ask(mutant(mutant_id), one);
    if (wrong && (wrong->body != one.answer || wrong->status != one.expect)) return model;
  }
}

Run run(const Asker& asker, const std::vector<Case>& cases) {
  Run out{cases, {}, {}};
  for (const Case& c : cases) {
    out.answers.push_back(asker(c));
    out.results.push_back(judge(c, out.answers.back(), whole_catalogue()));
  }
  settle(out.cases, out.results);
  return out;
}

Run run(const harness::Subject& subject) {
  return run([&](const Case& c) { return ask(subject, c); });
}

Certificate Run::certificate(std::vector<Waiver> waivers, std::string asked) const {
  RunFacts facts;
  facts.suite_version = "1.0";
  facts.suite_hash = std::string(64, 'a');
  facts.implementation = {"test", "1", "process", "./implementation --serve", all_subject_ops()};
  facts.seed = 42;
  facts.date = "2026-11-30";
  facts.order.asked = 5;
  facts.asked = std::move(asked);
  std::map<std::string, std::vector<Shown>> shown;
  for (std::size_t i = 0; i < cases.size(); ++i) shown[cases[i].id] = show(cases[i], answers[i], results[i].violations);
  return make_certificate(std::move(facts), cases, results, std::move(shown), {}, std::move(waivers),
                          small_catalogue());
}

std::string rows_of(const std::vector<harness::Violation>& list) {
  std::string out;
  for (const auto& v : list) out += (out.empty() ? "" : " ") + v.requirement;
  return out;
}

}  // namespace assay::conformance::test
