// SPDX-License-Identifier: Apache-2.0
// Paths of findings (conformance.md, "a path"), made only when something is reported.
#include <fmt/format.h>

#include "oracle/image/inspector.h"

namespace assay {
namespace {

std::string join(std::string left, std::string_view right) {
  if (!left.empty() && !right.empty() && right[0] != '[') left += '.';
  left += right;
  return left;
}

// The field that a byte of a record lies in; a pointer wins over its union's other members.
std::string name_at(const image::RecordPlan& p, std::uint64_t offset) {
  for (const image::PointerSlot& s : p.pointers)
    if (s.offset == offset) return s.name;
  for (const Field& f : p.record->fields)
    if (f.offset == offset) return std::string(f.name);
  return fmt::format("+{}", offset);
}

}  // namespace

std::string Inspector::record_path(std::size_t index) const {
  if (index == 0) return "";
  return slot_path(infos[index].owner, infos[index].slot);
}

std::string Inspector::shown(std::size_t index) const {
  return index == 0 ? "kbin_t" : record_path(index);
}

std::string Inspector::slot_path(std::size_t owner, std::uint64_t slot) const {
  const DirEntry& e = view.dir_[owner];
  const KindRow& row = kind_row(e.kind);
  const image::RecordPlan& p = image::plan_of(row.record);
  const std::uint64_t at = slot - e.offset;
  std::string path = record_path(owner);
  if (row.null_when_empty)
    return join(path + fmt::format("[{}]", at / row.bytes), name_at(p, at % row.bytes));
  if (at < row.bytes) return join(std::move(path), name_at(p, at));
  const Tail& tail = p.record->tail;
  if (tail.type == TailType::pointers)
    return join(std::move(path), fmt::format("{}[{}]", tail.name, (at - row.bytes) / 8));
  const image::RecordPlan& t = image::plan_of(tail.record);
  path =
      join(std::move(path), fmt::format("{}[{}]", tail.name, (at - row.bytes) / t.record->bytes));
  return join(std::move(path), name_at(t, (at - row.bytes) % t.record->bytes));
}

std::string Inspector::path(const Frame* at) const {
  std::string inner;
  for (const Frame* f = at; f != nullptr; f = f->up) {
    std::string part(f->name);
    if (f->index >= 0) part += fmt::format("[{}]", f->index);
    inner = inner.empty() ? part : join(std::move(part), inner);
  }
  const std::string whole = join(record_path(current), inner);
  return whole.empty() ? "kbin_t" : whole;
}

}  // namespace assay
