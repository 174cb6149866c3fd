// SPDX-License-Identifier: Apache-2.0
#include "harness/mutate/raw_edit.h"

#include <algorithm>

#include "oracle/image/image.h"

namespace assay::harness {

std::size_t subtree_end(const RawImage& raw, std::size_t i) {
  // A record may be reached twice in a corrupt image: each is looked at once.
  std::vector<bool> seen(raw.records.size(), false);
  std::vector<std::size_t> open = {i};
  std::size_t end = i + 1;
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    seen[at] = true;
    end = std::max(end, at + 1);
    for (const RawRecord::Pointer& p : raw.records[at].pointers) open.push_back(p.to);
  }
  return std::min(end, raw.records.size());
}

void erase_records(RawImage& raw, const std::vector<bool>& gone) {
  std::vector<std::size_t> now(raw.records.size(), 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < raw.records.size(); ++i) {
    if (gone[i]) continue;
    now[i] = kept;
    if (kept != i) raw.records[kept] = std::move(raw.records[i]);
    ++kept;
  }
  raw.records.resize(kept);
  for (RawRecord& r : raw.records) {
    std::erase_if(r.pointers, [&](const RawRecord::Pointer& p) {
      return p.to != RawRecord::kNull && (p.to >= gone.size() || gone[p.to]);
    });
    for (RawRecord::Pointer& p : r.pointers)
      if (p.to != RawRecord::kNull) p.to = now[p.to];
  }
}

void insert_record(RawImage& raw, std::size_t at, RawRecord record) {
  for (RawRecord& r : raw.records)
    for (RawRecord::Pointer& p : r.pointers)
      if (p.to >= at && p.to != RawRecord::kNull) ++p.to;
  raw.records.insert(raw.records.begin() + static_cast<std::ptrdiff_t>(at), std::move(record));
}

void erase_bytes(RawRecord& record, std::uint64_t at, std::uint64_t n) {
  at = std::min<std::uint64_t>(at, record.bytes.size());
  n = std::min<std::uint64_t>(n, record.bytes.size() - at);
  const auto from = record.bytes.begin() + static_cast<std::ptrdiff_t>(at);
  record.bytes.erase(from, from + static_cast<std::ptrdiff_t>(n));
  std::erase_if(record.pointers,
                [&](const RawRecord::Pointer& p) { return p.slot >= at && p.slot < at + n; });
  for (RawRecord::Pointer& p : record.pointers)
    if (p.slot >= at) p.slot -= n;
}

RawRecord::Pointer* pointer_at(RawRecord& record, std::uint64_t slot) {
  for (RawRecord::Pointer& p : record.pointers)
    if (p.slot == slot) return &p;
  return nullptr;
}

std::uint64_t offset_of(const RawImage& raw, std::size_t i) {
  std::uint64_t at = image::kRoot;
  for (std::size_t r = 0; r < i && r < raw.records.size(); ++r)
    at = align_up(at + raw.records[r].bytes.size() + raw.records[r].behind.size(), image::kRecordAlign);
  return at;
}

}  // namespace assay::harness
