// SPDX-License-Identifier: Apache-2.0
// Variables and queues against the document alone. The specification's words are read here a second
// time on purpose: the oracle's tables and code are what is judged.
#include <map>

#include <fmt/format.h>

#include "harness/properties/ask.h"
#include "harness/properties/checks.h"

namespace assay::harness::checks {
namespace {

enum class Size : std::uint8_t { given, eight, payload, none };

struct VarType {
  MrType type;
  Size size;
  bool aligned;  // its alignment is stored
};
const std::map<std::string, VarType, std::less<>> kVarTypes = {
    {"input", {MrType::MR_INPUT, Size::given, true}},
    {"output", {MrType::MR_OUTPUT, Size::given, true}},
    {"tmp-buf", {MrType::MR_TMP_BUF, Size::given, true}},
    {"virtual", {MrType::MR_VIRTUAL_TMP_BUF, Size::given, false}},
    {"file", {MrType::MR_BUFFER, Size::payload, true}},
    {"pointer", {MrType::MR_PTR, Size::eight, false}},
    {"state-buffer", {MrType::MR_SB, Size::none, false}},
    {"list", {MrType::MR_LIST, Size::none, false}},
    {"dge-table", {MrType::MR_PTR_TABLE, Size::none, false}},
    {"remote", {MrType::MR_REMOTE, Size::none, false}},
};
const std::map<std::string, BackingBuf, std::less<>> kBackings = {
    {"local", BackingBuf::LOCAL},
    {"shared", BackingBuf::SHARED},
    {"sharded", BackingBuf::SHARDED},
    {"main", BackingBuf::MAIN}};
const std::map<std::string, RingType, std::less<>> kRings = {
    {"in", RingType::IN}, {"out", RingType::OUT}, {"data", RingType::DATA}, {"act_load", RingType::DYNAMIC_ACT_TBL},
    {"embedding_update", RingType::EMBEDDING_UPDATE}, {"dynamic", RingType::DATA}};
const std::map<std::string, EngineType, std::less<>> kEngines = {
    {"pe", EngineType::PE},
    {"act", EngineType::ACT},
    {"pool", EngineType::POOL},
    {"dve", EngineType::DVE},
    {"sp", EngineType::SP}};

// What a record holds against what the document says of it.
class Held {
 public:
  Held(std::string place, std::vector<Violation>& out) : place_(std::move(place)), out_(out) {}
  void to(std::string_view row, const char* field, std::uint64_t want, std::uint64_t got) {
    if (want == got) return;
    out_.push_back({std::string(row), place_ + "." + field, fmt::format("{}", want), fmt::format("{}", got), {}});
  }

 private:
  std::string place_;
  std::vector<Violation>& out_;
};

std::uint64_t number(const Json& j, const char* key, std::uint64_t otherwise = 0) {
  const auto it = j.find(key);
  return it == j.end() ? otherwise : it->get<std::uint64_t>();
}

void judge_variable(const kbin_mem_ref& m, const Json& v, const Json& var, Held held) {
  const VarType& type = kVarTypes.at(v.at("type").get<std::string>());
  held.to("VAR-003", "mr_type", static_cast<std::uint64_t>(code(type.type)), m.mr_type);
  if (type.size == Size::given)
    held.to((m.size ^ number(v, "size")) >> 32 != 0 ? "VAR-030" : "VAR-007", "size", number(v, "size"), m.size);
  if (type.size == Size::eight) held.to("VAR-010", "size", 8, m.size);
  if (type.size == Size::none) held.to("VAR-032", "size", 0, m.size);
  held.to(type.aligned ? "VAR-012" : type.type == MrType::MR_VIRTUAL_TMP_BUF ? "VAR-014" : "VAR-032", "alignment",
          type.aligned ? number(v, "alignment") : 0, m.alignment);
  held.to("VAR-034", "buffer", type.type == MrType::MR_BUFFER && m.size > 0 ? 1 : 0, m.buffer != nullptr ? 1 : 0);
  switch (type.type) {
    case MrType::MR_PTR: {
      held.to("VAR-008", "u.ptr.referenced_var_id", number(v, "referenced_var_id"), m.u.ptr.referenced_var_id);
      for (const Json& other : var) {
        if (number(other, "var_id") != number(v, "referenced_var_id")) continue;
        const bool io = other["type"] == "input" || other["type"] == "output";
        held.to("VAR-011", "u.ptr.io_ref", io ? 1 : 0, m.u.ptr.io_ref);
      }
      return;
    }
    case MrType::MR_VIRTUAL_TMP_BUF:
      held.to("VAR-024", "u.virtual.offset", number(v, "backing_variable_off"), m.u.virtual_.offset);
      held.to("VAR-025", "u.virtual.backing_buf",
              static_cast<std::uint64_t>(code(kBackings.at(v.value("backing_buf", "main")))), m.u.virtual_.backing_buf);
      return;
    case MrType::MR_LIST:
    case MrType::MR_PTR_TABLE:
      held.to("VAR-019", "u.list.length", v.at("list").size(), m.u.list.length);
      for (std::size_t i = 0; i < v["list"].size() && i < m.u.list.length; ++i)
        held.to("VAR-019", "u.list.list", v["list"][i].get<std::uint64_t>(), m.u.list.list[i]);
      return;
    default: return;
  }
}

void judge_queue(const kbin_dma_t& r, const Json& q, Held held) {
  const std::string type = q.at("type").get<std::string>();
  const bool dynamic = type == "dynamic", indirect = type == "data" && q.value("indirect_memcpy", false);
  held.to(indirect ? "DMQ-006" : dynamic ? "DMQ-007" : "DMQ-005", "ring_type",
          static_cast<std::uint64_t>(code(indirect ? RingType::INDIRECT_MEMCPY : kRings.at(type))), r.ring_type);
  held.to("DMQ-003", "owner", static_cast<std::uint64_t>(code(kEngines.at(q.at("owner").get<std::string>()))), r.owner);
  held.to("DMQ-008", "queue_set_cnt", number(q, "num_queues", 1), r.queue_set_cnt);
  Json semaphores = q.value("semaphore_set", Json::array());
  if (!q.contains("semaphore_set") && q.contains("semaphore")) semaphores.push_back(q["semaphore"]);
  held.to("DMQ-015", "semaphore_cnt", semaphores.size(), r.semaphore_cnt);
  for (std::size_t i = 0; i < KBIN_MAX_SEMAPHORES; ++i)
    held.to("DMQ-015", "semaphores", i < semaphores.size() ? semaphores[i].get<std::uint64_t>() : 0, r.semaphores[i]);
  const bool described = dynamic && q.contains("dynamic_dma");
  const Json scratch = described ? q["dynamic_dma"] : Json::object();
  held.to("DMQ-007", "dge_sb_scratch_addr", number(scratch, "SB_scratch_partition_offset"), r.dge_sb_scratch_addr);
  held.to("DMQ-007", "dge_sb_scratch_size", number(scratch, "SB_scratch_partition_size"), r.dge_sb_scratch_size);
  const bool counts = (dynamic && !described) || q.value("dge", false);  // for DMQ-017's limit
  held.to("DMQ-019", "flags", (q.value("pinned", false) ? 1 : 0) | (counts ? 2 : 0) | (dynamic ? 4 : 0), r.flags);
}

// visit(definition, tree, found) for every graph that the subject lowers as the oracle does.
template <class F>
Verdict each_graph(const Subject& s, const Case& c, F visit) {
  const Model& model = std::get<ModelCase>(c).model;
  return each_agreed(s, model, [&](const Asked& asked, std::size_t g, const Tree& tree, std::vector<Violation>& found) {
    visit(model.members.at(asked.request(g).definition).doc, tree, found);
  });
}

}  // namespace

Verdict variables_as_written(const Subject& s, const Case& c) {
  return each_graph(s, c, [](const Json& def, const Tree& tree, std::vector<Violation>& found) {
    const Json& var = def.at("var");
    for (const Json& v : var) {
      const std::uint64_t id = number(v, "var_id");
      if (id < tree.root().mem_ref_set->nmem)
        judge_variable(mem_of(tree.root().mem_ref_set)[id], v, var, Held(fmt::format("mem_ref_set.mem[{}]", id), found));
    }
  });
}

Verdict queues_as_written(const Subject& s, const Case& c) {
  return each_graph(s, c, [](const Json& def, const Tree& tree, std::vector<Violation>& found) {
    const auto queues = def.find("dma_queue");
    if (queues == def.end()) return;
    std::size_t i = 0;  // nlohmann's objects are in byte order, as the records are
    for (const Json& q : *queues) {
      const kbin_dma_t* record = i < KBIN_MAX_DMA ? tree.root().dma[i] : nullptr;
      if (record != nullptr) judge_queue(*record, q, Held(fmt::format("dma[{}]", i), found));
      ++i;
    }
  });
}

}  // namespace assay::harness::checks
