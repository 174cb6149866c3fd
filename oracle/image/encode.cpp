// SPDX-License-Identifier: Apache-2.0
// The encoder. One pass over the tree lays out records and links, one fills the exact buffer. It
// shares the record table with the decoding side and no code (IMG-001, IMG-002).
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

struct Emitted {
  const std::uint8_t* from;
  std::uint64_t offset, size, count;
  Kind kind;
};

struct Link {
  std::uint64_t slot;   // image offset
  const std::uint8_t* to;
  std::uint64_t value;  // elements pointed to, then the image offset of the record
  Kind kind;
};

class Layout {
 public:
  explicit Layout(const Tree& tree) {
    records_.reserve(tree.allocations().size());
    links_.reserve(tree.allocations().size());
    // An engine's record alone does not tell its blob's length; there is one slot per engine.
    for (const Allocation& a : tree.allocations()) {
      if (a.kind != Kind::engine) continue;
      engines_.push_back({a.address, a.bytes});
    }
    place(reinterpret_cast<const std::uint8_t*>(&tree.root()), Kind::kbin, 1);
  }

  const std::vector<Emitted>& records() const { return records_; }
  const std::vector<Link>& links() const { return links_; }  // ascending slots
  std::uint64_t end() const { return end_; }

 private:
  struct Engine {
    const void* address;
    std::uint64_t bytes;
  };

  std::uint64_t size_of(const std::uint8_t* from, Kind kind, std::uint64_t count) const {
    const KindRow& row = kind_row(kind);
    if (kind == Kind::string) return std::strlen(reinterpret_cast<const char*>(from)) + 1;
    if (row.null_when_empty) return row.bytes * count;
    const Shape& s = shape_of(row.record);
    switch (s.tail) {
      case TailType::none: return row.bytes;
      case TailType::pointers: return row.bytes + 8 * s.tail_counter.read(from);
      case TailType::records:
        return row.bytes + shape_of(s.tail_record).bytes * s.tail_counter.read(from);
      case TailType::bytes: break;
    }
    for (const Engine& e : engines_)
      if (e.address == from) return e.bytes;
    return row.bytes;
  }

  // Gives the record its place, then its subtree theirs: depth-first pre-order. Returns its
  // offset. The depth is that of the kinds, which do not recur.
  std::uint64_t place(const std::uint8_t* from, Kind kind, std::uint64_t count) {
    const KindRow& row = kind_row(kind);
    const std::uint64_t offset = align_up(end_, image::kRecordAlign);
    const std::uint64_t size = size_of(from, kind, count);
    end_ = offset + size;
    const std::uint64_t noted = kind == Kind::string ? size : row.null_when_empty ? count : 1;
    records_.push_back({from, offset, size, noted, kind});
    if (row.record == RecordId::none) return offset;

    // All of a record's slots are listed before any of its children's: the list stays ascending.
    const std::size_t first = links_.size();
    const Shape& s = shape_of(row.record);
    add_links(s, from, offset, row.null_when_empty ? count : 1);
    if (s.tail == TailType::records) {
      add_links(shape_of(s.tail_record), from + s.bytes, offset + s.bytes,
                s.tail_counter.read(from));
    } else if (s.tail == TailType::pointers) {
      const std::uint64_t n = s.tail_counter.read(from);
      for (std::uint64_t i = 0; i < n; ++i)
        add_link(from + s.bytes + 8 * i, offset + s.bytes + 8 * i, s.tail_to, 1);
    }
    const std::size_t last = links_.size();
    for (std::size_t k = first; k < last; ++k) {
      const Link link = links_[k];  // a copy: the vector grows below
      links_[k].value = place(link.to, link.kind, link.value);
    }
    return offset;
  }

  void add_links(const Shape& s, const std::uint8_t* from, std::uint64_t offset, std::uint64_t n) {
    if (s.slots.empty()) return;
    for (std::uint64_t i = 0; i < n; ++i, from += s.bytes, offset += s.bytes)
      for (const Slot& slot : s.slots)
        if (is_active(slot.when, from))
          add_link(from + slot.offset, offset + slot.offset, slot.to, slot.counter.read(from));
  }

  void add_link(const std::uint8_t* at, std::uint64_t slot, Kind kind, std::uint64_t count) {
    const auto* to = load<const std::uint8_t*>(at);
    if (to != nullptr) links_.push_back({slot, to, count, kind});
  }

  std::uint64_t end_ = image::kHeaderSize;
  std::vector<Engine> engines_;
  std::vector<Emitted> records_;
  std::vector<Link> links_;
};

struct Sizes {
  std::uint64_t dir_offset, reloc_offset, total;
};

Buffer fill(const Tree& tree, const Layout& layout, const Sizes& sizes) {
  Buffer out(sizes.total);
  std::uint8_t* p = out.data();
  std::memset(p, 0, image::kHeaderSize);
  std::uint64_t end = image::kHeaderSize;
  std::uint8_t* entry = p + sizes.dir_offset;
  for (const Emitted& r : layout.records()) {
    std::memset(p + end, 0, r.offset - end);
    std::memcpy(p + r.offset, r.from, r.size);
    end = r.offset + r.size;
    store(entry, r.offset);
    store(entry + 8, r.size);
    store(entry + 16, static_cast<std::uint32_t>(r.kind));
    store(entry + 20, static_cast<std::uint32_t>(r.count));
    entry += image::kDirEntryBytes;
  }
  std::memset(p + end, 0, sizes.dir_offset - end);
  std::uint8_t* reloc = p + sizes.reloc_offset;
  for (const Link& l : layout.links()) {
    store(p + l.slot, l.value);
    store(reloc, l.slot);
    reloc += image::kRelocBytes;
  }

  std::memcpy(p + image::kMagicAt, image::kMagic, 8);
  store(p + image::kHeaderSizeAt, static_cast<std::uint32_t>(image::kHeaderSize));
  store(p + image::kImageSizeAt, sizes.total);
  store(p + image::kRootAt, image::kRoot);
  store(p + image::kDirOffsetAt, sizes.dir_offset);
  store(p + image::kRelocOffsetAt, sizes.reloc_offset);
  store(p + image::kDirCountAt, static_cast<std::uint32_t>(layout.records().size()));
  store(p + image::kRelocCountAt, static_cast<std::uint32_t>(layout.links().size()));
  store(p + image::kTargetAt, tree.root().target);
  store(p + image::kSubgraphAt, tree.subgraph);
  store(p + image::kCrcAt, crc32_of(out.view().subspan(image::kHeaderSize)));
  return out;
}

}  // namespace

Result<Buffer> encode(const Tree& tree, const Limits& limits) {
  try {
    const Layout layout(tree);
    constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
    if (layout.records().size() > kMax32)
      return refuse(Reason::limit_image_bytes, {}, "more than 2^32-1 records");
    for (const Emitted& r : layout.records())
      if (r.count > kMax32)
        return refuse(Reason::limit_image_bytes, {},
                      fmt::format("{} elements in one record, at most {} fit its directory entry",
                                  r.count, kMax32));
    Sizes sizes{};
    sizes.dir_offset = align_up(layout.end(), image::kRecordAlign);
    sizes.reloc_offset = sizes.dir_offset + image::kDirEntryBytes * layout.records().size();
    sizes.total = sizes.reloc_offset + image::kRelocBytes * layout.links().size();
    if (sizes.total > limits.image_bytes)
      return refuse(Reason::limit_image_bytes, {},
                    fmt::format("{} bytes, at most {}", sizes.total, limits.image_bytes));
    return fill(tree, layout, sizes);
  } catch (const std::bad_alloc&) {
    return refuse(Reason::out_of_memory);
  } catch (const std::length_error&) {
    return refuse(Reason::out_of_memory);
  }
}

}  // namespace assay
