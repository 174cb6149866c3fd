// SPDX-License-Identifier: Apache-2.0
// The var section: required keys, ids, sizes, alignments, dtypes and shapes (VAR-001..018,
// 030..032).
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

constexpr std::uint64_t k32 = std::uint64_t{1} << 32;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::string mem(std::size_t id, const char* field) {
  return "mem_ref_set.mem[" + std::to_string(id) + "]." + field;
}

// A variable of each type, complete, under its type's name; ids in this order, behind "out" at 0.
const char* const kTypes[] = {"state-buffer", "file",    "tmp-buf", "input",     "output",
                              "pointer",      "virtual", "list",    "dge-table", "remote"};
constexpr std::uint32_t kCodes[] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11};

Json variable(const std::string& type, std::uint32_t id) {
  Json v = {{"type", type}, {"var_id", id}};
  if (type == "input" || type == "output" || type == "tmp-buf" || type == "virtual") v["size"] = 16;
  if (type == "virtual") v["backing_variable_off"] = 0;
  if (type == "pointer") v["size"] = 8, v["referenced_var_id"] = 0;
  if (type == "list" || type == "dge-table") v["list"] = {0};
  if (type == "file") v["file_name"] = "w.bin";
  return v;
}
// One variable `x` of that type at id 1, beside the output at id 0.
Model model_of(const std::string& type) {
  Model m = small_model();
  m.def["var"]["x"] = variable(type, 1);
  m.files["w.bin"] = "1234567890";
  return m;
}
std::function<void(Model&)> put(const char* key, const Json& value) {
  return [=](Model& m) { m.def["var"]["x"][key] = value; };
}
std::function<void(Model&)> drop(const char* key) {
  return [=](Model& m) { m.def["var"]["x"].erase(key); };
}
Stored with(const std::string& type, const char* key, const Json& value) {
  Model m = model_of(type);
  put(key, value)(m);
  return Stored(m);
}

TEST(Variables, TheSection) {
  ASSAY_COVERS("VAR-001");
  const Model twin = small_model();
  expect_refused(
      twin, [](Model& m) { m.def.erase("var"); }, Reason::var_missing, "sg00/def.json");
  expect_refused(
      twin, [](Model& m) { m.def["var"] = Json::array({m.def["var"]["out"]}); }, Reason::wrong_type,
      "/var");
  expect_refused(
      twin, [](Model& m) { m.def["var"] = nullptr; }, Reason::null_value, "/var");
  for (const Json& value : {Json(1), Json("out"), Json::array()})
    expect_refused(
        twin, [&](Model& m) { m.def["var"]["out"] = value; }, Reason::wrong_type, "/var/out");
}

TEST(Variables, TypeAndId) {
  ASSAY_COVERS("VAR-002");
  for (const char* type : kTypes)
    for (const char* key : {"type", "var_id"})
      expect_refused(model_of(type), drop(key), Reason::var_key_missing, "/var/x");
  const Model twin = model_of("input");
  expect_refused(twin, put("var_id", k32), Reason::integer_too_wide, "/var/x/var_id");
  expect_refused(twin, put("var_id", k32 + 1), Reason::integer_too_wide,
                 "/var/x/var_id");  // no cut to 1
  expect_refused(twin, put("var_id", k32 - 1), Reason::var_ids_not_dense, "sg00/def.json/var");
  expect_refused(twin, put("var_id", -1), Reason::not_an_integer, "/var/x/var_id");
}

TEST(Variables, Types) {
  ASSAY_COVERS("VAR-003");
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    EXPECT_EQ(Stored(model_of(kTypes[i])).number(mem(1, "mr_type")), kCodes[i]) << kTypes[i];
  for (const char* type : {"", "Input", "inputs", "inpu", "input ", "tmp_buf", "tmp-buffer",
                           "state_buffer", "buffer", "ptr", "constant", "MR_SB", "1"})
    expect_refused(model_of("input"), put("type", type), Reason::var_type_unknown, "/var/x/type");
}

// `out` at ids[0], then inputs at the others.
Model with_ids(const std::vector<std::uint64_t>& ids) {
  Model m = small_model();
  m.def["var"]["out"]["var_id"] = ids[0];
  for (std::size_t i = 1; i < ids.size(); ++i)
    m.def["var"]["v" + std::to_string(i)] = {{"type", "input"}, {"size", 1}, {"var_id", ids[i]}};
  return m;
}

TEST(Variables, IdsAreDense) {
  ASSAY_COVERS("VAR-004", "LOW-006");
  using Ids = std::vector<std::uint64_t>;
  for (const Ids& ids : {Ids{0}, {0, 1}, {1, 0}, {2, 0, 1}, {3, 2, 1, 0}})
    EXPECT_EQ(Stored(with_ids(ids)).number("mem_ref_set.nmem"), ids.size());
  for (const Ids& ids :
       {Ids{1}, {1, 2}, {0, 2}, {0, 1, 3}, {0, 0}, {0, 1, 1, 1}, {0, k32 - 1}, {k32 - 1}}) {
    Ids good;
    for (std::size_t i = 0; i < ids.size(); ++i) good.push_back(i);
    expect_refused(
        with_ids(good), [&](Model& m) { m = with_ids(ids); }, Reason::var_ids_not_dense,
        "sg00/def.json/var");
  }
  // No variable at all: 0 == 0, but no output either.
  expect_refused(
      small_model(), [](Model& m) { m.def["var"] = Json::object(); }, Reason::no_output,
      "sg00/def.json/var");
}

TEST(Variables, IdsAreUnique) {
  ASSAY_COVERS("VAR-006");
  expect_refused(
      with_ids({0, 1, 2}),
      [](Model& m) {
        m = with_ids({0, 2, 2});
      },
      Reason::var_id_twice, "/var_id");
  expect_refused(
      with_ids({0, 1, 2}),
      [](Model& m) {
        m = with_ids({2, 0, 2});
      },
      Reason::var_id_twice, "/var_id");
  expect_refused(
      with_ids({3, 1, 2, 0}),
      [](Model& m) {
        m = with_ids({3, 1, 1, 0});
      },
      Reason::var_id_twice, "/var_id");
}

TEST(Variables, OneIsAnOutput) {
  ASSAY_COVERS("VAR-005");
  for (const char* type : kTypes) {
    const std::string t = type;
    if (t == "output") continue;
    Model m = model_of(type);
    expect_refused(
        m, [](Model& b) { b.def["var"]["out"]["type"] = "input"; }, Reason::no_output,
        "sg00/def.json/var");
  }
  expect_accepted(model_of("output"), [](Model& m) { m.def["var"]["out"]["type"] = "input"; });
}

TEST(Variables, SizesThatMustBeGiven) {
  ASSAY_COVERS("VAR-007", "VAR-009", "VAR-022");
  for (const char* type : {"input", "output", "tmp-buf", "virtual"})
    expect_refused(model_of(type), drop("size"), Reason::var_size_missing, "/var/x");
  expect_refused(model_of("pointer"), drop("size"), Reason::pointer_size, "/var/x");
  expect_accepted(model_of("file"), drop("size"));
}

TEST(Variables, SizesAreOf64Bits) {
  ASSAY_COVERS("VAR-030", "VAR-007");
  for (const char* type : {"input", "output", "tmp-buf", "virtual"})
    for (const std::uint64_t size :
         {std::uint64_t{0}, std::uint64_t{1}, k32 - 1, k32, k32 + 1, kMax})
      EXPECT_EQ(with(type, "size", size).number(mem(1, "size")), size) << type;
  for (const std::uint64_t off : {k32 - 1, k32, k32 + 1, kMax - 16})
    EXPECT_EQ(with("virtual", "backing_variable_off", off).number(mem(1, "u.virtual.offset")), off);
  // Seen in the tree itself too.
  Model m = model_of("input");
  put("size", k32 + 1)(m);
  const auto tree = must_lower(m);
  ASSERT_TRUE(tree);
  EXPECT_EQ(mem_of(tree->root().mem_ref_set)[1].size, k32 + 1);
}

TEST(Variables, TypesWithoutSizeAndAlignment) {
  ASSAY_COVERS("VAR-032", "VAR-013", "VAR-010");
  for (const char* type : {"state-buffer", "list", "dge-table", "remote", "pointer"}) {
    Model m = model_of(type);
    // Not read where the type takes none.
    for (const Json& odd : {Json(3), Json("x"), Json(-1), Json(nullptr)}) {
      if (std::string(type) != "pointer") put("size", odd)(m);
      put("alignment", odd)(m);
      const Stored s(m);
      EXPECT_EQ(s.number(mem(1, "size")), std::string(type) == "pointer" ? 8u : 0u) << type;
      EXPECT_EQ(s.number(mem(1, "alignment")), 0u) << type;
    }
  }
}

TEST(Variables, Alignment) {
  ASSAY_COVERS("VAR-012", "VAR-013", "VAR-014");
  for (const char* type : {"input", "output", "tmp-buf", "file", "virtual"}) {
    const bool stored = std::string(type) != "virtual";
    EXPECT_EQ(Stored(model_of(type)).number(mem(1, "alignment")), 0u) << type;
    EXPECT_EQ(with(type, "alignment", 0).number(mem(1, "alignment")), 0u) << type;
    for (int bit = 0; bit < 32; ++bit) {
      const std::uint64_t a = std::uint64_t{1} << bit;
      EXPECT_EQ(with(type, "alignment", a).number(mem(1, "alignment")), stored ? a : 0) << type;
    }
    for (const std::uint64_t a :
         {std::uint64_t{3}, std::uint64_t{6}, std::uint64_t{65}, k32 / 2 - 1, k32 / 2 + 1, k32 - 1,
          k32, k32 + 1, 2 * k32, std::uint64_t{1} << 63, kMax})
      expect_refused(model_of(type), put("alignment", a), Reason::alignment, "/var/x/alignment");
    expect_refused(model_of(type), put("alignment", -1), Reason::not_an_integer,
                   "/var/x/alignment");
    expect_refused(model_of(type), put("alignment", "64"), Reason::not_an_integer,
                   "/var/x/alignment");
  }
}

const char* const kDtyped[] = {"state-buffer", "input", "output", "tmp-buf", "virtual", "file"};
const char* const kUntyped[] = {"pointer", "list", "dge-table", "remote"};

TEST(Variables, Dtype) {
  ASSAY_COVERS("VAR-015", "VAR-016", "DT-006");
  for (const char* type : kDtyped) {
    EXPECT_EQ(Stored(model_of(type)).text(mem(1, "dtype")), "");
    for (const char* dtype : {"float8e3", "float8e4", "float8e5", "float16", "float32", "float32r",
                              "bfloat16", "uint8", "uint16", "uint32", "uint64", "int8", "int16",
                              "int32", "int64", "float8_e4m3fn", "float8_e5m2_x4"})
      EXPECT_EQ(with(type, "dtype", dtype).text(mem(1, "dtype")), dtype) << type;
    for (const char* dtype :
         {"", "float64", "float8_e5m2", "float4_e2m1fn", "FLOAT32", "float32 ", "fp32", "bool"})
      expect_refused(model_of(type), put("dtype", dtype), Reason::var_dtype_unknown,
                     "/var/x/dtype");
  }
}

TEST(Variables, DtypeOf15And16Bytes) {
  ASSAY_COVERS("VAR-015");
  // 14 bytes is the longest known name that fits; the reason tells 15 from 16.
  EXPECT_EQ(with("input", "dtype", "float8_e5m2_x4").text(mem(1, "dtype")).size(), 14u);
  expect_refused(model_of("input"), put("dtype", std::string(15, 'x')), Reason::var_dtype_unknown,
                 "/var/x/dtype");
  expect_refused(model_of("input"), put("dtype", std::string(16, 'x')), Reason::dtype_too_long,
                 "/var/x/dtype");
  for (const char* dtype : {"float8_e4m3fn_x4", "float4_e2m1fn_x4"}) {
    ASSERT_EQ(std::string(dtype).size(), 16u);
    expect_refused(model_of("input"), put("dtype", dtype), Reason::dtype_too_long, "/var/x/dtype");
  }
  // The whole field is the string and zeroes.
  Model m = model_of("input");
  put("dtype", "int8")(m);
  const auto tree = must_lower(m);
  ASSERT_TRUE(tree);
  const char want[16] = "int8";
  EXPECT_EQ(std::memcmp(mem_of(tree->root().mem_ref_set)[1].dtype, want, 16), 0);
}

TEST(Variables, Shape) {
  ASSAY_COVERS("VAR-017");
  for (const char* type : kDtyped) {
    for (std::size_t rank = 0; rank <= 8; ++rank) {
      std::vector<std::uint64_t> shape;
      for (std::size_t i = 0; i < rank; ++i) shape.push_back(100 + i);
      const Stored s = with(type, "shape", shape);
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_EQ(s.number(mem(1, "shape") + "[" + std::to_string(i) + "]"), i < rank ? 100 + i : 0)
            << rank;
    }
    for (const std::size_t rank : {9u, 10u, 1000u})
      expect_refused(model_of(type), put("shape", std::vector<int>(rank, 1)),
                     Reason::shape_too_long, "/var/x/shape");
  }
  // Dimensions are of 64 bits and not checked against anything.
  const Stored s = with("input", "shape", {kMax, 0, k32});
  EXPECT_EQ(s.number(mem(1, "shape[0]")), kMax);
  EXPECT_EQ(s.number(mem(1, "shape[2]")), k32);
  expect_refused(model_of("input"), put("shape", {1, -1}), Reason::not_an_integer,
                 "/var/x/shape/1");
}

TEST(Variables, TypesWithoutDtypeAndShape) {
  ASSAY_COVERS("VAR-018");
  for (const char* type : kUntyped)
    for (const Json& value :
         {Json("float32"), Json("nonsense"), Json(7), Json(nullptr), Json(std::vector<int>(9, 1))})
      for (const char* key : {"dtype", "shape"})
        EXPECT_EQ(with(type, key, value).all(), Stored(model_of(type)).all()) << type << " " << key;
}

TEST(Variables, OrderedById) {
  ASSAY_COVERS("VAR-031", "LOW-011");
  // Names that sort against their ids, and one of no ASCII at all.
  Model m = small_model();
  m.def["var"] = Json::object();
  const std::vector<std::string> names = {"z", "\xC3\xA9", "m", "", "a b/c~d", "A"};
  for (std::size_t i = 0; i < names.size(); ++i)
    m.def["var"][names[i]] = {{"type", i == 2 ? "output" : "input"}, {"size", i}, {"var_id", i}};
  const Stored s(m);
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(s.number(mem(i, "var_id")), i);
    EXPECT_EQ(s.text(mem(i, "name")), names[i]);
    EXPECT_EQ(s.number(mem(i, "size")), i);
    EXPECT_EQ(s.number(mem(i, "mr_type")), i == 2 ? 6u : 5u);
  }
  // The order of the document decides nothing.
  std::string text = R"({"runtime_statebuffer_reservation":[],"var":{)";
  for (std::size_t i = names.size(); i-- > 0;)
    text += Json(names[i]).dump() + ":" + m.def["var"][names[i]].dump() + (i == 0 ? "}}" : ",");
  Model reversed = m;
  reversed.raw = text;
  EXPECT_EQ(Stored(reversed).all(), s.all());
}

}  // namespace
}  // namespace assay::test
