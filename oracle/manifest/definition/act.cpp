// SPDX-License-Identifier: Apache-2.0
// The act engine's tables: its semaphore, and the function sets found through act_info.
#include <fmt/format.h>

#include <limits>
#include <map>
#include <optional>

#include "oracle/manifest/definition/definition.h"
#include "oracle/records/fields.h"

namespace assay::definition {
namespace {

using Profiles = std::vector<kbin_act_profile_data_t>;

// A profile's JSON key is its record field's name, one spelling apart (lowering.md).
std::string_view profile_key(std::string_view field) {
  return field == "sym_opt_use_neg_region" ? "symmetry_opt_use_neg_region" : field;
}

// Reads one field of kbin_act_profile_data_t by the record table.
Result<> store_profile_field(const Node& value, const Field& f, kbin_act_profile_data_t& out) {
  // ACT-006 has a row of its own for what does not fit.
  const auto too_wide = [&](const Refusal& r) -> Result<> {
    if (r.reason == Reason::integer_too_wide)
      return value.refuse(Reason::act_profile_value, r.detail);
    return tl::unexpected<Refusal>(r);
  };
  auto* at = reinterpret_cast<std::uint8_t*>(&out) + f.offset;
  const auto put = [&](auto result) -> Result<> {
    if (!result) return too_wide(result.error());
    store(at, *result);
    return {};
  };
  switch (f.type) {
    case FieldType::u8:
      return put(value.integer<std::uint8_t>());
    case FieldType::u16:
      return put(value.integer<std::uint16_t>());
    case FieldType::i32:
      return put(value.integer<std::int32_t>());
    default:
      return put(value.integer<std::uint32_t>());
  }
}

Result<> read_profile(const Node& node, kbin_act_profile_data_t& out) {
  ASSAY_TRY(node.expect(JsonType::object));
  const auto fields = record(RecordId::kbin_act_profile_data_t).fields;
  std::string_view wanted[32];
  JsonValue found[32] = {};
  for (std::size_t i = 0; i < fields.size(); ++i) wanted[i] = profile_key(fields[i].name);
  find_keys(node.value(), {wanted, fields.size()}, found);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (found[i].document != nullptr)
      ASSAY_TRY(store_profile_field(Node(node, wanted[i], found[i]), fields[i], out));
  return {};
}

// A table's size field has 32 bits, so a longer member does not fit its record.
Result<ByteView> table_at(const Context& c, const Node& name) {
  ASSAY_TRY_LET(member, c.member_at(name, Reason::act_member_missing));
  if (member->size() > std::numeric_limits<std::uint32_t>::max())
    return name.refuse(Reason::integer_too_wide,  // unreached: a member of 4 GiB
                       fmt::format("{} bytes", member->size()));
  return member->view();
}

// The sets of act_info by name. Each entry and each profile member is read once, however many
// names lead to it, so that the work grows with the text; entries behind the last one asked for
// are not looked at.
class Sets {
 public:
  Sets(const Context& c, const Node& list) : c_(c), list_(list), cursor_(list.value()) {}

  // The first set of that name (ACT-007).
  Result<ActSet> find(const Node& name_node) {
    ASSAY_TRY_LET(name, name_node.string());
    ASSAY_TRY(index_until(name));
    const auto at = entries_.find(name);
    if (at == entries_.end())
      return name_node.refuse(Reason::act_set_unknown, fmt::format("\"{}\"", name));
    Entry& e = at->second;
    if (!e.set) {
      ASSAY_TRY_LET(set, read(Node(list_, e.index, e.value), name));
      e.set = std::move(set);
    }
    return *e.set;
  }

 private:
  struct Entry {
    std::size_t index;
    JsonValue value;
    std::optional<ActSet> set;
  };

  // Takes entries in until one of that name is there or none is left.
  Result<> index_until(std::string_view name) {
    JsonValue value;
    while (entries_.find(name) == entries_.end() && cursor_.next(value)) {
      const std::size_t index = next_index_++;
      const Node entry(list_, index, value);
      ASSAY_TRY(entry.expect(JsonType::object));
      const Keys<ActSetKey> k(entry);
      if (!k.has(ActSetKey::name_)) continue;  // ruling: an unnamed set is never the one meant
      ASSAY_TRY_LET(entry_name, k[ActSetKey::name_].string());
      entries_.emplace(entry_name, Entry{index, value, {}});
    }
    return {};
  }

  Result<ActSet> read(const Node& entry, std::string_view name) {
    const Keys<ActSetKey> k(entry);
    ASSAY_TRY(require(k, {ActSetKey::bkt_bin_, ActSetKey::ctrl_bin_, ActSetKey::profile_json_},
                      Reason::act_set_key_missing));
    ActSet set;
    set.name = name;
    ASSAY_TRY_LET(bkt, table_at(c_, k[ActSetKey::bkt_bin_]));
    ASSAY_TRY_LET(ctl, table_at(c_, k[ActSetKey::ctrl_bin_]));
    set.bkt = bkt;
    set.ctl = ctl;
    ASSAY_TRY_LET(profiles, read_profiles(k[ActSetKey::profile_json_]));
    set.profiles = profiles;
    return set;
  }

  Result<Profiles> read_profiles(const Node& name_node) {
    ASSAY_TRY_LET(name, name_node.string());
    if (const auto known = profiles_.find(name); known != profiles_.end()) return known->second;
    ASSAY_TRY_LET(doc, c_.document_at(name_node, Reason::act_member_missing));
    const Node root = doc.root();
    ASSAY_TRY(root.expect(JsonType::object));
    const Keys<ProfileFileKey> k(root);
    ASSAY_TRY(require(k, {ProfileFileKey::profile_meta_data_}, Reason::act_profile_missing));
    const Node list = k[ProfileFileKey::profile_meta_data_];
    ASSAY_TRY(list.expect(JsonType::array));
    const std::size_t n = count_of(list.value());
    if (n > KBIN_MAX_PROFILES)
      return list.refuse(Reason::act_profile_count, fmt::format("{} entries", n));
    Profiles profiles;
    ASSAY_TRY(for_each_element(
        list, [&](const Node& item) { return read_profile(item, profiles.emplace_back()); }));
    return profiles_.emplace(name, std::move(profiles)).first->second;
  }

  const Context& c_;
  const Node& list_;
  ArrayCursor cursor_;
  std::size_t next_index_ = 0;
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, Profiles, std::less<>> profiles_;  // by member name
};

}  // namespace

Result<> read_act(Context& c, const Keys<EngineKey>& engine) {
  ASSAY_TRY_LET(semaphore, engine.integer_or<std::uint32_t>(EngineKey::act_semaphore_, 0));
  c.out.act_semaphore = semaphore;
  if (!engine.has(EngineKey::activation_function_sets_)) return {};
  const Node names = engine[EngineKey::activation_function_sets_];
  ASSAY_TRY(names.expect(JsonType::array));
  if (count_of(names.value()) == 0) return {};  // ACT-003: act_info is then not read

  ASSAY_TRY(require(engine, {EngineKey::act_info_}, Reason::act_info_missing));
  ASSAY_TRY_LET(doc, c.document_at(engine[EngineKey::act_info_], Reason::act_info_missing));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<ActInfoKey> info(root);
  ASSAY_TRY(require(info, {ActInfoKey::act_func_sets_}, Reason::act_set_unknown));
  const Node list = info[ActInfoKey::act_func_sets_];
  ASSAY_TRY(list.expect(JsonType::array));
  Sets sets(c, list);
  return for_each_element(names, [&](const Node& name) -> Result<> {
    ASSAY_TRY_LET(set, sets.find(name));
    ASSAY_TRY(c.charge(sizeof(kbin_act_function_set_t) + set.bkt.size() + set.ctl.size(), name));
    c.out.act_sets.push_back(std::move(set));
    return {};
  });
}

}  // namespace assay::definition
