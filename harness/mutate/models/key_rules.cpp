// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/models/key_rules.h"

#include <algorithm>

#include "harness/gen/models/parts.h"
#include "oracle/records/fields.h"

namespace assay::harness::mutating {

using models::any_text;
using models::rarely;
using reduce::at;
using reduce::text_at;

bool Spot::is(std::string_view of, std::string_view text) {
  const std::string* s = text_at(place.value, of);
  return s != nullptr && *s == text;
}
bool Spot::put(std::string_view of, Json v) {
  Json& slot = object()[std::string(of)];
  if (slot == v && !slot.is_null()) return false;
  slot = std::move(v);
  return true;
}
bool Spot::unread() {
  if (!idle(c())) return false;
  return rarely(c(), 30) ? erase(key) : put(models::any_value(c()));
}

namespace {

// ---- plain values ----

bool number(Spot& s, const KeyRule& r) { return s.put(s.c().edge(r.lo, r.hi)); }
bool signed_number(Spot& s, const KeyRule&) {
  static constexpr std::int32_t kEdges[] = {0,   1,   -1,   5,    122,       123,        -122,       -123,
                                            133, 132, -133, 2147483647, -2147483647, -2147483647 - 1};
  return s.put(s.c().pick(kEdges));
}
bool size64(Spot& s, const KeyRule&) { return s.put(models::any_u64(s.c())); }
bool flag(Spot& s, const KeyRule&) {
  const Json* now = s.value(s.key);
  return s.put(now != nullptr && now->is_boolean() ? !now->get<bool>() : s.c().below(2) == 1);
}
bool word(Spot& s, const KeyRule& r) { return s.put(s.c().pick(matcher(r.words)).text); }
bool text(Spot& s, const KeyRule& r) {
  const auto most = static_cast<std::uint32_t>(r.hi);
  return s.put(rarely(s.c(), 10) ? models::text_of(s.c(), most - static_cast<std::uint32_t>(s.c().below(3)))
                                 : any_text(s.c(), std::min(most, 24u)));
}

using O = Object;
namespace R = rules;
constexpr std::uint64_t k8 = 0xFF, k32 = 0xFFFFFFFF;

constexpr KeyRule kRules[] = {
    {O::Kelf, "version", false, R::kelf_version},
    {O::Kelf, "target", false, R::kelf_target},
    {O::Kelf, "graphs", false, R::kelf_graphs},
    {O::KelfGraph, "name", false, text, 0, 40},
    {O::KelfGraph, "definition", false, R::graph_definition},
    {O::Neff, "nodes", false, R::neff_nodes},
    {O::Neff, "arg_nodes", false, R::neff_args},
    {O::Neff, "heads", false, R::neff_heads},
    {O::Neff, "node_row_ptr", false, R::neff_rows},
    {O::Neff, "attrs", false, R::neff_attrs},
    {O::NeffAttrs, "dltype", false, R::neff_list},
    {O::NeffAttrs, "shape", false, R::neff_list},
    {O::NeffNode, "name", false, text, 0, 40},
    {O::NeffNode, "attrs", false, R::neff_attrs},
    {O::NeffNode, "output_names", true, R::output_names},
    {O::NeffNodeAttrs, "func_name", false, R::seldom},
    {O::NeffNodeAttrs, "kelf", false, R::kelf_member},
    {O::NeffNodeAttrs, "output_names", true, R::output_names},
    {O::Def, "var", false, R::any_section},
    {O::Def, "dma_queue", false, R::any_section},
    {O::Def, "replica_groups", true, R::numbers, 3},
    {O::Def, "src_target_pairs", true, R::numbers, 2},
    {O::Def, "ext_isa_ucode_lib_def", true, R::any_section},
    {O::Def, "ucode_lib", true, R::any_section},
    {O::Def, "runtime_statebuffer_reservation", false, R::any_section},
    {O::Def, "cc_streams", false, R::any_section},
    {O::Def, "num_streams", true, size64},
    {O::Def, "dma", false, R::list},
    {O::Def, "fp8_conversion_config", true, R::any_section},
    {O::Def, "pe", false, R::engine_member},
    {O::Def, "act", false, R::engine_member},
    {O::Def, "pool", false, R::engine_member},
    {O::Def, "dve", false, R::engine_member},
    {O::Def, "sp", false, R::engine_member},
    {O::Var, "type", false, R::var_type},
    {O::Var, "var_id", false, R::var_id},
    {O::Var, "size", false, R::var_size},
    {O::Var, "alignment", true, R::var_alignment},
    {O::Var, "dtype", true, R::var_dtype},
    {O::Var, "shape", true, R::var_shape},
    {O::Var, "referenced_var_id", false, R::var_reference},
    {O::Var, "list", false, R::var_list},
    {O::Var, "file_name", false, R::var_file},
    {O::Var, "backing_variable_off", false, R::var_offset},
    {O::Var, "backing_buf", true, R::var_backing},
    {O::Var, "prefix", true, R::var_debug, 0, 511},
    {O::Var, "pipe", true, R::var_debug},
    {O::Queue, "type", false, R::queue_type},
    {O::Queue, "owner", false, word, 0, 0, "engine"},
    {O::Queue, "num_queues", true, R::queue_count},
    {O::Queue, "semaphore", true, R::queue_semaphore},
    {O::Queue, "semaphore_set", false, R::queue_semaphore},
    {O::Queue, "queue_instances", false, R::queue_instances},
    {O::Queue, "indirect_memcpy", true, R::queue_for_type},
    {O::Queue, "dynamic_dma", false, R::queue_for_type},
    {O::Queue, "dge", true, R::queue_dge},
    {O::Queue, "pinned", true, flag},
    {O::Queue, "embedding_update_sync_semaphore", false, R::queue_for_type},
    {O::DynamicDma, "SB_scratch_partition_offset", true, number, 0, k32},
    {O::DynamicDma, "SB_scratch_partition_size", true, number, 0, k32},
    {O::Block, "id", false, number, 0, k32},
    {O::Block, "desc", false, R::list},
    {O::Block, "queue", false, R::block_queue},
    {O::Block, "instance_name", false, R::block_instance},
    {O::Block, "priority_class", true, number, 0, k8},
    {O::Block, "function_start", true, text, 0, 258},
    {O::Block, "section_start_desc", true, flag},
    {O::Block, "event", true, R::seldom},
    {O::Block, "semaphore", true, R::seldom},
    {O::Block, "remote_semaphores", true, R::seldom},
    {O::Desc, "op", false, R::desc_op},
    {O::Desc, "from", false, R::desc_side},
    {O::Desc, "from_off", true, R::desc_side},
    {O::Desc, "to", false, R::desc_side},
    {O::Desc, "to_off", true, R::desc_side},
    {O::Desc, "from_sizes", false, R::desc_pattern},
    {O::Desc, "from_steps", false, R::desc_pattern},
    {O::Desc, "to_sizes", false, R::desc_pattern},
    {O::Desc, "to_steps", false, R::desc_pattern},
    {O::Desc, "size", false, R::desc_size},
    {O::Desc, "from_arr", false, R::desc_sources},
    {O::Desc, "from_dtype", false, R::desc_dtype},
    {O::Desc, "to_dtype", false, R::desc_dtype},
    {O::Desc, "scale", true, R::desc_scale},
    {O::Desc, "scale_dtype", true, R::desc_scale},
    {O::Desc, "constant", false, R::desc_constant},
    {O::Desc, "constant_dtype", false, R::desc_constant},
    {O::Desc, "num_tiling_dimensions", true, number, 0, k32},
    {O::Desc, "transpose_op", true, R::desc_transpose},
    {O::Desc, "transpose_element_size", true, R::desc_transpose},
    {O::Desc, "transpose_shape", true, R::desc_transpose},
    {O::Source, "from", false, R::desc_side},
    {O::Source, "from_off", true, R::desc_side},
    {O::Source, "from_sizes", false, R::desc_pattern},
    {O::Source, "from_steps", false, R::desc_pattern},
    {O::Source, "from_dtype", false, R::desc_dtype},
    {O::Source, "scale", false, R::desc_scale},
    {O::Source, "scale_dtype", false, R::desc_scale},
    {O::CcStreams, "num_streams", true, size64},
    {O::ExtIsa, "functions", true, R::list},
    {O::Ucode, "library", false, R::library},
    {O::Ucode, "ulib_to_ucode_version", false, R::ucode_version},
    {O::Ucode, "opcode", false, signed_number},
    {O::Ucode, "cpu_id", true, number, 0, 0},
    {O::Ucode, "total_cpus", true, R::total_cpus},
    {O::Ucode, "functions", true, R::list},
    {O::UcodeFunction, "name", false, text, 0, 255},
    {O::UcodeFunction, "opcode", false, number, 0, k8},
    {O::UcodeFunction, "sub_opcode", true, number, 0, k8},
    {O::Carveout, "type", false, R::seldom},
    {O::Carveout, "offset", false, size64},
    {O::Carveout, "size", false, size64},
    {O::Carveout, "base_partition", false, size64},
    {O::Carveout, "partitions", false, size64},
    {O::Fp8, "fp8_range_extension", true, flag},
    {O::Fp8, "emax_fp8_e4m3", true, number, 0, k32},
    {O::Fp8, "emax_fp8_e5m2", true, number, 0, k32},
    {O::Fp8, "ocp_sat", true, flag},
    {O::Fp8, "fp8_sis", true, flag},
    {O::Fp8, "fp8_sns", true, flag},
    {O::Engine, "instr", true, R::blob},
    {O::Engine, "dma", false, R::list},
    {O::Engine, "act_semaphore", true, R::act_number, 0, k32},
    {O::Engine, "activation_function_sets", true, R::act_list},
    {O::Engine, "act_info", false, R::act_info},
    {O::Engine, "dve_tables", true, R::engine_tables},
    {O::ActInfo, "act_func_sets", false, R::act_info},
    {O::ActSet, "name", false, R::set_name},
    {O::ActSet, "bkt_bin", false, R::blob},
    {O::ActSet, "ctrl_bin", false, R::blob},
    {O::ActSet, "profile_json", false, R::profile_member},
    {O::ProfileFile, "profile_meta_data", false, R::list},
    {O::DveTables, "opcode_table", true, R::blob},
    {O::DveTables, "control_fast_table", true, R::blob},
    {O::DveTables, "control_slow_table", true, R::blob},
    {O::DveTables, "datapath_table", true, R::blob},
    {O::DveTables, "control_table", true, R::blob},
};

struct Ranges {
  std::size_t begin[kObjects + 1] = {};
};
constexpr Ranges kRanges = [] {
  Ranges r;
  for (std::size_t o = 0; o < kObjects; ++o) {
    std::size_t n = 0;
    for (const KeyRule& k : kRules) n += static_cast<std::size_t>(k.object) == o;
    r.begin[o + 1] = r.begin[o] + n;
  }
  return r;
}();

}  // namespace

std::span<const KeyRule> key_rules() { return kRules; }
std::span<const KeyRule> rules_of(Object object) {
  const auto o = static_cast<std::size_t>(object);
  return key_rules().subspan(kRanges.begin[o], kRanges.begin[o + 1] - kRanges.begin[o]);
}

bool change(Edit& edit, const Place& place, const KeyRule& rule) {
  Spot s{edit, place, rule.key};
  if (rule.optional && s.has(rule.key) && rarely(edit.c, 15)) return s.erase(rule.key);
  return rule.change(s, rule);
}

bool change_profile(Edit& edit, const Place& profile) {
  const Field& f = edit.c.pick(record(RecordId::kbin_act_profile_data_t).fields);
  Spot s{edit, profile, profile_key(f.name)};
  if (s.has(s.key) && rarely(edit.c, 20)) return s.erase(s.key);
  if (f.type == FieldType::i32) return signed_number(s, kRules[0]);
  return s.put(edit.c.edge(0, ~std::uint64_t{0} >> (64 - 8 * width_of(f.type))));
}

// ---- what rules share ----

bool edit_list(Choices& c, Json& array, std::size_t lo, std::size_t hi) {
  auto& a = array.get_ref<Json::array_t&>();
  if (a.empty()) return false;
  const std::size_t i = c.below(a.size()), j = c.below(a.size());
  const auto it = [&](std::size_t k) { return a.begin() + static_cast<std::ptrdiff_t>(k); };
  switch (static_cast<Move>(c.below(static_cast<std::uint64_t>(Move::count_)))) {
    case Move::drop:
      if (a.size() <= lo) return false;
      a.erase(it(i));
      return true;
    case Move::twice: {
      if (a.size() >= hi) return false;
      Json copy = a[i];
      a.insert(it(j), std::move(copy));
      return true;
    }
    case Move::swap:
      if (i == j || a[i] == a[j]) return false;
      std::swap(a[i], a[j]);
      return true;
    default:
      if (i == j || a[i] == a[j]) return false;
      if (i < j) std::rotate(it(i), it(i + 1), it(j + 1));
      else std::rotate(it(j), it(i), it(i + 1));
      return true;
  }
}

std::span<const MatcherEntry> matcher(std::string_view spec_name) {
  for (const MatcherRow& row : matcher_rows())
    if (row.spec_name == spec_name) return row.entries;
  return matcher_rows()[0].entries;
}

const std::string* any_key(Choices& c, const Json* object) {
  const auto* map = object == nullptr ? nullptr : object->get_ptr<const Json::object_t*>();
  if (map == nullptr || map->empty()) return nullptr;
  return &std::next(map->begin(), static_cast<std::ptrdiff_t>(c.below(map->size())))->first;
}

std::vector<std::string> blobs_in(const Model& model, std::string_view directory) {
  std::vector<std::string> out;
  for (auto it = model.members.lower_bound(std::string(directory)); it != model.members.end(); ++it) {
    if (!std::string_view(it->first).starts_with(directory)) break;
    if (!it->second.is_json()) out.push_back(it->first.substr(directory.size()));
  }
  return out;
}

bool is_listed(const Json* def, std::string_view instance) {
  const Json* queues = at(def, "dma_queue");
  if (queues == nullptr || !queues->is_object()) return false;
  for (const Json& q : *queues)
    if (const Json* list = reduce::array_at(&q, "queue_instances"))
      for (const Json& name : *list)
        if (name.is_string() && name.get_ref<const std::string&>() == instance) return true;
  return false;
}

ArchType target_of(const Model& model) {
  const std::string* name = text_at(reduce::document(model, kelf_path(model)), "target");
  const auto target = name == nullptr ? std::nullopt : match_TargetName(*name);
  return target ? *target : model.options.arch.value_or(ArchType::CAYMAN);
}

std::uint32_t counting_queues(const Json& def) {
  const Json* queues = at(&def, "dma_queue");
  if (queues == nullptr || !queues->is_object()) return 0;
  std::uint32_t n = 0;
  for (const Json& q : *queues) {
    const std::string* type = text_at(&q, "type");
    const Json* dge = at(&q, "dge");
    n += (type != nullptr && *type == "dynamic" && at(&q, "dynamic_dma") == nullptr) ||
         (dge != nullptr && dge->is_boolean() && dge->get<bool>());
  }
  return n;
}

}  // namespace assay::harness::mutating
