// SPDX-License-Identifier: Apache-2.0
// Walks, dumps and field values as people and scripts get them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/image/dump.h"
#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

using Json = nlohmann::json;

struct Small {
  Bytes bytes = encoded(small_tree());
  Inspected seen = look_at(bytes);
  const View& view() const { return *seen.result.view; }
};

std::map<std::string, std::string> texts_of(const View& view) {
  std::map<std::string, std::string> out;
  walk(view, [&out](const FieldVisit& v) { out[v.path] = value_text(v); });
  return out;
}

TEST(ImageDump, ValuesForPeople) {
  const Small s;
  auto texts = texts_of(s.view());
  const std::map<std::string, std::string> expected = {
      {"target", "CAYMAN (3)"},
      {"engine[3].eng_type", "POOL (2)"},
      {"engine[3].name", "\"pool\""},
      {"engine[1].instr", "3 bytes 010203"},
      {"engine[2].instr", "130 bytes 78787878787878787878787878787878..."},
      {"dma[2]", "NULL"},
      {"mem_ref_set.mem[9].name", "\"caf\\xc3\""},
      {"mem_ref_set.mem[10].name", "\"\""},
      {"dma[0].ring_instances[0].desc[0].u.to.steps[1]", "-64"},
      {"dma[0].ring_instances[0].desc[1].u.info.u.fma.scale[1]", "1.5 (0x3fc00000)"},
      {"dma[0].ring_instances[0].desc[3].u.info.u.min_max.use_constant", "true"},
      {"dma[0].ring_instances[0].desc[4].u.info.transpose_op", "4 bytes 575a5958"},
      {"act_function_sets.sets[0].profile_data[1].exp_offset", "-3"}};
  for (const auto& [path, text] : expected) EXPECT_EQ(texts[path], text) << path;
}

TEST(ImageDump, ValuesThatAreNone) {
  const Small s;
  const auto offsets = offsets_of(s.bytes);
  Bytes b = s.bytes;
  set_u32(b, offsets.at("engine[0].eng_type"), 5);
  b[offsets.at("fp8_conv_cfg.sns")] = 7;
  repair(b);
  const Inspected i = look_at(b);
  auto texts = texts_of(i.result.view.value());
  EXPECT_EQ(texts["engine[0].eng_type"], "5 (no enumerator)");
  EXPECT_EQ(texts["fp8_conv_cfg.sns"], "7 (no boolean)");
  EXPECT_EQ(Json::parse(fields_json(*i.result.view))["fp8_conv_cfg.sns"], 7);
}

// Only slots in use and the active union members; NULL pointers as such.
TEST(ImageDump, PathsInUse) {
  const Small s;
  const Json f = Json::parse(fields_json(s.view()));
  const std::string desc = "dma[0].ring_instances[0].desc[";
  EXPECT_TRUE(f["dma[31]"].is_null());
  EXPECT_FALSE(f.contains("dma[0].semaphores[2]"));
  EXPECT_TRUE(f.contains("mem_ref_set.mem[10].shape[7]"));
  EXPECT_FALSE(f.contains(desc + "0].u.from[1].idx"));
  EXPECT_TRUE(f.contains(desc + "1].u.from[1].idx"));
  EXPECT_FALSE(f.contains(desc + "1].u.from[2].idx"));
  EXPECT_FALSE(f.contains(desc + "1].u.info.u.min_max.use_constant"));
  EXPECT_FALSE(f.contains(desc + "3].u.info.u.fma.scale_dtype"));
  EXPECT_FALSE(f.contains(desc + "0].u.info"));
  EXPECT_FALSE(f.contains(desc + "0].u.info.num_sources"));
  EXPECT_TRUE(f.contains(desc + "2].u.info.num_dests"));
  EXPECT_FALSE(f.contains("mem_ref_set.mem[5].u.virtual.offset"));
  EXPECT_TRUE(f["mem_ref_set.mem[8].u.list.list"].is_null());
  EXPECT_EQ(f["mem_ref_set.mem[7].u.list.list[2]"], 2);
  EXPECT_FALSE(f.contains("act_function_sets.sets[0].profile_data[2].func_id"));
  EXPECT_EQ(f["mem_ref_set.mem[9].name"], "Y2Fmww==");
  EXPECT_EQ(f[desc + "1].u.info.u.fma.scale[1]"], 0x3fc00000);
  EXPECT_EQ(f["mem_ref_set.mem[3].buffer"], "MDEyMzQ=");
}

// 2^53 is the last integer that a JSON reader on doubles holds.
TEST(ImageDump, IntegersBeyondDoubles) {
  const std::uint64_t exact = std::uint64_t{1} << 53;
  const std::pair<std::uint64_t, Json> cases[] = {
      {exact - 1, exact - 1}, {exact, exact}, {exact + 1, "9007199254740993"},
      {~std::uint64_t{0}, "18446744073709551615"}};
  for (const auto& [value, json] : cases) {
    Tree t = minimal_tree();
    t.root().cc_streams.num_streams = value;
    const Bytes b = encoded(t);
    const Inspected i = look_at(b);
    EXPECT_EQ(Json::parse(fields_json(i.result.view.value()))["cc_streams.num_streams"], json);
  }
  const std::pair<std::int64_t, Json> signs[] = {
      {-9007199254740992, -9007199254740992}, {-9007199254740993, "-9007199254740993"}};
  for (const auto& [value, json] : signs) {
    Tree t = minimal_tree();
    t.root().dma[0] = t.make_dma(1);
    auto* instance = instances_of(t.root().dma[0])[0] = t.make_ring_instance(1);
    set_desc(desc_of(instance)[0], DescOp::COPY, 1);
    desc_of(instance)[0].u.to.steps[0] = value;
    const Bytes b = encoded(t);
    const Inspected i = look_at(b);
    EXPECT_EQ(Json::parse(fields_json(i.result.view.value()))
                  ["dma[0].ring_instances[0].desc[0].u.to.steps[0]"], json);
  }
}

TEST(ImageDump, JsonHoldsEverything) {
  const Small s;
  const Json j = Json::parse(dump_json(s.view()));
  EXPECT_EQ(j["header"]["image_size"], s.bytes.size());
  EXPECT_EQ(j["header"]["target_name"], "CAYMAN");
  ASSERT_EQ(j["records"].size(), s.view().records());
  for (std::size_t i = 0; i < s.view().records(); ++i) {
    EXPECT_EQ(j["records"][i]["offset"], s.view().record_at(i).offset);
    EXPECT_EQ(j["records"][i]["size"], s.view().record_at(i).size);
    EXPECT_EQ(j["records"][i]["kind"], static_cast<std::uint32_t>(s.view().record_at(i).kind));
  }
  EXPECT_EQ(j["records"][0]["path"], "");
  EXPECT_EQ(j["records"][7]["path"], "dma[0].ring_instances[0]");
  EXPECT_EQ(j["records"][8]["path"], "dma[0].ring_instances[0].desc[0].function_name");
  const Json fields = Json::parse(fields_json(s.view()));
  ASSERT_EQ(j["fields"].size(), fields.size());
  for (const Json& f : j["fields"]) {
    EXPECT_EQ(f["value"], fields[f["path"].get<std::string>()]);
    EXPECT_GE(f["offset"], f["record"]);
  }
  const auto steps = std::find_if(j["fields"].begin(), j["fields"].end(), [](const Json& f) {
    return f["path"] == "dma[0].ring_instances[0].desc[0].u.to.steps[0]";
  });
  EXPECT_EQ((*steps)["evidence"], "medium");
  EXPECT_EQ((*steps)["type"], "i64");
}

TEST(ImageDump, SelectAndHex) {
  const Small s;
  const Json name = Json::parse(dump_json(s.view(), {"mem_ref_set.mem[3].name", true}));
  ASSERT_EQ(name["fields"].size(), 1u);  // brackets are no character class
  EXPECT_EQ(name["fields"][0]["text"], "var");
  EXPECT_EQ(name["fields"][0]["bytes"], "766172");
  EXPECT_EQ(Json::parse(dump_json(s.view(), {"*.ninstr", false}))["fields"].size(), 5u);
  EXPECT_EQ(Json::parse(dump_json(s.view(), {"mem_ref_set.mem[1?].name", false}))["fields"].size(),
            1u);
  EXPECT_EQ(Json::parse(dump_json(s.view(), {"no such path", false}))["fields"].size(), 0u);
  const std::string text = dump_text(s.view(), {"engine[1].instr", true});
  EXPECT_NE(
      text.find(
          "    1152    +320  bytes    engine[1].instr = 3 bytes 010203\n            010203\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("engine[2]"), std::string::npos);
}

TEST(ImageDump, TextIsOneLineEach) {
  const Small s;
  const std::string text = dump_text(s.view());
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(lines, 2 + 2 + s.view().records() + 2 + Json::parse(fields_json(s.view())).size());
  EXPECT_NE(text.find("  target = CAYMAN (3)\n"), std::string::npos);
}

TEST(ImageDump, ViewLookups) {
  const Small s;
  EXPECT_EQ(s.view().find(80), &s.view().record_at(0));
  EXPECT_EQ(s.view().find(81), nullptr);
  EXPECT_EQ(s.view().find(0), nullptr);
  EXPECT_EQ(s.view().follow(80), s.view().find(512));
  EXPECT_EQ(s.view().follow(80 + 40 + 8 * 31), nullptr);
  EXPECT_EQ(s.view().header().subgraph, 3u);
}

}  // namespace
}  // namespace assay::test
