// SPDX-License-Identifier: Apache-2.0
// What each type of variable holds: pointers, lists, files, virtual variables, debug records
// (VAR-008..011, VAR-019..029, VAR-033, VAR-034).
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "oracle/test/covers.h"
#include "oracle/test/stored.h"

namespace assay::test {
namespace {

constexpr std::uint64_t k32 = std::uint64_t{1} << 32;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

using Change = std::function<void(Model&)>;

// full_model()'s variables: sb 0, in 1, out 2, tmp 3, virt 4, ptr 5, list 6, table 7, file 8,
// far 9.
std::string mem(std::size_t id, const std::string& field) {
  return "mem_ref_set.mem[" + std::to_string(id) + "]." + field;
}
Change put(const char* name, const char* key, const Json& value) {
  return [=](Model& m) { m.def["var"][name][key] = value; };
}
Change drop(const char* name, const char* key) {
  return [=](Model& m) { m.def["var"][name].erase(key); };
}
Stored with(const Change& change) {
  Model m = full_model();
  change(m);
  return Stored(m);
}

TEST(VariableTypes, PointerReference) {
  ASSAY_COVERS("VAR-008", "VAR-010");
  for (std::uint32_t id = 0; id < 10; ++id) {
    const Stored s = with(put("ptr", "referenced_var_id", id));
    EXPECT_EQ(s.number(mem(5, "u.ptr.referenced_var_id")), id);
    EXPECT_EQ(s.number(mem(5, "size")), 8u);
  }
  expect_refused(full_model(), drop("ptr", "referenced_var_id"), Reason::pointer_reference,
                 "/var/ptr");
  for (const std::uint64_t id : {std::uint64_t{10}, k32 - 1})
    expect_refused(full_model(), put("ptr", "referenced_var_id", id), Reason::pointer_reference,
                   "/var/ptr/referenced_var_id");
  expect_refused(full_model(), put("ptr", "referenced_var_id", k32), Reason::integer_too_wide,
                 "/var/ptr/referenced_var_id");
}

TEST(VariableTypes, PointerSize) {
  ASSAY_COVERS("VAR-009", "VAR-010");
  expect_refused(full_model(), drop("ptr", "size"), Reason::pointer_size, "/var/ptr");
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{7}, std::uint64_t{9}, k32 + 8, kMax})
    expect_refused(full_model(), put("ptr", "size", size), Reason::pointer_size, "/var/ptr/size");
}

TEST(VariableTypes, PointerToInputOrOutput) {
  ASSAY_COVERS("VAR-011");
  for (std::uint32_t id = 0; id < 10; ++id)
    EXPECT_EQ(with(put("ptr", "referenced_var_id", id)).number(mem(5, "u.ptr.io_ref")),
              id == 1 || id == 2)
        << id;
  // Also when the variable meant comes later in the document and has the higher id.
  Model m = small_model();
  m.def["var"]["a"] = {{"type", "pointer"}, {"var_id", 1}, {"size", 8}, {"referenced_var_id", 2}};
  m.def["var"]["z"] = {{"type", "input"}, {"var_id", 2}, {"size", 4}};
  EXPECT_EQ(Stored(m).number(mem(1, "u.ptr.io_ref")), 1u);
}

TEST(VariableTypes, Lists) {
  ASSAY_COVERS("VAR-019", "VAR-020");
  const struct {
    const char* name;
    std::size_t id;
  } both[] = {{"list", 6}, {"table", 7}};
  for (const auto& [name, id] : both) {
    SCOPED_TRACE(name);
    const Stored s = with(put(name, "list", {9, 0, 0, 4}));
    EXPECT_EQ(s.number(mem(id, "u.list.length")), 4u);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(s.number(mem(id, "u.list.list[") + std::to_string(i) + "]"),
                std::vector<std::uint64_t>({9, 0, 0, 4})[i]);
    EXPECT_FALSE(s.has(mem(id, "u.list.list[4]")));
    const Stored empty = with(put(name, "list", Json::array()));
    EXPECT_EQ(empty.number(mem(id, "u.list.length")), 0u);
    EXPECT_EQ(empty.text(mem(id, "u.list.list")), "NULL");

    const std::string at = std::string("/var/") + name;
    expect_refused(full_model(), drop(name, "list"), Reason::list_missing, at);
    expect_refused(full_model(), put(name, "list", 7), Reason::wrong_type, at + "/list");
    expect_refused(full_model(), put(name, "list", {1, -1}), Reason::not_an_integer,
                   at + "/list/1");
    expect_refused(full_model(), put(name, "list", {k32}), Reason::integer_too_wide,
                   at + "/list/0");
  }
  // A list's ids are any 32 bits; nothing but {length, list*} is in the record (no second list).
  EXPECT_EQ(with(put("list", "list", {k32 - 1})).number(mem(6, "u.list.list[0]")), k32 - 1);
  Model m = full_model();
  m.def["var"]["table"]["list2"] = {1};
  m.def["var"]["table"]["second_list"] = {1};
  const auto tree = must_lower(m);
  ASSERT_TRUE(tree);
  const kbin_mem_ref& table = mem_of(tree->root().mem_ref_set)[7];
  EXPECT_EQ(table.u.list.pad140, 0u);
  std::size_t lists = 0;
  for (const Allocation& a : tree->allocations())
    lists += a.kind == Kind::u32s && a.address == table.u.list.list;
  EXPECT_EQ(lists, 1u);
  EXPECT_EQ(Stored(*tree).all(), Stored(full_model()).all());
}

TEST(VariableTypes, DgeTableNamesVariables) {
  ASSAY_COVERS("VAR-021");
  EXPECT_EQ(with(put("table", "list", {0, 9})).number(mem(7, "u.list.list[1]")), 9u);
  for (const std::uint64_t id : {std::uint64_t{10}, k32 - 1})
    expect_refused(full_model(), put("table", "list", {0, id}), Reason::table_entry_unknown,
                   "/var/table/list");
}

TEST(VariableTypes, Files) {
  ASSAY_COVERS("VAR-022", "VAR-034");
  const Stored s(full_model());
  EXPECT_EQ(s.number(mem(8, "mr_type")), 3u);
  EXPECT_EQ(s.text(mem(8, "buffer")), "12345");
  EXPECT_EQ(s.number(mem(8, "size")), 5u);
  expect_refused(full_model(), drop("file", "file_name"), Reason::file_name_missing, "/var/file");
  for (const char* name :
       {"", "gone.bin", "Weights.bin", "./weights.bin", "sg00/weights.bin", "weights.bin/"})
    expect_refused(full_model(), put("file", "file_name", name), Reason::file_member_missing,
                   "/var/file/file_name");
  // Every byte value, a NUL among them, and a name below a directory.
  Model m = full_model();
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  m.files["deep/x"] = bytes;
  m.def["var"]["file"]["file_name"] = "deep/x";
  m.def["var"]["file"].erase("size");
  EXPECT_EQ(Stored(m).text(mem(8, "buffer")), bytes);
  EXPECT_EQ(Stored(m).number(mem(8, "size")), 256u);
}

TEST(VariableTypes, BufferOnlyForFilesOfAtLeastOneByte) {
  ASSAY_COVERS("VAR-034");
  Model m = full_model();
  const Stored s(m);
  for (std::size_t id = 0; id < 10; ++id) {
    EXPECT_EQ(s.text(mem(id, "buffer")) == "NULL", id != 8) << id;
  }
  m.files["weights.bin"] = "";
  m.def["var"]["file"]["size"] = 0;
  const Stored empty(m);
  EXPECT_EQ(empty.text(mem(8, "buffer")), "NULL");
  EXPECT_EQ(empty.number(mem(8, "size")), 0u);
  EXPECT_EQ(empty.number(mem(8, "mr_type")), 3u);
}

TEST(VariableTypes, NpyFiles) {
  ASSAY_COVERS("VAR-022", "VAR-023", "CON-016");
  Model m = full_model();
  m.def["var"]["file"]["file_name"] = "w.npy";
  m.files["w.npy"] = std::string("\x93NUMPY\x01\x00\x04\x00head", 14) + "12345";
  EXPECT_EQ(Stored(m).text(mem(8, "buffer")), "12345");
  EXPECT_EQ(Stored(m).number(mem(8, "size")), 5u);
  // The declared size is the payload's and not the member's.
  expect_refused(m, put("file", "size", 19), Reason::file_size, "/var/file/size");
  expect_refused(
      m, [](Model& b) { b.files["w.npy"][1] = 'X'; }, Reason::npy_magic, "sg00/w.npy");
  expect_refused(
      m, [](Model& b) { b.files["w.npy"][8] = 10; }, Reason::npy_header, "sg00/w.npy");
}

TEST(VariableTypes, DeclaredSizeOfAFile) {
  ASSAY_COVERS("VAR-023");
  expect_accepted(full_model(), drop("file", "size"));
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{6}, k32 + 5, kMax})
    expect_refused(full_model(), put("file", "size", size), Reason::file_size, "/var/file/size");
}

TEST(VariableTypes, VirtualOffset) {
  ASSAY_COVERS("VAR-024", "VAR-030");
  expect_refused(full_model(), drop("virt", "backing_variable_off"), Reason::backing_off_missing,
                 "/var/virt");
  EXPECT_EQ(with(put("virt", "backing_variable_off", k32)).number(mem(4, "u.virtual.offset")), k32);
}

TEST(VariableTypes, BackingBuffer) {
  ASSAY_COVERS("VAR-025", "VAR-026");
  const std::pair<const char*, std::uint64_t> names[] = {
      {"local", 0}, {"shared", 1}, {"sharded", 2}, {"main", 3}};
  for (const auto& [name, value] : names)
    EXPECT_EQ(with(put("virt", "backing_buf", name)).number(mem(4, "u.virtual.backing_buf")), value)
        << name;
  EXPECT_EQ(with(drop("virt", "backing_buf")).number(mem(4, "u.virtual.backing_buf")), 3u);
  for (const char* name : {"", "Local", "locals", "share", "main ", "MAIN", "3", "backing"})
    expect_refused(full_model(), put("virt", "backing_buf", name), Reason::backing_buf_unknown,
                   "/var/virt/backing_buf");
  for (const Json& path : {Json("shared"), Json("local"), Json(7)}) {
    Model m = full_model();
    m.def["var"]["virt"].erase("backing_buf");
    m.def["var"]["virt"]["fabric_path"] = path;
    EXPECT_EQ(Stored(m).number(mem(4, "u.virtual.backing_buf")), 3u);
  }
}

// Virtual variables by backing, offset and size, beside one output.
struct Virtual {
  const char* backing;
  std::uint64_t off, size;
};
Model with_virtuals(const std::vector<Virtual>& all) {
  Model m = small_model();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Json& v = m.def["var"]["v" + std::to_string(i)];
    v = {{"type", "virtual"},
         {"var_id", i + 1},
         {"size", all[i].size},
         {"backing_variable_off", all[i].off}};
    if (*all[i].backing != 0) v["backing_buf"] = all[i].backing;
  }
  return m;
}

TEST(VariableTypes, ScratchpadSizes) {
  ASSAY_COVERS("VAR-027", "VAR-028");
  struct Row {
    std::vector<Virtual> all;
    std::uint64_t local, shared;
  };
  const Row rows[] = {
      {{}, 0, 0},
      {{{"local", 100, 28}}, 128, 0},
      {{{"main", 100, 28}}, 128, 0},
      {{{"", 100, 28}}, 128, 0},
      {{{"shared", 100, 28}}, 0, 128},
      {{{"sharded", 100, 28}}, 0, 128},
      {{{"local", 100, 28}, {"main", 0, 129}, {"shared", 5, 5}, {"sharded", 7, 0}}, 129, 10},
      {{{"local", 0, 0}}, 0, 0},
      {{{"local", 10, 1}, {"local", 0, 1}}, 11, 0},  // the largest end, not the last nor the sum
      {{{"main", k32, k32}, {"shared", k32 - 1, 1}}, 2 * k32, k32},
      {{{"main", kMax, 0}, {"shared", 0, kMax}}, kMax, kMax},
      {{{"main", kMax - 5, 5}}, kMax, 0},
  };
  for (const Row& row : rows) {
    const Stored s(with_virtuals(row.all));
    EXPECT_EQ(s.number("mem_ref_set.local_scratchpad_size"), row.local);
    EXPECT_EQ(s.number("mem_ref_set.shared_scratchpad_size"), row.shared);
  }
  // Nothing but virtual variables counts.
  EXPECT_EQ(Stored(full_model()).number("mem_ref_set.local_scratchpad_size"), 0u);
  EXPECT_EQ(Stored(full_model()).number("mem_ref_set.shared_scratchpad_size"), 1280u);
  struct Sum {
    std::uint64_t off, size;
  };
  for (const char* backing : {"local", "main", "shared", "sharded"})
    for (const Sum& sum : {Sum{kMax, 1}, {1, kMax}, {kMax, kMax}, {kMax / 2 + 1, kMax / 2 + 1}}) {
      const Model fits = with_virtuals({{backing, sum.off, kMax - sum.off}});
      expect_refused(fits, put("v0", "size", sum.size), Reason::scratchpad_overflow, "/var/v0");
    }
}

TEST(VariableTypes, DebugRecords) {
  ASSAY_COVERS("VAR-029");
  const std::pair<const char*, std::size_t> takers[] = {{"tmp", 3}, {"virt", 4}, {"file", 8}};
  for (const auto& [name, id] : takers) {
    SCOPED_TRACE(name);
    Model base = full_model();
    for (const char* key : {"prefix", "pipe"}) base.def["var"][name].erase(key);
    EXPECT_EQ(Stored(base).text(mem(id, "dtensor_md")), "NULL");
    const auto debug = [&, n = name, i = id](const Json& prefix, const Json& pipe) {
      Model m = base;
      if (!prefix.is_null()) m.def["var"][n]["prefix"] = prefix;
      if (!pipe.is_null()) m.def["var"][n]["pipe"] = pipe;
      const Stored s(m);
      return s.text(mem(i, "dtensor_md.prefix_str")) + "," +
             std::to_string(s.number(mem(i, "dtensor_md.pipe_id")));
    };
    EXPECT_EQ(debug("a/b", 7), "a/b,7");
    EXPECT_EQ(debug("a/b", nullptr), "a/b,0");
    EXPECT_EQ(debug("", nullptr), ",0");
    EXPECT_EQ(debug(nullptr, 0), ",0");
    EXPECT_EQ(debug(nullptr, k32 - 1), ",4294967295");
    const std::string longest(511, 'p');
    EXPECT_EQ(debug(longest, nullptr), longest + ",0");
    const std::string at = std::string("/var/") + name;
    for (const std::size_t n : {512u, 513u, 5000u})
      expect_refused(base, put(name, "prefix", std::string(n, 'p')), Reason::prefix_too_long,
                     at + "/prefix");
    expect_refused(base, put(name, "pipe", k32), Reason::integer_too_wide, at + "/pipe");
    // Bytes are counted, not characters.
    std::string wide;
    for (int i = 0; i < 256; ++i) wide += "\xC3\xA9";
    expect_refused(base, put(name, "prefix", wide), Reason::prefix_too_long, at + "/prefix");
  }
}

TEST(VariableTypes, DebugKeysElsewhereAreNotRead) {
  ASSAY_COVERS("VAR-029");
  for (const char* name : {"sb", "in", "out", "ptr", "list", "table", "far"})
    for (const char* key : {"prefix", "pipe"})
      for (const Json& value :
           {Json("a"), Json(7), Json(-1), Json(nullptr), Json(std::string(600, 'p'))})
        EXPECT_EQ(with(put(name, key, value)).all(), Stored(full_model()).all())
            << name << " " << key;
}

TEST(VariableTypes, RemoteIdsAreZero) {
  ASSAY_COVERS("VAR-033");
  for (const char* key :
       {"remote_vtpb_rel_sg_id", "remote_var_id", "remote_sg_id", "vtpb_rel_sg_id"})
    for (const Json& value : {Json(7), Json("x"), Json(-1)}) {
      const Stored s = with(put("far", key, value));
      EXPECT_EQ(s.number(mem(9, "u.remote.remote_vtpb_rel_sg_id")), 0u);
      EXPECT_EQ(s.number(mem(9, "u.remote.remote_var_id")), 0u);
    }
}

}  // namespace
}  // namespace assay::test
