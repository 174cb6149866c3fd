// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/generated.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/protocol/requests.h"
#include "conformance/suite/model_requests.h"
#include "conformance/suite/told.h"
#include "harness/properties/property.h"

namespace assay::conformance {
namespace {

using namespace harness;

// A request with its twin, before the oracle was asked.
struct Drawn {
  Op op = Op::lower;
  std::string request, twin;  // "": no twin
  std::string row;            // of the whole answer, where it is accepted
  std::string what;           // for people
  std::string below;          // the row below must that lets the form of the file in; "": none
};

GenOptions options(RandomChoices& c) {
  GenOptions o;
  // Mostly small; some as large as the generators make them.
  if (!c.chance(25)) o.size = {1, 6, 3, 2, 3, 2, 2, 1, 2, 1, 100, 12};
  return o;
}

std::optional<Drawn> draw_model(RandomChoices& c) {
  Model m = gen_model(c, options(c));
  make_plain(m);
  Drawn d;
  d.op = c.chance(70) ? Op::lower : Op::lower_neff;
  d.row = d.op == Op::lower ? "IMG-001" : "CON-021";
  d.what = "a model";
  const std::size_t graphs = std::max<std::size_t>(1, graphs_of(m).size());
  auto request = request_for(d.op, m, m, c.below(graphs));
  if (!request) return std::nullopt;
  d.request = std::move(*request);
  return d;
}

std::optional<Drawn> draw_near_miss(RandomChoices& c) {
  const NearMissKind& kind = c.pick(near_miss_kinds());
  NearMiss miss = gen_near_miss(c, kind, options(c));
  if (!make_plain(miss)) return std::nullopt;
  Drawn d;
  const std::string_view row = row_of(kind.reason).requirement;
  const bool by_file = row.substr(0, 3) == "IO-" || row == "DT-005" || (row.substr(0, 4) == "CON-" && row != "CON-016");
  d.op = by_file ? Op::lower_neff : Op::lower;
  d.what = fmt::format("near-miss {}", kind.name);
  // The graph with the defect: the first whose lowering is refused.
  const std::size_t graphs = std::max<std::size_t>(1, graphs_of(miss.twin).size());
  for (std::size_t g = 0; g < graphs && d.request.empty(); ++g) {
    auto broken = request_for(d.op, miss.broken, miss.twin, g), twin = request_for(d.op, miss.twin, miss.twin, g);
    if (!broken || !twin) return std::nullopt;
    const auto told = told_by(oracle_subject(), d.op, *broken);
    if (!told || told->answer.ok()) continue;
    d.request = std::move(*broken);
    d.twin = std::move(*twin);
  }
  return d.request.empty() ? std::nullopt : std::optional(std::move(d));
}

std::optional<Drawn> draw_text(RandomChoices& c) {
  Model m = gen_model(c, options(c));
  make_plain(m);
  const auto graphs = graphs_of(m);
  if (graphs.empty()) return std::nullopt;
  const std::string path = graphs.front().definition;
  const auto it = m.members.find(path);
  if (it == m.members.end() || !it->second.is_json()) return std::nullopt;
  Drawn d;
  Model spelt = m;
  if (c.chance(50)) {
    spelt.put_bytes(path, respell(c, it->second.doc));
    d.row = "JSN-012";
    d.what = "a document in another spelling";
  } else {
    BadText bad = misspell(c, it->second.doc);
    d.what = fmt::format("a document with the fault {}", bad.kind);
    spelt.put_bytes(path, std::move(bad.text));
    auto twin = request_for(Op::lower, m, m);
    if (!twin) return std::nullopt;
    d.twin = std::move(*twin);
  }
  auto request = request_for(Op::lower, spelt, m);
  if (!request) return std::nullopt;
  d.request = std::move(*request);
  return d;
}

std::optional<Drawn> draw_image(RandomChoices& c) {
  Drawn d;
  d.op = Op::decode;
  d.row = "LAY-002";
  if (c.chance(40)) {
    const GenSize size = {1, 6, 3, 2, 2, 2, 2, 2, 2, 2, 40, 12};
    d.what = "an image";
    d.request = request_of_decode(gen_image(c, size).view());
    return d;
  }
  const CorruptionKind& kind = c.pick(corruption_kinds());
  Buffer valid;
  const Corruption made = gen_corruption(c, kind, valid);
  d.what = fmt::format("an image with the fault {}", kind.name);
  d.request = request_of_decode(made.image.view());
  d.twin = request_of_decode(valid.view());
  return d;
}

std::optional<Drawn> draw_dtypes(RandomChoices& c) {
  const Property* property = find_property("dtype-maps");
  if (property == nullptr) return std::nullopt;
  const harness::Case made = property->generate(c);
  const auto* lists = std::get_if<DtypeCase>(&made);
  if (lists == nullptr) return std::nullopt;
  Drawn d;
  d.op = Op::dtype;
  d.row = "DT-006";
  d.what = "lists of dtypes";
  d.request = request_of(lists->request);
  return d;
}

std::optional<Drawn> draw_file(RandomChoices& c) {
  const NeffKind& kind = c.pick(neff_kinds());
  const Neff made = gen_neff(c, kind);
  const auto request = [&](const Buffer& file) {
    LowerNeffRequest q;
    q.neff = file.view();
    if (made.options.arch) q.arch = static_cast<std::uint32_t>(code(*made.options.arch));
    q.allow_legacy = made.options.allow_legacy;
    q.verify_digest = made.options.verify_digest;
    return request_of(q);
  };
  Drawn d;
  d.op = Op::lower_neff;
  d.row = "CON-008";
  d.what = fmt::format("a file {}", kind.name);
  d.request = request(made.file);
  if (made.twin.size() != 0) d.twin = request(made.twin);
  d.below = "CON-015";  // pax, GNU names, compression by magic ...: that and CON-009 let these archives in
  return d;
}

struct Share {
  std::uint64_t weight;
  std::optional<Drawn> (*draw)(RandomChoices&);
};
constexpr Share kShares[] = {{35, draw_model}, {25, draw_near_miss}, {10, draw_text},
                             {20, draw_image}, {5, draw_dtypes},     {5, draw_file}};

std::optional<Drawn> draw(RandomChoices& c) {
  std::uint64_t at = c.below(100);
  for (const Share& s : kShares) {
    if (at < s.weight) return s.draw(c);
    at -= s.weight;
  }
  return std::nullopt;
}

// False: no case can be made of it (an unspecified model, a path that JSON cannot say).
bool complete(Case& c, const Drawn& d, const std::string& request, bool (*is_must)(std::string_view)) {
  c.origin = Origin::generated;
  c.op = d.op;
  c.request = request;
  c.comment = d.what;
  const auto told = told_by(oracle_subject(), d.op, request);
  if (!told || told->answer.status == ReplyStatus::unspecified || told->answer.status == ReplyStatus::error)
    return false;
  const auto leanings = leanings_of(d.op, request, *told);
  if (!leanings) return false;
  c.expect = told->answer.status;
  c.code = told->answer.ok() ? std::nullopt : told->answer.code;
  c.answer = told->answer.body;
  const std::string_view refusing = told->refusal ? told->refusal->row().requirement : std::string_view();
  c.requirements = {told->answer.ok() ? d.row : std::string(refusing)};
  // What rests on a row below must as a whole is that row's. "": a twin's, still to be told.
  std::string below = d.below;
  for (const Leaning& l : *leanings) {
    if (!l.path.empty()) c.ignore.push_back({l.path, l.requirement});
    else if (below.empty()) below = l.requirement;
  }
  if (!below.empty()) c.requirements = {below};
  if (!c.requirements[0].empty() && !is_must(c.requirements[0])) c.flags = {"should"};
  return refusing.substr(0, 6) != "limit:";
}

}  // namespace

std::vector<Case> generated_case(std::uint64_t seed, std::uint64_t index, bool (*is_must)(std::string_view)) {
  // A draw that makes no case is made again, from the same source.
  RandomChoices c(seed * 0x9E3779B97F4A7C15U + index);
  for (int tries = 0; tries < 50; ++tries) {
    RandomChoices own = c.split();
    const auto d = draw(own);
    if (!d) continue;
    Case made, twin;
    made.id = fmt::format("generated/{}/{}", seed, index);
    if (!complete(made, *d, d->request, is_must)) continue;
    if (made.expect == ReplyStatus::ok) return {std::move(made)};
    if (d->twin.empty() || !complete(twin, *d, d->twin, is_must) || twin.expect != ReplyStatus::ok) continue;
    twin.id = made.id + ".twin";
    twin.comment += ", without it";
    // One falls with the other: a twin that need not be accepted proves no refusal.
    if (!twin.flags.empty()) made.flags = twin.flags, made.requirements = twin.requirements;
    else twin.flags = made.flags, twin.requirements = made.requirements;
    made.twin = twin.id;
    std::vector<Case> both;
    both.push_back(std::move(twin));
    both.push_back(std::move(made));
    return both;
  }
  return {};
}

std::vector<Case> generated_cases(std::uint64_t seed, std::uint64_t count, bool (*is_must)(std::string_view)) {
  std::vector<Case> out;
  for (std::uint64_t i = 0; i < count; ++i)
    for (Case& c : generated_case(seed, i, is_must)) out.push_back(std::move(c));
  return out;
}

}  // namespace assay::conformance
