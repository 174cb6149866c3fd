// SPDX-License-Identifier: Apache-2.0
// The encoder. One pass over the tree adds up sizes, one fills the exact buffer: fresh memory is
// what a large image costs most, so nothing is kept between them. It shares the record table with
// the decoding side and no code (IMG-001, IMG-002).
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "oracle/image/image.h"

namespace assay {
namespace {

// A field that counts what a pointer or a tail holds.
struct Counter {
  std::uint32_t offset = 0;
  std::uint32_t width = 0;  // bytes; 0: no counter, the count is 1

  std::uint64_t read(const std::uint8_t* record) const {
    switch (width) {
      case 1: return record[offset];
      case 4: return load<std::uint32_t>(record + offset);
      case 8: return load<std::uint64_t>(record + offset);
      default: return 1;
    }
  }
};

struct Slot {
  std::uint32_t offset;
  Kind to;
  Counter counter;
  When when;
};

// What the encoder needs of one record type; built once, so that no name is looked up per record.
struct Shape {
  std::uint32_t bytes = 0;
  std::vector<Slot> slots;  // ascending offsets, inline records flattened
  TailType tail = TailType::none;
  Counter tail_counter;
  Kind tail_to = Kind::none;
  RecordId tail_record = RecordId::none;
};

Counter counter_of(const Record& r, std::string_view name, std::uint32_t base) {
  const Field* f = name.empty() ? nullptr : r.find(name);
  return f == nullptr ? Counter{} : Counter{base + f->offset, width_of(f->type)};
}

void add_slots(const Record& r, std::uint32_t base, std::vector<Slot>& out) {
  for (const Field& f : r.fields) {
    if (f.type == FieldType::pointer) {
      for (std::uint32_t i = 0; i < f.count; ++i)
        out.push_back({base + f.offset + 8 * i, f.to, counter_of(r, f.count_field, base), f.when});
    } else if (f.type == FieldType::record) {
      const Record& inner = record(f.record);
      for (std::uint32_t i = 0; i < f.count; ++i)
        add_slots(inner, base + f.offset + inner.bytes * i, out);
    }
  }
}

using Shapes = std::array<Shape, static_cast<std::size_t>(RecordId::none)>;

Shapes make_shapes() {
  Shapes shapes;
  for (const Record& r : records()) {
    Shape& s = shapes[static_cast<std::size_t>(r.id)];
    s.bytes = r.bytes;
    add_slots(r, 0, s.slots);
    s.tail = r.tail.type;
    s.tail_counter = counter_of(r, r.tail.count_field, 0);
    s.tail_to = r.tail.to;
    s.tail_record = r.tail.record;
  }
  return shapes;
}

const Shape& shape_of(RecordId id) {
  static const Shapes shapes = make_shapes();
  return shapes[static_cast<std::size_t>(id)];
}

// Pointers sit in one union only: a variable's list (kbin_mem_ref.u.list.list).
bool is_active(When when, const std::uint8_t* record) {
  if (when == When::always) return true;
  const auto mr_type = static_cast<std::int32_t>(
      load<std::uint32_t>(record + offsetof(kbin_mem_ref, mr_type)));
  return when == When::mr_list &&
         (mr_type == code(MrType::MR_LIST) || mr_type == code(MrType::MR_PTR_TABLE));
}

// Bytes that each engine record has, its blob included: the record alone does not tell.
class Engines {
 public:
  explicit Engines(const Tree& tree) {
    for (const Allocation& a : tree.allocations())
      if (a.kind == Kind::engine) rows_.push_back({a.address, a.bytes});
  }
  std::uint64_t bytes_of(const std::uint8_t* engine) const {
    for (const Row& r : rows_)
      if (r.address == engine) return r.bytes;
    return sizeof(kbin_engine_t);
  }

 private:
  struct Row {
    const void* address;
    std::uint64_t bytes;
  };
  std::vector<Row> rows_;
};

struct Extent {
  std::uint64_t size;   // bytes
  std::uint64_t count;  // as the directory has it
};

Extent extent_of(const Engines& engines, const std::uint8_t* from, Kind kind, std::uint64_t count) {
  if (kind == Kind::string) {
    const std::uint64_t size = std::strlen(reinterpret_cast<const char*>(from)) + 1;
    return {size, size};
  }
  const KindRow& row = kind_row(kind);
  if (row.null_when_empty) return {row.bytes * count, count};
  const Shape& s = shape_of(row.record);
  switch (s.tail) {
    case TailType::none: return {row.bytes, 1};
    case TailType::pointers: return {row.bytes + 8 * s.tail_counter.read(from), 1};
    case TailType::records:
      return {row.bytes + shape_of(s.tail_record).bytes * s.tail_counter.read(from), 1};
    case TailType::bytes: return {engines.bytes_of(from), 1};
  }
  return {row.bytes, 1};
}

// Calls f(offset of the slot in the record, what it points to, kind, count) for every slot that is
// not NULL, in ascending order.
template <class F>
void for_each_link(const Shape& s, const std::uint8_t* from, std::uint64_t n, F&& f) {
  const auto elements = [&f](const Shape& e, const std::uint8_t* at, std::uint64_t begin,
                             std::uint64_t count) {
    if (e.slots.empty()) return;
    for (std::uint64_t i = 0; i < count; ++i, at += e.bytes, begin += e.bytes)
      for (const Slot& slot : e.slots) {
        if (!is_active(slot.when, at)) continue;
        const auto* to = load<const std::uint8_t*>(at + slot.offset);
        if (to != nullptr) f(begin + slot.offset, to, slot.to, slot.counter.read(at));
      }
  };
  elements(s, from, 0, n);
  if (s.tail == TailType::records)
    elements(shape_of(s.tail_record), from + s.bytes, s.bytes, s.tail_counter.read(from));
  if (s.tail != TailType::pointers) return;
  const std::uint64_t slots = s.tail_counter.read(from);
  for (std::uint64_t i = 0; i < slots; ++i) {
    const auto* to = load<const std::uint8_t*>(from + s.bytes + 8 * i);
    if (to != nullptr) f(s.bytes + 8 * i, to, s.tail_to, std::uint64_t{1});
  }
}

struct Totals {
  std::uint64_t end = image::kHeaderSize;  // of the records so far
  std::uint64_t records = 0, links = 0, largest_count = 0;
};

// The first pass: sizes alone. Recursion here and below is as deep as kinds nest, and they do not
// recur.
void measure(const Engines& engines, const std::uint8_t* from, Kind kind, std::uint64_t count,
             Totals& t) {
  const Extent e = extent_of(engines, from, kind, count);
  t.end = align_up(t.end, image::kRecordAlign) + e.size;
  ++t.records;
  t.largest_count = std::max(t.largest_count, e.count);
  const KindRow& row = kind_row(kind);
  if (row.record == RecordId::none) return;
  for_each_link(shape_of(row.record), from, row.null_when_empty ? count : 1,
                [&](std::uint64_t, const std::uint8_t* to, Kind k, std::uint64_t n) {
                  ++t.links;
                  measure(engines, to, k, n, t);
                });
}

// The second pass: every byte of the image, once.
class Writer {
 public:
  Writer(const Engines& engines, const Totals& totals, Buffer& out)
      : engines_(engines),
        image_(out.data()),
        entry_(image_ + align_up(totals.end, image::kRecordAlign)),
        reloc_(entry_ + image::kDirEntryBytes * totals.records) {}

  // Gives the record its place, then its subtree theirs: depth-first pre-order. Returns its offset.
  std::uint64_t place(const std::uint8_t* from, Kind kind, std::uint64_t count) {
    const Extent e = extent_of(engines_, from, kind, count);
    pad();
    const std::uint64_t offset = end_;
    std::memcpy(image_ + offset, from, e.size);
    end_ += e.size;
    store(entry_, offset);
    store(entry_ + 8, e.size);
    store(entry_ + 16, static_cast<std::uint32_t>(kind));
    store(entry_ + 20, static_cast<std::uint32_t>(e.count));
    entry_ += image::kDirEntryBytes;
    const KindRow& row = kind_row(kind);
    if (row.record == RecordId::none) return offset;

    // All of a record's slots come before any of its children's: so the list ascends.
    const Shape& s = shape_of(row.record);
    const std::uint64_t n = row.null_when_empty ? count : 1;
    for_each_link(s, from, n, [&](std::uint64_t slot, const std::uint8_t*, Kind, std::uint64_t) {
      store(reloc_, offset + slot);
      reloc_ += image::kRelocBytes;
    });
    for_each_link(s, from, n,
                  [&](std::uint64_t slot, const std::uint8_t* to, Kind k, std::uint64_t c) {
                    store(image_ + offset + slot, place(to, k, c));
                  });
    return offset;
  }

  void pad() {
    const std::uint64_t to = align_up(end_, image::kRecordAlign);
    std::memset(image_ + end_, 0, to - end_);
    end_ = to;
  }

 private:
  const Engines& engines_;
  std::uint8_t* image_;
  std::uint8_t* entry_;
  std::uint8_t* reloc_;
  std::uint64_t end_ = image::kHeaderSize;
};

Result<Buffer> write(const Tree& tree, const Limits& limits) {
  const Engines engines(tree);
  const auto* root = reinterpret_cast<const std::uint8_t*>(&tree.root());
  Totals t;
  measure(engines, root, Kind::kbin, 1, t);
  constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
  if (t.records > kMax32 || t.largest_count > kMax32)
    // unreached: 2^32 records or elements
    return refuse(
        Reason::limit_image_bytes, {},
        fmt::format("{} records, at most {} elements in one; the directory counts in 32 bits",
                    t.records, t.largest_count));
  // reached
  const std::uint64_t dir_offset = align_up(t.end, image::kRecordAlign);
  const std::uint64_t reloc_offset = dir_offset + image::kDirEntryBytes * t.records;
  const std::uint64_t total = reloc_offset + image::kRelocBytes * t.links;
  if (total > limits.image_bytes)
    return refuse(Reason::limit_image_bytes, {},
                  fmt::format("{} bytes, at most {}", total, limits.image_bytes));

  Buffer out(total);
  Writer writer(engines, t, out);
  writer.place(root, Kind::kbin, 1);
  writer.pad();
  std::uint8_t* p = out.data();
  std::memset(p, 0, image::kHeaderSize);
  std::memcpy(p + image::kMagicAt, image::kMagic, 8);
  store(p + image::kHeaderSizeAt, static_cast<std::uint32_t>(image::kHeaderSize));
  store(p + image::kImageSizeAt, total);
  store(p + image::kRootAt, image::kRoot);
  store(p + image::kDirOffsetAt, dir_offset);
  store(p + image::kRelocOffsetAt, reloc_offset);
  store(p + image::kDirCountAt, static_cast<std::uint32_t>(t.records));
  store(p + image::kRelocCountAt, static_cast<std::uint32_t>(t.links));
  store(p + image::kTargetAt, tree.root().target);
  store(p + image::kSubgraphAt, tree.subgraph);
  store(p + image::kCrcAt, crc32_of(out.view().subspan(image::kHeaderSize)));
  return out;
}

}  // namespace

Result<Buffer> encode(const Tree& tree, const Limits& limits) {
  try {
    return write(tree, limits);
    // unreached: memory runs out
  } catch (const std::bad_alloc&) {
    return refuse(Reason::out_of_memory);
  } catch (const std::length_error&) {
    return refuse(Reason::out_of_memory);
  }
  // reached
}

}  // namespace assay
