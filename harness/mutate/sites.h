// SPDX-License-Identifier: Apache-2.0
// Where records lie inside the records of a directory: an array's elements, a tail's, inline ones in
// use, the info of an op. It reads what a record's size and counters say and judges nothing.
#pragma once

#include "oracle/image/plan.h"

namespace assay::harness {

// A record in use, wherever it lies.
struct Site {
  RecordId id;
  std::uint64_t base;  // bytes from the start of what was walked
  When variant;        // of its union
};

template <class F>
void each_site_in(ByteView bytes, RecordId id, std::uint64_t base, When outer, F& visit) {
  const image::RecordPlan& plan = image::plan_of(id);
  When variant = outer;
  std::int64_t selector = 0;
  if (plan.selector != nullptr) {
    selector = image::load_int(plan.selector->type, bytes.data() + base + plan.selector->offset);
    variant = image::variant_of(id, selector);
  }
  visit(Site{id, base, variant});
  for (const image::FieldPlan& f : plan.fields) {
    if (!image::is_active(f.field->when, variant)) continue;
    const std::uint64_t at = base + f.field->offset;
    if (f.rule == image::Rule::info) {
      const RecordId info = image::info_of(selector);
      if (info != RecordId::none) each_site_in(bytes, info, at, variant, visit);
    } else if (f.field->type == FieldType::record) {
      const std::uint64_t n = image::slots_in_use(f, bytes.data() + base);
      for (std::uint64_t i = 0; i < n; ++i)
        each_site_in(bytes, f.field->record, at + i * record(f.field->record).bytes, variant, visit);
    }
  }
}

// Calls visit(Site) for every site of a record of a directory: `bytes` holds it at `offset`. A kind
// that is none has no sites.
template <class F>
void each_site(ByteView bytes, Kind kind, std::uint64_t offset, std::uint64_t size, F visit) {
  if (kind == Kind::none || static_cast<std::uint32_t>(kind) > kMaxKind) return;
  image::for_each_element(kind, offset, size,
                          [&](const image::RecordPlan& p, std::uint64_t base, std::uint64_t, bool) {
    each_site_in(bytes, p.record->id, base, When::always, visit);
  });
}

}  // namespace assay::harness
