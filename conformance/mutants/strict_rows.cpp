// SPDX-License-Identifier: Apache-2.0
// Refuses what one requirement accepts: mostly a reference, a key or a member that need not be there.
#include <algorithm>

#include "conformance/mutants/tables.h"
#include "oracle/records/kbin.h"

namespace assay::conformance {
namespace {

constexpr const char* kEngines[] = {"act", "dve", "pe", "pool", "sp"};

std::size_t engine_keys(const Documents& d) {
  return static_cast<std::size_t>(std::count_if(std::begin(kEngines), std::end(kEngines), [&](const char* key) {
    return Documents::in(d.definition(), key) != nullptr;
  }));
}
// A string under a key that names no member of the directory.
bool dangles(const Documents& d, const Json& document, const char* key) {
  const Json* name = Documents::in(document, key);
  return name != nullptr && name->is_string() && !d.has_member(name->get<std::string>());
}
// Variables, and perhaps one more section.
bool only_var_and(const Documents& d, const char* section) {
  const Json& definition = d.definition();
  return definition.is_object() && definition.contains("var") &&
         definition.size() == (definition.contains(section) ? 2U : 1U);
}
bool no_replica_groups(const Documents& d) { return only_var_and(d, "fp8_conversion_config"); }
bool no_fp8_section(const Documents& d) { return only_var_and(d, "replica_groups"); }

bool foreign_null(const Documents& d) {
  const Json* value = Documents::in(d.definition(), "unknown");
  return value != nullptr && value->is_null();
}
bool members_nobody_names(const Documents& d) {
  // By a directory's habit: whatever ends in .json must be JSON.
  for (const auto& [path, bytes] : *d.request().members)
    if (path.size() > 5 && path.substr(path.size() - 5) == ".json" && !Json::accept(bytes.text())) return true;
  return false;
}
bool four_engines(const Documents& d) { return engine_keys(d) == 4; }
bool engine_without_code(const Documents& d) {
  return d.engine("pool").is_object() && !d.engine("pool").contains("instr");
}
bool dangling_debug_info(const Documents& d) {
  return std::any_of(std::begin(kEngines), std::end(kEngines), [&](const char* key) {
    return dangles(d, d.definition(), (std::string(key) + "_dbg").c_str()) || dangles(d, d.engine(key), "debug_info");
  });
}
bool dangling_engine_instr(const Documents& d) {
  return std::any_of(std::begin(kEngines), std::end(kEngines), [&](const char* key) {
    return dangles(d, d.definition(), (std::string(key) + "_instr").c_str());
  });
}
bool groups_without_streams(const Documents& d) {
  const Json* groups = Documents::in(d.definition(), "replica_groups");
  return groups != nullptr && groups->is_array() && Documents::in(d.definition(), "cc_streams") == nullptr &&
         Documents::in(d.definition(), "num_streams") == nullptr;
}
bool override_without_section(const Documents& d) {
  const Fp8Overrides& f = d.request().fp8;
  return (f.fp8_range_extension || f.emax_fp8_e4m3 || f.emax_fp8_e5m2 || f.ocp_sat || f.fp8_sis || f.fp8_sns) &&
         Documents::in(d.definition(), "fp8_conversion_config") == nullptr;
}
bool act_info_dangles(const Documents& d) {
  const Json* sets = Documents::in(d.engine("act"), "activation_function_sets");
  return (sets == nullptr || sets->empty()) && dangles(d, d.engine("act"), "act_info");
}
const Json* tables_of(const Documents& d) {
  const Json* tables = Documents::in(d.engine("dve"), "dve_tables");
  return tables != nullptr && tables->is_array() ? tables : nullptr;
}
bool table_absent(const Documents& d) {
  const Json* tables = tables_of(d);
  return tables != nullptr && tables->size() == 1 && (*tables)[0].is_object() &&
         !(*tables)[0].contains("datapath_table");
}
bool tables_in_array(const Documents& d) { return tables_of(d) != nullptr; }
bool dve_without_tables(const Documents& d) {
  return d.engine("dve").is_object() && !d.engine("dve").contains("dve_tables");
}

// ---- files ----

bool bytes_behind(const harness::LowerNeffRequest& q) {
  if (q.neff.size() < 1024) return false;
  return load<std::uint64_t>(q.neff.data() + offsetof(neff_header_t, data_size)) < q.neff.size() - 1024;
}
bool directory_entries(const harness::LowerNeffRequest& q) {
  if (q.neff.size() < 1024 || load<std::uint64_t>(q.neff.data()) != 1) return false;
  // Raw tar: headers of 512 bytes, each followed by its data.
  for (std::size_t at = 1024; at + 512 <= q.neff.size() && q.neff[at] != 0;) {
    if (q.neff[at + 156] == '5') return true;
    std::size_t size = 0;
    for (std::size_t i = at + 124; i < at + 136; ++i)
      if (q.neff[i] >= '0' && q.neff[i] <= '7') size = size * 8 + (q.neff[i] - '0');
    at += 512 + (size + 511) / 512 * 512;
  }
  return false;
}

const SuiteMutant kMutants[] = {
    {"CON-008-whole-rest", "CON-008", "wants data_size to be all that follows the header",
     Wrong(RefuseFile(&bytes_behind))},
    {"CON-012-directories", "CON-012", "refuses an archive with a directory entry",
     Wrong(RefuseFile(&directory_entries))},
    {"JSN-012-null", "JSN-012", "refuses a null under a key it does not know", Wrong(RefuseLowering(&foreign_null))},
    {"SEC-001-all-members", "SEC-001", "reads members that nothing names",
     Wrong(RefuseLowering(&members_nobody_names))},
    {"SEC-003-four", "SEC-003", "wants the fifth engine key where there are four",
     Wrong(RefuseLowering(&four_engines))},
    {"SEC-006-instr-required", "SEC-006", "refuses a pool member without instr",
     Wrong(RefuseLowering(&engine_without_code))},
    {"SEC-008-debug-info", "SEC-008", "wants debug members to be there", Wrong(RefuseLowering(&dangling_debug_info))},
    {"SEC-009-engine-instr", "SEC-009", "wants the member that <engine>_instr of def.json names",
     Wrong(RefuseLowering(&dangling_engine_instr))},
    {"CCM-002-required", "CCM-002", "wants replica_groups beside var alone, or with fp8_conversion_config",
     Wrong(RefuseLowering(&no_replica_groups)), true},
    {"CCM-004-required", "CCM-004", "wants the streams of replica groups to be counted",
     Wrong(RefuseLowering(&groups_without_streams))},
    {"FP8-002-required", "FP8-002", "wants fp8_conversion_config beside var alone, or with replica_groups",
     Wrong(RefuseLowering(&no_fp8_section)), true},
    {"FP8-004-needs-section", "FP8-004", "takes overrides for the section's alone",
     Wrong(RefuseLowering(&override_without_section))},
    {"ACT-003-dangling", "ACT-003", "reads act_info without a set", Wrong(RefuseLowering(&act_info_dangles))},
    {"DVE-002-datapath", "DVE-002", "wants datapath_table", Wrong(RefuseLowering(&table_absent))},
    {"DVE-004-object", "DVE-004", "refuses dve_tables that are an array", Wrong(RefuseLowering(&tables_in_array))},
    {"DVE-006-required", "DVE-006", "wants dve_tables of a dve engine", Wrong(RefuseLowering(&dve_without_tables))},
};

}  // namespace

std::span<const SuiteMutant> strict_rows() { return kMutants; }

}  // namespace assay::conformance
