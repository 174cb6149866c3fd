// SPDX-License-Identifier: Apache-2.0
// The verifier's look at values: enumerators, booleans, char arrays, bounds, and every byte that
// nothing in use covers (IMG-018 to IMG-025). Only records whose size holds are looked at.
#include <algorithm>

#include <fmt/format.h>

#include "oracle/image/inspector.h"

namespace assay {

using image::FieldPlan;
using image::RecordPlan;
using image::Rule;

bool Inspector::zero(std::uint64_t begin, std::uint64_t end, const Frame* at,
                     std::string_view what) {
  if (all_zero(bytes.subspan(begin, end - begin))) return true;
  while (bytes[begin] == 0) ++begin;
  report(Reason::image_padding, begin, [&] { return path(at); },
         [&] { return fmt::format("byte {:#04x} in {}", bytes[begin], what); });
  return false;
}

void Inspector::enumeration(const Field& f, std::uint64_t at_byte, const Frame* at,
                            std::int64_t slot) {
  const std::int64_t value = image::load_int(f.type, bytes.data() + at_byte);
  const bool boolean = f.type == FieldType::boolean;
  if (boolean ? value == 0 || value == 1 : image::is_enumerator(f.enumeration, value)) return;
  const Frame frame{at, f.name, slot};
  report(Reason::image_enum, at_byte, [&] { return path(&frame); }, [&] {
    return boolean ? fmt::format("{} is neither 0 nor 1", value)
                   : fmt::format("{} is no {}", value, enum_row(f.enumeration).spec_name);
  });
}

void Inspector::chars(const Field& f, std::uint64_t base, const Frame* at) {
  const std::uint64_t begin = base + f.offset, end = begin + f.count;
  const void* nul = std::memchr(bytes.data() + begin, 0, f.count);
  const Frame frame{at, f.name, -1};
  if (nul == nullptr) {
    report(Reason::image_string, begin, [&] { return path(&frame); },
           [&] { return fmt::format("no NUL in {} bytes", f.count); });
    return;
  }
  const auto length =
      static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(nul) - bytes.data() - begin);
  zero(begin + length, end, &frame, "what follows the NUL");
}

// An array of which a counter says how many slots are in use.
void Inspector::array(const FieldPlan& f, std::uint64_t base, When variant, const Frame* at) {
  const Field& field = *f.field;
  const std::uint64_t n = f.used.read(bytes.data() + base);
  if (n < f.used_min || n > field.count) {
    const Frame frame{at, field.used_by, -1};
    if (f.bounds_here)
      report(Reason::image_bound, base + f.used.offset, [&] { return path(&frame); }, [&] {
        return fmt::format("{}, expected {} to {}", n, f.used_min, field.count);
      });
    return;  // how many slots are in use is not known
  }
  const bool inlined = field.type == FieldType::record;
  const std::uint64_t width =
      inlined ? record(field.record).bytes : width_of(field.type);
  const std::uint64_t begin = base + field.offset;
  if (inlined)
    for (std::uint64_t i = 0; i < n; ++i) {
      const Frame frame{at, field.name, static_cast<std::int64_t>(i)};
      element(image::plan_of(field.record), begin + i * width, variant, &frame, i);
    }
  const Frame frame{at, field.name, -1};
  zero(begin + n * width, begin + field.count * width, &frame, "slots not in use");
}

// u.from: how many patterns are in use depends on op (IMG-021).
void Inspector::sources(const FieldPlan& f, std::uint64_t base, bool known, const Frame* at) {
  const RecordPlan& desc = image::plan_of(RecordId::kbin_dma_desc_t);
  const std::int64_t op =
      image::load_int(desc.selector->type, bytes.data() + base + desc.selector->offset);
  std::uint64_t n = image::kPlainSources;
  bool bounded = known;
  if (image::info_of(op) == RecordId::kbin_dma_desc_cce_info_t) {
    const std::uint64_t at_byte = base + image::num_sources_offset();
    n = load<std::uint32_t>(bytes.data() + at_byte);
    if (n == 0 || n > f.field->count) {
      const Frame info{at, "u.info", -1};
      const Frame frame{&info, "num_sources", -1};
      report(Reason::image_bound, at_byte, [&] { return path(&frame); },
             [&] { return fmt::format("{}, expected 1 to {}", n, f.field->count); });
      n = image::kPlainSources;
      bounded = false;
    }
  }
  const RecordPlan& p = image::plan_of(f.field->record);
  const std::uint64_t begin = base + f.field->offset, width = p.record->bytes;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Frame frame{at, f.field->name, static_cast<std::int64_t>(i)};
    element(p, begin + i * width, When::always, &frame, i);
  }
  const Frame frame{at, f.field->name, -1};
  if (bounded)
    zero(begin + n * width, begin + f.field->count * width, &frame, "patterns not in use");
}

void Inspector::info(const Field& f, std::uint64_t base, bool known, const Frame* at) {
  if (!known) return;
  const RecordPlan& desc = image::plan_of(RecordId::kbin_dma_desc_t);
  const std::int64_t op =
      image::load_int(desc.selector->type, bytes.data() + base + desc.selector->offset);
  const RecordId id = image::info_of(op);
  const Frame frame{at, f.name, -1};
  const std::uint64_t begin = base + f.offset;
  if (id == RecordId::none) {
    zero(begin, begin + f.count, &frame, "a union without active member");
  } else {
    element(image::plan_of(id), begin, image::variant_of(desc.record->id, op), &frame, 0);
  }
}

void Inspector::field(const RecordPlan& p, const FieldPlan& f, std::uint64_t base, When variant,
                      bool known, const Frame* at, std::uint64_t index) {
  const Field& field = *f.field;
  const std::uint8_t* value = bytes.data() + base + field.offset;
  switch (f.rule) {
    case Rule::sources: return sources(f, base, known, at);
    case Rule::info: return info(field, base, known, at);
    case Rule::ninstr: {
      const std::uint64_t want = (view.dir_[current].size - p.record->bytes) >> 6;
      const Frame frame{at, field.name, -1};
      if (load<std::uint32_t>(value) != want)
        report(Reason::image_ninstr, base + field.offset, [&] { return path(&frame); }, [&] {
          return fmt::format("{}, the blob has {} slots", load<std::uint32_t>(value), want);
        });
      return;
    }
    case Rule::var_id: {
      const Frame frame{at, field.name, -1};
      if (load<std::uint32_t>(value) != index)
        report(Reason::image_var_id, base + field.offset, [&] { return path(&frame); }, [&] {
          return fmt::format("{}, expected {}", load<std::uint32_t>(value), index);
        });
      return;
    }
    case Rule::desc_type: {
      enumeration(field, base + field.offset, at, -1);
      const std::int64_t type = image::load_int(field.type, value);
      const Frame frame{at, field.name, -1};
      if (type != code(DescType::DATA) && image::is_enumerator(field.enumeration, type))
        report(Reason::image_desc_type, base + field.offset, [&] { return path(&frame); },
               [&] { return fmt::format("{}, expected 0 (DATA)", type); });
      return;
    }
    case Rule::target:
    case Rule::selector:
    case Rule::none: break;
  }
  if (f.used) return array(f, base, variant, at);
  if (field.type == FieldType::chars) return chars(field, base, at);
  if (field.type == FieldType::record) {
    const RecordPlan& inner = image::plan_of(field.record);
    for (std::uint64_t i = 0; i < field.count; ++i) {
      const Frame frame{at, field.name, field.count > 1 ? static_cast<std::int64_t>(i) : -1};
      element(inner, base + field.offset + i * inner.record->bytes, variant, &frame, i);
    }
    return;
  }
  for (std::uint64_t i = 0; i < field.count; ++i)
    enumeration(field, base + field.offset + i * width_of(field.type), at,
                field.count > 1 ? static_cast<std::int64_t>(i) : -1);
}

void Inspector::element(const RecordPlan& p, std::uint64_t base, When outer, const Frame* at,
                        std::uint64_t index) {
  When variant = outer;
  bool known = true;
  if (p.selector != nullptr) {
    const std::int64_t value =
        image::load_int(p.selector->type, bytes.data() + base + p.selector->offset);
    known = image::is_enumerator(p.selector->enumeration, value);
    variant = image::variant_of(p.record->id, value);
  }
  // Which union member is active is not known beside an unknown selector: padding alone then.
  if (known) {
    for (const image::Range& r : p.unused[static_cast<std::size_t>(variant)])
      zero(base + r.begin, base + r.end, at, "no field in use");
  } else {
    for (const Padding& r : p.record->padding)
      zero(base + r.begin, base + r.end, at, "padding");
  }
  for (const std::size_t i : p.checked)
    if (image::is_active(p.fields[i].field->when, variant))
      field(p, p.fields[i], base, variant, known, at, index);
}

void Inspector::values() {
  for (current = 0; current < infos.size(); ++current) {
    if (!infos[current].sized) continue;
    const DirEntry& e = view.dir_[current];
    const KindRow& row = kind_row(e.kind);
    if (row.record == RecordId::none) continue;
    const std::string_view tail = record(row.record).tail.name;
    image::for_each_element(e.kind, e.offset, e.size, [&](const RecordPlan& p, std::uint64_t base,
                                                          std::uint64_t i, bool in_tail) {
      const Frame frame{nullptr, in_tail ? tail : std::string_view{},
                        static_cast<std::int64_t>(i)};
      const bool framed = in_tail || row.null_when_empty;
      element(p, base, When::always, framed ? &frame : nullptr, i);
    });
  }
}

}  // namespace assay
