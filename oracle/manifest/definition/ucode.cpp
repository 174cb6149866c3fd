// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>
#include <set>

#include "oracle/manifest/definition/definition.h"

namespace assay::definition {
namespace {

constexpr std::size_t kMaxFunctions = 255, kMaxExtIsaFunctions = 18;
constexpr std::uint32_t kDefaultFlags = 6;
constexpr std::string_view kSynthesizedName = "all";

// UCL-006: these two opcodes are the ones without the flags.
std::uint32_t flags_of(std::int32_t opcode) {
  return opcode == -123 || opcode == 133 ? 0 : kDefaultFlags;
}

Result<> read_function(const Node& node, UcodeLib& lib) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<UcodeFunctionKey> k(node);
  ASSAY_TRY(require(k, {UcodeFunctionKey::name_, UcodeFunctionKey::opcode_}, Reason::ucode_function_key));
  kbin_ucode_lib_function_t f{};
  const Node name_node = k[UcodeFunctionKey::name_];
  ASSAY_TRY_LET(name, name_node.string());
  if (name.size() >= sizeof f.name)
    return name_node.refuse(Reason::ucode_function_name, fmt::format("{} bytes", name.size()));
  std::memcpy(f.name, name.data(), name.size());
  ASSAY_TRY_LET(opcode, k[UcodeFunctionKey::opcode_].integer<std::uint8_t>());
  ASSAY_TRY_LET(sub, k.integer_or<std::uint8_t>(UcodeFunctionKey::sub_opcode_, 0));
  f.opcode = opcode;
  f.sub_opcode = sub;
  lib.functions.push_back(f);
  return {};
}

Result<> read_functions(const Node& list, std::size_t limit, Reason too_many, UcodeLib& lib) {
  ASSAY_TRY(list.expect(JsonType::array));
  const std::size_t n = count_of(list.value());
  if (n > limit) return list.refuse(too_many, fmt::format("{} functions", n));
  return for_each_element(list, [&](const Node& item) { return read_function(item, lib); });
}

Result<> check_version(const Node& node) {
  ASSAY_TRY_LET(version, node.string());
  const auto dot = version.find('.');
  if (dot == std::string_view::npos || version.substr(0, dot) != "1")
    return node.refuse(Reason::ucode_version, fmt::format("\"{}\"", version));
  return {};
}

Result<> read_library(const Context& c, const Node& node, std::string& name, UcodeLib& lib) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<UcodeKey> k(node);
  ASSAY_TRY(require(k, {UcodeKey::library_, UcodeKey::ulib_to_ucode_version_, UcodeKey::opcode_},
                    Reason::ucode_key_missing));
  ASSAY_TRY_LET(member, c.member_at(k[UcodeKey::library_], Reason::ucode_content_missing));
  ASSAY_TRY_LET(library, k[UcodeKey::library_].string());
  name = library;
  lib.content = member->view();
  ASSAY_TRY(check_version(k[UcodeKey::ulib_to_ucode_version_]));
  ASSAY_TRY_LET(opcode, k[UcodeKey::opcode_].integer<std::int32_t>());
  lib.flags = flags_of(opcode);
  ASSAY_TRY_LET(cpu, k.integer_or<std::uint8_t>(UcodeKey::cpu_id_, 0));
  if (cpu != 0) return k[UcodeKey::cpu_id_].refuse(Reason::ucode_cpu_id, fmt::format("is {}", cpu));
  ASSAY_TRY_LET(total, k.integer_or<std::uint8_t>(UcodeKey::total_cpus_, 0));
  if (total != 0 && total != 1 && total != 8)
    return k[UcodeKey::total_cpus_].refuse(Reason::ucode_total_cpus, fmt::format("is {}", total));
  lib.cpu_id = cpu;
  lib.total_cpus = total;
  if (!k.has(UcodeKey::functions_)) return {};
  return read_functions(k[UcodeKey::functions_], kMaxFunctions, Reason::ucode_functions, lib);
}

// The library of the target itself (UCL-009, UCL-010): the only reader of ext_isa_ucode_lib_def.
Result<> synthesize(Context& c, const Def& def) {
  UcodeLib lib;
  lib.flags = kDefaultFlags;
  if (def.has(DefKey::ext_isa_ucode_lib_def_)) {
    const Node node = def[DefKey::ext_isa_ucode_lib_def_];
    ASSAY_TRY(node.expect(JsonType::object));
    const Keys<ExtIsaKey> k(node);
    if (k.has(ExtIsaKey::functions_))
      ASSAY_TRY(read_functions(k[ExtIsaKey::functions_], kMaxExtIsaFunctions,
                               Reason::ext_isa_functions, lib));
  }
  c.out.ucode_libs.push_back(std::move(lib));
  return {};
}

Result<> read_libraries(Context& c, const Node& list) {
  ASSAY_TRY(list.expect(JsonType::array));
  std::set<std::string, std::less<>> names;
  if (!c.out.ucode_libs.empty()) names.emplace(kSynthesizedName);
  return for_each_element(list, [&](const Node& item) -> Result<> {
    UcodeLib lib;
    std::string name;
    ASSAY_TRY(read_library(c, item, name, lib));
    if (!names.insert(name).second)
      return item.refuse(Reason::ucode_name_twice, fmt::format("\"{}\"", name));
    c.out.ucode_libs.push_back(std::move(lib));
    return {};
  });
}

}  // namespace

Result<> read_ucode(Context& c, const Def& def) {
  if (c.target == ArchType::MARIANA) ASSAY_TRY(synthesize(c, def));
  if (!def.has(DefKey::ucode_lib_)) return {};
  const Node node = def[DefKey::ucode_lib_];
  if (node.type() != JsonType::string) return read_libraries(c, node);
  ASSAY_TRY_LET(doc, c.document_at(node, Reason::ucode_member_missing));
  return read_libraries(c, doc.root());
}

}  // namespace assay::definition
