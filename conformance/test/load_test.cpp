// SPDX-License-Identifier: Apache-2.0
// Loading: each way to be wrong, made in one file of the suite and told; the file as it was is its twin and loads.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "conformance/test/suite_support.h"

namespace assay::conformance {
namespace {

using namespace suite_test;

using Files = std::map<std::string, std::string>;

// A small suite: one area, a refusal with its twin, a pair, a case with ignored paths.
Files small() {
  const Json all = Json::parse(files().at("VAR.json"), nullptr, false);
  Json cases = Json::array();
  for (const Json& c : all["cases"])
    for (const char* id : {"VAR-004/gap", "VAR-004/gap.twin", "VAR-034/empty", "VAR-034/empty.other", "VAR-008/largest",
                           "VAR-008/largest.other"})
      if (c["id"] == id) cases.push_back(c);
  return {{"VAR.json", Json{{"suite", "1.0"}, {"area", "VAR"}, {"cases", cases}}.dump()}, {"withdrawn.json", "[]"}};
}

std::string error_of(const Files& f) {
  const auto s = suite_of(f, rows().views);
  if (s) return {};
  std::string all;
  for (const std::string& e : s.error()) all += e + "\n";
  return all;
}

Json* the(Json& file, const std::string& id) {
  for (Json& c : file["cases"])
    if (c["id"] == id) return &c;
  return nullptr;
}

struct Spoilt {
  const char* what;   // of the error
  std::function<void(Json& file)> spoil;
};

TEST(Load, TellsWhatIsWrongInAFile) {
  const Files good = small();
  ASSERT_EQ(error_of(good), "");
  const std::string gap = "VAR-004/gap", empty = "VAR-034/empty", pointer = "VAR-008/largest";
  const std::vector<Spoilt> all = {
      {"the file is of suite", [](Json& f) { f["suite"] = "1.1"; }},
      {"lacks \"suite\"", [](Json& f) { f.erase("suite"); }},
      {"holds the area",
       [](Json& f) {
         f["area"] = "DMQ";
         for (Json& c : f["cases"]) c["requirements"][0] = "DMQ-001";
       }},
      {"is of another area", [&](Json& f) { (*the(f, gap))["requirements"] = {"DMQ-001"}; }},
      {"unknown key \"note\"", [](Json& f) { f["note"] = 1; }},
      {"has no case", [](Json& f) { f["cases"] = Json::array(); }},
      {"unknown key \"expects\"", [&](Json& f) { (*the(f, gap))["expects"] = 1; }},
      {"unknown key \"why\"", [&](Json& f) { (*the(f, pointer))["ignore"][0]["why"] = ""; }},
      {"lacks \"comment\"", [&](Json& f) { the(f, gap)->erase("comment"); }},
      {"no comment of one line", [&](Json& f) { (*the(f, gap))["comment"] = "a\nb"; }},
      {"no comment of one line", [&](Json& f) { (*the(f, gap))["comment"] = ""; }},
      {"\"flags\" has the wrong type", [&](Json& f) { (*the(f, gap))["flags"] = "x"; }},
      {"\"flags\" holds what is no string", [&](Json& f) { (*the(f, gap))["flags"] = {1}; }},
      {"names no requirement", [&](Json& f) { (*the(f, gap))["requirements"] = Json::array(); }},
      {"op \"lift\" that is none", [&](Json& f) { (*the(f, gap))["op"] = "lift"; }},
      {"no subject has the op",
       [&](Json& f) {
         (*the(f, empty))["op"] = "udma";
         the(f, empty)->erase("differs_from");
       }},
      {"id of another form", [&](Json& f) { (*the(f, empty))["id"] = "VAR-034"; }},
      {"id of another form", [&](Json& f) { (*the(f, empty))["id"] = "VAR-034/ empty"; }},
      {"does not begin with its first requirement", [&](Json& f) { (*the(f, empty))["id"] = "VAR-031/empty"; }},
      {"stands twice", [&](Json& f) { f["cases"].push_back(*the(f, empty)); }},
      {"requirement VAR-099 that there is none of",
       [&](Json& f) { (*the(f, gap))["requirements"].push_back("VAR-099"); }},
      {"for the requirement VAR-099", [&](Json& f) { (*the(f, pointer))["ignore"][0]["requirement"] = "VAR-099"; }},
      {"empty path", [&](Json& f) { (*the(f, pointer))["ignore"][0]["path"] = ""; }},
      {"is refused and names no twin", [&](Json& f) { the(f, gap)->erase("twin"); }},
      {"is accepted and names a twin", [&](Json& f) { (*the(f, empty))["twin"] = "VAR-004/gap.twin"; }},
      {"names a twin VAR-004/none", [&](Json& f) { (*the(f, gap))["twin"] = "VAR-004/none"; }},
      {"names a twin that is refused itself", [&](Json& f) { (*the(f, gap))["twin"] = gap; }},
      {"has itself for a twin", [&](Json& f) { (*the(f, gap))["twin"] = gap; }},
      {"differs from VAR-034/none", [&](Json& f) { (*the(f, empty))["differs_from"] = "VAR-034/none"; }},
      {"is answered as VAR-034/empty is", [&](Json& f) { (*the(f, empty))["differs_from"] = empty; }},
      {"status that is none", [&](Json& f) { (*the(f, empty))["expect"]["status"] = "unsupported"; }},
      {"not the oracle's answer: \"status\" is \"refused\"",
       [&](Json& f) {
         Json& c = *the(f, empty);
         c["expect"] = {{"status", "refused"}, {"code", 2}};
         c["twin"] = "VAR-034/empty.other";
         c.erase("differs_from");
       }},
      {"not the oracle's answer: fields: \"mem_ref_set.nmem\"",
       [&](Json& f) { (*the(f, empty))["expect"]["fields"]["mem_ref_set.nmem"] = 3; }},
      {"not the oracle's answer: fields: \"mem_ref_set.mem[7].size\" is not the oracle's",
       [&](Json& f) { (*the(f, empty))["expect"]["fields"]["mem_ref_set.mem[7].size"] = 3; }},
      {"not the oracle's answer: \"image_sha256\"",
       [&](Json& f) { (*the(f, empty))["expect"]["image_sha256"] = std::string(64, '0'); }},
      {"not the oracle's answer: \"code\"", [&](Json& f) { (*the(f, gap))["expect"]["code"] = 10; }},
      {"not the oracle's answer", [&](Json& f) { (*the(f, empty))["request"]["subgraph"] = 1; }},
      {"\"target\" is missing", [&](Json& f) { (*the(f, empty))["request"].erase("target"); }},
  };
  for (const Spoilt& s : all) {
    Files bad = good;
    Json file = Json::parse(bad["VAR.json"]);
    s.spoil(file);
    bad["VAR.json"] = file.dump();
    EXPECT_NE(error_of(bad).find(s.what), std::string::npos) << s.what << ": " << error_of(bad);
  }
}

TEST(Load, TellsWhatIsWrongInATextOrAList) {
  const Files good = small();
  const auto with = [&](const std::string& name, const std::string& text) {
    Files f = good;
    f[name] = text;
    return error_of(f);
  };
  EXPECT_NE(with("VAR.json", "{").find("no JSON"), std::string::npos);
  EXPECT_NE(with("VAR.json", "[]").find("is no object"), std::string::npos);
  EXPECT_NE(with("VAR.json", "{\"suite\":\"1.0\"," + good.at("VAR.json").substr(1)).find("\"suite\" stands twice"),
            std::string::npos);
  EXPECT_NE(with("VAR.json", std::string(100, '[')).find("nested too deep"), std::string::npos);
  EXPECT_NE(with("withdrawn.json", "{}").find("is no array"), std::string::npos);
  EXPECT_NE(with("withdrawn.json", R"([{"id":"VAR-034/empty"}])").find("no {id, note}"), std::string::npos);
  EXPECT_NE(with("withdrawn.json", R"([{"id":"VAR-034/empty","note":"wrong"}])").find("VAR-034/empty: is withdrawn"),
            std::string::npos);
  EXPECT_EQ(with("withdrawn.json", R"([{"id":"VAR-034/older","note":"wrong"}])"), "");
  EXPECT_NE(error_of({{"withdrawn.json", "[]"}}).find("has no case"), std::string::npos);
  EXPECT_FALSE(load_suite(ASSAY_SOURCE_DIR "/conformance/vectors/sources", rows().views).has_value());
  EXPECT_FALSE(load_suite(ASSAY_SOURCE_DIR "/no-such-directory", rows().views).has_value());
}

TEST(Load, TheHashIsOfTheContentAlone) {
  const Files good = small();
  const auto hash = [](const Files& f) { return suite_of(f, rows().views).value().sha256; };
  const std::string first = hash(good);
  Files other = good;
  other["VAR.json"] = Json::parse(good.at("VAR.json")).dump(4) + "\n\n";
  EXPECT_EQ(hash(other), first);
  Json file = Json::parse(good.at("VAR.json"));
  std::reverse(file["cases"].begin(), file["cases"].end());
  other["VAR.json"] = file.dump();
  EXPECT_EQ(hash(other), first);
  (*the(file, "VAR-034/empty"))["comment"] = "Another.";
  other["VAR.json"] = file.dump();
  EXPECT_NE(hash(other), first);
  other = good;
  other["withdrawn.json"] = R"([{"id":"VAR-034/older","note":"wrong"}])";
  EXPECT_NE(hash(other), first);
  file = Json::parse(good.at("VAR.json"));
  file["cases"].erase(file["cases"].size() - 1);  // VAR-034/empty.other and what differs from it
  the(file, "VAR-034/empty")->erase("differs_from");
  other = good;
  other["VAR.json"] = file.dump();
  EXPECT_NE(hash(other), first);
}

TEST(Load, WritingAFileAgainGivesItsBytes) {
  for (const auto& [name, text] : files()) {
    if (name == "withdrawn.json") continue;
    const auto file = read_cases(text);
    ASSERT_TRUE(file.has_value()) << name << ": " << file.error();
    EXPECT_EQ(print_cases(*file), text) << name;
  }
}

}  // namespace
}  // namespace assay::conformance
