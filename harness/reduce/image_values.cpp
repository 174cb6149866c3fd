// SPDX-License-Identifier: Apache-2.0
// What can be made plain in an image: enumerators, numbers, text and blobs. Counters, ids and the
// target's two copies keep saying what they must.
#include <algorithm>
#include <array>
#include <cstring>

#include "harness/mutate/sites.h"
#include "harness/reduce/image_passes.h"
#include "oracle/records/kbin.h"

namespace assay::harness::reduce {
namespace {

using namespace assay::image;

// ---- enumerators: the first of each enum; SUNDA for the target ----

constexpr std::uint32_t kPlainTarget = 2;

std::uint64_t plain_of(const FieldPlan& f) { return f.rule == Rule::target ? kPlainTarget : 0; }

std::vector<Part> enumerators(const RawImage& raw) {
  std::vector<Part> out;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    each_site(r.bytes, r.kind, 0, r.bytes.size(), [&](const Site& s) {
      for (const FieldPlan& f : plan_of(s.id).fields) {
        if (f.field->enumeration == EnumId::none || !is_active(f.field->when, s.variant)) continue;
        const std::uint64_t at = s.base + f.field->offset, width = width_of(f.field->type);
        if (load_uint(static_cast<std::uint32_t>(width), r.bytes.data() + at) != plain_of(f))
          out.push_back({i, at, width, s.base, nullptr, &f, s.id});
      }
    });
  }
  return out;
}

// A variable of no type has neither buffer nor list nor anything in its union.
void forget_type(ImageEdit& e, const Part& p) {
  for (const std::uint64_t at : {offsetof(kbin_mem_ref, buffer), offsetof(kbin_mem_ref, u.list.list)})
    e.drop_pointer(p.record, p.base + at);
  std::memset(e.bytes(p.record, p.base + offsetof(kbin_mem_ref, u)), 0, sizeof(kbin_mem_ref::u));
}
// A copy has one source and no info.
void forget_op(ImageEdit& e, const Part& p) {
  std::uint8_t* d = e.bytes(p.record, p.base);
  std::memset(d + offsetof(kbin_dma_desc_t, u.from[1]), 0, (KBIN_MAX_SOURCES - 1) * sizeof(kbin_dma_desc_info_t));
  std::memset(d + offsetof(kbin_dma_desc_t, u.info), 0, sizeof(kbin_dma_desc_t::u.info));
}

void simplify_enumerators(ImageEdit& e, std::span<const Part> parts) {
  for (std::size_t k = parts.size(); k-- > 0;) {
    const Part& p = parts[k];
    std::uint64_t plain = plain_of(*p.field);
    if (p.field->rule == Rule::selector) forget_type(e, p);
    if (p.id == RecordId::kbin_dma_desc_t && p.field->field->name == "op") forget_op(e, p);
    if (p.field->rule == Rule::target) {
      const auto now = load<std::uint32_t>(e.bytes(p.record, p.at));
      if (e.raw.target == now) e.raw.target = kPlainTarget;
    }
    std::memcpy(e.bytes(p.record, p.at), &plain, p.bytes);
  }
}

// ---- numbers ----

// Fields that other fields, sizes or places give: by record, then field.
using Bound = std::array<std::vector<bool>, static_cast<std::size_t>(RecordId::none)>;
const Bound& bound_fields() {
  static const Bound all = [] {
    Bound out;
    for (const Record& r : records())
      for (const Field& f : r.fields) {
        bool is = r.tail.count_field == f.name;
        for (const Field& g : r.fields) is = is || g.used_by == f.name || g.count_field == f.name;
        out[static_cast<std::size_t>(r.id)].push_back(is);
      }
    return out;
  }();
  return all;
}

bool is_number(const Site& s, const std::uint8_t* site, std::size_t index) {
  const FieldPlan& f = plan_of(s.id).fields[index];
  const FieldType type = f.field->type;
  if (type == FieldType::chars || type == FieldType::pointer || type == FieldType::record) return false;
  if (f.rule != Rule::none || f.field->enumeration != EnumId::none || !is_active(f.field->when, s.variant))
    return false;
  if (!bound_fields()[static_cast<std::size_t>(s.id)][index]) return true;
  for (const FieldPlan& g : plan_of(s.id).fields)
    if (g.field->used_by == f.field->name && is_over(g, site)) return true;
  // A variable's size counts only the bytes of a buffer.
  return s.id == RecordId::kbin_mem_ref && f.field->name == "size" &&
         load<std::uint32_t>(site) != static_cast<std::uint32_t>(code(MrType::MR_BUFFER));
}

std::vector<Part> numbers_above(const RawImage& raw, std::uint64_t bound) {
  std::vector<Part> out;
  if (raw.subgraph > bound) out.push_back({RawRecord::kNull, 0, 4});
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    const RawRecord& r = raw.records[i];
    each_site(r.bytes, r.kind, 0, r.bytes.size(), [&](const Site& s) {
      const std::vector<FieldPlan>& fields = plan_of(s.id).fields;
      for (std::size_t k = 0; k < fields.size(); ++k) {
        if (!is_number(s, r.bytes.data() + s.base, k)) continue;
        const std::uint32_t width = width_of(fields[k].field->type);
        const std::uint64_t n = slots_in_use(fields[k], r.bytes.data() + s.base);
        for (std::uint64_t slot = 0; slot < n; ++slot) {
          const std::uint64_t at = s.base + fields[k].field->offset + slot * width;
          if (load_uint(width, r.bytes.data() + at) > bound) out.push_back({i, at, width});
        }
      }
    });
  }
  return out;
}

std::vector<Part> not_zero(const RawImage& raw) { return numbers_above(raw, 0); }

void make_zero(ImageEdit& e, std::span<const Part> parts) {
  for (const Part& p : parts) {
    if (p.record == RawRecord::kNull) e.raw.subgraph = 0;
    else std::memset(e.bytes(p.record, p.at), 0, p.bytes);
  }
}

// ---- text and blobs ----

std::uint8_t plain_byte(bool text) { return text ? 'a' : 0; }

std::vector<Part> odd_content(const RawImage& raw) {
  std::vector<Part> out;
  for (const Content& c : contents(raw)) {
    const std::uint64_t size = part_size(c);
    const std::uint8_t* bytes = raw.records[c.record].bytes.data() + c.at;
    for (std::uint64_t at = 0; at < c.bytes; at += size) {
      const std::uint64_t n = std::min(size, c.bytes - at);
      if (std::count(bytes + at, bytes + at + n, plain_byte(c.text)) != static_cast<std::ptrdiff_t>(n))
        out.push_back({c.record, c.at + at, n, c.text ? 1u : 0u});
    }
  }
  return out;
}

void make_plain(ImageEdit& e, std::span<const Part> parts) {
  for (const Part& p : parts) std::memset(e.bytes(p.record, p.at), plain_byte(p.base != 0), p.bytes);
}

constexpr ImagePass kPasses[] = {
    {enumerators, simplify_enumerators}, {not_zero, make_zero}, {odd_content, make_plain}};

}  // namespace

std::span<const ImagePass> plain_passes() { return kPasses; }

std::vector<Part> numbers(const RawImage& raw) { return numbers_above(raw, 1); }

bool make_smaller(RawImage& raw, const Part& p, std::uint64_t k) {
  const bool subgraph = p.record == RawRecord::kNull;
  std::uint8_t* at = subgraph ? nullptr : raw.records[p.record].bytes.data() + p.at;
  const std::uint64_t now = subgraph ? raw.subgraph : load_uint(static_cast<std::uint32_t>(p.bytes), at);
  // The largest steps first; each goes on from what the one before came to.
  const std::uint64_t ways[kSmallerWays] = {1, now >> 32, now >> 16, now >> 8, now >> 4, now >> 2, now >> 1, now - 1};
  const std::uint64_t next = ways[k];
  if (now < 2 || next == 0 || (k > 0 && next == 1)) return false;  // both were tried before
  if (subgraph) raw.subgraph = static_cast<std::uint32_t>(next);
  else std::memcpy(at, &next, p.bytes);
  return true;
}

}  // namespace assay::harness::reduce
