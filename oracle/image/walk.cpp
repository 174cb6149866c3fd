// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "oracle/image/walk_pair.h"

namespace assay {
namespace image {
namespace {

Grade grade_of(const Field& f) { return std::max(f.layout, f.value); }

}  // namespace

std::size_t PairWalk::push(std::string_view name) {
  const std::size_t mark = path_.size();
  if (mark != 0) path_ += '.';
  path_ += name;
  return mark;
}

std::size_t PairWalk::push(std::uint64_t index) {
  const std::size_t mark = path_.size();
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, index).ptr;
  path_ += '[';
  path_.append(digits, end);
  path_ += ']';
  return mark;
}

void PairWalk::emit(const What& what, const Sides& sides, const Extent (&extent)[kSides]) {
  const auto make = [&](int i) {
    const Extent& e = extent[i];
    const ByteView raw =
        e.present ? sides.side[i].view->bytes().subspan(e.offset, e.size) : ByteView{};
    return FieldVisit{path_, what.in, what.field, what.type, what.is_bytes, e.null,
                      what.enumeration, what.grade, e.offset, raw};
  };
  const FieldVisit a = make(0), b = make(1);
  visit_(extent[0].present ? &a : nullptr, extent[1].present ? &b : nullptr);
}

void PairWalk::record_fields(const RecordPlan& p, Sides sides) {
  if (p.selector != nullptr)
    for (Side& s : sides.side)
      if (s.view != nullptr)
        s.variant = variant_of(p.record->id,
                               load_int(p.selector->type, s.byte(p.selector->offset)));
  for (const FieldPlan& f : p.fields) {
    bool on[kSides];
    for (int i = 0; i < kSides; ++i)
      on[i] = sides.side[i].view != nullptr && is_active(f.field->when, sides.side[i].variant);
    if (on[0] || on[1]) field(p, f, sides, on);
  }
}

void PairWalk::field(const RecordPlan& p, const FieldPlan& f, const Sides& sides,
                     const bool (&on)[kSides]) {
  const Field& field = *f.field;
  if (f.rule == Rule::info) return info(sides, on, field);
  const std::uint64_t width =
      field.type == FieldType::record ? record(field.record).bytes : width_of(field.type);
  // A char array, and an array of bytes, is one value.
  if (field.type == FieldType::chars || (field.type == FieldType::u8 && field.count > 1)) {
    const std::size_t mark = push(field.name);
    Extent extent[kSides];
    for (int i = 0; i < kSides; ++i) {
      if (!on[i]) continue;
      const std::uint8_t* from = sides.side[i].byte(field.offset);
      const std::uint64_t size =
          field.type == FieldType::u8
              ? field.count
              : static_cast<std::uint64_t>(std::find(from, from + field.count, 0) - from);
      extent[i] = {true, false, sides.side[i].at + field.offset, size};
    }
    emit({*p.record, &field, field.type, field.type == FieldType::u8, EnumId::none,
          grade_of(field)}, sides, extent);
    return pop(mark);
  }
  std::uint64_t slots[kSides] = {};
  for (int i = 0; i < kSides; ++i)
    if (on[i]) slots[i] = slots_in_use(f, sides.side[i].byte());
  for (std::uint64_t s = 0; s < std::max(slots[0], slots[1]); ++s) {
    const std::size_t mark = push(field.name);
    if (field.count > 1) push(s);
    const std::uint64_t offset = field.offset + s * width;
    Sides here = sides;
    Extent extent[kSides];
    for (int i = 0; i < kSides; ++i) {
      if (s >= slots[i]) here.side[i].view = nullptr;
      else extent[i] = {true, false, sides.side[i].at + offset, width};
    }
    if (field.type == FieldType::pointer) {
      pointer(*p.record, &field, field.to, grade_of(field), offset, here);
    } else if (field.type == FieldType::record) {
      for (Side& side : here.side) side.at += offset;
      record_fields(plan_of(field.record), here);
    } else {
      emit({*p.record, &field, field.type, false, field.enumeration, grade_of(field)}, here,
           extent);
    }
    pop(mark);
  }
}

// u.info: two different records where the ops differ, one after the other.
void PairWalk::info(const Sides& sides, const bool (&on)[kSides], const Field& f) {
  const RecordPlan& desc = plan_of(RecordId::kbin_dma_desc_t);
  RecordId id[kSides];
  for (int i = 0; i < kSides; ++i)
    id[i] = on[i]
                ? info_of(load_int(desc.selector->type, sides.side[i].byte(desc.selector->offset)))
                : RecordId::none;
  const std::size_t mark = push(f.name);
  for (int i = 0; i < kSides; ++i) {
    if (id[i] == RecordId::none || (i == 1 && id[1] == id[0])) continue;
    Sides here = sides;
    for (int k = 0; k < kSides; ++k) {
      if (id[k] == id[i]) here.side[k].at += f.offset;
      else here.side[k].view = nullptr;
    }
    record_fields(plan_of(id[i]), here);
  }
  pop(mark);
}

void PairWalk::pointer(const Record& in, const Field* f, Kind to, Grade grade,
                       std::uint64_t offset, const Sides& sides) {
  const DirEntry* entry[kSides] = {};
  Extent slot[kSides];
  bool some_null = false, some_record = false;
  for (int i = 0; i < kSides; ++i) {
    const Side& s = sides.side[i];
    if (s.view == nullptr) continue;
    entry[i] = s.view->follow(s.at + offset);
    slot[i] = {true, entry[i] == nullptr, s.at + offset, 8};
    (entry[i] == nullptr ? some_null : some_record) = true;
  }
  const bool one_value = to == Kind::string || to == Kind::bytes;
  if (one_value && some_record) {
    const bool is_bytes = to == Kind::bytes;
    for (int i = 0; i < kSides; ++i)
      if (entry[i] != nullptr)
        slot[i] = {true, false, entry[i]->offset, entry[i]->size - (is_bytes ? 0 : 1)};
    return emit({in, nullptr, is_bytes ? FieldType::u8 : FieldType::chars, is_bytes, EnumId::none,
                 grade}, sides, slot);
  }
  if (some_null)
    return emit({in, f, FieldType::pointer, false, EnumId::none, grade}, sides, slot);
  target(in, to, grade, entry, sides);
}

void PairWalk::target(const Record& in, Kind to, Grade grade,
                      const DirEntry* const (&entry)[kSides], const Sides& sides) {
  const KindRow& row = kind_row(to);
  Sides there = sides;
  std::uint64_t n[kSides] = {};
  for (int i = 0; i < kSides; ++i) {
    if (entry[i] == nullptr) there.side[i].view = nullptr;
    else there.side[i].at = entry[i]->offset, n[i] = entry[i]->size / row.bytes;
  }
  if (!row.null_when_empty) {
    record_fields(plan_of(row.record), there);
    return tail(plan_of(row.record), entry, there);
  }
  for (std::uint64_t e = 0; e < std::max(n[0], n[1]); ++e) {
    const std::size_t mark = push(e);
    Sides here = there;
    Extent extent[kSides];
    for (int i = 0; i < kSides; ++i) {
      if (e >= n[i]) {
        here.side[i].view = nullptr;
        continue;
      }
      here.side[i].at += e * row.bytes;
      extent[i] = {true, false, here.side[i].at, row.bytes};
    }
    if (row.record != RecordId::none) {
      record_fields(plan_of(row.record), here);
    } else {  // u32[]
      emit({in, nullptr, FieldType::u32, false, EnumId::none, grade}, here, extent);
    }
    pop(mark);
  }
}

void PairWalk::tail(const RecordPlan& p, const DirEntry* const (&entry)[kSides],
                    const Sides& sides) {
  const Tail& t = p.record->tail;
  if (t.type == TailType::none) return;
  const std::uint64_t width = t.type == TailType::pointers ? 8
                              : t.type == TailType::records ? record(t.record).bytes
                                                            : 1;
  std::uint64_t n[kSides] = {};
  for (int i = 0; i < kSides; ++i)
    if (sides.side[i].view != nullptr) n[i] = (entry[i]->size - p.record->bytes) / width;
  const std::size_t mark = push(t.name);
  if (t.type == TailType::bytes) {
    Extent extent[kSides];
    for (int i = 0; i < kSides; ++i)
      if (sides.side[i].view != nullptr)
        extent[i] = {true, false, sides.side[i].at + t.offset, n[i]};
    emit({*p.record, nullptr, FieldType::u8, true, EnumId::none, p.record->grade}, sides, extent);
    return pop(mark);
  }
  for (std::uint64_t e = 0; e < std::max(n[0], n[1]); ++e) {
    const std::size_t slot_mark = push(e);
    Sides here = sides;
    for (int i = 0; i < kSides; ++i)
      if (e >= n[i]) here.side[i].view = nullptr;
    if (t.type == TailType::pointers) {
      pointer(*p.record, nullptr, t.to, p.record->grade, t.offset + e * width, here);
    } else {
      for (Side& s : here.side) s.at += t.offset + e * width;
      record_fields(plan_of(t.record), here);
    }
    pop(slot_mark);
  }
  pop(mark);
}

void PairWalk::run(const View* a, const View* b) {
  Sides sides;
  const View* views[kSides] = {a, b};
  for (int i = 0; i < kSides; ++i)
    sides.side[i] = {views[i], kRoot, When::always};
  record_fields(plan_of(RecordId::kbin_t), sides);
}

}  // namespace image

void walk(const View& view, const FieldVisitor& visit) {
  const image::PairVisitor one = [&visit](const FieldVisit* a, const FieldVisit*) { visit(*a); };
  image::PairWalk(one).run(&view, nullptr);
}

}  // namespace assay
