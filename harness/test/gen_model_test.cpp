// SPDX-License-Identifier: Apache-2.0
// Generated models lower whatever the choices, and keep their meaning on the way through a file.
#include <gtest/gtest.h>

#include "harness/gen/gen.h"
#include "oracle/image/image.h"
#include "oracle/test/covers.h"

namespace assay::harness {
namespace {

constexpr ArchType kTargets[] = {ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};

// The model's images, one behind the other; a failed test where it does not lower.
std::vector<std::string> images(const Model& model) {
  std::vector<std::string> out;
  const auto lowered = lower_model(model);
  if (!lowered) {
    ADD_FAILURE() << lowered.error().text();
    return out;
  }
  for (const LoweredGraph& g : lowered->graphs) {
    const auto image = encode(g.tree);
    if (!image) {
      ADD_FAILURE() << image.error().text();
      return out;
    }
    out.emplace_back(image->text());
  }
  return out;
}

std::map<std::string, std::string> texts(const Members& members) {
  std::map<std::string, std::string> out;
  for (const auto& [path, bytes] : members) out.emplace(path, bytes.text());
  return out;
}

TEST(GenModel, LowersForEverySeedOnEveryTarget) {
  for (const ArchType target : kTargets)
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      RandomChoices c(seed);
      GenOptions options;
      options.target = target;
      const auto lowered = lower_model(gen_model(c, options));
      ASSERT_TRUE(lowered.has_value()) << "seed " << seed << ": " << lowered.error().text();
      ASSERT_EQ(lowered->target, target) << "seed " << seed;
    }
}

TEST(GenModel, ImagesHoldEveryRow) {
  ASSAY_COVERS("IMG-001");
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomChoices c(seed);
    for (const std::string& image : images(gen_model(c))) {
      const Inspection seen = inspect(as_bytes(image));
      ASSERT_TRUE(seen.findings.empty()) << "seed " << seed << ": " << seen.findings[0].path << " "
                                         << seen.findings[0].detail;
    }
  }
}

TEST(GenModel, LowersForAnyBytes) {
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomChoices fill(seed);
    bytes.resize(fill.below(seed % 3 == 0 ? 64 : 2000));
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(seed % 2 == 0 ? fill.below(256) : fill.below(4) * 85);
    ByteChoices c(bytes);
    const auto lowered = lower_model(gen_model(c));
    ASSERT_TRUE(lowered.has_value()) << "seed " << seed << ": " << lowered.error().text();
  }
}

TEST(GenModel, NoBytesMakeTheLeastModel) {
  ByteChoices c({});
  const Model model = gen_model(c);
  EXPECT_EQ(images(model).size(), 1U);
  const auto graphs = graphs_of(model);
  ASSERT_EQ(graphs.size(), 1U);
  const Json& def = model.members.at(graphs[0].definition).doc;
  EXPECT_EQ(def.at("var").size(), 1U);
  EXPECT_LT(def.dump().size(), 300U) << def.dump();
}

TEST(GenModel, LowersAtEverySize) {
  const GenSize none{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const GenSize large{6, 200, 32, 20, 60, 8, 8, 6, 20, 6, 5000, 300};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    GenOptions options;
    options.size = seed % 4 == 0 ? large : none;
    RandomChoices c(seed);
    const auto lowered = lower_model(gen_model(c, options));
    ASSERT_TRUE(lowered.has_value()) << "seed " << seed << ": " << lowered.error().text();
  }
}

TEST(GenModel, TheSameSeedMakesTheSameModel) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices a(seed);
    RandomChoices b(seed);
    const auto first = texts(to_members(gen_model(a)));
    EXPECT_EQ(first, texts(to_members(gen_model(b))));
    std::string all;
    for (const auto& [path, bytes] : first) all += path + bytes;
    seen.insert(all);
  }
  EXPECT_GE(seen.size(), 198U);
}

TEST(GenModel, GoesThroughAFileAndBack) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomChoices c(seed);
    const Model model = gen_model(c);
    const auto neff = to_neff(model, 1 + seed % 2);
    ASSERT_TRUE(neff.has_value()) << neff.error().text();
    const auto members = read_neff(neff->view(), model.options);
    ASSERT_TRUE(members.has_value()) << "seed " << seed << ": " << members.error().text();
    ASSERT_EQ(texts(*members), texts(to_members(model))) << "seed " << seed;

    const Model back = from_members(*members, model.options);
    ASSERT_EQ(texts(to_members(back)), texts(*members)) << "seed " << seed;
    ASSERT_EQ(images(back), images(model)) << "seed " << seed;
    for (const GraphPaths& g : graphs_of(back)) ASSERT_TRUE(back.members.at(g.definition).is_json());
    ASSERT_EQ(graphs_of(back).size(), graphs_of(model).size());
  }
}

TEST(FromMembers, KeepsWhatADocumentCannotHold) {
  const auto with = [](const char* text) {
    Members m;
    m.put("kelf-0.json", Buffer(R"({"version":"1.0","target":"v2","graphs":[{"name":"g","definition":"def.json"}]})"));
    m.put("def.json", Buffer(text));
    return from_members(m, {});
  };
  // Refused by the dialect, or told apart by a duplicate name: bytes.
  for (const char* text : {"{\"var\":{},}", "{\"a\":18446744073709551616}", "\xEF\xBB\xBF{}", "",
                           "{\"var\":{\"a\":1,\"\\u0061\":2}}", "{\"dma_queue\":{\"a\":1,\"a\":2}}"}) {
    const Model m = with(text);
    EXPECT_FALSE(m.members.at("def.json").is_json()) << text;
    EXPECT_EQ(m.members.at("def.json").text(), text);
  }
  // Elsewhere the first of duplicate keys counts (JSN-007).
  const Model m = with("{\"a\":[{\"k\":1,\"k\":{\"k\":[]}},-1.5],\"a\":2,\"var\":{\"x\":{\"k\":3,\"k\":4}},\"n\":null}");
  ASSERT_TRUE(m.members.at("def.json").is_json());
  EXPECT_EQ(m.members.at("def.json").text(), "{\"a\":[{\"k\":1},-1.5],\"n\":null,\"var\":{\"x\":{\"k\":3}}}");
}

TEST(FromMembers, AMemberReadAsBytesKeepsItsSpelling) {
  Members m;
  m.put("kelf-0.json", Buffer(R"({"version":"1.0","target":"v2","graphs":[{"name":"g","definition":"sg/def.json"}]})"));
  m.put("sg/def.json", Buffer(R"({"pe":"pe.json","act":"act.json"})"));
  m.put("sg/pe.json", Buffer(R"({ "instr" : "pe.json" })"));
  m.put("sg/act.json", Buffer(R"({ "instr" : "pe.json" })"));
  const Model model = from_members(m, {});
  EXPECT_FALSE(model.members.at("sg/pe.json").is_json());
  EXPECT_EQ(model.members.at("sg/act.json").text(), R"({"instr":"pe.json"})");
  const auto graphs = graphs_of(model);
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(graphs[0].directory, "sg/");
  EXPECT_EQ(graphs[0].engines, (std::map<std::string, std::string>{{"act", "sg/act.json"}}));
}

}  // namespace
}  // namespace assay::harness
