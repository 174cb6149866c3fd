// SPDX-License-Identifier: Apache-2.0
#include "oracle/image/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace assay::image {
namespace {

struct RuleRow {
  RecordId record;
  std::string_view field;
  Rule rule;
};
constexpr RuleRow kRules[] = {
    {RecordId::kbin_t, "target", Rule::target},
    {RecordId::kbin_engine_t, "ninstr", Rule::ninstr},
    {RecordId::kbin_mem_ref, "mr_type", Rule::selector},
    {RecordId::kbin_mem_ref, "var_id", Rule::var_id},
    {RecordId::kbin_dma_desc_t, "desc_type", Rule::desc_type},
    {RecordId::kbin_dma_desc_t, "u.from", Rule::sources},
    {RecordId::kbin_dma_desc_t, "u.info", Rule::info},
};

Rule rule_of(RecordId record, std::string_view field) {
  for (const RuleRow& r : kRules)
    if (r.record == record && r.field == field) return r.rule;
  return Rule::none;
}

std::string_view selector_name(RecordId id) {
  if (id == RecordId::kbin_mem_ref) return "mr_type";
  if (id == RecordId::kbin_dma_desc_t) return "op";
  return {};
}

// Counters that are never 0 in a record in use (IMG-021).
bool is_positive(std::string_view counter) {
  return counter == "num_dims" || counter == "num_sources";
}

Counter counter_of(const Record& r, std::string_view name, std::uint32_t base) {
  const Field* f = name.empty() ? nullptr : r.find(name);
  return f == nullptr ? Counter{} : Counter{base + f->offset, width_of(f->type)};
}

void add_pointers(const Record& r, std::uint32_t base, const std::string& prefix,
                  std::vector<PointerSlot>& out) {
  for (const Field& f : r.fields) {
    const bool array = f.count > 1;
    for (std::uint32_t i = 0; i < f.count; ++i) {
      std::string name = prefix + std::string(f.name);
      if (array) name += fmt::format("[{}]", i);
      if (f.type == FieldType::pointer) {
        out.push_back({std::move(name), base + f.offset + 8 * i, f.to, f.null, f.when,
                       counter_of(r, f.count_field, base),
                       i > 0 && f.null == Nullability::optional});
      } else if (f.type == FieldType::record) {
        const Record& inner = record(f.record);
        add_pointers(inner, base + f.offset + inner.bytes * i, name + ".", out);
      }
    }
  }
}

std::uint32_t bytes_of(const Field& f) {
  return f.count * (f.type == FieldType::record ? record(f.record).bytes : width_of(f.type));
}

std::vector<Range> unused_of(const Record& r, When variant) {
  std::vector<bool> covered(r.bytes, false);
  for (const Field& f : r.fields)
    if (is_active(f.when, variant))
      std::fill_n(covered.begin() + f.offset, bytes_of(f), true);
  std::vector<Range> out;
  for (std::uint32_t at = 0; at < r.bytes; ++at) {
    if (covered[at]) continue;
    if (out.empty() || out.back().end != at) out.push_back({at, at});
    out.back().end = at + 1;
  }
  return out;
}

bool needs_check(const FieldPlan& p) {
  const Field& f = *p.field;
  if (p.rule == Rule::target || p.rule == Rule::selector) return false;
  return p.rule != Rule::none || p.used || f.enumeration != EnumId::none ||
         f.type == FieldType::boolean || f.type == FieldType::chars ||
         f.type == FieldType::record;
}

RecordPlan make_plan(const Record& r) {
  RecordPlan p;
  p.record = &r;
  std::vector<std::string_view> bounded;
  for (const Field& f : r.fields) {
    FieldPlan fp;
    fp.field = &f;
    fp.used = counter_of(r, f.used_by, 0);
    fp.used_min = is_positive(f.used_by) ? 1 : 0;
    fp.rule = rule_of(r.id, f.name);
    // num_sources is checked with the patterns it counts, whatever the union holds.
    fp.bounds_here = fp.used && f.when == When::always &&
                     std::find(bounded.begin(), bounded.end(), f.used_by) == bounded.end();
    if (fp.bounds_here) bounded.push_back(f.used_by);
    if (needs_check(fp)) p.checked.push_back(p.fields.size());
    p.fields.push_back(fp);
  }
  add_pointers(r, 0, "", p.pointers);
  for (std::size_t w = 0; w < p.unused.size(); ++w)
    p.unused[w] = unused_of(r, static_cast<When>(w));
  if (const auto name = selector_name(r.id); !name.empty()) p.selector = r.find(name);
  p.tail_count = counter_of(r, r.tail.count_field, 0);
  p.tail_pointer = {std::string(r.tail.name), r.tail.offset, r.tail.to, Nullability::required,
                    When::always, {}, false};
  return p;
}

using Plans = std::array<RecordPlan, static_cast<std::size_t>(RecordId::none)>;

Plans make_plans() {
  Plans plans;
  for (const Record& r : records()) plans[static_cast<std::size_t>(r.id)] = make_plan(r);
  return plans;
}

}  // namespace

std::uint64_t Counter::read(const std::uint8_t* record) const {
  return load_uint(width, record + offset);
}

const RecordPlan& plan_of(RecordId id) {
  static const Plans plans = make_plans();
  return plans[static_cast<std::size_t>(id)];
}

When variant_of(RecordId id, std::int64_t selector) {
  if (id == RecordId::kbin_mem_ref) {
    if (selector == code(MrType::MR_PTR)) return When::mr_ptr;
    if (selector == code(MrType::MR_VIRTUAL_TMP_BUF)) return When::mr_virtual;
    if (selector == code(MrType::MR_LIST) || selector == code(MrType::MR_PTR_TABLE))
      return When::mr_list;
    if (selector == code(MrType::MR_REMOTE)) return When::mr_remote;
  } else if (id == RecordId::kbin_dma_desc_t) {
    if (selector == code(DescOp::FMA)) return When::fma;
    if (selector == code(DescOp::MIN) || selector == code(DescOp::MAX)) return When::min_max;
  }
  return When::always;
}

RecordId info_of(std::int64_t op) {
  if (op == code(DescOp::FMA) || op == code(DescOp::ADD) || op == code(DescOp::MIN) ||
      op == code(DescOp::MAX))
    return RecordId::kbin_dma_desc_cce_info_t;
  if (op == code(DescOp::TRANSPOSE)) return RecordId::kbin_dma_desc_transpose_info_t;
  return RecordId::none;
}

std::uint32_t num_sources_offset() {
  static const std::uint32_t offset =
      record(RecordId::kbin_dma_desc_t).find("u.info")->offset +
      record(RecordId::kbin_dma_desc_cce_info_t).find("num_sources")->offset;
  return offset;
}

bool is_enumerator(EnumId id, std::int64_t value) {
  for (const Enumerator& e : enum_row(id).values)
    if (e.code == value) return true;
  return false;
}

std::uint64_t load_uint(std::uint32_t width, const std::uint8_t* p) {
  switch (width) {
    case 1: return *p;
    case 2: return load<std::uint16_t>(p);
    case 4: return load<std::uint32_t>(p);
    case 8: return load<std::uint64_t>(p);
    default: return 0;
  }
}

std::int64_t load_int(FieldType type, const std::uint8_t* p) {
  if (type == FieldType::i32) return load<std::int32_t>(p);
  return static_cast<std::int64_t>(load_uint(width_of(type), p));
}

std::uint64_t slots_in_use(const FieldPlan& f, const std::uint8_t* record) {
  const std::uint64_t count = f.field->count;
  if (f.rule == Rule::sources) {
    const auto op =
        load<std::int32_t>(record + plan_of(RecordId::kbin_dma_desc_t).selector->offset);
    if (info_of(op) != RecordId::kbin_dma_desc_cce_info_t) return kPlainSources;
    return std::min<std::uint64_t>(count, load<std::uint32_t>(record + num_sources_offset()));
  }
  return f.used ? std::min(count, f.used.read(record)) : count;
}

}  // namespace assay::image
