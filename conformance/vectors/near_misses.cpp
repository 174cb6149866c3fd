// SPDX-License-Identifier: Apache-2.0
// Drafts out of near-misses and misspellings: one for each kind that its row's op shows, flagged "should" where the
// row is no must. The model is a small one, freed of what rests on lower rows, and then reduced together with its twin.
#include <fmt/format.h>

#include <set>

#include "conformance/suite/model_requests.h"
#include "conformance/vectors/draft.h"
#include "conformance/vectors/finish.h"
#include "conformance/vectors/rows.h"
#include "harness/cases/reduce_case.h"
#include "harness/gen/gen.h"

namespace assay::conformance::vectors {
namespace {

using namespace harness;

constexpr std::uint64_t kSeeds = 40;       // tried for one kind
constexpr std::uint64_t kChecks = 4000;    // of one reduction

GenOptions small() {
  GenOptions o;
  o.target = ArchType::SUNDA;
  o.size = {1, 3, 2, 1, 1, 1, 1, 1, 1, 1, 8, 6};
  return o;
}

bool is_sound(const Draft& d) { return finish(d).has_value(); }

std::optional<Draft> draft_of(const NearMissCase& c, Op op, const std::string& row) {
  Draft d;
  d.id = row + "/near-" + std::string(c.miss.kind->name);
  d.rows = {row};
  if (!must_op(row)) d.flags = {"should"};
  d.say = std::string(row_of(c.miss.kind->reason).text) + ".";
  d.say[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(d.say[0])));
  d.op = op;
  const auto broken = request_for(op, c.miss.broken, c.miss.twin), twin = request_for(op, c.miss.twin, c.miss.twin);
  if (!broken || !twin) return std::nullopt;
  d.request = Json::parse(*broken, nullptr, false);
  d.twin = Json::parse(*twin, nullptr, false);
  return d;
}

}  // namespace

std::vector<Draft> near_miss_drafts() {
  std::vector<Draft> out;
  std::set<std::string> ids;
  for (const NearMissKind& kind : near_miss_kinds()) {
    const std::string row(row_of(kind.reason).requirement);
    const auto op = op_of(row);
    const bool must = must_op(row).has_value();
    if (!op || (*op != Op::lower && *op != Op::lower_neff)) continue;
    std::optional<Draft> best;
    for (std::uint64_t seed = 1; seed <= kSeeds && !best; ++seed) {
      RandomChoices c(seed_of(kind.name) + seed);
      NearMissCase made{gen_near_miss(c, kind, small())};
      // What a lower row refuses may be just what an edit would take away.
      NearMiss plain = made.miss;
      if (make_plain(plain) && (must || lower_model(plain.broken).has_value() == false)) made.miss = std::move(plain);
      else if (must) continue;
      auto first = draft_of(made, *op, row);
      if (!first || !is_sound(*first)) continue;
      harness::Case reduced = made;
      ReduceLimits limits;
      limits.checks = kChecks;
      reduce_case(reduced, [&](const harness::Case& candidate) {
        const auto d = draft_of(std::get<NearMissCase>(candidate), *op, row);
        return d && is_sound(*d);
      }, limits);
      best = draft_of(std::get<NearMissCase>(reduced), *op, row);
    }
    if (!best && must) fmt::print(stderr, "no sound near-miss {} ({})\n", kind.name, row);
    else if (best && ids.insert(best->id).second) out.push_back(std::move(*best));
  }
  return out;
}

std::vector<Draft> misspelling_drafts() {
  const Json document = Json::parse(
      R"({"dma":[{"desc":[{"from":"in","from_off":0,"from_sizes":[16],"from_steps":[1],"op":"copy",)"
      R"("to":"out","to_off":8,"to_sizes":[16],"to_steps":[1]}],"id":7,"instance_name":"qi"}],)"
      R"("dma_queue":{"q":{"owner":"pool","queue_instances":["qi"],"type":"data"}},"note":"text",)"
      R"("var":{"in":{"size":64,"type":"input","var_id":0},"out":{"size":64,"type":"output","var_id":1}}})");
  const auto request = [](const std::string& text) {
    Members members;
    members.put("sg00/def.json", Buffer(text));
    return lower_request(members, "sg00/def.json", 2, false, {});
  };
  std::vector<Draft> out;
  for (const MisspellingKind& kind : misspelling_kinds()) {
    const std::string row(row_of(kind.reason).requirement);
    if (op_of(row) != Op::lower) continue;
    std::optional<std::string> text;
    for (std::uint64_t seed = 0; seed < 20000 && !text; ++seed) {
      RandomChoices c(seed);
      BadText bad = misspell(c, document);
      if (bad.kind == kind.name && bad.reason == kind.reason) text = std::move(bad.text);
    }
    if (!text) {
      fmt::print(stderr, "no misspelling {} ({})\n", kind.name, row);
      continue;
    }
    Draft d;
    d.id = row + "/spelt-" + std::string(kind.name);
    d.rows = {row};
    if (!must_op(row)) d.flags = {"should"};
    d.say = fmt::format("A document with the fault \"{}\": {}.", kind.name, row_of(kind.reason).text);
    d.request = request(*text);
    d.twin = request(document.dump());
    if (is_sound(d)) out.push_back(std::move(d));
    else fmt::print(stderr, "unsound misspelling {} ({}): {}\n", kind.name, row, finish(d).error());
  }
  return out;
}

}  // namespace assay::conformance::vectors
