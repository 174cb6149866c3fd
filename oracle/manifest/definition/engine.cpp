// SPDX-License-Identifier: Apache-2.0
// Engine members: code, blocks, and the tables of the act and dve engines.
#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <optional>

#include "oracle/manifest/definition/definition.h"
#include "oracle/records/fields.h"

namespace assay::definition {
namespace {

DefKey key_of(EngineType e) {
  switch (e) {
    case EngineType::PE: return DefKey::pe_;
    case EngineType::ACT: return DefKey::act_;
    case EngineType::POOL: return DefKey::pool_;
    case EngineType::DVE: return DefKey::dve_;
    case EngineType::SP: return DefKey::sp_;
  }
  return DefKey::pe_;
}

// A JSON member named by a string value: its document, or a refusal at the value.
Result<Document> document_at(const Context& c, const Node& name_node, Reason missing) {
  ASSAY_TRY_LET(member, c.member_at(name_node, missing));
  ASSAY_TRY_LET(name, name_node.string());
  return Document::parse(std::string(c.directory) + std::string(name), *member);
}

// A profile's JSON key is its record field's name, one spelling apart (lowering.md).
std::string_view profile_key(std::string_view field) {
  return field == "sym_opt_use_neg_region" ? "symmetry_opt_use_neg_region" : field;
}

// Reads one field of kbin_act_profile_data_t by the record table.
Result<> store_profile_field(const Node& value, const Field& f, kbin_act_profile_data_t& out) {
  // ACT-006 has a row of its own for what does not fit.
  const auto too_wide = [&](const Refusal& r) -> Result<> {
    if (r.reason == Reason::integer_too_wide) return value.refuse(Reason::act_profile_value, r.detail);
    return tl::unexpected<Refusal>(r);
  };
  auto* at = reinterpret_cast<std::uint8_t*>(&out) + f.offset;
  const auto put = [&](auto result) -> Result<> {
    if (!result) return too_wide(result.error());
    store(at, *result);
    return {};
  };
  switch (f.type) {
    case FieldType::u8: return put(value.integer<std::uint8_t>());
    case FieldType::u16: return put(value.integer<std::uint16_t>());
    case FieldType::i32: return put(value.integer<std::int32_t>());
    default: return put(value.integer<std::uint32_t>());
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

Result<> read_profiles(const Context& c, const Node& name_node, ActSet& set) {
  ASSAY_TRY_LET(doc, document_at(c, name_node, Reason::act_member_missing));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<ProfileFileKey> k(root);
  ASSAY_TRY(require(k, {ProfileFileKey::profile_meta_data_}, Reason::act_profile_missing));
  const Node list = k[ProfileFileKey::profile_meta_data_];
  ASSAY_TRY(list.expect(JsonType::array));
  const std::size_t n = count_of(list.value());
  if (n > KBIN_MAX_PROFILES) return list.refuse(Reason::act_profile_count, fmt::format("{} entries", n));
  return for_each_element(list, [&](const Node& item) {
    return read_profile(item, set.profiles.emplace_back());
  });
}

// A table's size field has 32 bits, so a longer member does not fit its record.
Result<ByteView> table_at(const Context& c, const Node& name) {
  ASSAY_TRY_LET(member, c.member_at(name, Reason::act_member_missing));
  if (member->size() > std::numeric_limits<std::uint32_t>::max())
    return name.refuse(Reason::integer_too_wide, fmt::format("{} bytes", member->size()));
  return member->view();
}

Result<ActSet> read_set(const Context& c, const Node& entry, std::string_view name) {
  const Keys<ActSetKey> k(entry);
  ASSAY_TRY(require(k, {ActSetKey::bkt_bin_, ActSetKey::ctrl_bin_, ActSetKey::profile_json_},
                    Reason::act_set_key_missing));
  ActSet set;
  set.name = name;
  ASSAY_TRY_LET(bkt, table_at(c, k[ActSetKey::bkt_bin_]));
  ASSAY_TRY_LET(ctl, table_at(c, k[ActSetKey::ctrl_bin_]));
  set.bkt = bkt;
  set.ctl = ctl;
  ASSAY_TRY(read_profiles(c, k[ActSetKey::profile_json_], set));
  return set;
}

// The first set of that name (ACT-007). Entries behind it are not looked at.
Result<ActSet> find_set(const Context& c, const Node& sets, const Node& name_node) {
  ASSAY_TRY_LET(name, name_node.string());
  std::optional<ActSet> set;
  ArrayCursor cursor(sets.value());
  JsonValue value;
  for (std::size_t i = 0; cursor.next(value); ++i) {
    const Node entry(sets, i, value);
    ASSAY_TRY(entry.expect(JsonType::object));
    const Keys<ActSetKey> k(entry);
    if (!k.has(ActSetKey::name_)) continue;  // ruling: an unnamed set is never the one meant
    ASSAY_TRY_LET(entry_name, k[ActSetKey::name_].string());
    if (entry_name == name) return read_set(c, entry, name);
  }
  return name_node.refuse(Reason::act_set_unknown, fmt::format("\"{}\"", name));
}

}  // namespace

Result<> read_act(Context& c, const Keys<EngineKey>& engine) {
  ASSAY_TRY_LET(semaphore, engine.integer_or<std::uint32_t>(EngineKey::act_semaphore_, 0));
  c.out.act_semaphore = semaphore;
  if (!engine.has(EngineKey::activation_function_sets_)) return {};
  const Node names = engine[EngineKey::activation_function_sets_];
  ASSAY_TRY(names.expect(JsonType::array));
  if (count_of(names.value()) == 0) return {};  // ACT-003: act_info is then not read

  ASSAY_TRY(require(engine, {EngineKey::act_info_}, Reason::act_info_missing));
  ASSAY_TRY_LET(doc, document_at(c, engine[EngineKey::act_info_], Reason::act_info_missing));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<ActInfoKey> info(root);
  ASSAY_TRY(require(info, {ActInfoKey::act_func_sets_}, Reason::act_set_unknown));
  const Node sets = info[ActInfoKey::act_func_sets_];
  ASSAY_TRY(sets.expect(JsonType::array));
  return for_each_element(names, [&](const Node& name) -> Result<> {
    ASSAY_TRY_LET(set, find_set(c, sets, name));
    c.out.act_sets.push_back(std::move(set));
    return {};
  });
}

Result<> read_dve(Context& c, const Keys<EngineKey>& engine) {
  if (!engine.has(EngineKey::dve_tables_)) return {};
  const Node outer = engine[EngineKey::dve_tables_];
  Node tables = outer;
  if (outer.type() == JsonType::array) {
    const std::size_t n = count_of(outer.value());
    if (n != 1) return outer.refuse(Reason::dve_tables_length, fmt::format("{} elements", n));
    ArrayCursor cursor(outer.value());
    JsonValue first;
    cursor.next(first);
    tables = Node(outer, 0, first);
  }
  ASSAY_TRY(tables.expect(JsonType::object));
  const Keys<DveTablesKey> k(tables);
  auto& out = c.out.dve_tables.emplace();
  constexpr DveTablesKey kOrder[] = {DveTablesKey::opcode_table_, DveTablesKey::control_fast_table_,
                                     DveTablesKey::control_slow_table_, DveTablesKey::datapath_table_};
  for (std::size_t i = 0; i < out.size(); ++i) {
    DveTablesKey key = kOrder[i];
    // Older targets have one control table (DVE-003).
    if (key == DveTablesKey::control_fast_table_ && !k.has(key)) key = DveTablesKey::control_table_;
    if (!k.has(key)) continue;
    ASSAY_TRY_LET(member, c.member_at(k[key], Reason::dve_member_missing));
    out[i] = member->view();
  }
  return {};
}

Result<> read_engine(Context& c, const Def& def, EngineType engine) {
  const DefKey key = key_of(engine);
  if (!def.has(key)) return {};
  ASSAY_TRY_LET(doc, document_at(c, def[key], Reason::engine_member_missing));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<EngineKey> k(root);
  if (k.has(EngineKey::instr_)) {
    const Node instr = k[EngineKey::instr_];
    ASSAY_TRY_LET(member, c.member_at(instr, Reason::engine_instr_missing));
    if (member->size() > std::numeric_limits<std::uint32_t>::max())
      return instr.refuse(Reason::engine_instr_size, fmt::format("{} bytes", member->size()));
    c.out.engines[static_cast<std::size_t>(engine)].code = member->view();
  }
  if (k.has(EngineKey::dma_)) ASSAY_TRY(read_blocks(c, k[EngineKey::dma_]));
  if (engine == EngineType::ACT) return read_act(c, k);
  if (engine == EngineType::DVE) return read_dve(c, k);
  return {};
}

}  // namespace assay::definition
