// SPDX-License-Identifier: Apache-2.0
// Edits of an image in place: fields, padding, pointer slots, directory, lists and header.
#include <algorithm>
#include <array>
#include <optional>

#include "harness/mutate/record_mutator.h"
#include "harness/mutate/sites.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

using namespace image;
using Bytes = std::span<std::uint8_t>;

void put(std::uint8_t* at, std::uint32_t width, std::uint64_t v) {
  for (std::uint32_t i = 0; i < width; ++i) at[i] = static_cast<std::uint8_t>(v >> (8 * i));
}
constexpr std::uint64_t most(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - 8 * width); }

// The directory and the list of pointers, as far as they lie in the image.
struct Lists {
  std::uint64_t directory = 0, entries = 0, relocs = 0, listed = 0;
};
std::optional<Lists> lists_of(ByteView image) {
  if (image.size() < kHeaderSize) return std::nullopt;
  const std::uint8_t* p = image.data();
  Lists l{load<std::uint64_t>(p + kDirOffsetAt), load<std::uint32_t>(p + kDirCountAt),
          load<std::uint64_t>(p + kRelocOffsetAt), load<std::uint32_t>(p + kRelocCountAt)};
  if (l.directory > image.size()) return std::nullopt;
  l.entries = std::min(l.entries, (image.size() - l.directory) / kDirEntryBytes);
  if (l.relocs > image.size()) l.relocs = image.size();
  l.listed = std::min(l.listed, (image.size() - l.relocs) / kRelocBytes);
  return l;
}

struct Entry {
  std::uint64_t offset, size;
  Kind kind;
};
std::optional<Entry> entry_at(ByteView image, const Lists& l, std::uint64_t i) {
  const std::uint8_t* p = image.data() + l.directory + i * kDirEntryBytes;
  const Entry e{load<std::uint64_t>(p), load<std::uint64_t>(p + 8), static_cast<Kind>(load<std::uint32_t>(p + 16))};
  if (e.offset > image.size() || e.size > image.size() - e.offset) return std::nullopt;
  return e;
}
std::optional<Entry> any_entry(Choices& c, ByteView image) {
  const auto l = lists_of(image);
  if (!l || l->entries == 0) return std::nullopt;
  return entry_at(image, *l, c.below(l->entries));
}

// A record in use of any entry. Records in records have their turn by counting them first.
std::optional<Site> any_site(Choices& c, ByteView image) {
  const auto e = any_entry(c, image);
  if (!e) return std::nullopt;
  std::uint64_t n = 0;
  each_site(image, e->kind, e->offset, e->size, [&](const Site&) { ++n; });
  if (n == 0) return std::nullopt;
  std::uint64_t k = c.below(n);
  std::optional<Site> found;
  each_site(image, e->kind, e->offset, e->size, [&](const Site& s) {
    if (k-- == 0) found = s;
  });
  return found;
}

// A field in use for which `wanted` holds.
struct Target {
  Site site;
  const FieldPlan* plan;
};
template <class F>
std::optional<Target> any_field(Choices& c, ByteView image, F wanted) {
  for (int tries = 0; tries < 6; ++tries) {
    const auto site = any_site(c, image);
    if (!site) return std::nullopt;
    const RecordPlan& plan = plan_of(site->id);
    std::array<const FieldPlan*, 64> fields{};
    std::size_t n = 0;
    for (const FieldPlan& f : plan.fields)
      if (is_active(f.field->when, site->variant) && wanted(f) && n < fields.size()) fields[n++] = &f;
    if (n != 0) return Target{*site, fields[c.below(n)]};
  }
  return std::nullopt;
}

bool is_number(const FieldPlan& f) {
  return f.field->type != FieldType::chars && f.field->type != FieldType::pointer && f.field->type != FieldType::record;
}
bool is_counter(const RecordPlan& plan, const FieldPlan& f) {
  for (const FieldPlan& other : plan.fields) {
    if (other.used && other.used.offset == f.field->offset) return true;
    if (other.field->count_field == f.field->name && !f.field->name.empty()) return true;
  }
  return plan.tail_count && plan.tail_count.offset == f.field->offset;
}

// Writes one element of a field, of those in use nine times in ten.
bool write_number(Choices& c, Bytes image, const Target& t, std::uint64_t value) {
  const Field& f = *t.plan->field;
  const std::uint32_t width = width_of(f.type);
  const std::uint64_t used =
      c.chance(90) ? std::max<std::uint64_t>(slots_in_use(*t.plan, image.data() + t.site.base), 1)
                   : f.count;
  std::uint8_t* at = image.data() + t.site.base + f.offset + c.below(std::min<std::uint64_t>(used, f.count)) * width;
  if (load_uint(width, at) == (value & most(width))) return false;
  put(at, width, value);
  return true;
}

// ---- edits ----

bool field_value(Choices& c, Bytes image) {
  const auto t = any_field(c, image, [](const FieldPlan& f) {
    return is_number(f) && f.field->enumeration == EnumId::none;
  });
  if (!t) return false;
  static constexpr std::uint32_t kFloats[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000,
                                              0x7FC00000, 0x7F7FFFFF, 0x00000001, 0x807FFFFF};
  switch (t->plan->field->type) {
    case FieldType::f32: return write_number(c, image, *t, c.pick(kFloats));
    case FieldType::boolean: return write_number(c, image, *t, c.chance(90) ? c.below(2) : c.edge(2, 255));
    default: return write_number(c, image, *t, c.edge(0, most(width_of(t->plan->field->type))));
  }
}

bool enum_value(Choices& c, Bytes image) {
  const auto t = any_field(c, image, [](const FieldPlan& f) { return f.field->enumeration != EnumId::none; });
  if (!t) return false;
  const auto values = enum_row(t->plan->field->enumeration).values;
  const auto known = static_cast<std::uint32_t>(c.pick(values).code);
  return write_number(c, image, *t, c.chance(85) ? known : c.edge(0, 0xFFFFFFFF));
}

bool count_value(Choices& c, Bytes image) {
  std::optional<Target> t;
  for (int tries = 0; tries < 6 && !t; ++tries) {
    t = any_field(c, image, is_number);
    if (!t || !is_counter(plan_of(t->site.id), *t->plan)) t.reset();
  }
  if (!t) return false;
  const Field& f = *t->plan->field;
  const std::uint32_t width = width_of(f.type);
  const std::uint64_t now = load_uint(width, image.data() + t->site.base + f.offset);
  const std::uint64_t near[] = {now + 1, now - 1, 0, 1, now * 2, c.edge(0, most(width))};
  return write_number(c, image, *t, c.pick(near));
}

bool char_array(Choices& c, Bytes image) {
  const auto t = any_field(c, image, [](const FieldPlan& f) { return f.field->type == FieldType::chars; });
  if (!t) return false;
  const std::uint32_t n = t->plan->field->count;
  std::uint8_t* at = image.data() + t->site.base + t->plan->field->offset;
  const auto size = static_cast<std::uint32_t>(c.chance(80) ? c.edge(0, n - 1) : n);  // n: no NUL
  const auto letter = static_cast<std::uint8_t>(c.chance(80) ? c.between('a', 'z') : c.between(1, 255));
  std::fill_n(at, size, letter);
  if (size < n && c.chance(90)) std::fill_n(at + size, n - size, std::uint8_t{0});
  else if (size < n) at[size] = 0;  // the rest stays behind the NUL
  return true;
}

bool padding(Choices& c, Bytes image) {
  const auto site = any_site(c, image);
  if (!site) return false;
  const Record& r = *plan_of(site->id).record;
  const auto& unused = plan_of(site->id).unused[static_cast<std::size_t>(site->variant)];
  std::uint64_t at = 0;
  if (!r.padding.empty() && (unused.empty() || c.below(2) == 0)) {
    const Padding& p = c.pick(r.padding);
    at = c.between(p.begin, p.end - 1);
  } else if (!unused.empty()) {
    const Range& p = unused[c.below(unused.size())];
    at = c.between(p.begin, p.end - 1);
  } else {
    return false;
  }
  image[site->base + at] ^= static_cast<std::uint8_t>(1 + c.below(255));
  return true;
}

// Bytes of strings, blobs and arrays of numbers.
bool content(Choices& c, Bytes image) {
  const auto e = any_entry(c, image);
  if (!e || e->size == 0 || e->kind == Kind::none || static_cast<std::uint32_t>(e->kind) > kMaxKind) return false;
  const std::uint32_t head = kind_row(e->kind).record == RecordId::none ? 0 : kind_row(e->kind).bytes;
  if (kind_row(e->kind).record != RecordId::none && e->kind != Kind::engine) return false;
  if (e->size <= head) return false;
  image[e->offset + head + c.below(e->size - head)] ^= static_cast<std::uint8_t>(1 + c.below(255));
  return true;
}

bool pointer_slot(Choices& c, Bytes image) {
  const auto l = lists_of(image);
  if (!l || l->listed == 0 || l->entries == 0) return false;
  const auto slot = load<std::uint64_t>(image.data() + l->relocs + c.below(l->listed) * kRelocBytes);
  if (slot > image.size() - 8) return false;
  const auto e = entry_at(image, *l, c.below(l->entries));
  const auto now = load<std::uint64_t>(image.data() + slot);
  std::uint64_t to = 0;  // NULL though it is listed
  switch (c.below(5)) {
    case 0:
    case 1: to = e ? e->offset : 0; break;
    case 2: to = now + c.below(33) - 16; break;
    case 3: to = c.edge(0, ~std::uint64_t{0}); break;
    default: break;
  }
  if (to == now) return false;
  store(image.data() + slot, to);
  return true;
}

bool listed_slot(Choices& c, Bytes image) {
  const auto l = lists_of(image);
  if (!l || l->listed < 2) return false;
  const auto at = [&](std::uint64_t i) { return image.data() + l->relocs + i * kRelocBytes; };
  std::uint8_t *a = at(c.below(l->listed)), *b = at(c.below(l->listed));
  const auto va = load<std::uint64_t>(a), vb = load<std::uint64_t>(b);
  switch (c.below(3)) {
    case 0: store(a, vb); break;
    case 1: store(a, vb), store(b, va); break;
    default: store(a, va + (c.below(2) == 0 ? 8 : -8)); return true;
  }
  return va != vb;
}

bool directory_entry(Choices& c, Bytes image) {
  const auto l = lists_of(image);
  if (!l || l->entries == 0) return false;
  static constexpr struct {
    std::uint32_t at, width;
  } kFields[] = {{0, 8}, {8, 8}, {16, 4}, {20, 4}};
  const auto f = c.pick(kFields);
  std::uint8_t* p = image.data() + l->directory + c.below(l->entries) * kDirEntryBytes + f.at;
  const std::uint64_t now = load_uint(f.width, p);
  const std::uint64_t near[] = {now + 1, now - 1, now + 16, now - 16, c.below(21), c.edge(0, most(f.width))};
  const std::uint64_t to = c.pick(near) & most(f.width);
  put(p, f.width, to);
  return to != now;
}

bool header_field(Choices& c, Bytes image) {
  if (image.size() < kHeaderSize) return false;
  static constexpr struct {
    std::uint64_t at;
    std::uint32_t width;
  } kFields[] = {{kMagicAt, 8},       {kHeaderSizeAt, 4}, {kFlagsAt, 4},      {kImageSizeAt, 8}, {kRootAt, 8},
                 {kDirOffsetAt, 8},   {kRelocOffsetAt, 8}, {kDirCountAt, 4},  {kRelocCountAt, 4}, {kTargetAt, 4},
                 {kSubgraphAt, 4},    {kReservedAt, 4}};
  const auto f = c.pick(kFields);
  const std::uint64_t now = load_uint(f.width, image.data() + f.at);
  const std::uint64_t near[] = {now + 1,    now - 1, now ^ 1u << c.below(32),
                                c.below(5), now + 8, c.edge(0, most(f.width))};
  const std::uint64_t to = c.pick(near) & most(f.width);
  put(image.data() + f.at, f.width, to);
  return to != now;
}

constexpr PlaceEdit kEdits[] = {
    {"field-value", field_value},   {"field-value", field_value},         {"enum-value", enum_value},
    {"count-value", count_value},   {"char-array", char_array},           {"content", content},
    {"padding", padding},           {"pointer-slot", pointer_slot},       {"listed-slot", listed_slot},
    {"directory-entry", directory_entry}, {"header-field", header_field},
};

}  // namespace

std::span<const PlaceEdit> place_edits() { return kEdits; }

}  // namespace assay::harness
