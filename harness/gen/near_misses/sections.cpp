// SPDX-License-Identifier: Apache-2.0
// Defects of engines, collectives, ucode libraries, carveouts and tables.
#include "harness/gen/near_misses/ground.h"

namespace assay::harness::near_misses {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;

void set(Ground& g, At& at, const char* key, Json value) {
  g.at(at)[key] = std::move(value);
  at = at / key;
}
const char* an_engine(Ground& g) { return g.c.pick(kEngineKeys); }
At a_pair(Ground& g) {
  const At sets = g.section("src_target_pairs", Json::array());
  g.at(sets).push_back(Json::array({Json::array({0, 1})}));
  return sets / (g.at(sets).size() - 1) / std::size_t{0};
}
At ext_isa(Ground& g) {
  g.def()["ext_isa_ucode_lib_def"] = {{"functions", Json::array({{{"name", "f"}, {"opcode", 1}}})}};
  return g.root() / "ext_isa_ucode_lib_def";
}
template <std::size_t N>
void drop_one(Ground& g, At& at, const char* const (&keys)[N]) {
  g.at(at).erase(g.c.pick(keys));
}

const Kind kKinds[] = {
    {{"engine-member-absent", Reason::engine_member_missing}, kAny,
     [](Ground& g) {
       const char* name = an_engine(g);
       g.engine(name);
       return g.root() / name;
     },
     [](Ground& g, At& at) { g.at(at) = "no such member"; }},
    {{"engine-instr-absent", Reason::engine_instr_missing}, kAny,
     [](Ground& g) {
       const At at = g.engine(an_engine(g));
       g.at(at)["instr"] = g.blob("near-miss-code");
       return at;
     },
     [](Ground& g, At& at) { set(g, at, "instr", "no such member"); }},
    {{"pair-length", Reason::pair_length}, kAny, a_pair,
     [](Ground& g, At& at) { g.at(at) = Json(std::vector<int>(g.c.chance(50) ? 1 : 3, 0)); }},
    {{"ucode-member-absent", Reason::ucode_member_missing}, kAny,
     [](Ground& g) {
       g.model.put(g.dir + "near-miss-ucode.json", Json::array());
       g.def()["ucode_lib"] = "near-miss-ucode.json";
       return g.root() / "ucode_lib";
     },
     [](Ground& g, At& at) { g.at(at) = "no such member"; }},
    {{"ucode-key-absent", Reason::ucode_key_missing}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"library", "ulib_to_ucode_version", "opcode"};
       drop_one(g, at, kKeys);
     }},
    {{"ucode-content-absent", Reason::ucode_content_missing}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) { set(g, at, "library", "no such member"); }},
    {{"ucode-version", Reason::ucode_version}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) {
       static constexpr const char* kWrong[] = {"", "1", "2.0", "01.0", ".1", "11.0", " 1.0"};
       set(g, at, "ulib_to_ucode_version", g.c.pick(kWrong));
     }},
    {{"ucode-cpu-id", Reason::ucode_cpu_id}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) { set(g, at, "cpu_id", g.c.between(1, 255)); }},
    {{"ucode-total-cpus", Reason::ucode_total_cpus}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) {
       static constexpr int kWrong[] = {2, 7, 9, 255};
       set(g, at, "total_cpus", g.c.pick(kWrong));
     }},
    {{"ucode-name-twice", Reason::ucode_name_twice}, kAny, [](Ground& g) { return g.ucode(); },
     [](Ground& g, At& at) {
       Json& list = g.def()["ucode_lib"];
       list.push_back(g.at(at));
       at = g.root() / "ucode_lib" / (list.size() - 1);
     }},
    {{"ucode-functions-256", Reason::ucode_functions}, kAny, [](Ground& g) { return g.ucode_function(); },
     [](Ground& g, At& at) {
       const Json function = g.at(at);
       at.pointer.erase(at.pointer.rfind('/'));
       g.at(at) = Json(std::vector<Json>(256, function));
     }},
    {{"ucode-function-key-absent", Reason::ucode_function_key}, kAny,
     [](Ground& g) { return g.ucode_function(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"name", "opcode"};
       drop_one(g, at, kKeys);
     }},
    {{"ucode-function-name-256", Reason::ucode_function_name}, kAny,
     [](Ground& g) { return g.ucode_function(); },
     [](Ground& g, At& at) { set(g, at, "name", std::string(256, 'f')); }},
    {{"ext-isa-functions-19", Reason::ext_isa_functions}, ArchType::MARIANA, ext_isa,
     [](Ground& g, At& at) {
       const Json function = g.at(at)["functions"][0];
       set(g, at, "functions", Json(std::vector<Json>(19, function)));
     }},
    {{"carveout-key-absent", Reason::carveout_key_missing}, kAny, [](Ground& g) { return g.carveout(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"type", "offset", "size", "base_partition", "partitions"};
       drop_one(g, at, kKeys);
     }},
    {{"carveout-type", Reason::carveout_type}, kAny, [](Ground& g) { return g.carveout(); },
     [](Ground& g, At& at) { set(g, at, "type", g.c.chance(50) ? "" : "EVTACCEL"); }},
    {{"carveout-absent", Reason::carveout_missing}, ArchType::CAYMAN,
     [](Ground& g) {
       for (const GraphPaths& graph : graphs_of(g.model)) {
         Json& def = g.model.json(graph.definition);
         if (!def.contains("runtime_statebuffer_reservation")) def["runtime_statebuffer_reservation"] = Json::array();
       }
       // With legacy NEFFs allowed its absence is no fault; then the target must be the instance's.
       g.model.options.allow_legacy = false;
       if (g.model.options.arch) g.model.options.arch = g.target;
       return g.root();
     },
     [](Ground& g, At&) {
       g.def().erase("runtime_statebuffer_reservation");
     }},
    {{"act-set-unknown", Reason::act_set_unknown}, kAny, [](Ground& g) { return g.act_set_entry(); },
     [](Ground& g, At& at) {
       at = g.engine("act") / "activation_function_sets" / std::size_t{0};
       g.at(at) = "no such set";
     }},
    {{"act-info-absent", Reason::act_info_missing}, kAny, [](Ground& g) { return g.act_set_entry(); },
     [](Ground& g, At& at) {
       at = g.engine("act");
       if (g.c.chance(50)) g.at(at).erase("act_info");
       else set(g, at, "act_info", "no such member");
     }},
    {{"act-set-key-absent", Reason::act_set_key_missing}, kAny, [](Ground& g) { return g.act_set_entry(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"bkt_bin", "ctrl_bin", "profile_json"};
       drop_one(g, at, kKeys);
     }},
    {{"act-member-absent", Reason::act_member_missing}, kAny, [](Ground& g) { return g.act_set_entry(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"bkt_bin", "ctrl_bin", "profile_json"};
       set(g, at, g.c.pick(kKeys), "no such member");
     }},
    {{"act-profile-absent", Reason::act_profile_missing}, kAny, [](Ground& g) { return g.profile_file(); },
     [](Ground& g, At& at) { g.at(at).erase("profile_meta_data"); }},
    {{"act-profiles-26", Reason::act_profile_count}, kAny, [](Ground& g) { return g.profile_file(); },
     [](Ground& g, At& at) { set(g, at, "profile_meta_data", Json(std::vector<Json>(26, Json::object()))); }},
    {{"act-profile-too-wide", Reason::act_profile_value}, kAny, [](Ground& g) { return g.profile_file(); },
     [](Ground& g, At& at) {
       at = at / "profile_meta_data" / std::size_t{0};
       switch (g.c.below(4)) {
         case 0: return set(g, at, "symmetry_opt_en", 256);
         case 1: return set(g, at, "pos_small_signal_pwl_control", 65536);
         case 2: return set(g, at, "func_id", std::uint64_t{1} << 32);
         default: return set(g, at, "exp_offset", -(std::int64_t{1} << 31) - 1);
       }
     }},
    {{"act-profile-no-integer", Reason::not_an_integer}, kAny, [](Ground& g) { return g.profile_file(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"symmetry_opt_en", "pos_small_signal_pwl_control", "func_id",
                                               "exp_offset"};
       at = at / "profile_meta_data" / std::size_t{0};
       set(g, at, g.c.pick(kKeys), g.c.chance(50) ? Json(1.0) : Json("1"));
     }},
    {{"dve-member-absent", Reason::dve_member_missing}, kAny, [](Ground& g) { return g.dve_tables(); },
     [](Ground& g, At& at) {
       static constexpr const char* kKeys[] = {"opcode_table", "control_fast_table", "control_slow_table",
                                               "datapath_table"};
       set(g, at, g.c.pick(kKeys), "no such member");
     }},
    {{"dve-tables-length", Reason::dve_tables_length}, kAny, [](Ground& g) { return g.dve_tables(); },
     [](Ground& g, At& at) {
       const Json tables = g.at(at);
       at.pointer.erase(at.pointer.rfind('/'));
       g.at(at) = g.c.chance(50) ? Json::array() : Json::array({tables, tables});
     }},
};

}  // namespace

std::span<const Kind> section_kinds() { return kKinds; }

}  // namespace assay::harness::near_misses
