// SPDX-License-Identifier: Apache-2.0
// Graph inputs and outputs from neff.json: names, dtypes, shapes, sizes (IO, DT-003..005).
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "oracle/test/covers.h"
#include "oracle/test/neff_model.h"

namespace assay::test {
namespace {

using Fault = std::function<void(NeffModel&)>;

GraphIo io_of(const NeffModel& m) {
  auto lowered = must_lower(m);
  return lowered ? std::move(lowered->io) : GraphIo{};
}

// A model with one more input of that dtype and shape, as text.
NeffModel with_tensor(const Json& dtype, const Json& shape) {
  NeffModel m;
  m.neff["attrs"]["dltype"][1][0] = dtype;
  m.neff["attrs"]["shape"][1][0] = shape;
  return m;
}
Tensor tensor(const Json& dtype, const Json& shape) {
  const GraphIo io = io_of(with_tensor(dtype, shape));
  return io.inputs.empty() ? Tensor{} : io.inputs[0];
}

void expect_tensor(const Tensor& t, const char* name, NrtDtype dtype,
                   std::vector<std::uint64_t> shape, std::uint64_t size) {
  EXPECT_EQ(t.name, name);
  EXPECT_EQ(code(t.dtype), code(dtype)) << name;
  EXPECT_EQ(t.shape, shape) << name;
  EXPECT_EQ(t.size, size) << name;
}

TEST(GraphIo, InputsAndOutputs) {
  ASSAY_COVERS("IO-002", "IO-003", "IO-006", "DT-004");
  const GraphIo io = io_of(NeffModel());
  ASSERT_EQ(io.inputs.size(), 2u);
  ASSERT_EQ(io.outputs.size(), 2u);
  expect_tensor(io.inputs[0], "a", NrtDtype::FLOAT16, {2, 3}, 12);
  expect_tensor(io.inputs[1], "b", NrtDtype::INT32, {5}, 20);
  expect_tensor(io.outputs[0], "x", NrtDtype::UINT64, {}, 8);
  expect_tensor(io.outputs[1], "y", NrtDtype::UNKNOWN, {7, 11}, 77);
}

TEST(GraphIo, InputsAreArgNodesInOrder) {
  ASSAY_COVERS("IO-002");
  NeffModel m;
  m.neff["arg_nodes"] = {1, 0, 1, 2};
  m.neff["node_row_ptr"] = {3, 0, 1, 99};  // the entry is looked up, not counted
  const GraphIo io = io_of(m);
  ASSERT_EQ(io.inputs.size(), 4u);
  expect_tensor(io.inputs[0], "b", NrtDtype::FLOAT16, {2, 3}, 12);
  expect_tensor(io.inputs[1], "a", NrtDtype::UNKNOWN, {7, 11}, 77);
  expect_tensor(io.inputs[2], "b", NrtDtype::FLOAT16, {2, 3}, 12);
  expect_tensor(io.inputs[3], "k", NrtDtype::INT32, {5}, 20);
  m.neff["arg_nodes"] = Json::array();
  EXPECT_TRUE(io_of(m).inputs.empty());
}

TEST(GraphIo, OutputsAreHeads) {
  ASSAY_COVERS("IO-003", "IO-004");
  NeffModel m;
  m.neff["heads"] = {{0, 2}, {2, 1, 9, "more"}, {1, 0, 0}};
  m.neff["node_row_ptr"] = {1, 0, 2};
  const GraphIo io = io_of(m);
  ASSERT_EQ(io.outputs.size(), 3u);
  expect_tensor(io.outputs[0], "a", NrtDtype::UNKNOWN, {7, 11}, 77);
  expect_tensor(io.outputs[1], "y", NrtDtype::UNKNOWN, {7, 11}, 77);
  expect_tensor(io.outputs[2], "b", NrtDtype::FLOAT16, {2, 3}, 12);
  m.neff["heads"] = Json::array();
  EXPECT_TRUE(io_of(m).outputs.empty());
}

TEST(GraphIo, RequiredParts) {
  ASSAY_COVERS("IO-001");
  const NeffModel twin;
  for (const char* key : {"nodes", "arg_nodes", "heads", "node_row_ptr"}) {
    expect_refused(
        twin, [&](NeffModel& m) { m.neff.erase(key); }, Reason::io_key_missing, "neff.json");
    for (const Json& value : {Json::object(), Json(7), Json(nullptr), Json("x")})
      expect_refused(
          twin, [&](NeffModel& m) { m.neff[key] = value; }, Reason::io_key_missing, "neff.json");
  }
  expect_refused(
      twin, [](NeffModel& m) { m.neff.erase("attrs"); }, Reason::io_key_missing, "neff.json");
  expect_refused(
      twin, [](NeffModel& m) { m.neff["attrs"] = Json::array(); }, Reason::io_key_missing,
      "neff.json");
  for (const char* key : {"dltype", "shape"}) {
    expect_refused(
        twin, [&](NeffModel& m) { m.neff["attrs"].erase(key); }, Reason::io_key_missing,
        "neff.json/attrs");
    for (const Json& value :
         {Json::array(), Json::array({"list"}), Json::array({"list", 7}),
          Json::array({"list", Json::object()}), Json("list"), Json::object(), Json(nullptr)})
      expect_refused(
          twin, [&](NeffModel& m) { m.neff["attrs"][key] = value; }, Reason::io_key_missing,
          std::string("neff.json/attrs/") + key);
    // [0] and what follows [1] are not looked at.
    expect_accepted(twin, [&](NeffModel& m) {
      m.neff["attrs"][key][0] = nullptr;
      m.neff["attrs"][key].push_back(7);
    });
  }
  for (const char* text : {"[]", "5", "null"})
    expect_refused(
        twin, [&](NeffModel& m) { m.raw_neff = text; },
        std::string(text) == "null" ? Reason::null_value : Reason::wrong_type, "neff.json");
  expect_refused(
      twin, [](NeffModel& m) { m.raw_neff = "{"; }, Reason::json_syntax, "neff.json+1");
}

TEST(GraphIo, NodesOutOfRange) {
  ASSAY_COVERS("IO-003", "IO-005");
  for (const std::uint64_t n :
       {std::uint64_t{3}, std::uint64_t{1} << 32, std::numeric_limits<std::uint64_t>::max()}) {
    expect_refused(
        NeffModel(), [&](NeffModel& m) { m.neff["heads"][1][0] = n; }, Reason::io_head_node,
        "neff.json/heads/1/0");
    expect_refused(
        NeffModel(), [&](NeffModel& m) { m.neff["arg_nodes"][1] = n; }, Reason::io_value,
        "neff.json/arg_nodes/1");
  }
  // A node that node_row_ptr does not reach; it need not be longer than what is used.
  NeffModel rows;
  rows.neff["node_row_ptr"] = {0, 1, 2};
  expect_refused(
      rows,
      [](NeffModel& m) {
        m.neff["node_row_ptr"] = {0, 1};
      },
      Reason::io_value, "neff.json/heads/0/0");
  rows.neff["heads"] = Json::array();
  rows.neff["node_row_ptr"] = {0, 1};
  expect_refused(
      rows, [](NeffModel& m) { m.neff["node_row_ptr"] = {0}; }, Reason::io_value,
      "neff.json/arg_nodes/1");
}

TEST(GraphIo, EntriesOutOfRange) {
  ASSAY_COVERS("IO-004");
  const NeffModel twin;
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t n : {std::uint64_t{4}, std::uint64_t{1} << 32, kMax})
    expect_refused(
        twin, [&](NeffModel& m) { m.neff["node_row_ptr"][1] = n; }, Reason::io_entry_id,
        "neff.json/arg_nodes/1");
  for (const std::uint64_t n : {std::uint64_t{2}, std::uint64_t{1} << 32, kMax - 2, kMax - 1, kMax})
    expect_refused(
        twin, [&](NeffModel& m) { m.neff["heads"][0][1] = n; }, Reason::io_entry_id,
        "neff.json/heads/0");
  // Either list decides.
  for (const char* key : {"dltype", "shape"}) {
    expect_refused(
        twin, [&](NeffModel& m) { m.neff["attrs"][key][1].erase(3); }, Reason::io_entry_id,
        "neff.json/heads/1");
    expect_accepted(twin, [&](NeffModel& m) { m.neff["attrs"][key][1].push_back(nullptr); });
  }
}

TEST(GraphIo, Rank) {
  ASSAY_COVERS("IO-004");
  const auto ones = [](std::size_t n) { return Json(std::vector<int>(n, 1)); };
  for (const std::size_t n : {0u, 1u, 31u, 32u}) EXPECT_EQ(tensor("int8", ones(n)).shape.size(), n);
  for (const std::size_t n : {33u, 64u, 1000u})
    expect_refused(
        with_tensor("int8", ones(32)),
        [&](NeffModel& m) { m.neff["attrs"]["shape"][1][0] = ones(n); }, Reason::io_rank,
        "neff.json/attrs/shape/1/0");
}

TEST(GraphIo, UsedValuesOfAnotherType) {
  ASSAY_COVERS("IO-005");
  struct Row {
    const char* pointer;  // of the value, and of the refusal
    bool integer;
  };
  const NeffModel twin;
  for (const Row& row : {Row{"/arg_nodes/0", true},
                         {"/node_row_ptr/0", true},
                         {"/heads/0", false},
                         {"/heads/0/0", true},
                         {"/heads/0/1", true},
                         {"/nodes/0", false},
                         {"/nodes/0/name", false},
                         {"/nodes/2/output_names/0", false},
                         {"/attrs/dltype/1/0", false},
                         {"/attrs/shape/1/0", false},
                         {"/attrs/shape/1/0/1", true}})
    for (const Json& value :
         {Json(nullptr), Json(true), Json(-1), Json(1.0), Json(row.integer ? "1" : "")}) {
      if (value == "" && std::string(row.pointer).find("name") != std::string::npos) continue;
      if (value == "" && std::string(row.pointer).find("dltype") != std::string::npos) continue;
      expect_refused(
          twin, [&](NeffModel& m) { m.neff[Json::json_pointer(row.pointer)] = value; },
          Reason::io_value, std::string("neff.json") + row.pointer);
    }
  expect_refused(
      twin, [](NeffModel& m) { m.neff["heads"][0] = {2}; }, Reason::io_value, "neff.json/heads/0");
  expect_refused(
      twin, [](NeffModel& m) { m.neff["heads"][0] = Json::array(); }, Reason::io_value,
      "neff.json/heads/0");
  expect_refused(
      twin, [](NeffModel& m) { m.neff["nodes"][0].erase("name"); }, Reason::io_value,
      "neff.json/nodes/0");
  expect_refused(
      twin, [](NeffModel& m) { m.neff["nodes"][1]["name"] = std::string("b\0", 2); },
      Reason::nul_in_string, "neff.json/nodes/1/name");
}

TEST(GraphIo, UnusedValuesAreNotLookedAt) {
  ASSAY_COVERS("IO-005");
  NeffModel m;
  m.neff["nodes"].push_back(7);    // behind the one that is meant
  m.neff["nodes"][2]["name"] = 7;  // its outputs have names of their own
  m.neff["nodes"][0]["output_names"] = 7;
  m.neff["node_row_ptr"].push_back("x");
  m.neff["node_row_ptr"][3] = "x";
  m.neff["attrs"]["dltype"][1].push_back(7);
  m.neff["attrs"]["shape"][1].push_back(7);
  m.neff["heads"][0][2] = "x";
  m.neff["metadata"] = 7;
  const GraphIo io = io_of(m);
  EXPECT_EQ(io.outputs.size(), 2u);
  EXPECT_EQ(io.inputs.size(), 2u);
}

TEST(GraphIo, OutputNames) {
  ASSAY_COVERS("IO-006");
  const auto names = [](const Fault& change) {
    NeffModel m;
    change(m);
    const GraphIo io = io_of(m);
    return io.outputs.size() == 2 ? io.outputs[0].name + "," + io.outputs[1].name : "?";
  };
  EXPECT_EQ(names([](NeffModel&) {}), "x,y");
  const auto node = [](NeffModel& m) -> Json& { return m.neff["nodes"][2]; };
  // The node's own list, else that of its attrs, else its name; entry by entry.
  EXPECT_EQ(names([&](NeffModel& m) { node(m)["attrs"]["output_names"] = {"p", "q"}; }), "x,y");
  EXPECT_EQ(names([&](NeffModel& m) { node(m)["output_names"] = {"x"}; }), "x,k");
  const auto with_attrs = [&](const Json& own) {
    return [&, own](NeffModel& m) {
      node(m)["output_names"] = own;
      node(m)["attrs"]["output_names"] = {"p", "q"};
    };
  };
  EXPECT_EQ(names(with_attrs({"x"})), "x,q");
  for (const Json& own : {Json::array(), Json("xy"), Json(7), Json(nullptr), Json::object()})
    EXPECT_EQ(names(with_attrs(own)), "p,q") << own;
  EXPECT_EQ(names([&](NeffModel& m) { node(m).erase("output_names"); }), "k,k");
  for (const Json& list : {Json::array(), Json("pq"), Json(7), Json(nullptr)})
    EXPECT_EQ(names([&](NeffModel& m) {
                node(m).erase("output_names");
                node(m)["attrs"]["output_names"] = list;
              }),
              "k,k");
  // Two outputs of one name.
  EXPECT_EQ(names([&](NeffModel& m) {
              node(m)["output_names"] = {"output0", "output0"};
            }),
            "output0,output0");
  EXPECT_EQ(names([&](NeffModel& m) { node(m)["output_names"] = {"", ""}; }), ",");
}

TEST(GraphIo, Dtypes) {
  ASSAY_COVERS("DT-002", "DT-003", "DT-004");
  struct Row {
    const char* text;
    NrtDtype dtype;
    std::uint64_t bytes;
  };
  for (const Row& row : {Row{"int8", NrtDtype::INT8, 1},
                         {"int16", NrtDtype::INT16, 2},
                         {"int32", NrtDtype::INT32, 4},
                         {"int64", NrtDtype::INT64, 8},
                         {"uint8", NrtDtype::UINT8, 1},
                         {"uint16", NrtDtype::UINT16, 2},
                         {"uint32", NrtDtype::UINT32, 4},
                         {"uint64", NrtDtype::UINT64, 8},
                         {"float16", NrtDtype::FLOAT16, 2},
                         {"float32", NrtDtype::FLOAT32, 4},
                         {"bfloat16", NrtDtype::BFLOAT16, 2},
                         {"", NrtDtype::UNKNOWN, 1},
                         {"int32 ", NrtDtype::UNKNOWN, 1},
                         {" int32", NrtDtype::UNKNOWN, 1},
                         {"INT32", NrtDtype::UNKNOWN, 1},
                         {"int", NrtDtype::UNKNOWN, 1},
                         {"int320", NrtDtype::UNKNOWN, 1},
                         {"float8e4", NrtDtype::UNKNOWN, 1},
                         {"float32r", NrtDtype::UNKNOWN, 1},
                         {"float8_e4m3fn", NrtDtype::UNKNOWN, 1},
                         {"float4_e2m1fn_x4", NrtDtype::UNKNOWN, 1}}) {
    const Tensor t = tensor(row.text, {3, 5});
    EXPECT_EQ(code(t.dtype), code(row.dtype)) << row.text;
    EXPECT_EQ(t.size, 15 * row.bytes) << row.text;
  }
  // The appended byte may be a NUL: still a string that is not known, and no error.
  const Tensor t = tensor(std::string("int32\0", 6), {3});
  EXPECT_EQ(code(t.dtype), code(NrtDtype::UNKNOWN));
  EXPECT_EQ(t.size, 3u);
}

TEST(GraphIo, Sizes) {
  ASSAY_COVERS("DT-004", "DT-005");
  constexpr std::uint64_t k32 = std::uint64_t{1} << 32,
                          kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(tensor("float32", Json::array()).size, 4u);
  for (const std::uint64_t bytes : {k32 - 1, k32, k32 + 1, kMax}) {
    EXPECT_EQ(tensor("uint8", {bytes}).size, bytes);
    EXPECT_EQ(tensor("uint8", {bytes}).shape[0], bytes);
  }
  EXPECT_EQ(tensor("int32", {k32 / 4 + 1}).size, k32 + 4);
  EXPECT_EQ(tensor("float16", {65536, 32768}).size, k32);
  EXPECT_EQ(tensor("int64", {kMax / 8}).size, kMax - 7);
  // int32 with its last dimension doubled, as int64 data are passed: twice the bytes, nothing else.
  EXPECT_EQ(tensor("int32", {4, 6}).size, 96u);
  EXPECT_EQ(tensor("int32", {4, 12}).size, 192u);
  EXPECT_EQ(tensor("int32", {4, 12}).shape, (std::vector<std::uint64_t>{4, 12}));

  const auto overflows = [](const char* dtype, const Json& good, const Json& bad) {
    expect_refused(
        with_tensor(dtype, good), [&](NeffModel& m) { m.neff["attrs"]["shape"][1][0] = bad; },
        Reason::io_size_overflow, "neff.json/attrs/shape/1/0");
  };
  overflows("int64", {kMax / 8}, {kMax / 8 + 1});
  overflows("int16", {kMax / 2}, {kMax / 2 + 1});
  overflows("uint8", {k32, k32 - 1}, {k32, k32});
  overflows("uint8", {kMax, 1}, {kMax, 2});
  overflows("float32", Json(std::vector<int>(30, 4)), Json(std::vector<int>(31, 4)));
  // A 0 anywhere: size 0, whatever the rest.
  for (const Json& shape : {Json{0}, Json{0, kMax, kMax}, Json{kMax, kMax, 0}, Json{kMax, 0, kMax}})
    EXPECT_EQ(tensor("int64", shape).size, 0u) << shape;
  // Dimensions are integers of 64 bits.
  expect_refused(
      with_tensor("int8", {5}),
      [](NeffModel& m) {
        m.neff["attrs"]["shape"][1][0] = {0, -1};
      },
      Reason::io_value, "neff.json/attrs/shape/1/0/1");
}

TEST(GraphIo, ManyHeadsOfOneNode) {
  ASSAY_COVERS("IO-006");
  // One long name shared by many outputs is text in the file and memory here.
  NeffModel m;
  m.neff["nodes"][2]["output_names"] = {std::string(1 << 16, 'n')};
  m.neff["node_row_ptr"][2] = 0;
  for (int i = 0; i < 1000; ++i) m.neff["heads"].push_back({2, 0});
  m.options.limits.expanded_bytes = 1 << 27;
  EXPECT_EQ(io_of(m).outputs.size(), 1002u);
  m.options.limits.expanded_bytes = 1 << 25;
  const auto refused = m.lower();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(row_of(refused.error().reason).id, "limit-expanded-bytes");
  EXPECT_EQ(refused.error().row().status, NrtStatus::resource);
  EXPECT_EQ(refused.error().place.text(), "neff.json/nodes/2/output_names/0");
}

}  // namespace
}  // namespace assay::test
