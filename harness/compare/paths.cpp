// SPDX-License-Identifier: Apache-2.0
#include "harness/compare/paths.h"

#include <charconv>

#include "oracle/dtype/enums.h"

namespace assay::harness::compare {
namespace {

struct ShapeRow {
  std::string_view shape;  // a path without its indices; a last '*' stands for whatever follows
  std::string_view row;
};

// The first that matches. Rows that depend on more than the path are functions below.
constexpr ShapeRow kShapes[] = {
    {"engine[]", "SEC-003"},
    {"engine[].eng_type", "LOW-002"},
    {"engine[].name", "LOW-012"},
    {"engine[].ninstr", "LOW-003"},
    {"engine[].instr", "LOW-003"},
    {"mem_ref_set.nmem", "LOW-006"},
    {"mem_ref_set.local_scratchpad_size", "VAR-027"},
    {"mem_ref_set.shared_scratchpad_size", "VAR-027"},
    {"mem_ref_set.mem[].mr_type", "VAR-003"},
    {"mem_ref_set.mem[].name", "VAR-031"},
    {"mem_ref_set.mem[].var_id", "VAR-031"},
    {"mem_ref_set.mem[].dtype", "VAR-015"},
    {"mem_ref_set.mem[].shape[]", "VAR-017"},
    {"mem_ref_set.mem[].dtensor_md*", "VAR-029"},
    {"mem_ref_set.mem[].u.ptr.referenced_var_id", "VAR-008"},
    {"mem_ref_set.mem[].u.ptr.io_ref", "VAR-011"},
    {"mem_ref_set.mem[].u.virtual.offset", "VAR-024"},
    {"mem_ref_set.mem[].u.list*", "VAR-019"},
    {"mem_ref_set.mem[].u.remote*", "VAR-033"},
    {"dma[]", "DMQ-001"},
    {"dma[].owner", "DMQ-003"},
    {"dma[].queue_set_cnt", "DMQ-008"},
    {"dma[].semaphore*", "DMQ-015"},
    {"dma[].pseudo*", "DMQ-014"},
    {"dma[].dge_sb_scratch*", "DMQ-007"},
    {"dma[].flags", "DMQ-019"},
    {"dma[].ring_instance_count", "DMQ-020"},
    {"dma[].ring_instances[]", "DMQ-020"},
    {"dma[].ring_instances[].name", "DMQ-020"},
    {"dma[].ring_instances[].ndesc", "DMB-007"},
    {"dma[].ring_instances[].desc[].desc_type", "DMB-018"},
    {"dma[].ring_instances[].desc[].op", "DMB-015"},
    {"dma[].ring_instances[].desc[].block*", "DMB-008"},
    {"dma[].ring_instances[].desc[].priority_class", "DMB-009"},
    {"dma[].ring_instances[].desc[].u.num_tiling_dims", "DMB-038"},
    {"dma[].ring_instances[].desc[].u.info.num*", "DMB-036"},
    {"dma[].ring_instances[].desc[].u.info.u.fma.scale_dtype", "DMB-032"},
    {"dma[].ring_instances[].desc[].u.info.shape[]", "DMB-039"},
    {"dma[].ring_instances[].desc[].u.info*", "DMB-040"},
    {"act_function_sets.act_tbl_semaphore", "ACT-001"},
    {"act_function_sets.sets[].name", "ACT-008"},
    {"act_function_sets.sets[].num_functions", "ACT-005"},
    {"act_function_sets.sets[].profile_data*", "ACT-006"},
    {"act_function_sets.sets[].*", "ACT-004"},
    {"act_function_sets*", "ACT-002"},
    {"dve_config", "DVE-006"},
    {"dve_config*", "DVE-001"},
    {"replica_groups*", "CCM-001"},
    {"src_target_pairs*", "CCM-003"},
    {"ucode_lib_set.libs[].content*", "UCL-003"},
    {"ucode_lib_set.libs[].flags", "UCL-006"},
    {"ucode_lib_set.libs[].function*", "UCL-008"},
    {"ucode_lib_set.libs[].*", "UCL-005"},
    {"ucode_lib_set*", "UCL-001"},
    {"sb_carveouts", "SBC-003"},
    {"sb_carveouts*", "SBC-001"},
    {"cc_streams*", "CCM-005"},
    {"fp8_conv_cfg*", "FP8-001"},
    {"target", "CON-023"},
};

bool matches(std::string_view pattern, std::string_view shape) {
  if (pattern.back() != '*') return pattern == shape;
  return shape.substr(0, pattern.size() - 1) == pattern.substr(0, pattern.size() - 1);
}

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
bool ends(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && text.substr(text.size() - with.size()) == with;
}

constexpr std::string_view kMem = "mem_ref_set.mem[].";
constexpr std::string_view kDesc = "dma[].ring_instances[].desc[].";

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t v = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v);
  if (r.ec != std::errc{}) return std::nullopt;
  return v;
}

// Bytes of a text as value_text quotes it.
std::size_t bytes_of(std::string_view quoted) {
  std::size_t n = 0;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i, ++n)
    if (quoted[i] == '\\') i += quoted[i + 1] == 'x' ? 3 : 1;
  return n;
}

MrType type_of(const kbin_mem_ref& m) { return static_cast<MrType>(m.mr_type); }
bool has_no_tensor(MrType t) {
  return t == MrType::MR_PTR || t == MrType::MR_LIST || t == MrType::MR_PTR_TABLE || t == MrType::MR_REMOTE;
}

std::string_view row_of_variable(const Difference& d, std::string_view field, const kbin_mem_ref& m) {
  const MrType type = type_of(m);
  if (field == "size") {
    const auto a = number(d.a), b = number(d.b);
    if (a && b && *a > 0xffffffff && *b == (*a & 0xffffffff)) return "VAR-030";
    if (type == MrType::MR_PTR) return "VAR-010";
    if (type == MrType::MR_BUFFER) return "VAR-022";
    return type == MrType::MR_SB || has_no_tensor(type) ? "VAR-032" : "VAR-007";
  }
  if (field == "alignment") {
    if (type == MrType::MR_VIRTUAL_TMP_BUF) return "VAR-014";
    return type == MrType::MR_SB || has_no_tensor(type) ? "VAR-032" : "VAR-012";
  }
  if (field == "u.virtual.offset") {
    const auto a = number(d.a), b = number(d.b);
    if (a && b && *a > 0xffffffff && *b == (*a & 0xffffffff)) return "VAR-030";
  }
  if (field == "u.virtual.backing_buf")
    return m.u.virtual_.backing_buf == static_cast<std::uint32_t>(code(BackingBuf::LOCAL)) ? "VAR-026" : "VAR-025";
  if (field == "buffer") return type == MrType::MR_BUFFER && d.a != "NULL" && d.b != "NULL" ? "VAR-022" : "VAR-034";
  if ((field == "dtype" || starts(field, "shape")) && has_no_tensor(type)) return "VAR-018";
  return {};
}

bool has_key(const Json* j, const std::string& key) { return j != nullptr && j->is_object() && j->contains(key); }

// The JSON of one side of a descriptor, and the prefix of its keys.
struct SideJson {
  const Json* json = nullptr;
  std::string prefix;
};
SideJson side_json(const Json* desc, std::string_view field, std::uint64_t source, bool compute) {
  if (starts(field, "u.to")) return {desc, "to"};
  if (!compute) return {desc, "from"};
  if (!has_key(desc, "from_arr")) return {};
  const Json& list = (*desc)["from_arr"];
  if (!list.is_array() || source >= list.size()) return {};
  return {&list[source], "from"};
}

std::string_view row_of_pattern(std::string_view field, const kbin_dma_desc_t& desc, std::uint64_t source,
                                const std::optional<Origin>& origin) {
  const auto op = static_cast<DescOp>(desc.op);
  const bool compute = op != DescOp::COPY && op != DescOp::TRANSPOSE;
  const kbin_dma_desc_info_t& info = starts(field, "u.to") || source >= 32 ? desc.u.to : desc.u.from[source];
  const SideJson side = side_json(origin ? origin->desc : nullptr, field, source, compute);
  if (ends(field, ".idx")) return "DMB-022";
  if (ends(field, ".dtype")) return compute ? "DMB-030" : "DMB-031";
  if (ends(field, ".off")) return side.json != nullptr && !has_key(side.json, side.prefix + "_off") ? "DMB-021" : "DMB-020";
  if (side.json != nullptr && !has_key(side.json, side.prefix + "_sizes") && !has_key(side.json, side.prefix + "_steps"))
    return "DMB-025";
  return info.num_dims > 4 ? "DMB-024" : "DMB-023";
}

std::string_view row_of_reset(const kbin_dma_desc_t& desc, const Expected& e, const std::optional<Origin>& origin) {
  const bool above_sunda = e.tree.root().target > static_cast<std::uint32_t>(code(ArchType::SUNDA));
  if (!above_sunda || !origin || static_cast<DescOp>(desc.op) == DescOp::TRANSPOSE || origin->own_function)
    return "DMB-012";
  if (origin->section_start) return "DMB-014";
  return desc.function_name != nullptr ? "DMB-013" : "DMB-012";
}

std::string_view row_of_scale(std::uint64_t source, const std::optional<Origin>& origin) {
  const SideJson side = side_json(origin ? origin->desc : nullptr, "u.from", source, true);
  return side.json != nullptr && !has_key(side.json, "scale") && has_key(origin->desc, "scale") ? "DMB-033" : "DMB-032";
}

std::string_view row_of_descriptor(const Difference& d, const Path& p, std::string_view field,
                                   const kbin_dma_desc_t& desc, const Expected& e) {
  const auto origin = [&] { return e.origins.of(p.index[0], p.index[1], p.index[2]); };
  const std::uint64_t last = p.index.size() > 3 ? p.index[3] : 0;
  if (field == "reset_engine_round_robin") return row_of_reset(desc, e, origin());
  if (field == "function_name") {
    // A name in force from an earlier block, and a cut, are DMB-011's.
    if (desc.function_name == nullptr) return "DMB-010";
    const auto o = origin();
    if (o && !o->own_function) return "DMB-011";
    return bytes_of(d.a) == 256 && d.b != "NULL" && d.b != "absent" ? "DMB-011" : "DMB-010";
  }
  if (starts(field, "u.to.") || starts(field, "u.from[]."))
    return row_of_pattern(field, desc, starts(field, "u.to") ? 0 : last, origin());
  if (field == "u.info.u.fma.scale[]") return row_of_scale(last, origin());
  if (starts(field, "u.info.u.min_max")) return desc.u.info.cce.u.min_max.use_constant ? "DMB-035" : "DMB-034";
  return {};
}

std::string_view row_of_queue(const Difference& d, std::string_view field, const kbin_dma_t& queue) {
  if (field != "ring_type") return {};
  constexpr std::uint32_t kDynamic = 4;  // flags bit 2 (DMQ-019)
  if (queue.ring_type == static_cast<std::uint32_t>(code(RingType::INDIRECT_MEMCPY))) return "DMQ-006";
  if ((queue.flags & kDynamic) != 0) return "DMQ-007";
  return starts(d.b, "INDIRECT_MEMCPY") ? "DMQ-006" : "DMQ-005";
}

template <class T>
T field_at(ByteView image, std::uint64_t offset, T otherwise) {
  return offset <= image.size() && image.size() - offset >= sizeof(T) ? load<T>(image.data() + offset) : otherwise;
}

// Whose allocation is wrong: a count that is not what was filled, or the record's own size.
std::string_view row_of_size(const Finding& f, const Path& p, ByteView image, const Expected& e) {
  if (p.shape == "engine[]") return "LOW-004";
  if (p.shape == "mem_ref_set") {
    const auto nmem = field_at<std::uint32_t>(image, f.offset + offsetof(kbin_mem_ref_set_t, nmem), 0);
    return nmem != e.tree.root().mem_ref_set->nmem ? "LOW-006" : "LOW-005";
  }
  if (p.shape == "dma[]") {
    const kbin_dma_t* queue = e.queue(p);
    if (queue == nullptr) return "DMQ-001";
    const auto n = field_at<std::uint32_t>(image, f.offset + offsetof(kbin_dma_t, ring_instance_count), 0);
    return n != queue->ring_instance_count ? "LOW-006" : "LOW-005";
  }
  if (p.shape == "dma[].ring_instances[]") {
    const kbin_dma_ring_instance_t* instance = e.instance(p);
    if (instance == nullptr) return "DMQ-020";
    const auto n = field_at<std::uint32_t>(image, f.offset + offsetof(kbin_dma_ring_instance_t, ndesc), 0);
    if (n != instance->ndesc) return "LOW-006";
    // Descriptors of another size each, or one allocation that is off as a whole.
    const auto text = f.detail.find("record has ");
    std::uint64_t bytes = 0;
    if (text != std::string::npos)
      std::from_chars(f.detail.data() + text + 11, f.detail.data() + f.detail.size(), bytes);
    return n > 0 && bytes >= 264 && (bytes - 264) % n == 0 && bytes - 264 != 5456ULL * n && bytes < 264 + 5456ULL * n
               ? "DMB-041"
               : "LOW-005";
  }
  return {};
}

std::string_view row_of_padding(const Path& p, const Expected& e) {
  if (starts(p.shape, "dma[].ring_instances[].desc[].u.info")) {
    const kbin_dma_desc_t* desc = e.descriptor(p);
    if (desc != nullptr && static_cast<DescOp>(desc->op) == DescOp::COPY) return "DMB-037";
  }
  if (starts(p.shape, "dma[].semaphores")) return "DMQ-015";
  if (starts(p.shape, "act_function_sets.sets[].profile_data")) return "ACT-005";
  return "LOW-009";
}

}  // namespace

Path::Path(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    shape += text[i];
    if (text[i] != '[') continue;
    std::uint64_t v = 0;
    while (++i < text.size() && text[i] != ']') v = v * 10 + static_cast<std::uint64_t>(text[i] - '0');
    index.push_back(v);
    shape += ']';
  }
}

const kbin_mem_ref* Expected::variable(const Path& p) const {
  auto* set = tree.root().mem_ref_set;
  if (!starts(p.shape, "mem_ref_set.mem[]") || set == nullptr || p.index[0] >= set->nmem) return nullptr;
  return mem_of(set) + p.index[0];
}
const kbin_dma_t* Expected::queue(const Path& p) const {
  return starts(p.shape, "dma[]") && p.index[0] < KBIN_MAX_DMA ? tree.root().dma[p.index[0]] : nullptr;
}
const kbin_dma_ring_instance_t* Expected::instance(const Path& p) const {
  auto* q = const_cast<kbin_dma_t*>(queue(p));
  return q != nullptr && p.index.size() > 1 && p.index[1] < q->ring_instance_count ? instances_of(q)[p.index[1]] : nullptr;
}
const kbin_dma_desc_t* Expected::descriptor(const Path& p) const {
  auto* i = const_cast<kbin_dma_ring_instance_t*>(instance(p));
  return i != nullptr && p.index.size() > 2 && p.index[2] < i->ndesc ? desc_of(i) + p.index[2] : nullptr;
}

std::string_view row_of_difference(const Difference& d, const Path& p, const Expected& e) {
  std::string_view row;
  if (starts(p.shape, kMem)) {
    if (const kbin_mem_ref* m = e.variable(p)) row = row_of_variable(d, std::string_view(p.shape).substr(kMem.size()), *m);
  } else if (starts(p.shape, kDesc)) {
    if (const kbin_dma_desc_t* desc = e.descriptor(p))
      row = row_of_descriptor(d, p, std::string_view(p.shape).substr(kDesc.size()), *desc, e);
  } else if (starts(p.shape, "dma[].ring_instances[].name")) {
    if (bytes_of(d.a) == 255 && d.b != "absent") row = "DMQ-023";  // cut, here or there
  } else if (starts(p.shape, "dma[].")) {
    if (const kbin_dma_t* q = e.queue(p)) row = row_of_queue(d, std::string_view(p.shape).substr(6), *q);
  }
  if (!row.empty()) return row;
  for (const ShapeRow& s : kShapes)
    if (matches(s.shape, p.shape)) return s.row;
  return "IMG-001";
}

std::string_view row_of_finding(const Finding& f, ByteView image, const Expected& e) {
  const Path p(f.path);
  const Difference value{f.path, {}, {}, Grade::high, 0, 0};
  switch (f.reason) {
    case Reason::image_record_size: return row_of_size(f, p, image, e);
    case Reason::image_padding: return row_of_padding(p, e);
    case Reason::image_count_pointer: return p.shape == "mem_ref_set.mem[].buffer" ? "VAR-034" : std::string_view{};
    case Reason::image_ninstr:
    case Reason::image_var_id:
    case Reason::image_desc_type:
    case Reason::image_enum:
    case Reason::image_bound: return row_of_difference(value, p, e);
    default: return {};
  }
}

std::vector<std::string_view> rows_of_paths() {
  // Those of the functions; the table has the others.
  std::vector<std::string_view> rows = {
      "VAR-007", "VAR-010", "VAR-012", "VAR-014", "VAR-018", "VAR-022", "VAR-025", "VAR-026", "VAR-030", "VAR-032", "VAR-034",
      "DMQ-005", "DMQ-006", "DMQ-007", "DMQ-023", "DMB-010", "DMB-011", "DMB-012", "DMB-013", "DMB-014", "DMB-020", "DMB-021",
      "DMB-022", "DMB-023", "DMB-024", "DMB-025", "DMB-030", "DMB-031", "DMB-032", "DMB-033", "DMB-034", "DMB-035", "DMB-037",
      "DMB-041", "LOW-004", "LOW-005", "LOW-006", "LOW-009", "ACT-005", "IMG-001"};
  for (const ShapeRow& s : kShapes) rows.push_back(s.row);
  return rows;
}

std::string_view row_of_layout(const Path& p) {
  // The innermost record of a path: longest pattern first.
  static constexpr ShapeRow kRecords[] = {
      {"dma[].ring_instances[].desc[].u.info.transpose*", "LAY-008"},
      {"dma[].ring_instances[].desc[].u.info.element*", "LAY-008"},
      {"dma[].ring_instances[].desc[].u.info.shape*", "LAY-008"},
      {"dma[].ring_instances[].desc[].u.info.reserved*", "LAY-008"},
      {"dma[].ring_instances[].desc[].u.info*", "LAY-007"},
      {"dma[].ring_instances[].desc[].u.to*", "LAY-006"},
      {"dma[].ring_instances[].desc[].u.from*", "LAY-006"},
      {"dma[].ring_instances[].desc[]*", "LAY-009"},
      {"dma[].ring_instances[]*", "LAY-005"},
      {"dma[].*", "LAY-004"},
      {"engine[].*", "LAY-003"},
      {"mem_ref_set.mem[].dtensor_md.*", "LAY-012"},
      {"mem_ref_set.mem[]*", "LAY-011"},
      {"mem_ref_set.*", "LAY-010"},
      {"act_function_sets.sets[].profile_data[]*", "LAY-013"},
      {"act_function_sets.sets[]*", "LAY-014"},
      {"dve_config.*", "LAY-016"},
      {"sb_carveouts.carveouts[]*", "LAY-018"},
      {"sb_carveouts.*", "LAY-017"},
      {"replica_groups.groups[].subgroups[]*", "LAY-020"},
      {"replica_groups.groups[]*", "LAY-019"},
      {"src_target_pairs.pairs_set[].pairs[]*", "LAY-022"},
      {"src_target_pairs.pairs_set[].rg_set*", "LAY-023"},
      {"src_target_pairs.pairs_set[]*", "LAY-021"},
      {"ucode_lib_set.libs[].function_set.functions[]*", "LAY-025"},
      {"ucode_lib_set.libs[]*", "LAY-024"},
      {"fp8_conv_cfg.*", "LAY-026"},
  };
  for (const ShapeRow& s : kRecords)
    if (matches(s.shape, p.shape)) return s.row;
  return "LAY-002";
}

}  // namespace assay::harness::compare
