// SPDX-License-Identifier: Apache-2.0
// Defects of the var section.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

At any_sized(Ground& g) {
  static constexpr const char* kTypes[] = {"input", "output", "tmp-buf", "virtual"};
  return g.variable(g.c.pick(kTypes));
}
At any_aligned(Ground& g) {
  static constexpr const char* kTypes[] = {"input", "output", "tmp-buf", "virtual", "file"};
  return g.variable(g.c.pick(kTypes));
}
At any_typed(Ground& g) {
  static constexpr const char* kTypes[] = {"input", "output", "tmp-buf", "virtual", "file", "state-buffer"};
  return g.variable(g.c.pick(kTypes));
}
At any_debug(Ground& g) {
  static constexpr const char* kTypes[] = {"tmp-buf", "virtual", "file"};
  return g.variable(g.c.pick(kTypes));
}
// Sets a key and moves the place there.
void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}
template <const char* const& Key>
void drop(Ground& g, At& at) {
  g.at(at).erase(Key);
}
constexpr const char* kType = "type";
constexpr const char* kVarId = "var_id";
constexpr const char* kSize = "size";
constexpr const char* kReferenced = "referenced_var_id";
constexpr const char* kList = "list";
constexpr const char* kFileName = "file_name";
constexpr const char* kBackingOff = "backing_variable_off";

const Kind kKinds[] = {
    {{"var-section-absent", Reason::var_missing}, kAny, [](Ground& g) { return g.root(); },
     [](Ground& g, At&) { g.def().erase("var"); }},
    {{"var-type-absent", Reason::var_key_missing}, kAny, any_sized, drop<kType>},
    {{"var-id-absent", Reason::var_key_missing}, kAny, any_sized, drop<kVarId>},
    {{"var-type-unknown", Reason::var_type_unknown}, kAny, any_sized,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "Input", "input ", "inputs", "tmp_buf", "buffer"};
       set(g, at, "type", g.c.pick(kWrong));
     }},
    {{"var-id-gap", Reason::var_ids_not_dense}, kAny, [](Ground& g) { return g.root() / "var"; },
     [](Ground& g, At&) {
       // The largest id moves up: one hole, nothing else.
       Json& vars = g.def()["var"];
       const std::size_t last = vars.size() - 1;
       for (Json& v : vars)
         if (v["var_id"] == last) v["var_id"] = last + 1 + g.c.below(3);
     }},
    {{"var-id-twice", Reason::var_id_twice}, kAny,
     [](Ground& g) {
       g.variable("state-buffer");
       return g.variable("tmp-buf");
     },
     [](Ground& g, At& at) {
       // The largest id stays used, so that density holds and only the repetition is wrong. Which
       // of the two the refusal names is not said.
       Json& vars = g.def()["var"];
       const std::size_t last = vars.size() - 1;
       Json* victim = nullptr;
       for (Json& v : vars)
         if (v["var_id"] != last) victim = &v;
       (*victim)["var_id"] = last;
       at = {g.definition, {}};
     }},
    {{"no-output", Reason::no_output}, kAny, [](Ground& g) { return g.root() / "var"; },
     [](Ground& g, At&) {
       for (Json& v : g.def()["var"])
         if (v["type"] == "output") v["type"] = "input";
     }},
    {{"var-size-absent", Reason::var_size_missing}, kAny, any_sized, drop<kSize>},
    {{"pointer-reference-absent", Reason::pointer_reference}, kAny,
     [](Ground& g) { return g.variable("pointer"); }, drop<kReferenced>},
    {{"pointer-reference-unknown", Reason::pointer_reference}, kAny,
     [](Ground& g) { return g.variable("pointer"); },
     [](Ground& g, At& at) { set(g, at, "referenced_var_id", g.def()["var"].size() + g.c.below(3)); }},
    {{"pointer-size-absent", Reason::pointer_size}, kAny, [](Ground& g) { return g.variable("pointer"); },
     drop<kSize>},
    {{"pointer-size-wrong", Reason::pointer_size}, kAny, [](Ground& g) { return g.variable("pointer"); },
     [](Ground& g, At& at) {
       static constexpr std::uint64_t kWrong[] = {0, 4, 7, 9, 16, 4294967304};
       set(g, at, "size", g.c.pick(kWrong));
     }},
    {{"alignment-no-power", Reason::alignment}, kAny, any_aligned,
     [](Ground& g, At& at) {
       static constexpr std::uint64_t kWrong[] = {3, 6, 65, 2147483647, 2147483649, 4294967295};
       set(g, at, "alignment", g.c.pick(kWrong));
     }},
    {{"alignment-too-wide", Reason::alignment}, kAny, any_aligned,
     [](Ground& g, At& at) { set(g, at, "alignment", std::uint64_t{1} << g.c.between(32, 63)); }},
    {{"dtype-16-bytes", Reason::dtype_too_long}, kAny, any_typed,
     [](Ground& g, At& at) {
       static constexpr const char* kLong[] = {"float8_e4m3fn_x4", "float4_e2m1fn_x4",
                                               "a-dtype-16-bytes", "float32float32float32"};
       set(g, at, "dtype", g.c.pick(kLong));
     }},
    {{"dtype-unknown", Reason::var_dtype_unknown}, kAny, any_typed,
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "float", "Float32", "float32 ", "float8_e5m2", "bf16"};
       set(g, at, "dtype", g.c.pick(kWrong));
     }},
    {{"shape-9-dims", Reason::shape_too_long}, kAny, any_typed,
     [](Ground& g, At& at) { set(g, at, "shape", Json(std::vector<int>(9 + g.c.below(3), 1))); }},
    {{"list-absent", Reason::list_missing}, kAny,
     [](Ground& g) { return g.variable(g.c.chance(50) ? "list" : "dge-table"); }, drop<kList>},
    {{"table-entry-unknown", Reason::table_entry_unknown}, kAny,
     [](Ground& g) { return g.variable("dge-table"); },
     [](Ground& g, At& at) {
       g.at(at)["list"].push_back(g.def()["var"].size() + g.c.below(2));
       at = at / "list";
     }},
    {{"file-name-absent", Reason::file_name_missing}, kAny, [](Ground& g) { return g.variable("file"); },
     drop<kFileName>},
    {{"file-member-absent", Reason::file_member_missing}, kAny,
     [](Ground& g) { return g.variable("file"); },
     [](Ground& g, At& at) { set(g, at, "file_name", "no such member"); }},
    {{"file-size-differs", Reason::file_size}, kAny,
     [](Ground& g) {
       // A raw payload of eight bytes, declared right in the twin.
       const At at = g.variable("file");
       g.at(at)["file_name"] = g.blob("near-miss-weights");
       g.at(at)["size"] = 8;
       return at;
     },
     [](Ground& g, At& at) { set(g, at, "size", g.c.chance(50) ? 7 : 9); }},
    {{"npy-magic", Reason::npy_magic}, kAny,
     [](Ground& g) {
       g.model.put_bytes(g.dir + "near-miss.npy", std::string("\x93NUMPY\x01\x00\x02\x00{}data", 16));
       const At at = g.variable("file");
       g.at(at)["file_name"] = "near-miss.npy";
       g.at(at).erase("size");
       return at;
     },
     [](Ground& g, At& at) {
       std::string& bytes = g.model.members[g.dir + "near-miss.npy"].bytes;
       if (g.c.chance(30)) bytes.resize(g.c.below(2));
       else bytes[g.c.below(2)] = 'x';
       at = {g.dir + "near-miss.npy", {}};
     }},
    {{"npy-header", Reason::npy_header}, kAny,
     [](Ground& g) {
       g.model.put_bytes(g.dir + "near-miss.npy", std::string("\x93NUMPY\x01\x00\x02\x00{}data", 16));
       const At at = g.variable("file");
       g.at(at)["file_name"] = "near-miss.npy";
       g.at(at).erase("size");
       return at;
     },
     [](Ground& g, At& at) {
       std::string& bytes = g.model.members[g.dir + "near-miss.npy"].bytes;
       if (g.c.chance(30)) bytes.resize(2 + g.c.below(8));
       else bytes[8] = 7;  // 10 + 7 of 16 bytes
       at = {g.dir + "near-miss.npy", {}};
     }},
    {{"backing-off-absent", Reason::backing_off_missing}, kAny,
     [](Ground& g) { return g.variable("virtual"); }, drop<kBackingOff>},
    {{"backing-buf-unknown", Reason::backing_buf_unknown}, kAny,
     [](Ground& g) { return g.variable("virtual"); },
     [](Ground& g, At& at) { set(g, at, "backing_buf", g.c.chance(50) ? "" : "Main"); }},
    {{"scratchpad-overflow", Reason::scratchpad_overflow}, kAny,
     [](Ground& g) { return g.variable("virtual"); },
     [](Ground& g, At& at) {
       g.at(at)["size"] = 1 + g.c.below(4);
       g.at(at)["backing_variable_off"] = ~std::uint64_t{0};
     }},
    {{"prefix-512-bytes", Reason::prefix_too_long}, kAny, any_debug,
     [](Ground& g, At& at) { set(g, at, "prefix", std::string(512 + g.c.below(2), 'p')); }},
};

}  // namespace

std::span<const Kind> variable_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
