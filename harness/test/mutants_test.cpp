// SPDX-License-Identifier: Apache-2.0
// Mutants are complete (one for each row another implementation can show), wrong somewhere, right
// everywhere else, and told from the oracle by the catalogue of properties, each by its own row.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "harness/gen/gen.h"
#include "harness/mutants/cached_subject.h"
#include "harness/mutants/kill_table.h"
#include "harness/mutants/mutant.h"
#include "oracle/base/asan.h"

namespace assay::harness {
namespace {

const std::set<std::string> kAreas = {"DT", "VAR", "DMQ", "DMB", "LOW", "IMG"};

// Ids of the must rows of the six areas that a conformance operation can show.
std::set<std::string> observable_musts() {
  std::ifstream in(ASSAY_CORPUS_DIR "/spec/requirements.json");
  const Json all = Json::parse(in, nullptr, false);
  std::set<std::string> ids;
  if (!all.is_object()) return ids;
  for (const Json& r : all["requirements"]) {
    const std::string id = r["id"].get<std::string>();
    const bool mine = kAreas.count(id.substr(0, id.find('-'))) != 0;
    if (mine && r["level"] == "must" && r["observable"] != "none") ids.insert(id);
  }
  return ids;
}

TEST(Mutants, EveryObservableMustRowHasOne) {
  const std::set<std::string> rows = observable_musts();
  EXPECT_EQ(rows.size(), 99u);
  std::set<std::string> covered;
  for (const Mutant& m : mutants()) covered.insert(std::string(m.requirement));
  for (const std::string& id : rows) EXPECT_EQ(covered.count(id), 1u) << "no mutant for " << id;
  for (const std::string& id : covered) EXPECT_EQ(rows.count(id), 1u) << id << " is no observable must row";
}

TEST(Mutants, IdsAreUniqueAndBeginWithTheRequirement) {
  std::set<std::string_view> ids;
  for (const Mutant& m : mutants()) {
    EXPECT_TRUE(ids.insert(m.id).second) << m.id;
    EXPECT_EQ(m.id.substr(0, m.requirement.size() + 1), std::string(m.requirement) + "-");
    EXPECT_FALSE(m.what.empty()) << m.id;
    EXPECT_EQ(find_mutant(m.id), &m);
  }
  EXPECT_EQ(find_mutant("none"), nullptr);
}

// ---- answers as text, to compare two subjects without a property ----

template <class T, class F>
std::string shown(const Reply<T>& r, F value) {
  return std::to_string(static_cast<int>(r.status)) + (r.ok() ? ":" + value(r.value) : " " + r.reason);
}
std::string lowered(const Subject& s, const LowerRequest& q) {
  return shown(s.lower(q), [](const Buffer& b) { return std::string(b.text()); });
}
std::string lowered_file(const Subject& s, const LowerNeffRequest& q) {
  return shown(s.lower_neff(q), [](const LowerNeffAnswer& a) {
    std::string text;
    for (const Buffer& image : a.images) text += image.text();
    for (const auto* side : {&a.io.inputs, &a.io.outputs})
      for (const Tensor& t : *side) text += t.name + ' ' + std::to_string(t.size) + '\n';
    return text;
  });
}
std::string matched(const Subject& s, const DtypeRequest& q) {
  return shown(s.dtype(q), [](const DtypeAnswer& a) {
    std::string text;
    for (const auto* list : {&a.match, &a.to_sdma, &a.cce_op, &a.size})
      for (const auto& code : *list) text += code ? std::to_string(*code) + " " : "refused ";
    return text;
  });
}
std::string decoded(const Subject& s, ByteView image) {
  return shown(s.decode(image), [](const std::string& fields) { return fields; });
}

// One input of any operation; `row` is what it is refused for, or "".
struct Input {
  std::string row;
  std::function<std::string(const Subject&)> ask;
};

// The request for a model's first graph, or for the first that is refused when `row` says that one is.
std::optional<Input> of_model(const Model& model, std::string row, std::optional<std::uint32_t> target = {}) {
  auto members = std::make_shared<Members>(to_members(model));
  const auto manifest = read_manifest(*members, model.options);
  if (!manifest) return std::nullopt;
  LowerRequest q;
  q.members = members.get();
  q.target = target ? *target : static_cast<std::uint32_t>(code(manifest->target));
  q.allow_legacy = model.options.allow_legacy;
  q.fp8 = model.options.fp8;
  for (const GraphRef& g : manifest->graphs) {
    q.definition = g.definition;
    if (row.empty() || !oracle_subject().lower(q).ok()) break;
  }
  return Input{std::move(row), [members, q](const Subject& s) {
                 // Twice: the second answer has to be the first.
                 const std::string first = lowered(s, q);
                 return first + lowered(s, q);
               }};
}

DtypeRequest every_dtype() {
  DtypeRequest q;
  for (const MatcherRow& row : matcher_rows())
    for (const MatcherEntry& e : row.entries)
      for (const bool neff_io : {true, false}) {
        q.match.push_back({neff_io, std::string(e.text)});
        q.match.push_back({neff_io, std::string(e.text) + "2"});
      }
  for (const char* text : {"INT8", "Float32", "", "float8_e5m2", "float4_e2m1fn", " int8"})
    for (const bool neff_io : {true, false}) q.match.push_back({neff_io, text});
  for (std::int64_t i = -2; i < 20; ++i) {
    q.to_sdma.push_back(i);
    q.cce_op.push_back(i);
    q.size.push_back(i);
  }
  return q;
}

std::vector<Input> inputs() {
  std::vector<Input> list;
  const auto add = [&](std::optional<Input> input) {
    if (input) list.push_back(std::move(*input));
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c);
    add(of_model(model, ""));
    if (seed == 1) add(of_model(model, "LOW-007", 0));
    auto file = to_neff(model);
    if (!file || seed > 20) continue;
    auto bytes = std::make_shared<Buffer>(std::move(*file));
    LowerNeffRequest q;
    q.neff = bytes->view();
    if (model.options.arch) q.arch = static_cast<std::uint32_t>(code(*model.options.arch));
    q.allow_legacy = model.options.allow_legacy;
    list.push_back({"", [bytes, q](const Subject& s) { return lowered_file(s, q); }});
  }
  std::uint64_t seed = 0;
  for (const NearMissKind& kind : near_miss_kinds()) {
    RandomChoices c(++seed);
    add(of_model(gen_near_miss(c, kind).broken, std::string(row_of(kind.reason).requirement)));
  }
  for (const CorruptionKind& kind : corruption_kinds()) {
    RandomChoices c(++seed);
    auto valid = std::make_shared<Buffer>();
    auto image = std::make_shared<Buffer>(gen_corruption(c, kind, *valid).image);
    list.push_back({"", [valid](const Subject& s) { return decoded(s, valid->view()); }});
    list.push_back({std::string(row_of(kind.reason).requirement),
                    [image](const Subject& s) { return decoded(s, image->view()); }});
  }
  list.push_back({"", [](const Subject& s) { return matched(s, every_dtype()); }});
  return list;
}

TEST(Mutants, EachDiffersSomewhereAndLeavesOthersRefusalsAlone) {
  const CachedSubject oracle(oracle_subject());
  std::map<std::string_view, int> differs;
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const Mutant& m : mutants()) subjects.push_back(make_mutant(m, oracle));
  for (const Input& input : inputs()) {
    const std::string right = input.ask(oracle);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const Mutant& m = mutants()[i];
      if (input.ask(*subjects[i]) == right) continue;
      ++differs[m.id];
      EXPECT_TRUE(input.row.empty() || input.row == m.requirement) << m.id << " answers a refusal of " << input.row;
      EXPECT_FALSE(input.row.empty() && (std::holds_alternative<LaxLowering>(m.edit) ||
                                         std::holds_alternative<LaxDecoding>(m.edit)))
          << m.id << " answers otherwise where nothing is refused";
    }
  }
  for (const Mutant& m : mutants()) EXPECT_GT(differs[m.id], 0) << m.id << " is the oracle";
}

TEST(CachedSubject, AnswersAsTheSubjectBehindItAndAsksItOnce) {
  const CachedSubject cached(oracle_subject(), 2);
  std::vector<Input> all = inputs();
  std::uint64_t asked = 0;
  for (std::size_t i = 0; i < all.size(); i += 5) {
    const std::string right = all[i].ask(oracle_subject());
    for (int again = 0; again < 3; ++again) EXPECT_EQ(all[i].ask(cached), right) << i;
    ++asked;
  }
  EXPECT_EQ(cached.stats().passed_on, asked);

  // A request that differs in one byte of one member, one option or one entry is another request.
  const DtypeRequest one{{{true, "int8"}}, {}, {}, {}}, other{{{true, "int9"}}, {}, {}, {}};
  EXPECT_EQ(cached.dtype(one).value.match, oracle_subject().dtype(one).value.match);
  EXPECT_EQ(cached.dtype(other).value.match, oracle_subject().dtype(other).value.match);
  RandomChoices c(3);
  const Buffer image = gen_image(c);
  Buffer flipped(image.view());
  flipped.data()[flipped.size() - 1] ^= 1;
  EXPECT_TRUE(cached.decode(image.view()).ok());
  EXPECT_FALSE(cached.decode(flipped.view()).ok());
}

TEST(Mutants, TheCatalogueTellsEachByItsOwnRow) {
#ifdef ASSAY_ASAN
  GTEST_SKIP() << "many minutes for the same answers as in the other builds";
#endif
  const std::vector<KillRow> table = kill_table(1, 5000, 2, {});
  ASSERT_EQ(table.size(), mutants().size());
  for (const KillRow& row : table) {
    EXPECT_TRUE(row.killed_by.has_value()) << row.id << " is alive after " << row.cases << " cases";
    EXPECT_EQ(row.others, 0u) << row.id << ": " << row.other;
    EXPECT_GE(row.agreed, kAgreedEnough) << row.id;
  }
}

TEST(Mutants, TheTableDoesNotDependOnTheNumberOfJobs) {
  const auto one = kill_table(7, 40, 1, {}), three = kill_table(7, 40, 3, {});
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].id, three[i].id);
    EXPECT_EQ(one[i].killed_by, three[i].killed_by) << one[i].id;
    EXPECT_EQ(one[i].cases, three[i].cases) << one[i].id;
    EXPECT_EQ(one[i].agreed, three[i].agreed) << one[i].id;
  }
}

}  // namespace
}  // namespace assay::harness
