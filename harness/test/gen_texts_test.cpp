// SPDX-License-Identifier: Apache-2.0
// A document spelled anew means the same; one misspelled is refused for the reason it carries.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "oracle/image/image.h"
#include "oracle/test/covers.h"

namespace assay::harness {
namespace {

Result<std::vector<std::string>> images(const Members& members, const Options& options) {
  ASSAY_TRY_LET(lowered, lower_members(members, options));
  std::vector<std::string> out;
  for (const LoweredGraph& g : lowered.graphs) {
    ASSAY_TRY_LET(image, encode(g.tree));
    out.emplace_back(image.text());
  }
  return out;
}

TEST(Texts, EveryDocumentSpelledAnewMeansTheSame) {
  ASSAY_COVERS("JSN-002", "JSN-005", "JSN-007", "JSN-012");
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c);
    Members members = to_members(model);
    const auto before = images(members, model.options);
    ASSERT_TRUE(before.has_value()) << before.error().text();
    std::string texts;
    for (const auto& [path, member] : model.members)
      if (member.is_json()) {
        const std::string text = respell(c, member.doc);
        texts += path + ": " + text + "\n";
        members.put(path, Buffer(text));
      }
    const auto after = images(members, model.options);
    ASSERT_TRUE(after.has_value()) << "seed " << seed << ": " << after.error().text() << "\n" << texts;
    ASSERT_EQ(*before, *after) << "seed " << seed << "\n" << texts;
  }
}

TEST(Texts, TheSameDocumentComesInManySpellings) {
  const Json doc = Json::parse(R"({"var":{"a/b":{"type":"output","var_id":0,"size":0}},"x":[0.5,1e300,-0.0]})");
  std::set<std::string> seen;
  bool zero = false, escape = false, twice = false, space = false, order = false;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomChoices c(seed);
    const std::string s = respell(c, doc);
    seen.insert(s);
    const auto has = [&](const char* part) { return s.find(part) != std::string::npos; };
    zero |= has("\"size\":-0") || has("\"var_id\":-0");
    escape |= has("\\u00") && has("\\/");
    twice |= s.find("\"type\"") != s.rfind("\"type\"");
    space |= has("\r\n");
    order |= s.find("\"x\"") < s.find("\"var\"");
    Members members;
    members.put("kelf-0.json", Buffer(R"({"graphs":[{"definition":"def.json"}]})"));
    members.put("def.json", Buffer(s));
    const Model read = from_members(members, {});
    ASSERT_TRUE(read.members.at("def.json").is_json()) << s;  // no name twice
    EXPECT_EQ(read.members.at("def.json").doc.at("var").size(), 1U) << s;
  }
  EXPECT_GT(seen.size(), 250U);
  EXPECT_TRUE(zero && escape && twice && space && order);
}

TEST(Texts, AMisspelledDefinitionIsRefusedForItsReason) {
  ASSAY_COVERS("JSN-001", "JSN-002", "JSN-003", "JSN-004", "JSN-005", "JSN-006", "JSN-008", "JSN-009",
               "JSN-010", "JSN-014", "JSN-015", "JSN-016", "JSN-017", "JSN-018", "JSN-019");
  std::map<std::string, int> kinds;
  std::set<std::string> requirements;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c);
    const std::string path = graphs_of(model)[0].definition;
    const Json& doc = model.members.at(path).doc;
    const BadText bad = misspell(c, doc);
    Members members = to_members(model);
    if (seed % 8 == 0) {
      const auto twin = lower_members(members, model.options);
      ASSERT_TRUE(twin.has_value()) << twin.error().text();
    }
    members.put(path, Buffer(bad.text));
    const auto lowered = lower_members(members, model.options);
    ASSERT_FALSE(lowered.has_value()) << "seed " << seed << ": " << bad.kind << " accepted\n" << bad.text;
    ASSERT_EQ(lowered.error().row().id, row_of(bad.reason).id)
        << "seed " << seed << ": " << bad.kind << ": " << lowered.error().text() << "\n" << bad.text;
    ASSERT_EQ(lowered.error().place.member, path);
    ++kinds[std::string(bad.kind)];
    requirements.insert(std::string(row_of(bad.reason).requirement));
  }
  EXPECT_GE(kinds.size(), 50U);
  EXPECT_EQ(requirements, (std::set<std::string>{"JSN-001", "JSN-002", "JSN-003", "JSN-004", "JSN-005", "JSN-006",
                                                 "JSN-008", "JSN-009", "JSN-010", "JSN-014", "JSN-015", "JSN-016",
                                                 "JSN-017", "JSN-018", "JSN-019"}));
}

TEST(Texts, BytesAsChoicesSpellToo) {
  const Json doc = Json::parse(R"({"var":{"a":{"type":"output","var_id":0,"size":0}}})");
  ByteChoices none({});
  EXPECT_EQ(Json::parse(respell(none, doc)), doc);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomChoices fill(seed);
    std::vector<std::uint8_t> bytes(fill.below(200));
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(fill.below(256));
    ByteChoices c(bytes);
    EXPECT_FALSE(Json::parse(respell(c, doc), nullptr, false).is_discarded());
    ByteChoices again(bytes);
    EXPECT_FALSE(misspell(again, doc).kind.empty());
  }
}

}  // namespace
}  // namespace assay::harness
