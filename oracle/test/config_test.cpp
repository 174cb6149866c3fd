// SPDX-License-Identifier: Apache-2.0
// SBC: state-buffer carveouts. FP8: the conversion config and its overrides.
#include <cstdlib>

#include "oracle/test/covers.h"
#include "oracle/test/edit.h"

namespace assay::test {
namespace {

const std::string kList = "/runtime_statebuffer_reservation", kItem = kList + "/0";

Json carveout(std::uint64_t offset, std::uint64_t size, std::uint64_t base,
              std::uint64_t partitions) {
  return {{"type", "evtaccel"},
          {"offset", offset},
          {"size", size},
          {"base_partition", base},
          {"partitions", partitions}};
}
// The one a later stage wants on CAYMAN.
const Json kWanted = carveout(229368, 8, 0, 128);

Model carveout_model(const Json& list, ArchType target = ArchType::CAYMAN) {
  Model m = small_model();
  m.target = target;
  m.def["runtime_statebuffer_reservation"] = list;
  return m;
}

TEST(Carveouts, Fields) {
  ASSAY_COVERS("SBC-001", "SBC-003");
  constexpr std::uint64_t kMax = 18446744073709551615U;
  for (const ArchType target : kTargets) {
    auto t = must_lower(carveout_model(
        {carveout(1, 2, 3, 4), carveout(kMax, kMax - 1, kMax - 2, kMax - 3), kWanted}, target));
    ASSERT_TRUE(t);
    ASSERT_EQ(t->root().sb_carveouts->count, 3U);
    const kbin_sb_carveout_t* c = carveouts_of(t->root().sb_carveouts);
    EXPECT_EQ(c[0].type, 1U);
    EXPECT_EQ(c[0].offset, 1U);
    EXPECT_EQ(c[0].size, 2U);
    EXPECT_EQ(c[0].start_partition, 3U);
    EXPECT_EQ(c[0].num_partitions, 4U);
    EXPECT_EQ(c[1].offset, kMax);
    EXPECT_EQ(c[1].size, kMax - 1);
    EXPECT_EQ(c[1].start_partition, kMax - 2);
    EXPECT_EQ(c[1].num_partitions, kMax - 3);
    EXPECT_EQ(c[2].offset, 229368U);
  }
}

TEST(Carveouts, Refusals) {
  ASSAY_COVERS("SBC-001", "JSN-015", "JSN-016");
  const Model m = carveout_model(Json::array({kWanted}));
  for (const std::string key : {"type", "offset", "size", "base_partition", "partitions"})
    expect_refused_at(m, drop(kItem + "/" + key), Reason::carveout_key_missing, kItem);
  for (const std::string key : {"offset", "size", "base_partition", "partitions"})
    expect_all_refused(
        m, {{"-1", set(kItem + "/" + key, -1), Reason::not_an_integer, kItem + "/" + key},
            {"null", set(kItem + "/" + key, nullptr), Reason::not_an_integer, kItem + "/" + key},
            {"text", set(kItem + "/" + key, "8"), Reason::not_an_integer, kItem + "/" + key}});
  for (const char* type : {"", "EVTACCEL", "evtaccel ", "evt", "dge"})
    expect_refused_at(m, set(kItem + "/type", type), Reason::carveout_type, kItem + "/type");
  expect_all_refused(
      m, {{"type null", set(kItem + "/type", nullptr), Reason::null_value, kItem + "/type"},
          {"type number", set(kItem + "/type", 1), Reason::wrong_type, kItem + "/type"},
          {"no object", set(kItem, 1), Reason::wrong_type, kItem},
          {"object for array", set(kList, Json::object()), Reason::wrong_type, kList},
          {"null", set(kList, nullptr), Reason::null_value, kList}});
  expect_refused(m, literal(kItem + "/size", "18446744073709551616"), Reason::json_integer_range);
  expect_never_read(m, {kItem + "/name", kItem + "/start_partition", kItem + "/num_partitions"});
}

TEST(Carveouts, AbsenceOnCayman) {
  ASSAY_COVERS("SBC-002", "SBC-003");
  for (const ArchType target : kTargets) {
    for (const bool legacy : {false, true}) {
      Model m = carveout_model(Json::array(), target);
      m.options.allow_legacy = legacy;
      if (target == ArchType::CAYMAN && !legacy) {
        expect_refused_at(m, drop(kList), Reason::carveout_missing, "");
        continue;
      }
      auto t = must_lower(edited(m, drop(kList)));
      ASSERT_TRUE(t);
      EXPECT_EQ(t->root().sb_carveouts, nullptr);
    }
  }
}

TEST(Carveouts, AnEmptyListIsARecord) {
  ASSAY_COVERS("SBC-003");
  for (const ArchType target : kTargets) {
    auto t = must_lower(carveout_model(Json::array(), target));
    ASSERT_TRUE(t);
    ASSERT_NE(t->root().sb_carveouts, nullptr);
    EXPECT_EQ(t->root().sb_carveouts->count, 0U);
  }
}

// What later_stage_notes says of a model that lowers; one line per note.
std::string notes_of(const Model& m) {
  const std::string bytes = image_of(m);
  const Buffer image{std::string_view(bytes)};
  const Inspection seen = inspect(image.view());
  if (!seen.view) return "no view";
  std::string s;
  for (const Note& n : later_stage_notes(*seen.view)) s += n.requirement + " " + n.path + "\n";
  return s;
}

TEST(Carveouts, ALaterStagesWishIsANoteAndNoFinding) {
  ASSAY_COVERS("SBC-004");
  EXPECT_EQ(notes_of(carveout_model(Json::array({kWanted}))), "");
  EXPECT_EQ(notes_of(carveout_model(Json::array())), "");
  const Json wrong[] = {carveout(229369, 8, 0, 128), carveout(229368, 9, 0, 128),
                        carveout(229368, 8, 1, 128), carveout(229368, 8, 0, 127)};
  for (const Json& c : wrong) {
    SCOPED_TRACE(c.dump());
    const std::string note = notes_of(carveout_model({kWanted, c}));
    EXPECT_EQ(note.rfind("SBC-004 sb_carveouts.carveouts[1]", 0), 0U) << note;
    EXPECT_EQ(std::count(note.begin(), note.end(), '\n'), 1) << note;
    for (const ArchType target : {ArchType::SUNDA, ArchType::MARIANA})
      EXPECT_EQ(notes_of(carveout_model({kWanted, c}, target)), "");
  }
}

using Bytes = std::vector<int>;

Bytes fp8_bytes(const Model& m) {
  auto t = must_lower(m);
  if (!t) return {};
  const auto* at = reinterpret_cast<const std::uint8_t*>(&t->root()) + 400;
  return Bytes(at, at + 16);
}

const std::string kFp8 = "/fp8_conversion_config";
struct Fp8Field {
  const char* key;
  std::size_t offset;
  bool is_bool;
};
const Fp8Field kFields[] = {{"fp8_range_extension", 0, true},
                            {"emax_fp8_e4m3", 4, false},
                            {"emax_fp8_e5m2", 8, false},
                            {"ocp_sat", 12, true},
                            {"fp8_sis", 13, true},
                            {"fp8_sns", 14, true}};

void put_override(Fp8Overrides& o, const std::string& key, std::uint32_t n) {
  if (key == "fp8_range_extension")
    o.fp8_range_extension = n != 0;
  else if (key == "emax_fp8_e4m3")
    o.emax_fp8_e4m3 = n;
  else if (key == "emax_fp8_e5m2")
    o.emax_fp8_e5m2 = n;
  else if (key == "ocp_sat")
    o.ocp_sat = n != 0;
  else if (key == "fp8_sis")
    o.fp8_sis = n != 0;
  else
    o.fp8_sns = n != 0;
}

TEST(Fp8, AbsentIsZero) {
  ASSAY_COVERS("FP8-002", "FP8-003");
  EXPECT_EQ(fp8_bytes(small_model()), Bytes(16, 0));
  expect_ignored(small_model(), set(kFp8, Json::object()));
}

TEST(Fp8, EachKeyAlone) {
  ASSAY_COVERS("FP8-001", "FP8-003");
  for (const Fp8Field& f : kFields) {
    const std::string key = kFp8 + "/" + f.key;
    Bytes want(16, 0);
    if (f.is_bool) {
      want[f.offset] = 1;
      EXPECT_EQ(fp8_bytes(edited(small_model(), set(key, true))), want) << f.key;
      expect_ignored(small_model(), set(key, false));
      for (const Json& value : {Json(1), Json(0), Json(nullptr), Json("true")})
        expect_refused_at(edited(small_model(), set(key, true)), set(key, value),
                          Reason::not_a_boolean, key);
    } else {
      for (std::size_t i = 0; i < 4; ++i) want[f.offset + i] = 255;
      const Model m = edited(small_model(), set(key, 4294967295U));
      EXPECT_EQ(fp8_bytes(m), want) << f.key;
      EXPECT_EQ(fp8_bytes(edited(small_model(), set(key, 8)))[f.offset], 8);
      expect_all_refused(m, {{"2^32", set(key, 4294967296U), Reason::integer_too_wide, key},
                             {"-1", set(key, -1), Reason::not_an_integer, key},
                             {"8.0", set(key, 8.0), Reason::not_an_integer, key},
                             {"null", set(key, nullptr), Reason::not_an_integer, key}});
    }
  }
}

TEST(Fp8, SectionIsAnObject) {
  ASSAY_COVERS("FP8-001", "JSN-015", "JSN-016");
  const Model m = edited(small_model(), set(kFp8, Json::object()));
  expect_refused_at(m, set(kFp8, Json::array()), Reason::wrong_type, kFp8);
  expect_refused_at(m, set(kFp8, nullptr), Reason::null_value, kFp8);
  expect_never_read(m, {kFp8 + "/sis", kFp8 + "/sns", kFp8 + "/comment"});
}

TEST(Fp8, EachOverrideAlone) {
  ASSAY_COVERS("FP8-004");
  Model full = small_model();
  full.def["fp8_conversion_config"] = {{"fp8_range_extension", true},
                                       {"emax_fp8_e4m3", 16909060},
                                       {"emax_fp8_e5m2", 84281096},
                                       {"ocp_sat", true},
                                       {"fp8_sis", true},
                                       {"fp8_sns", true}};
  const Bytes all = {1, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 1, 1, 1, 0};
  ASSERT_EQ(fp8_bytes(full), all);
  for (const Fp8Field& f : kFields) {
    for (const std::uint32_t n : {0U, f.is_bool ? 1U : 4294967295U}) {
      SCOPED_TRACE(f.key);
      Bytes without(16, 0), with = all;
      for (std::size_t i = 0; i < (f.is_bool ? 1U : 4U); ++i)
        without[f.offset + i] = with[f.offset + i] = n == 0 ? 0 : f.is_bool ? 1 : 255;
      Model absent = small_model(), present = full;
      put_override(absent.options.fp8, f.key, n);
      put_override(present.options.fp8, f.key, n);
      EXPECT_EQ(fp8_bytes(absent), without);
      EXPECT_EQ(fp8_bytes(present), with);
    }
  }
}

TEST(Fp8, TheEnvironmentIsNotRead) {
  ASSAY_COVERS("FP8-004");
  const char* const names[] = {"NEURON_RT_DBG_FP8_RANGE_EXT", "NEURON_RT_DBG_FP8_EMAX_E4M3",
                               "NEURON_RT_DBG_FP8_EMAX_E5M2", "NEURON_RT_DBG_OCP_FP8_SAT",
                               "NEURON_RT_DBG_FP8_SIS",       "NEURON_RT_DBG_FP8_SNS"};
  for (const char* name : names) ::setenv(name, "1", 1);
  EXPECT_EQ(fp8_bytes(small_model()), Bytes(16, 0));
  for (const char* name : names) ::unsetenv(name);
}

}  // namespace
}  // namespace assay::test
