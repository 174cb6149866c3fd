// SPDX-License-Identifier: Apache-2.0
// Sections: who reads what, in which order, and which members may be missing (SEC).
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "oracle/manifest/definition/definition.h"
#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

struct Slot {
  const char* engine;
  int index;  // in engine[]
  std::uint32_t type;
};
constexpr Slot kEngines[] = {
    {"act", 0, 1}, {"dve", 1, 3}, {"pe", 2, 0}, {"pool", 3, 2}, {"sp", 4, 4}};

std::string at(const Slot& s, const char* field) {
  return "engine[" + std::to_string(s.index) + "]." + field;
}

TEST(Sections, AnUnreferencedMemberIsIgnored) {
  ASSAY_COVERS("SEC-001");
  const Model plain = full_model();
  Model more = plain;
  more.files["wavegraph.json"] = "not JSON";
  more.files["pe2.json"] = R"({"instr":"missing.bin"})";
  more.files["dma.json"] = "[]";
  more.files["var"] = "x";
  more.files["sub/def.json"] = "{";
  EXPECT_EQ(Stored(more).all(), Stored(plain).all());
}

TEST(Sections, TheKeyMakesTheKind) {
  ASSAY_COVERS("SEC-001");
  // The members' own names mean nothing: pe's code may live in a member called like act's.
  Model m = full_model();
  m.files["act_of_pe.json"] = R"({"instr":"dma.bin","name":"act"})";
  m.files["dma.bin"] = std::string(640, 'x');
  m.def["pe"] = "act_of_pe.json";
  const Stored s(m);
  EXPECT_EQ(s.number("engine[2].eng_type"), 0u);
  EXPECT_EQ(s.number("engine[2].ninstr"), 10u);
  EXPECT_EQ(s.text("engine[2].name"), "pe");
  // Two keys may name one member.
  m.def["sp"] = m.def["pe"];
  EXPECT_EQ(Stored(m).number("engine[4].ninstr"), 10u);
}

TEST(Sections, TheFirstFailingSectionDecides) {
  ASSAY_COVERS("SEC-002");
  struct Fault {
    const char* what;
    std::function<void(Model&)> put;
    Reason reason;
  };
  const auto engine = [](const char* name, const char* text) {
    return [=](Model& m) { m.files[name] = text; };
  };
  // In the order of reading; each is refused when it and every later one is put.
  const std::vector<Fault> faults = {
      {"def.json", [](Model& m) { m.raw = "{"; }, Reason::json_syntax},
      {"a variable", [](Model& m) { m.def["var"]["in"]["type"] = "?"; }, Reason::var_type_unknown},
      {"var checks", [](Model& m) { m.def["var"]["ptr"]["referenced_var_id"] = 10; },
       Reason::pointer_reference},
      {"dma_queue", [](Model& m) { m.def["dma_queue"]["q_in"]["type"] = "?"; },
       Reason::queue_type_unknown},
      {"replica_groups", [](Model& m) { m.def["replica_groups"] = "?"; }, Reason::wrong_type},
      {"src_target_pairs", [](Model& m) { m.def["src_target_pairs"][0][0] = {1}; },
       Reason::pair_length},
      {"synthesized library",
       [](Model& m) {
         m.def["ext_isa_ucode_lib_def"]["functions"] = Json::array({{{"opcode", 1}}});
       },
       Reason::ucode_function_key},
      {"ucode_lib", [](Model& m) { m.def["ucode_lib"][0]["ulib_to_ucode_version"] = "2.0"; },
       Reason::ucode_version},
      {"carveouts", [](Model& m) { m.def["runtime_statebuffer_reservation"][0]["type"] = "?"; },
       Reason::carveout_type},
      {"cc_streams", [](Model& m) { m.def["cc_streams"]["num_streams"] = -1; },
       Reason::not_an_integer},
      {"dma", [](Model& m) { m.def["dma"][0]["queue"] = "?"; }, Reason::queue_unknown},
      {"fp8", [](Model& m) { m.def["fp8_conversion_config"]["ocp_sat"] = 1; },
       Reason::not_a_boolean},
      {"pe", engine("pe.json", R"({"instr":"?"})"), Reason::engine_instr_missing},
      {"act instr", engine("act.json", R"({"instr":"?","dma":{},"act_semaphore":"?"})"),
       Reason::engine_instr_missing},
      {"pool instr", engine("pool.json", R"({"instr":"?","dma":{}})"),
       Reason::engine_instr_missing},
      {"dve instr", engine("dve.json", R"({"instr":"?","dma":{},"dve_tables":[]})"),
       Reason::engine_instr_missing},
      {"sp", [](Model& m) { m.def["sp"] = "?"; }, Reason::engine_member_missing},
  };
  Model base = full_model();
  base.target = ArchType::MARIANA;  // has the synthesized library
  must_lower(base);
  for (std::size_t first = 0; first < faults.size(); ++first) {
    Model m = base;
    for (std::size_t i = first; i < faults.size(); ++i) faults[i].put(m);
    if (first == 0) faults[0].put(m);
    EXPECT_EQ(outcome_of(m), row_of(faults[first].reason).id) << faults[first].what;
  }
}

TEST(Sections, InAnEngineInstrThenDmaThenTables) {
  ASSAY_COVERS("SEC-002");
  Model m = full_model();
  m.files["act.json"] = R"({"instr":"act.bin","dma":{},"act_semaphore":"?"})";
  EXPECT_EQ(outcome_of(m), "wrong-type");
  m.files["act.json"] = R"({"instr":"act.bin","dma":[],"act_semaphore":"?"})";
  EXPECT_EQ(outcome_of(m), "not-an-integer");
  m.files["act.json"] = R"({"instr":"act.bin","dma":[],"act_semaphore":1})";
  must_lower(m);
  m.files["dve.json"] = R"({"instr":"dve.bin","dma":{},"dve_tables":[]})";
  EXPECT_EQ(outcome_of(m), "wrong-type");
  m.files["dve.json"] = R"({"instr":"dve.bin","dma":[],"dve_tables":[]})";
  EXPECT_EQ(outcome_of(m), "dve-tables-length");
  m.files["dve.json"] = R"({"instr":"dve.bin","dma":[]})";
  must_lower(m);
}

TEST(Sections, AnAbsentEngineIsAPlaceholder) {
  ASSAY_COVERS("SEC-003", "LOW-012");
  Model none = small_model();
  const Stored s(none);
  for (const Slot& slot : kEngines) {
    EXPECT_EQ(s.number(at(slot, "eng_type")), slot.type);
    EXPECT_EQ(s.number(at(slot, "ninstr")), 0u);
    EXPECT_EQ(s.text(at(slot, "name")), slot.engine);
    EXPECT_EQ(s.text(at(slot, "instr")), "");
  }
  for (const Slot& slot : kEngines) {
    SCOPED_TRACE(slot.engine);
    Model m = full_model();
    m.def.erase(slot.engine);
    const Stored without(m);
    for (const Slot& other : kEngines) EXPECT_EQ(without.text(at(other, "name")), other.engine);
    EXPECT_EQ(without.text(at(slot, "instr")), "");
  }
}

TEST(Sections, AnEngineKeyNamesAMember) {
  ASSAY_COVERS("SEC-004");
  for (const Slot& slot : kEngines) {
    const std::string pointer = std::string("sg00/def.json/") + slot.engine;
    expect_refused(
        full_model(), [&](Model& m) { m.files.erase(std::string(slot.engine) + ".json"); },
        Reason::engine_member_missing, pointer);
    for (const char* name : {"", "PE.json", "./pe.json", "pe.json/", "../sg00/pe.json",
                             "sg00/pe.json", "/pe.json", "."})
      expect_refused(
          full_model(), [&](Model& m) { m.def[slot.engine] = name; }, Reason::engine_member_missing,
          pointer);
    expect_refused(
        full_model(), [&](Model& m) { m.files[std::string(slot.engine) + ".json"] = "{"; },
        Reason::json_syntax, std::string("sg00/") + slot.engine + ".json+1");
  }
  // Joined byte for byte, so that a directory below works, and so does an odd but equal path.
  Model m = full_model();
  m.files["deep/er/pe.json"] = m.files.at("pe.json");
  m.files["./pe.json"] = m.files.at("pe.json");
  for (const char* name : {"deep/er/pe.json", "./pe.json"}) {
    m.def["pe"] = name;
    EXPECT_EQ(Stored(m).number("engine[2].ninstr"), 1u);
  }
}

TEST(Sections, InstrNamesAMember) {
  ASSAY_COVERS("SEC-005", "LOW-003");
  for (const Slot& slot : kEngines) {
    const std::string name = std::string(slot.engine) + ".json";
    expect_refused(
        full_model(), [&](Model& m) { m.edit(name, [](Json& j) { j["instr"] = "gone.bin"; }); },
        Reason::engine_instr_missing, "sg00/" + name + "/instr");
    expect_refused(
        full_model(), [&](Model& m) { m.files.erase(std::string(slot.engine) + ".bin"); },
        Reason::engine_instr_missing, "sg00/" + name + "/instr");
  }
  // Relative to the sub-graph and not to the engine's member.
  Model m = full_model();
  m.files["deep/pe.json"] = R"({"instr":"pe.bin"})";
  m.def["pe"] = "deep/pe.json";
  EXPECT_EQ(Stored(m).number("engine[2].ninstr"), 1u);
  // Raw, whatever it is called and whatever it holds.
  m.files["code.npy"] = "\x93NUMPY" + std::string(200, 'x');
  m.files["deep/pe.json"] = R"({"instr":"code.npy"})";
  EXPECT_EQ(Stored(m).text("engine[2].instr"), m.files["code.npy"]);
}

TEST(Sections, AnEngineWithoutInstr) {
  ASSAY_COVERS("SEC-006");
  Model m = full_model();
  m.files["pool.json"] =
      R"({"dma":[{"id":3,"queue":"q_out","desc":[{"from":"sb","to":"out","size":16}]}]})";
  m.files["act.json"] = R"({"act_semaphore":77})";
  const Stored s(m);
  EXPECT_EQ(s.text("engine[3].instr"), "");
  EXPECT_EQ(s.number("engine[3].ninstr"), 0u);
  EXPECT_EQ(s.number("dma[5].ring_instances[0].ndesc"), 1u);
  EXPECT_EQ(s.number("act_function_sets.act_tbl_semaphore"), 77u);
  expect_refused(
      m, [](Model& b) { b.files["pool.json"] = R"({"dma":[{"id":3,"queue":"?","desc":[]}]})"; },
      Reason::queue_unknown, "sg00/pool.json/dma/0/queue");
}

TEST(Sections, AnInstructionStreamOfFourGiB) {
  ASSAY_COVERS("SEC-007");
  // Address space only: the sections are read, and no byte of the stream is.
  const auto read = [](std::uint64_t bytes) {
    Model m = small_model();
    m.def["pe"] = "pe.json";
    m.files["pe.json"] = R"({"instr":"pe.bin"})";
    Members members = m.members();
    members.put("sg00/pe.bin", Buffer(static_cast<std::size_t>(bytes)));
    auto resources = read_definition(members, "sg00/def.json", m.target, m.options);
    if (resources) {
      EXPECT_EQ(resources->engines[0].code.size(), bytes);
      resources->engines = {};
    }
    return resources;
  };
  constexpr std::uint64_t kMax = 0xFFFFFFFF;
  const auto longest = read(kMax);
  EXPECT_TRUE(longest.has_value()) << longest.error().text();
  for (const std::uint64_t bytes : {kMax + 1, kMax + 65}) {
    const auto r = read(bytes);
    ASSERT_FALSE(r.has_value());
    EXPECT_EQ(row_of(r.error().reason).id, "engine-instr-size");
    EXPECT_EQ(r.error().place.text(), "sg00/pe.json/instr");
  }
}

TEST(Sections, ReferencesNobodyReadsMayDangle) {
  ASSAY_COVERS("SEC-008", "ACT-003");
  Model m = full_model();
  m.def["debug_info"] = {{"wavegraph", "wavegraph-bin.json"}, {"hlo", 7}};
  m.def["pe_dbg"] = "gone.dbg";
  m.def["pe_asm_dbg"] = "gone.dbg";
  m.edit("pe.json", [](Json& j) { j["debug"] = "gone.json"; });
  m.edit("act.json", [](Json& j) {
    j["act_info"] = "gone.json";
    j["activation_function_sets"] = Json::array();
  });
  const Stored s(m);
  EXPECT_EQ(s.text("act_function_sets.sets"), "NULL");
  EXPECT_EQ(s.number("act_function_sets.num_function_sets"), 0u);
  // With a set it is read.
  expect_refused(
      m,
      [](Model& b) {
        b.edit("act.json", [](Json& j) { j["activation_function_sets"] = {"exp"}; });
      },
      Reason::act_info_missing, "sg00/act.json/act_info");
}

TEST(Sections, EngineInstrKeysOfTheDefinitionAreNotRead) {
  ASSAY_COVERS("SEC-009");
  const Stored plain(full_model());
  for (const Slot& slot : kEngines)
    for (const Json& value : {Json("gone.bin"), Json("act.bin"), Json(7), Json(nullptr)}) {
      Model m = full_model();
      m.def[std::string(slot.engine) + "_instr"] = value;
      EXPECT_EQ(Stored(m).all(), plain.all()) << slot.engine;
    }
  Model only = small_model();
  only.def["pe_instr"] = "pe.bin";
  only.files["pe.bin"] = std::string(64, 'p');
  EXPECT_EQ(Stored(only).number("engine[2].ninstr"), 0u);
}

}  // namespace
}  // namespace assay::test
