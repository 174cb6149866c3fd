// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

constexpr std::uint32_t kMaxFunctions = 255, kMaxExtIsaFunctions = 18, kMaxFunctionName = 255;

Json functions(Graph& g, std::uint32_t limit) {
  Choices& c = g.c;
  Json list = Json::array();
  const std::uint32_t plain = std::min(g.size.functions, limit);
  const std::uint32_t n = g.size.functions > 0 && c.below(200) == 199 ? limit : few(c, 0, plain);
  for (std::uint32_t i = 0; i < n; ++i) {
    Json f = Json::object();
    f["name"] = rarely(c, 4) ? text_of(c, kMaxFunctionName - static_cast<std::uint32_t>(c.below(2)))
                             : any_text(c, g.size.text_bytes);
    f["opcode"] = rarely(c, 20) ? 255 : c.below(256);
    if (rarely(c, 60)) f["sub_opcode"] = rarely(c, 20) ? 255 : c.below(256);
    add_noise(c, f);
    list.push_back(std::move(f));
  }
  return list;
}

Json library(Graph& g, std::vector<std::string>& taken) {
  static constexpr const char* kVersions[] = {"1.0", "1.2.3", "1.", "1..0", "1.x"};
  static constexpr std::int32_t kOpcodes[] = {5,  -123, 133, 0, 122, -122, 123, -133, 255, -1,
                                              2147483647, -2147483648};
  static constexpr std::uint32_t kTotalCpus[] = {0, 1, 8};
  Choices& c = g.c;
  // Libraries are told apart by their member's name, so each has its own (UCL-007); the one named
  // "all" is only the synthesized library's on MARIANA.
  std::string name;
  if (g.target != ArchType::MARIANA && taken.empty() && rarely(c, 10) && g.model.members.count(g.dir + "all") == 0)
    name = "all";
  else
    name = new_member(g, ".so");
  g.model.put_bytes(g.dir + name, any_bytes(c, g.size.blob_bytes));
  taken.push_back(name);

  Json lib = Json::object();
  lib["library"] = name;
  lib["ulib_to_ucode_version"] = c.pick(kVersions);
  lib["opcode"] = c.pick(kOpcodes);
  if (rarely(c, 30)) lib["cpu_id"] = 0;
  if (rarely(c, 60)) lib["total_cpus"] = c.pick(kTotalCpus);
  if (rarely(c, 70)) lib["functions"] = functions(g, kMaxFunctions);
  add_noise(c, lib);
  return lib;
}

void add_ext_isa(Graph& g) {
  Choices& c = g.c;
  if (g.target != ArchType::MARIANA) {
    if (rarely(c, 15)) {
      Json ext = Json::object();
      ext["functions"] = functions(g, kMaxExtIsaFunctions);
      // Not read on other targets, whatever it is (UCL-010).
      g.def["ext_isa_ucode_lib_def"] = rarely(c, 50) ? any_value(c) : std::move(ext);
    }
    return;
  }
  if (!rarely(c, 50)) return;
  Json& ext = g.def["ext_isa_ucode_lib_def"] = Json::object();
  if (rarely(c, 80)) ext["functions"] = functions(g, kMaxExtIsaFunctions);
  add_unread(c, ext, {"add_lib"}, 20);
  add_noise(c, ext);
}

}  // namespace

void add_ucode(Graph& g) {
  Choices& c = g.c;
  add_ext_isa(g);
  if (!rarely(c, 40)) return;
  Json libs = Json::array();
  std::vector<std::string> taken;
  for (std::uint32_t n = few(c, 0, g.size.ucode_libs); n > 0; --n) libs.push_back(library(g, taken));
  if (!rarely(c, 40)) {
    g.def["ucode_lib"] = std::move(libs);
    return;
  }
  const std::string name = new_member(g, ".json");
  g.put(name, std::move(libs));
  g.def["ucode_lib"] = name;
}

}  // namespace assay::harness::models
