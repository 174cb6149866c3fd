// SPDX-License-Identifier: Apache-2.0
// Keys: which of two counts, which are read, and what a read one must hold (JSN-007..009,
// JSN-012..016, JSN-019). Integers have a file of their own.
#include <gtest/gtest.h>

#include <string>

#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

constexpr const char* kDef = "def.json";

Model raw_model(const std::string& var) {
  Model m;
  m.raw = R"({"runtime_statebuffer_reservation":[],"var":{)" + var + "}}";
  return m;
}

TEST(JsonKeys, TheFirstOfDuplicatesCounts) {
  ASSAY_COVERS("JSN-007");
  struct Row {
    const char* body;
    std::uint64_t size;
  };
  // An escaped spelling is the same key.
  for (const Row& row : {Row{R"("size":5,"size":7)", 5},
                         {R"("size":7,"size":5)", 7},
                         {R"("size":5,"s\u0069ze":7)", 5},
                         {R"("s\u0069ze":7,"size":5)", 7},
                         {R"("\u0073\u0069\u007a\u0065":7,"size":5)", 7},
                         {R"("size":5,"size":"x")", 5},
                         {R"("size":5,"size":null,"size":[])", 5},
                         {R"("Size":9,"size ":9,"size":5)", 5},
                         {R"("size\u0000":9,"size":5)", 5},
                         {R"("siz":9,"sizee":9,"size":5)", 5}}) {
    const Stored s(raw_model(std::string(R"("o":{"type":"output","var_id":0,)") + row.body + "}"));
    EXPECT_EQ(s.number("mem_ref_set.mem[0].size"), row.size) << row.body;
  }
  // The first one's type is the one that is judged.
  expect_refused(
      raw_model(R"("o":{"type":"output","var_id":0,"size":5,"size":"x"})"),
      [](Model& m) { m = raw_model(R"("o":{"type":"output","var_id":0,"size":"x","size":5})"); },
      Reason::not_an_integer, "/var/o/size");
}

TEST(JsonKeys, TheFirstOfDuplicateSectionsCounts) {
  ASSAY_COVERS("JSN-007");
  Model m;
  m.raw = R"({"v\u0061r":{"o":{"type":"output","var_id":0,"size":5}},"var":7,
              "runtime_statebuffer_reservation":[],"runtime_statebuffer_reservation":7})";
  EXPECT_EQ(Stored(m).number("mem_ref_set.mem[0].size"), 5u);
  // An escaped key of a consumed section, in other members too.
  Model engine = full_model();
  engine.files["pe.json"] = R"({"\u0069nstr":"pe.bin","instr":7,"dma":[]})";
  EXPECT_EQ(Stored(engine).number("engine[2].ninstr"), 1u);
}

TEST(JsonKeys, AVariableNameTwice) {
  ASSAY_COVERS("JSN-008");
  const std::string out = R"("o":{"type":"output","var_id":0,"size":5},)";
  const auto second = [&](const char* name, int id) {
    return raw_model(out + "\"" + name + R"(":{"type":"input","size":1,"var_id":)" +
                     std::to_string(id) + "}");
  };
  for (const char* name : {"o", "\\u006f", "\\u006F"})
    expect_refused(
        second("p", 1), [&](Model& m) { m = second(name, 1); }, Reason::var_name_twice, "/var/o");
  expect_accepted(second("O", 1), [](Model&) {});
  expect_accepted(second("", 1), [](Model&) {});
}

TEST(JsonKeys, AQueueNameTwice) {
  ASSAY_COVERS("JSN-009");
  const auto model = [](const char* name) {
    Model m = small_model();
    m.raw = m.def.dump();
    m.raw.pop_back();
    m.raw += std::string(R"(,"dma_queue":{"q":{"type":"in","owner":"pe"},")") + name +
             R"(":{"type":"out","owner":"pe"}}})";
    return m;
  };
  for (const char* name : {"q", "\\u0071"})
    expect_refused(
        model("r"), [&](Model& m) { m = model(name); }, Reason::queue_name_twice, "/dma_queue/q");
}

// Values that would be refused where a key is consumed.
const char* const kOdd[] = {"null",  "{}",          "[]",   "-1",
                            "1e300", "\"\\u0000\"", "true", "[[[{\"var\":1}]]]"};

TEST(JsonKeys, UnknownKeysAreIgnored) {
  ASSAY_COVERS("JSN-012");
  struct Row {
    const char* member;
    const char* object;  // that gets the key
  };
  const auto bytes = [](const Model& m) {
    const auto tree = must_lower(m);
    return tree ? std::string(as_text(encode(*tree)->view())) : std::string();
  };
  const std::string plain = bytes(full_model());
  const char* const keys[] = {"#comment", "comment", "zz",      "",
                              "TYPE",     "type ",   "a~1b~0c", "fabric_path"};
  std::size_t shift = 0;  // so that every object meets every key, and over all every value
  for (const Row& row : {Row{kDef, ""},
                         {kDef, "/var/in"},
                         {kDef, "/var/virt"},
                         {kDef, "/dma_queue/q_act"},
                         {kDef, "/dma_queue/q_dyn/dynamic_dma"},
                         {kDef, "/dma/0"},
                         {kDef, "/dma/0/desc/0"},
                         {kDef, "/dma/1/desc/1/from_arr/0"},
                         {kDef, "/ucode_lib/0"},
                         {kDef, "/ucode_lib/0/functions/0"},
                         {kDef, "/cc_streams"},
                         {kDef, "/runtime_statebuffer_reservation/0"},
                         {kDef, "/fp8_conversion_config"},
                         {"pe.json", ""},
                         {"act.json", ""},
                         {"dve.json", "/dve_tables/0"},
                         {"act_info.json", ""},
                         {"act_info.json", "/act_func_sets/0"},
                         {"profile.json", ""},
                         {"profile.json", "/profile_meta_data/0"}}) {
    for (std::size_t i = 0; i < std::size(keys); ++i) {
      const char* value = kOdd[(i + shift) % std::size(kOdd)];
      Model m = full_model();
      put_raw(m, row.member, std::string(row.object) + "/" + keys[i], value);
      ASSERT_EQ(bytes(m), plain) << row.member << row.object << " " << keys[i] << " " << value;
    }
    ++shift;
  }
}

TEST(JsonKeys, KeysThatDecideNoByteAreNotRead) {
  ASSAY_COVERS("JSN-013", "JSN-012");
  for (const char* value : kOdd) {
    SCOPED_TRACE(value);
    const auto same = [&](const char* pointer, std::function<void(Model&)> prepare = {}) {
      Model plain = full_model();
      if (prepare) prepare(plain);
      Model m = plain;
      put_raw(m, kDef, pointer, value);
      EXPECT_EQ(Stored(m).all(), Stored(plain).all()) << pointer;
    };
    same("/dma/0/desc/0/size");           // beside arrays
    same("/dma_queue/q_data/semaphore");  // beside semaphore_set
    same("/num_streams");                 // beside cc_streams
    same("/dma/1/queue");                 // beside a listed instance_name
    same("/dma/1/desc/2/scale");          // on an ADD
    same("/dma/1/desc/2/from_arr/0/scale");
    same("/dma/1/desc/2/from_arr/0/scale_dtype");
    same("/dma/1/desc/4/constant");  // without constant_dtype
    same("/dma/0/desc/0/constant");  // on a copy
    same("/dma/0/desc/0/constant_dtype");
    same("/dma/0/desc/0/from_arr");
    same("/dma/0/desc/0/transpose_op");
    same("/var/sb/size");
    same("/var/sb/alignment");
    same("/var/sb/list");
    same("/dma/0/section_start_desc", [](Model& m) {
      m.target = ArchType::SUNDA;
      m.def["dma_queue"].erase("q_dyn");
    });
  }
}

// Every consumed key that is no integer, with what it takes.
enum Takes { string, boolean, array, object, number };
struct Spot {
  const char* member;
  const char* pointer;
  Takes takes;
};
const Spot kSpots[] = {
    {kDef, "", object},
    {kDef, "/var", object},
    {kDef, "/var/in", object},
    {kDef, "/var/in/type", string},
    {kDef, "/var/in/dtype", string},
    {kDef, "/var/in/shape", array},
    {kDef, "/var/tmp/prefix", string},
    {kDef, "/var/virt/backing_buf", string},
    {kDef, "/var/list/list", array},
    {kDef, "/var/table/list", array},
    {kDef, "/var/file/file_name", string},
    {kDef, "/dma_queue", object},
    {kDef, "/dma_queue/q_data", object},
    {kDef, "/dma_queue/q_data/type", string},
    {kDef, "/dma_queue/q_data/owner", string},
    {kDef, "/dma_queue/q_data/semaphore_set", array},
    {kDef, "/dma_queue/q_data/queue_instances", array},
    {kDef, "/dma_queue/q_data/queue_instances/0", string},
    {kDef, "/dma_queue/q_data/indirect_memcpy", boolean},
    {kDef, "/dma_queue/q_data/dge", boolean},
    {kDef, "/dma_queue/q_data/pinned", boolean},
    {kDef, "/dma_queue/q_dyn/dynamic_dma", object},
    {kDef, "/replica_groups", array},
    {kDef, "/replica_groups/0", array},
    {kDef, "/replica_groups/0/0", array},
    {kDef, "/src_target_pairs", array},
    {kDef, "/src_target_pairs/0", array},
    {kDef, "/src_target_pairs/0/0", array},
    {kDef, "/ext_isa_ucode_lib_def", object},
    {kDef, "/ext_isa_ucode_lib_def/functions", array},
    {kDef, "/ucode_lib/0", object},
    {kDef, "/ucode_lib/0/library", string},
    {kDef, "/ucode_lib/0/ulib_to_ucode_version", string},
    {kDef, "/ucode_lib/0/functions", array},
    {kDef, "/ucode_lib/0/functions/0", object},
    {kDef, "/ucode_lib/0/functions/0/name", string},
    {kDef, "/runtime_statebuffer_reservation", array},
    {kDef, "/runtime_statebuffer_reservation/0", object},
    {kDef, "/runtime_statebuffer_reservation/0/type", string},
    {kDef, "/cc_streams", object},
    {kDef, "/dma", array},
    {kDef, "/dma/0", object},
    {kDef, "/dma/0/queue", string},
    {kDef, "/dma/1/instance_name", string},
    {kDef, "/dma/1/function_start", string},
    {kDef, "/dma/1/section_start_desc", boolean},
    {kDef, "/dma/0/desc", array},
    {kDef, "/dma/0/desc/0", object},
    {kDef, "/dma/0/desc/0/op", string},
    {kDef, "/dma/0/desc/0/from", string},
    {kDef, "/dma/0/desc/0/to", string},
    {kDef, "/dma/0/desc/0/from_sizes", array},
    {kDef, "/dma/0/desc/0/from_steps", array},
    {kDef, "/dma/0/desc/0/to_sizes", array},
    {kDef, "/dma/0/desc/0/to_steps", array},
    {kDef, "/dma/0/desc/0/from_dtype", string},
    {kDef, "/dma/0/desc/0/to_dtype", string},
    {kDef, "/dma/1/desc/1/from_arr", array},
    {kDef, "/dma/1/desc/1/from_arr/0", object},
    {kDef, "/dma/1/desc/1/from_arr/0/from", string},
    {kDef, "/dma/1/desc/1/from_arr/0/from_dtype", string},
    {kDef, "/dma/1/desc/1/from_arr/0/scale", number},
    {kDef, "/dma/1/desc/1/from_arr/0/scale_dtype", string},
    {kDef, "/dma/1/desc/1/scale", number},
    {kDef, "/dma/1/desc/1/scale_dtype", string},
    {kDef, "/dma/1/desc/3/constant_dtype", string},
    {kDef, "/dma/1/desc/5/transpose_op", string},
    {kDef, "/dma/1/desc/5/transpose_shape", array},
    {kDef, "/fp8_conversion_config", object},
    {kDef, "/fp8_conversion_config/fp8_range_extension", boolean},
    {kDef, "/fp8_conversion_config/ocp_sat", boolean},
    {kDef, "/fp8_conversion_config/fp8_sis", boolean},
    {kDef, "/fp8_conversion_config/fp8_sns", boolean},
    {kDef, "/pe", string},
    {kDef, "/act", string},
    {kDef, "/pool", string},
    {kDef, "/dve", string},
    {kDef, "/sp", string},
    {"pe.json", "", object},
    {"pe.json", "/instr", string},
    {"pe.json", "/dma", array},
    {"act.json", "/activation_function_sets", array},
    {"act.json", "/activation_function_sets/0", string},
    {"act.json", "/act_info", string},
    {"act_info.json", "", object},
    {"act_info.json", "/act_func_sets", array},
    {"act_info.json", "/act_func_sets/0", object},
    {"act_info.json", "/act_func_sets/0/name", string},
    {"act_info.json", "/act_func_sets/0/bkt_bin", string},
    {"act_info.json", "/act_func_sets/0/ctrl_bin", string},
    {"act_info.json", "/act_func_sets/0/profile_json", string},
    {"profile.json", "", object},
    {"profile.json", "/profile_meta_data", array},
    {"profile.json", "/profile_meta_data/0", object},
    {"dve.json", "/dve_tables/0", object},
    {"dve.json", "/dve_tables/0/opcode_table", string},
    {"dve.json", "/dve_tables/0/control_slow_table", string},
    {"dve.json", "/dve_tables/0/datapath_table", string},
};

struct Sample {
  const char* literal;
  Takes type;
};
// An empty one of each type, and null.
constexpr Sample kSamples[] = {{"\"x\"", string}, {"true", boolean}, {"false", boolean},
                               {"[]", array},     {"{}", object},    {"1", number},
                               {"0.5", number}};

void expect_wrong(const Spot& s, const char* literal) {
  Model m = full_model();
  // Read for MARIANA alone (UCL-010).
  if (std::string(s.pointer).find("/ext_isa") == 0) m.target = ArchType::MARIANA;
  put_raw(m, s.member, s.pointer, literal);
  const auto tree = lower_model(m);
  if (tree) {
    ADD_FAILURE() << s.member << s.pointer << " = " << literal << " accepted";
    return;
  }
  const std::string id(row_of(tree.error().reason).id);
  const bool null = std::string(literal) == "null";
  if (s.takes == boolean)
    EXPECT_EQ(id, "not-a-boolean") << tree.error().text();
  else
    EXPECT_EQ(id, null ? "null-value" : "wrong-type") << tree.error().text();
  EXPECT_EQ(tree.error().place.member, std::string("sg00/") + s.member);
  EXPECT_EQ(tree.error().place.pointer, s.pointer);
}

TEST(JsonKeys, AConsumedKeyOfAnotherType) {
  ASSAY_COVERS("JSN-014", "JSN-015", "JSN-016");
  must_lower(full_model());
  for (const Spot& s : kSpots) {
    for (const Sample& sample : kSamples)
      if (sample.type != s.takes) expect_wrong(s, sample.literal);
    expect_wrong(s, "null");
  }
  // ucode_lib takes an array or a member's name.
  for (const char* literal : {"1", "true", "{}", "null"}) {
    Model m = full_model();
    put_raw(m, kDef, "/ucode_lib", literal);
    EXPECT_NE(outcome_of(m), "ok") << literal;
  }
}

TEST(JsonKeys, BooleansTakeTrueAndFalse) {
  ASSAY_COVERS("JSN-014");
  for (const Spot& s : kSpots)
    if (s.takes == boolean)
      for (const char* literal : {"true", "false"}) {
        Model m = full_model();
        put_raw(m, s.member, s.pointer, literal);
        must_lower(m);
      }
}

TEST(JsonKeys, ANulInAConsumedStringOrName) {
  ASSAY_COVERS("JSN-019");
  for (const Spot& s : kSpots) {
    if (s.takes != string) continue;
    for (const char* literal : {R"("\u0000")", R"("x\u0000")", R"("\u0000x")"}) {
      Model m = full_model();
      put_raw(m, s.member, s.pointer, literal);
      EXPECT_EQ(outcome_of(m), "nul-in-string") << s.member << s.pointer << " = " << literal;
    }
  }
  const auto named = [](const char* name) {
    return raw_model(R"("o":{"type":"output","var_id":0,"size":5},")" + std::string(name) +
                     R"(":{"type":"state-buffer","var_id":1})");
  };
  expect_refused(
      named("p"), [&](Model& m) { m = named("p\\u0000"); }, Reason::nul_in_string, "/var/p");
  Model queue = small_model();
  queue.def["dma_queue"]["q"] = {{"type", "in"}, {"owner", "pe"}};
  expect_refused(
      queue,
      [](Model& m) {
        const std::string text = m.def.dump();
        m.raw = text;
        m.raw.replace(m.raw.find("\"q\""), 3, "\"q\\u0000\"");
      },
      Reason::nul_in_string, "/dma_queue/q");
  // Every other control character may be escaped into a name.
  EXPECT_EQ(Stored(named("\\u0001\\u001f\\u007f")).text("mem_ref_set.mem[1].name"), "\x01\x1f\x7f");
}

}  // namespace
}  // namespace assay::test
