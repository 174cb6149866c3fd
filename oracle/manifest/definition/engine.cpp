// SPDX-License-Identifier: Apache-2.0
// Engine members: code, blocks, and the tables of the dve engine; those of act are in act.cpp.
#include <fmt/format.h>

#include <limits>

#include "oracle/manifest/definition/definition.h"

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

}  // namespace

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
  ASSAY_TRY_LET(doc, c.document_at(def[key], Reason::engine_member_missing));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<EngineKey> k(root);
  if (k.has(EngineKey::instr_)) {
    const Node instr = k[EngineKey::instr_];
    ASSAY_TRY_LET(member, c.member_at(instr, Reason::engine_instr_missing));
    if (member->size() > std::numeric_limits<std::uint32_t>::max())
      return instr.refuse(Reason::engine_instr_size,  // unreached: a member of 4 GiB
                          fmt::format("{} bytes", member->size()));
    c.out.engines[static_cast<std::size_t>(engine)].code = member->view();
  }
  if (k.has(EngineKey::dma_)) ASSAY_TRY(read_blocks(c, k[EngineKey::dma_]));
  if (engine == EngineType::ACT) return read_act(c, k);
  if (engine == EngineType::DVE) return read_dve(c, k);
  return {};
}

}  // namespace assay::definition
