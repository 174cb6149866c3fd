// SPDX-License-Identifier: Apache-2.0
// The act engine's function sets and the dve engine's tables.
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "oracle/records/fields.h"
#include "oracle/records/kbin.h"

namespace assay::harness::models {
namespace {

std::string_view profile_key(std::string_view field) {
  return field == "sym_opt_use_neg_region" ? "symmetry_opt_use_neg_region" : field;
}

Json profile_value(Choices& c, FieldType type) {
  switch (type) {
    case FieldType::u8: return rarely(c, 30) ? 255 : c.below(256);
    case FieldType::u16: return rarely(c, 30) ? 65535 : c.below(65536);
    case FieldType::i32: {
      static constexpr std::int32_t kSigned[] = {0, -1, 1, -19, 2147483647, -2147483648};
      return c.pick(kSigned);
    }
    default: return any_u32(c);
  }
}

Json profile(Choices& c) {
  Json p = Json::object();
  const auto fields = record(RecordId::kbin_act_profile_data_t).fields;
  const bool all = rarely(c, 20);
  for (const Field& f : fields)
    if (all || rarely(c, 15)) p[std::string(profile_key(f.name))] = profile_value(c, f.type);
  add_unread(c, p, {"func_name", "use_multipass", "lower_bound", "upper_bound", "sym_opt_use_neg_region"}, 5);
  add_noise(c, p);
  return p;
}

std::string profile_member(Graph& g) {
  Choices& c = g.c;
  Json list = Json::array();
  for (std::uint32_t n = rarely(c, 2) ? std::uint32_t{KBIN_MAX_PROFILES} : few(c, 0, 4); n > 0; --n) list.push_back(profile(c));
  Json doc = Json::object();
  doc["profile_meta_data"] = std::move(list);
  add_noise(c, doc);
  std::string name = new_member(g, ".json");
  g.put(name, std::move(doc));
  return name;
}

// `profiles` are the members of the sets before; two sets may share one.
Json function_set(Graph& g, const std::string& name, std::vector<std::string>& profiles) {
  Json set = Json::object();
  set["name"] = name;
  set["bkt_bin"] = raw_member(g);
  set["ctrl_bin"] = raw_member(g);
  set["profile_json"] = profiles.empty() || !rarely(g.c, 20) ? profile_member(g) : profiles.back();
  profiles.push_back(set["profile_json"].get<std::string>());
  add_noise(g.c, set);
  return set;
}

// A set that no one asks for, or that stands behind the one meant: its members may be missing.
Json dangling_set(Choices& c, const std::string& name) {
  Json set = Json::object();
  set["name"] = name;
  add_unread(c, set, {"bkt_bin", "ctrl_bin", "profile_json"}, 20);
  return set;
}

}  // namespace

void add_act_tables(Graph& g, Json& engine) {
  Choices& c = g.c;
  if (rarely(c, 50)) engine["act_semaphore"] = any_u32(c);
  const std::uint32_t n = rarely(c, 50) ? few(c, 0, g.size.act_sets) : 0;
  if (n == 0) {
    if (rarely(c, 40)) engine["activation_function_sets"] = Json::array();
    add_unread(c, engine, {"act_info"}, 20);  // not read without a set (ACT-003)
    return;
  }
  std::vector<std::string> names, profiles;
  Json sets = Json::array();
  for (std::uint32_t i = 0; i < n; ++i) {
    std::string name = rarely(c, 10) ? text_of(c, 254 + static_cast<std::uint32_t>(c.below(4)))
                                     : any_text(c, g.size.text_bytes);
    while (std::find(names.begin(), names.end(), name) != names.end()) name += std::to_string(i);
    if (rarely(c, 10)) sets.push_back(dangling_set(c, name + "-unused"));
    if (rarely(c, 5)) {  // of no name: no one asks for it
      sets.push_back(dangling_set(c, name));
      sets.back().erase("name");
    }
    sets.push_back(function_set(g, name, profiles));
    names.push_back(std::move(name));
  }
  if (rarely(c, 15)) sets.push_back(dangling_set(c, names[0]));  // the first counts (ACT-007)

  Json& listed = engine["activation_function_sets"] = Json::array();
  for (auto i = names.size(); i > 0; --i) listed.push_back(names[i - 1]);
  if (rarely(c, 15)) listed.push_back(names[0]);  // listed twice is two records
  Json info = Json::object();
  info["act_func_sets"] = std::move(sets);
  add_noise(c, info);
  const std::string member = new_member(g, ".json");
  g.put(member, std::move(info));
  engine["act_info"] = member;
}

void add_dve_tables(Graph& g, Json& engine) {
  Choices& c = g.c;
  if (!rarely(c, 60)) return;
  Json t = Json::object();
  for (const char* key : {"opcode_table", "control_slow_table", "datapath_table"})
    if (rarely(c, 75)) t[key] = raw_member(g);
  switch (c.below(4)) {
    case 1: t["control_table"] = raw_member(g); break;  // older targets (DVE-003)
    case 2:
      t["control_fast_table"] = raw_member(g);
      add_unread(c, t, {"control_table"}, 30);  // beside it, not read
      break;
    case 3: t["control_fast_table"] = raw_member(g); break;
    default: break;
  }
  add_noise(c, t);
  if (rarely(c, 35)) {
    engine["dve_tables"] = std::move(t);
    return;
  }
  Json list = Json::array();
  list.push_back(std::move(t));
  engine["dve_tables"] = std::move(list);
}

}  // namespace assay::harness::models
