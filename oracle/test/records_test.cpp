// SPDX-License-Identifier: Apache-2.0
// The record table against layout.json, field by field and both ways, and the table of kinds
// against image.md's. Sizes and offsets of the C structs are static_asserted on the same literals.
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "oracle/records/fields.h"
#include "oracle/test/covers.h"
#include "oracle/test/images.h"

namespace assay::test {
namespace {

using Json = nlohmann::json;

const Json& layout() {
  static const Json json = Json::parse(read_corpus("spec/layout.json"));
  return json;
}

const Record* record_named(const std::string& name) {
  for (const Record& r : records())
    if (r.name == name) return &r;
  return nullptr;
}

Grade grade_of(const std::string& evidence) {
  return evidence == "high" ? Grade::high : evidence == "medium" ? Grade::medium : Grade::ruling;
}

std::string spec_type(const Field& f) {
  static const std::map<FieldType, std::string> names = {
      {FieldType::u8, "u8"},       {FieldType::u16, "u16"},     {FieldType::u32, "u32"},
      {FieldType::u64, "u64"},     {FieldType::i32, "i32"},     {FieldType::i64, "i64"},
      {FieldType::f32, "f32"},     {FieldType::boolean, "bool"}, {FieldType::chars, "char"},
      {FieldType::pointer, "ptr"}};
  return f.type == FieldType::record ? std::string(record(f.record).name) : names.at(f.type);
}

// layout.json names what a pointer leads to by its element; the table by its kind.
std::string spec_target(Kind kind) {
  if (kind == Kind::string) return "cstr";
  if (kind == Kind::bytes) return "bytes";
  if (kind == Kind::u32s) return "u32";
  return std::string(record(kind_row(kind).record).name);
}

std::string spec_card(const Field& f) {
  if (f.to == Kind::string) return "cstr";
  if (f.null == Nullability::counted_buffer) return "size if mr_type == MR_BUFFER else 0";
  return f.count_field.empty() ? "one" : std::string(f.count_field);
}

std::string spec_when(When when) {
  switch (when) {
    case When::always: return "";
    case When::fma: return "op == FMA";
    case When::min_max: return "op in {MIN, MAX}";
    case When::mr_ptr: return "mr_type == MR_PTR";
    case When::mr_virtual: return "mr_type == MR_VIRTUAL_TMP_BUF";
    case When::mr_list: return "mr_type in {MR_LIST, MR_PTR_TABLE}";
    case When::mr_remote: return "mr_type == MR_REMOTE";
  }
  return "?";
}

void check_field(const Field& f, const Json& want) {
  SCOPED_TRACE(want["name"].get<std::string>());
  EXPECT_EQ(f.name, want["name"].get<std::string>());
  EXPECT_EQ(Json(f.offset), want["offset"]);
  EXPECT_EQ(Json(spec_type(f)), want["type"]);
  EXPECT_EQ(Json(f.count), want["count"]);
  const std::uint32_t width =
      f.type == FieldType::record ? record(f.record).bytes : width_of(f.type);
  EXPECT_EQ(Json(width * f.count), want["bytes"]);
  EXPECT_EQ(f.layout, grade_of(want["evidence"]));
  EXPECT_EQ(f.value, grade_of(want.value("value_evidence", want["evidence"].get<std::string>())));
  EXPECT_EQ(f.enumeration == EnumId::none ? "" : enum_row(f.enumeration).spec_name,
            want.value("enum", ""));
  EXPECT_EQ(spec_when(f.when), want.value("when", ""));
  EXPECT_EQ(f.type == FieldType::pointer, want.contains("to"));
  if (f.type != FieldType::pointer) return;
  EXPECT_EQ(Json(spec_target(f.to)), want["to"]);
  EXPECT_EQ(Json(spec_card(f)), want["card"]);
}

void check_tail(const Record& r, const Json& want) {
  if (!want.contains("tail")) {
    EXPECT_EQ(r.tail.type, TailType::none);
    return;
  }
  const Json& t = want["tail"];
  EXPECT_EQ(r.tail.name, t["name"].get<std::string>());
  EXPECT_EQ(Json(r.tail.offset), t["offset"]);
  switch (r.tail.type) {
    case TailType::none: ADD_FAILURE() << "no tail"; return;
    case TailType::bytes: EXPECT_EQ(t["type"], Json("u8")); return;
    case TailType::pointers:
      EXPECT_EQ(t["type"], Json("ptr"));
      EXPECT_EQ(Json(spec_target(r.tail.to)), t["to"]);
      break;
    case TailType::records:
      EXPECT_EQ(record(r.tail.record).name, t["type"].get<std::string>());
      break;
  }
  EXPECT_EQ(r.tail.count_field, t["count"].get<std::string>());
}

// What the allocation rule says the table must amount to.
std::string alloc_of(const Record& r) {
  const std::string bytes = std::to_string(r.bytes);
  const std::string counter(r.tail.count_field);
  switch (r.tail.type) {
    case TailType::none: return bytes;
    case TailType::bytes: return bytes + " + blob_size";
    case TailType::pointers: return bytes + " + 8*" + counter;
    case TailType::records:
      return bytes + " + " + std::to_string(record(r.tail.record).bytes) + "*" + counter;
  }
  return "";
}

void check(const std::string& name) {
  SCOPED_TRACE(name);
  const Record* r = record_named(name);
  ASSERT_NE(r, nullptr);
  for (const Json& s : layout()["structs"]) {
    if (s["name"] != name) continue;
    EXPECT_EQ(Json(r->bytes), s["size"]);
    EXPECT_EQ(r->grade, grade_of(s["evidence"]));
    ASSERT_EQ(r->fields.size(), s["fields"].size());
    for (std::size_t i = 0; i < r->fields.size(); ++i) check_field(r->fields[i], s["fields"][i]);
    check_tail(*r, s);
    const Json padding = s.value("padding", Json::array());
    ASSERT_EQ(r->padding.size(), padding.size());
    for (std::size_t i = 0; i < padding.size(); ++i)
      EXPECT_EQ((Json{r->padding[i].begin, r->padding[i].end}), padding[i]);
    if (!s.contains("alloc")) return;
    const auto alloc = s["alloc"].get<std::string>();
    // "N*counter (one array)": an array of the record, whose kind counts elements.
    if (const auto star = alloc.find('*'); alloc.find("(one array)") != std::string::npos) {
      EXPECT_EQ(alloc.substr(0, star), std::to_string(r->bytes));
    } else {
      EXPECT_EQ(alloc, alloc_of(*r));
    }
    return;
  }
  ADD_FAILURE() << "layout.json has no " << name;
}

TEST(Layout, TablesNameTheSameRecords) {
  ASSERT_EQ(records().size(), layout()["structs"].size());
  for (const Json& s : layout()["structs"])
    EXPECT_NE(record_named(s["name"]), nullptr) << s["name"];
}

// The sets of kbin_t are members of it: no field there points to a set record.
TEST(Layout, InlineMembersOfKbin) {
  ASSAY_COVERS("LAY-001");
  const Record& r = record(RecordId::kbin_t);
  const std::map<std::uint32_t, std::string> first = {
      {304, "act_function_sets.sets"}, {344, "replica_groups.groups"},
      {360, "src_target_pairs.pairs_set"}, {376, "ucode_lib_set.libs"},
      {392, "cc_streams.num_streams"}, {400, "fp8_conv_cfg"}};
  for (const Field& f : r.fields)
    if (const auto it = first.find(f.offset); it != first.end()) {
      EXPECT_EQ(f.name, it->second);
    }
  for (const auto& [offset, name] : first) EXPECT_NE(r.find(name), nullptr) << offset;
  EXPECT_EQ(r.find("fp8_conv_cfg")->type, FieldType::record);
}

#define LAYOUT_TEST(test, id, name) \
  TEST(Layout, test) {              \
    ASSAY_COVERS(id);               \
    check(name);                    \
  }
LAYOUT_TEST(Kbin, "LAY-002", "kbin_t")
LAYOUT_TEST(Engine, "LAY-003", "kbin_engine_t")
LAYOUT_TEST(Dma, "LAY-004", "kbin_dma_t")
LAYOUT_TEST(RingInstance, "LAY-005", "kbin_dma_ring_instance_t")
LAYOUT_TEST(DescInfo, "LAY-006", "kbin_dma_desc_info_t")
LAYOUT_TEST(CceInfo, "LAY-007", "kbin_dma_desc_cce_info_t")
LAYOUT_TEST(TransposeInfo, "LAY-008", "kbin_dma_desc_transpose_info_t")
LAYOUT_TEST(Desc, "LAY-009", "kbin_dma_desc_t")
LAYOUT_TEST(MemRefSet, "LAY-010", "kbin_mem_ref_set_t")
LAYOUT_TEST(MemRef, "LAY-011", "kbin_mem_ref")
LAYOUT_TEST(DebugTensorMd, "LAY-012", "kbin_debug_tensor_md_t")
LAYOUT_TEST(ActProfileData, "LAY-013", "kbin_act_profile_data_t")
LAYOUT_TEST(ActFunctionSet, "LAY-014", "kbin_act_function_set_t")
LAYOUT_TEST(BufferRecord, "LAY-015", "kbin_buffer_t")
LAYOUT_TEST(DveConfig, "LAY-016", "kbin_dve_config_t")
LAYOUT_TEST(SbCarveouts, "LAY-017", "kbin_sb_carveouts_t")
LAYOUT_TEST(SbCarveout, "LAY-018", "kbin_sb_carveout_t")
LAYOUT_TEST(ReplicaGroup, "LAY-019", "kbin_replica_group_t")
LAYOUT_TEST(ReplicaSubgroup, "LAY-020", "kbin_replica_subgroup_t")
LAYOUT_TEST(SrcTargetPairs, "LAY-021", "kbin_src_target_pairs_t")
LAYOUT_TEST(SrcTargetPair, "LAY-022", "kbin_src_target_pair_t")
LAYOUT_TEST(ReplicaGroupSet, "LAY-023", "kbin_replica_group_set_t")
LAYOUT_TEST(UcodeLib, "LAY-024", "kbin_ucode_lib_t")
LAYOUT_TEST(UcodeLibFunction, "LAY-025", "kbin_ucode_lib_function_t")
LAYOUT_TEST(Fp8ConvCfg, "LAY-026", "kbin_fp8_conv_cfg_t")
LAYOUT_TEST(PatchLocation, "PAT-001", "kbin_patch_location_t")
LAYOUT_TEST(NeffHeader, "CON-002", "neff_header_t")

// image.md's table, written out once more.
TEST(Kinds, AreThoseOfTheFormat) {
  ASSAY_COVERS("IMG-001");
  struct Row {
    std::uint32_t code;
    const char* title;
    std::uint32_t bytes;
    bool null_when_empty;
  };
  constexpr Row kRows[] = {{1, "kbin_t", 424, false},
                           {2, "kbin_engine_t + blob", 320, false},
                           {3, "kbin_dma_t + pointers", 296, false},
                           {4, "kbin_dma_ring_instance_t + descriptors", 264, false},
                           {5, "kbin_mem_ref_set_t + variables", 24, false},
                           {6, "kbin_act_function_set_t[]", 2192, true},
                           {7, "kbin_dve_config_t", 64, false},
                           {8, "kbin_sb_carveouts_t + carveouts", 8, false},
                           {9, "kbin_replica_group_t[]", 16, true},
                           {10, "kbin_replica_subgroup_t[]", 16, true},
                           {11, "kbin_src_target_pairs_t[]", 32, true},
                           {12, "kbin_src_target_pair_t[]", 16, true},
                           {13, "kbin_ucode_lib_t[]", 40, true},
                           {14, "kbin_ucode_lib_function_t[]", 258, true},
                           {15, "kbin_debug_tensor_md_t", 516, false},
                           {16, "string, NUL-terminated", 1, false},
                           {17, "bytes", 1, true},
                           {18, "u32[]", 4, true},
                           {19, "kbin_replica_group_set_t", 16, false}};
  ASSERT_EQ(kind_rows().size(), std::size(kRows));
  EXPECT_EQ(kMaxKind, std::size(kRows));
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const KindRow& r = kind_rows()[i];
    EXPECT_EQ(static_cast<std::uint32_t>(r.kind), kRows[i].code);
    EXPECT_EQ(r.title, kRows[i].title);
    EXPECT_EQ(r.bytes, kRows[i].bytes);
    EXPECT_EQ(r.null_when_empty, kRows[i].null_when_empty);
    // A title starts with the element's name, and its bytes are the record's.
    if (r.record == RecordId::none) continue;
    EXPECT_EQ(r.title.compare(0, record(r.record).name.size(), record(r.record).name), 0);
    EXPECT_EQ(r.bytes, record(r.record).bytes);
  }
}

// Every pointer leads to a kind that needs a place further down: nesting ends.
TEST(Kinds, NestingEnds) {
  ASSAY_COVERS("IMG-026");
  const auto deepest = [](const auto& self, Kind kind, int level) -> int {
    if (level > static_cast<int>(kMaxKind)) return level;
    int most = level;
    const RecordId id = kind_row(kind).record;
    if (id == RecordId::none) return most;
    std::vector<RecordId> inner = {id};
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const Record& r = record(inner[i]);
      for (const Field& f : r.fields) {
        if (f.type == FieldType::record) inner.push_back(f.record);
        if (f.type == FieldType::pointer) most = std::max(most, self(self, f.to, level + 1));
      }
      if (r.tail.type == TailType::records) inner.push_back(r.tail.record);
      if (r.tail.type == TailType::pointers)
        most = std::max(most, self(self, r.tail.to, level + 1));
    }
    return most;
  };
  EXPECT_EQ(deepest(deepest, Kind::kbin, 0), 5);  // pairs, rg_set, groups, subgroups, participants
}

// Where the spec's folder lies beside the project, its tables are ours.
TEST(Spec, TablesAreTheShared) {
  const std::filesystem::path shared = std::filesystem::path(ASSAY_SHARED_DIR) / "spec";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no spec folder beside the project";
  for (const char* name : {"layout.json", "enums.json", "requirements.json"}) {
    std::ifstream in(shared / name, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(text, read_corpus(std::string("spec/") + name)) << name;
  }
}

}  // namespace
}  // namespace assay::test
