// SPDX-License-Identifier: Apache-2.0
// One image written by hand, with a record of every kind: each kind's fields decoded and compared
// with the values read off the bytes (corpus/images/all_kinds.hex, .fields).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "oracle/image/dump.h"
#include "oracle/test/covers.h"
#include "oracle/test/images.h"

namespace assay::test {
namespace {

using Json = nlohmann::json;

struct Case {
  Bytes bytes = load_hex("all_kinds.hex");
  Inspected seen = look_at(bytes);
  Json fields = Json::parse(fields_json(seen.result.view.value()));
  Json expected;

  Case() {
    std::istringstream lines(read_corpus("images/all_kinds.fields"));
    std::string line;
    while (std::getline(lines, line)) {
      const auto space = line.find(' ');
      if (line.empty() || line[0] == '#') continue;
      expected[line.substr(0, space)] = Json::parse(line.substr(space + 1));
    }
  }
};

// Compares every expected path that starts with one of the prefixes; `paths` is their number.
void compare(std::initializer_list<const char*> prefixes, std::size_t paths) {
  const Case c;
  std::size_t n = 0;
  for (const auto& [path, value] : c.expected.items()) {
    const bool ours =
        std::any_of(prefixes.begin(), prefixes.end(), [&p = path](const char* prefix) {
          return p.compare(0, std::string(prefix).size(), prefix) == 0;
        });
    if (!ours) continue;
    ++n;
    ASSERT_TRUE(c.fields.contains(path)) << path;
    EXPECT_EQ(c.fields[path], value) << path;
  }
  EXPECT_EQ(n, paths);
}

TEST(HandWrittenImage, IsSound) {
  ASSAY_COVERS("IMG-001", "IMG-002");
  EXPECT_TRUE(sound(load_hex("all_kinds.hex")));
}

TEST(HandWrittenImage, HasExactlyTheExpectedPaths) {
  ASSAY_COVERS("IMG-002", "LAY-001");
  const Case c;
  EXPECT_EQ(c.fields, c.expected);
  std::set<std::string> paths;
  walk(*c.seen.result.view, [&](const FieldVisit& v) { EXPECT_TRUE(paths.insert(v.path).second); });
  EXPECT_EQ(paths.size(), c.expected.size());
}

TEST(HandWrittenImage, HoldsEveryKind) {
  const Case c;
  std::set<std::uint32_t> kinds;
  for (std::size_t i = 0; i < c.seen.result.view->records(); ++i)
    kinds.insert(static_cast<std::uint32_t>(c.seen.result.view->record_at(i).kind));
  EXPECT_EQ(kinds.size(), kMaxKind);
}

TEST(HandWrittenImage, Kind1Kbin) {
  ASSAY_COVERS("LAY-002", "LAY-026");
  compare({"target", "fp8_conv_cfg.", "cc_streams.", "act_function_sets.act_", "dma[1",
           "act_function_sets.num", "replica_groups.num", "src_target_pairs.num",
           "ucode_lib_set.num"}, 1 + 6 + 1 + 1 + 11 + 1 + 1 + 1 + 1);
}
TEST(HandWrittenImage, Kind2Engine) {
  ASSAY_COVERS("LAY-003");
  compare({"engine["}, 20);
}
TEST(HandWrittenImage, Kind3Dma) {
  ASSAY_COVERS("LAY-004");
  compare({"dma[0].r", "dma[0].o", "dma[0].q", "dma[0].s", "dma[0].p", "dma[0].d", "dma[0].f"},
          12 + 35);
}
TEST(HandWrittenImage, Kind4RingInstance) {
  ASSAY_COVERS("LAY-005", "LAY-006", "LAY-007", "LAY-009");
  compare({"dma[0].ring_instances[0]."}, 35);
}
TEST(HandWrittenImage, Kind5MemRefSet) {
  ASSAY_COVERS("LAY-010", "LAY-011");
  compare({"mem_ref_set."}, 3 + 6 * 16 + 1 + 3 + 2 + 2 + 2);
}
TEST(HandWrittenImage, Kind6ActFunctionSets) {
  ASSAY_COVERS("LAY-013", "LAY-014");
  compare({"act_function_sets.sets[0]."}, 6 + 26);
}
TEST(HandWrittenImage, Kind7DveConfig) {
  ASSAY_COVERS("LAY-015", "LAY-016");
  compare({"dve_config."}, 8);
}
TEST(HandWrittenImage, Kind8Carveouts) {
  ASSAY_COVERS("LAY-017", "LAY-018");
  compare({"sb_carveouts."}, 6);
}
TEST(HandWrittenImage, Kind9And10ReplicaGroups) {
  ASSAY_COVERS("LAY-019", "LAY-020");
  compare({"replica_groups."}, 4);
}
TEST(HandWrittenImage, Kind11And12And19SrcTargetPairs) {
  ASSAY_COVERS("LAY-021", "LAY-022", "LAY-023");
  compare({"src_target_pairs."}, 8);
}
TEST(HandWrittenImage, Kind13And14UcodeLibs) {
  ASSAY_COVERS("LAY-024", "LAY-025");
  compare({"ucode_lib_set."}, 10);
}
TEST(HandWrittenImage, Kind15DebugTensor) {
  ASSAY_COVERS("LAY-012");
  compare({"mem_ref_set.mem[0].dtensor_md."}, 2);
}
TEST(HandWrittenImage, Kind16Strings) {
  compare({"mem_ref_set.mem[0].name", "mem_ref_set.mem[5].name",
           "dma[0].ring_instances[0].desc[0].function_name"}, 3);
}
TEST(HandWrittenImage, Kind17Bytes) {
  compare({"mem_ref_set.mem[5].buffer", "act_function_sets.sets[0].bkt_tbl",
           "dve_config.datapath_table.buffer", "ucode_lib_set.libs[0].content"}, 5);
}
TEST(HandWrittenImage, Kind18Words) {
  compare({"mem_ref_set.mem[1].u.list.list["}, 2);
}

// transpose_info shares the place of cce_info: the same bytes read under another op.
TEST(HandWrittenImage, TransposeInfo) {
  ASSAY_COVERS("LAY-008");
  Bytes b = load_hex("all_kinds.hex");
  set_u32(b, 2764, 5);  // op TRANSPOSE
  std::fill(b.begin() + 3088, b.begin() + 3248, 0);  // its second source is not in use
  std::fill(b.begin() + 8052, b.begin() + 8192, 0);
  const Bytes info = {'X', 'Y', 'Z', 'W', 4, 0, 0, 0, 1, 0, 0, 0, 2,
                      0,   0,   0,   3,   0, 0, 0, 0, 1, 0, 0, 9};
  std::copy(info.begin(), info.end(), b.begin() + 8052);
  repair(b);
  EXPECT_TRUE(sound(b));
  const Inspected i = look_at(b);
  const Json fields = Json::parse(fields_json(i.result.view.value()));
  const std::string path = "dma[0].ring_instances[0].desc[0].u.info.";
  EXPECT_EQ(fields[path + "transpose_op"], "WFlaVw==");
  EXPECT_EQ(fields[path + "element_size"], 4);
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(fields[path + "shape[" + std::to_string(k) + "]"],
              (Json{1, 2, 3, 256})[static_cast<std::size_t>(k)]);
  EXPECT_EQ(fields[path + "reserved"], "CQ" + std::string(153, 'A') + "=");
  EXPECT_FALSE(fields.contains(path + "num_sources"));
}

// 8 bytes of u.min_max's 12 have a meaning; the rest of the union is zero.
TEST(HandWrittenImage, MinMaxInfo) {
  ASSAY_COVERS("LAY-007", "IMG-020");
  for (const std::uint32_t op : {3U, 4U}) {
    Bytes b = load_hex("all_kinds.hex");
    set_u32(b, 2764, op);
    std::fill(b.begin() + 8056, b.begin() + 8188, 0);
    b[8056] = 1;
    set_u32(b, 8060, 14);
    set_u32(b, 8064, 0xfffffffe);
    repair(b);
    EXPECT_TRUE(sound(b));
    const Inspected i = look_at(b);
    const Json fields = Json::parse(fields_json(i.result.view.value()));
    const std::string path = "dma[0].ring_instances[0].desc[0].u.info.";
    EXPECT_EQ(fields[path + "u.min_max.use_constant"], true);
    EXPECT_EQ(fields[path + "u.min_max.constant_dtype"], 14);
    EXPECT_EQ(fields[path + "u.min_max.constant"], 4294967294);
    EXPECT_FALSE(fields.contains(path + "u.fma.scale_dtype"));
    Bytes bad = b;
    bad[8057] = 1;  // padding behind use_constant
    repair(bad);
    EXPECT_TRUE(refused_as(bad, "IMG-020"));
    bad = b;
    bad[8068] = 1;  // past the 12 bytes
    repair(bad);
    EXPECT_TRUE(refused_as(bad, "IMG-020"));
  }
}

}  // namespace
}  // namespace assay::test
