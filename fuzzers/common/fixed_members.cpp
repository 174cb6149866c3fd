// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/fixed_members.h"

namespace assay::fuzz {
namespace {

constexpr const char* kKelf = R"({"version":"0.5","target":"*",
"graphs":[{"name":"sg00","definition":"sg00/def.json"}]})";
constexpr const char* kNeff = R"({"nodes":[{"name":"x","attrs":{}},
{"name":"g","attrs":{"func_name":"__kelf","kelf":"kelf-a.json"},"output_names":["y"]}],
"arg_nodes":[0],"heads":[[1,0,0]],"node_row_ptr":[0,1,2],
"attrs":{"shape":["list_shape",[[4],[4]]],"dltype":["list_str",["float32","float32"]]}})";

// 16 floats behind a header of 128 bytes.
std::string npy() {
  std::string s("\x93NUMPY\x01\x00\x76\x00", 10);
  s += "{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }";
  s.resize(127, ' ');
  s += '\n';
  s.append(64, '\x3f');
  return s;
}

std::string code(std::size_t bytes) {
  std::string s;
  for (std::size_t i = 0; i < bytes; ++i) s += static_cast<char>(i * 37 + 11);
  return s;
}

}  // namespace

const std::vector<FixedMember>& fixed_neighbours() {
  static const std::vector<FixedMember> all = {
      {"pe.json", R"({"instr":"pe.bin","dma":[]})"},
      {"act.json", R"({"instr":"act.bin","act_semaphore":9,"act_info":"act_info.json",
"activation_function_sets":["gelu"]})"},
      {"act_info.json", R"({"act_func_sets":[{"name":"gelu","bkt_bin":"blob.bin","ctrl_bin":"ctl.bin",
"profile_json":"profile.json"}]})"},
      {"profile.json", R"({"profile_meta_data":[{}]})"},
      {"pool.json", R"({"instr":"pool.bin"})"},
      {"dve.json", R"({"dve_tables":[{"opcode_table":"blob.bin","control_fast_table":"ctl.bin",
"datapath_table":"blob.bin"}]})"},
      {"sp.json", R"({})"},
      {"libs.json", R"([{"library":"lib.bin","ulib_to_ucode_version":"1.2","opcode":133}])"},
      {"pe.bin", code(128)},
      {"act.bin", code(64)},
      {"pool.bin", code(70)},
      {"blob.bin", code(64)},
      {"ctl.bin", code(16)},
      {"lib.bin", code(40)},
      {"w.npy", npy()},
  };
  return all;
}

Members fixed_members(ByteView definition) {
  Members out;
  out.put("kelf-a.json", Buffer(std::string_view(kKelf)));
  out.put("neff.json", Buffer(std::string_view(kNeff)));
  for (const FixedMember& m : fixed_neighbours())
    out.put(std::string("sg00/") + m.name, Buffer(std::string_view(m.bytes)));
  out.put(kDefinition, Buffer(definition));
  return out;
}

}  // namespace assay::fuzz
