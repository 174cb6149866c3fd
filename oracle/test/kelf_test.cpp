// SPDX-License-Identifier: Apache-2.0
// From a file's members to its sub-graphs: the KELF descriptor, the target, the graphs
// (CON-017..026), and the ways in which packages that users report are wrong.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/container/container.h"
#include "oracle/test/covers.h"
#include "oracle/test/neff_model.h"

namespace assay::test {
namespace {

using Where = std::string;

Json kelf_node(const Json& kelf) {
  return {{"name", "n"}, {"attrs", {{"func_name", "__kelf"}, {"kelf", kelf}}}};
}

TEST(Kelf, NeffJsonNamesTheDescriptor) {
  ASSAY_COVERS("CON-017");
  NeffModel m;
  m.files["deep/er.json"] = m.kelf.dump();
  m.files["k.json "] =
      R"({"version":"1.","target":"v3","graphs":[{"name":"g","definition":"sg01/def.json"}]})";
  for (const char* name : {"k.json", "deep/er.json"}) {
    m.neff["nodes"][2]["attrs"]["kelf"] = name;
    const auto lowered = must_lower(m);
    ASSERT_TRUE(lowered);
    EXPECT_EQ(lowered->graphs.size(), 2u);
  }
  m.neff["nodes"][2]["attrs"]["kelf"] = "k.json ";
  const auto lowered = must_lower(m);
  ASSERT_TRUE(lowered);
  ASSERT_EQ(lowered->graphs.size(), 1u);
  EXPECT_EQ(lowered->graphs[0].definition, "sg01/def.json");
  // kelf-0.json is not special beside a neff.json.
  NeffModel no;
  no.files["kelf-0.json"] = "{";
  must_lower(no);
}

TEST(Kelf, TheFirstKelfNodeCounts) {
  ASSAY_COVERS("CON-017");
  NeffModel m;
  m.files["other.json"] = "{";
  m.neff["nodes"].push_back(kelf_node("other.json"));
  must_lower(m);
  // Nodes of other functions, and near misses of the name, are passed over.
  for (const char* name : {"__kel", "__kelf_", "__KELF", "", "kelf"}) {
    m.neff["nodes"][0]["attrs"] = {{"func_name", name}, {"kelf", 7}};
    must_lower(m);
  }
  expect_refused(
      m, [](NeffModel& b) { b.neff["nodes"][0]["attrs"] = kelf_node("other.json")["attrs"]; },
      Reason::json_syntax, "other.json+1");
}

TEST(Kelf, NoDescriptorToBeFound) {
  ASSAY_COVERS("CON-017");
  const NeffModel twin;
  const auto attrs = [](NeffModel& m) -> Json& { return m.neff["nodes"][2]["attrs"]; };
  expect_refused(
      twin, [&](NeffModel& m) { attrs(m)["func_name"] = "__kelf2"; }, Reason::kelf_node_missing,
      "neff.json/nodes");
  expect_refused(
      twin, [&](NeffModel& m) { attrs(m).erase("func_name"); }, Reason::kelf_node_missing,
      "neff.json/nodes");
  expect_refused(
      twin, [&](NeffModel& m) { m.neff["nodes"][2].erase("attrs"); }, Reason::kelf_node_missing,
      "neff.json/nodes");
  expect_refused(
      twin, [&](NeffModel& m) { attrs(m).erase("kelf"); }, Reason::kelf_name,
      "neff.json/nodes/2/attrs");
  for (const Json& value : {Json(nullptr), Json(7), Json::array({"k.json"}), Json::object()})
    expect_refused(
        twin, [&](NeffModel& m) { attrs(m)["kelf"] = value; }, Reason::kelf_name,
        "neff.json/nodes/2/attrs");
  // A member that is not there: the package of a compiler that was interrupted.
  expect_refused(
      twin, [](NeffModel& m) { m.kelf = no_member(); }, Reason::kelf_member_missing,
      "neff.json/nodes/2/attrs/kelf");
  for (const char* name :
       {"", "K.json", "./k.json", "/k.json", "k.json/", "sg00/../k.json", "wavegraph-bin.json"})
    expect_refused(
        twin, [&](NeffModel& m) { attrs(m)["kelf"] = name; }, Reason::kelf_member_missing,
        "neff.json/nodes/2/attrs/kelf");
  expect_refused(
      twin, [&](NeffModel& m) { attrs(m)["kelf"] = std::string("k.json\0", 7); },
      Reason::nul_in_string, "neff.json/nodes/2/attrs/kelf");
}

TEST(Kelf, WithoutNeffJson) {
  ASSAY_COVERS("CON-018");
  NeffModel m;
  const std::string text = m.kelf.dump();
  m.neff = no_member();
  m.kelf = no_member();
  const auto missing = m.lower();
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(row_of(missing.error().reason).id, "kelf-missing");
  for (const char* name : {"kelf-0.json", "kelf-a.json"}) {
    NeffModel found = m;
    found.files[name] = text;
    const auto lowered = must_lower(found);
    ASSERT_TRUE(lowered);
    EXPECT_TRUE(lowered->io.inputs.empty() && lowered->io.outputs.empty());
    EXPECT_EQ(lowered->graphs.size(), 2u);
  }
  m.files["kelf-a.json"] = "{";
  expect_accepted(m, [&](NeffModel& b) { b.files["kelf-0.json"] = text; });
  for (const char* name :
       {"kelf-1.json", "kelf.json", "KELF-0.json", "sg00/kelf-0.json", "kelf-00.json"}) {
    NeffModel none = m;
    none.files.erase("kelf-a.json");
    none.files[name] = text;
    EXPECT_FALSE(none.lower().has_value()) << name;
  }
}

TEST(Kelf, RequiredKeys) {
  ASSAY_COVERS("CON-019");
  const NeffModel twin;
  for (const char* key : {"version", "target", "graphs"}) {
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf.erase(key); }, Reason::kelf_key_missing, "k.json");
    for (const Json& value : {Json(7), Json(true), Json::object()})
      expect_refused(
          twin, [&](NeffModel& m) { m.kelf[key] = value; }, Reason::wrong_type,
          Where("k.json/") + key);
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf[key] = nullptr; }, Reason::null_value,
        Where("k.json/") + key);
  }
  for (const char* key : {"name", "definition"}) {
    const Where at = Where("k.json/graphs/1/") + key;
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf["graphs"][1].erase(key); }, Reason::kelf_key_missing,
        "k.json/graphs/1");
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf["graphs"][1][key] = 7; }, Reason::wrong_type, at);
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf["graphs"][1][key] = std::string("x\0", 2); },
        Reason::nul_in_string, at);
  }
  expect_refused(
      twin, [](NeffModel& m) { m.kelf["graphs"][0] = "sg00"; }, Reason::wrong_type,
      "k.json/graphs/0");
  expect_refused(
      twin, [](NeffModel& m) { m.kelf = Json::array(); }, Reason::wrong_type, "k.json");
  expect_refused(
      twin,
      [](NeffModel& m) {
        m.kelf = no_member();
        m.files["k.json"] = "";
      },
      Reason::json_empty, "k.json+0");
  // Whatever else it holds is not read.
  expect_accepted(twin, [](NeffModel& m) {
    m.kelf["node"] = 7;
    m.kelf["graphs"][0]["type"] = nullptr;
    m.kelf["Version"] = 7;
  });
}

TEST(Kelf, Version) {
  ASSAY_COVERS("CON-019");
  for (const char* good : {"0.5", ".", "1.", ".x", "v2..3", "no number."})
    expect_accepted(NeffModel(), [&](NeffModel& m) { m.kelf["version"] = good; });
  for (const char* bad : {"", "1", "05", "1,0",
                          "0\xC2\xB7"
                          "5"})
    expect_refused(
        NeffModel(), [&](NeffModel& m) { m.kelf["version"] = bad; }, Reason::kelf_version,
        "k.json/version");
}

TEST(Kelf, Graphs) {
  ASSAY_COVERS("CON-019", "CON-020", "CON-022");
  const NeffModel twin;
  expect_refused(
      twin, [](NeffModel& m) { m.kelf["graphs"] = Json::array(); }, Reason::no_graphs,
      "k.json/graphs");
  for (const char* name : {"", "sg02/def.json", "sg00", "sg00/", "def.json", "/sg00/def.json",
                           "./sg00/def.json", "sg00//def.json", "sg01/../sg00/def.json"})
    expect_refused(
        twin, [&](NeffModel& m) { m.kelf["graphs"][1]["definition"] = name; },
        Reason::definition_missing, "k.json/graphs/1/definition");
  expect_refused(
      twin, [](NeffModel& m) { m.kelf["graphs"][1]["name"] = "first"; }, Reason::graph_name_twice,
      "k.json/graphs/1/name");
  EXPECT_EQ(row_of(Reason::graph_name_twice).outcome, Outcome::trapped);
  for (const char* name : {"First", "first ", "", "firs"})
    expect_accepted(twin, [&](NeffModel& m) { m.kelf["graphs"][1]["name"] = name; });
  // One definition may serve two graphs.
  expect_accepted(twin, [](NeffModel& m) { m.kelf["graphs"][1]["definition"] = "sg00/def.json"; });
}

TEST(Kelf, GraphsInOrderEachWithItsDirectory) {
  ASSAY_COVERS("CON-021");
  NeffModel m;
  const auto graph = [&](const std::string& dir, const std::string& file, std::size_t slots) {
    Json def = small_model().def;
    def["pe"] = "pe.json";
    m.files[dir + file] = def.dump();
    m.files[dir + "pe.json"] = R"({"instr":"code/pe.bin"})";
    m.files[dir + "code/pe.bin"] = std::string(slots * 64, 'x');
  };
  graph("", "def.json", 1);
  graph("a/b/", "x.json", 2);
  graph("a/", "d", 3);
  graph("./a/../", "def.json", 4);
  m.kelf["graphs"] = Json::array();
  const std::vector<std::pair<const char*, const char*>> order = {
      {"z", "a/b/x.json"}, {"y", "def.json"}, {"x", "./a/../def.json"}, {"w", "a/d"}};
  for (const auto& [name, path] : order)
    m.kelf["graphs"].push_back({{"name", name}, {"definition", path}});
  const auto lowered = must_lower(m);
  ASSERT_TRUE(lowered);
  ASSERT_EQ(lowered->graphs.size(), 4u);
  const std::uint32_t ninstr[] = {2, 1, 4, 3};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const LoweredGraph& g = lowered->graphs[i];
    EXPECT_EQ(g.name, order[i].first);
    EXPECT_EQ(g.definition, order[i].second);
    EXPECT_EQ(g.tree.subgraph, i);
    EXPECT_EQ(g.tree.root().engine[2]->ninstr, ninstr[i]);
  }
  // A member beside another graph's definition is not this graph's.
  expect_refused(
      m, [](NeffModel& b) { b.files.erase("a/code/pe.bin"); }, Reason::engine_instr_missing,
      "a/pe.json/instr");
}

struct TargetRow {
  const char* text;
  ArchType arch;
};
constexpr TargetRow kTargets[] = {{"sunda", ArchType::SUNDA}, {"v2", ArchType::SUNDA},
                                  {"", ArchType::SUNDA},      {"cayman", ArchType::CAYMAN},
                                  {"v3", ArchType::CAYMAN},   {"mariana", ArchType::MARIANA},
                                  {"v4", ArchType::MARIANA}};
constexpr ArchType kArchs[] = {ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};

void expect_target(const NeffModel& m, ArchType arch) {
  const auto lowered = must_lower(m);
  ASSERT_TRUE(lowered);
  EXPECT_EQ(lowered->target, arch);
  for (const LoweredGraph& g : lowered->graphs)
    EXPECT_EQ(g.tree.root().target, static_cast<std::uint32_t>(code(arch)));
}

TEST(Kelf, Targets) {
  ASSAY_COVERS("CON-023", "CON-024");
  NeffModel m;
  m.options.arch.reset();
  for (const TargetRow& row : kTargets) {
    m.kelf["target"] = row.text;
    expect_target(m, row.arch);
  }
  for (const char* text :
       {"Cayman", "CAYMAN", "cayman ", " cayman", "v1", "v5", "v", "2", "trn1", "**", "inferentia"})
    expect_refused(
        m, [&](NeffModel& b) { b.kelf["target"] = text; }, Reason::target_unknown, "k.json/target");
  // Open: the instance decides, and there must be one.
  m.kelf["target"] = "*";
  const auto open = m.lower();
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(row_of(open.error().reason).id, "target-open");
  EXPECT_EQ(open.error().place.text(), "k.json/target");
  for (const ArchType arch : kArchs) {
    m.options.arch = arch;
    expect_target(m, arch);
  }
}

TEST(Kelf, ATargetThatDiffers) {
  ASSAY_COVERS("CON-025", "CON-026");
  for (const TargetRow& row : kTargets)
    for (const ArchType arch : kArchs) {
      NeffModel m;
      m.kelf["target"] = row.text;
      m.options.arch = arch;
      if (arch == row.arch) {
        expect_target(m, arch);
        continue;
      }
      NeffModel right = m;
      right.options.arch = row.arch;
      expect_refused(
          right, [&](NeffModel& b) { b.options.arch = arch; }, Reason::target_differs,
          "k.json/target");
      m.options.allow_legacy = true;  // the descriptor's is then the one stored
      expect_target(m, row.arch);
    }
}

TEST(Kelf, ArchitectureAgainstCarveout) {
  ASSAY_COVERS("CON-025", "CON-026", "SBC-002");
  // Of another architecture, with and without legacy allowed, with and without the carveout.
  for (const bool legacy : {false, true})
    for (const bool carveout : {false, true})
      for (const char* target : {"cayman", "mariana", "*"})
        for (const ArchType arch : kArchs) {
          NeffModel m;
          m.kelf["target"] = target;
          m.options.arch = arch;
          m.options.allow_legacy = legacy;
          if (!carveout) {
            Json def = small_model().def;
            def.erase("runtime_statebuffer_reservation");
            m.files["sg01/def.json"] = def.dump();
          }
          const auto effective = match_TargetName(target).value_or(arch);
          const auto r = m.lower();
          const std::string id = r ? "ok" : std::string(row_of(r.error().reason).id);
          const bool differs = effective != arch && !legacy;
          const bool wants = effective == ArchType::CAYMAN && !carveout && !legacy;
          EXPECT_EQ(id, differs ? "target-differs"
                        : wants ? "carveout-missing"
                                : "ok")
              << target << " on " << code(arch) << (legacy ? " legacy" : "")
              << (carveout ? " carveout" : "");
          if (r) {
            EXPECT_EQ(r->target, effective);
          }
          if (wants && !differs) {
            EXPECT_EQ(r.error().place.member, "sg01/def.json");
          }
        }
}

TEST(Kelf, ManyGraphsOfOneDefinition) {
  ASSAY_COVERS("CON-021");
  // Text in the file and memory here: held to the bound on image bytes, for all graphs together.
  NeffModel m;
  m.files["sg00/pe.json"] = R"({"instr":"pe.bin"})";
  m.files["sg00/pe.bin"] = std::string(1 << 20, 'x');
  Json def = small_model().def;
  def["pe"] = "pe.json";
  m.files["sg00/def.json"] = def.dump();
  m.kelf["graphs"] = Json::array();
  for (int i = 0; i < 40; ++i)
    m.kelf["graphs"].push_back({{"name", std::to_string(i)}, {"definition", "sg00/def.json"}});
  must_lower(m);
  m.options.limits.image_bytes = 20 << 20;
  const auto r = m.lower();
  ASSERT_FALSE(r.has_value());
  EXPECT_EQ(row_of(r.error().reason).id, "limit-image-bytes");
  EXPECT_EQ(r.error().place.text(), "k.json/graphs/19");
}

TEST(Kelf, APackageThatNamesAWavegraphMember) {
  ASSAY_COVERS("CON-012", "CON-017", "SEC-004");
  // The reader drops wavegraph-bin.json, so a reference to it dangles; a nearly equal name does
  // not.
  const auto lower_packed = [](const std::string& name) {
    NeffModel m;
    Json def = small_model().def;
    def["pe"] = name;
    m.files["sg00/def.json"] = def.dump();
    m.files["sg00/" + name] = "{}";
    const auto packed = pack(m.members(), {});
    EXPECT_TRUE(packed.has_value());
    return lower_neff(packed->view(), m.options);
  };
  for (const char* name :
       {"wavegraph-bin.json", "wavegraph-bin.json2", "my_wavegraph-bin.json", "wavegraph.json"}) {
    const auto r = lower_packed(name);
    const std::string n = name;
    const bool dropped = n.size() >= 18 && n.substr(n.size() - 18) == "wavegraph-bin.json";
    EXPECT_EQ(r ? "ok" : std::string(row_of(r.error().reason).id),
              dropped ? "engine-member-missing" : "ok")
        << name;
  }
}

}  // namespace
}  // namespace assay::test
