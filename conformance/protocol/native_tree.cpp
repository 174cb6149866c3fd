// SPDX-License-Identifier: Apache-2.0
#include "conformance/protocol/native_tree.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "harness/mutate/raw_image.h"
#include "oracle/image/plan.h"
#include "oracle/records/kbin.h"

namespace assay::conformance {
namespace {

using harness::RawImage;
using harness::RawRecord;

using Address = std::uintptr_t;

// Together; far more than a process may hold (ChildLimits), and an arena's reserve may be part of it.
constexpr std::uint64_t kMaxAllocated = std::uint64_t{16} << 30;

struct Block {
  Address begin = 0;
  std::uint64_t size = 0;   // bytes
  std::size_t records = 0;  // that start in it

  std::uint64_t behind(Address at) const { return begin + size - at; }
};

struct Found {
  Address at = 0;
  Kind kind = Kind::none;
  std::uint64_t count = 0;  // of an array's elements, or bytes
  std::uint64_t need = 0;   // bytes that its kind and counts give, without an engine's blob
  Block* block = nullptr;
  std::string path;
};

// Whether there are pages behind all of it: a size that was asked of no allocator seldom ends among them.
bool is_memory(const Block& b) {
  const auto page = static_cast<Address>(::sysconf(_SC_PAGESIZE));
  unsigned char pages[1 << 14];  // what mincore says of each is of no interest
  for (Address at = b.begin & ~(page - 1); at < b.begin + b.size; at += sizeof pages * page) {
    const std::uint64_t bytes = std::min<std::uint64_t>(b.begin + b.size - at, sizeof pages * page);
    if (::mincore(reinterpret_cast<void*>(at), bytes, pages) != 0 && errno == ENOMEM) return false;
  }
  return true;
}

class Walk {
 public:
  explicit Walk(std::span<const assay_allocation> allocations) {
    for (const assay_allocation& a : allocations)
      blocks_.push_back({reinterpret_cast<Address>(a.address), a.size, 0});
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Block& a, const Block& b) { return a.begin < b.begin; });
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& b = blocks_[i];
      if (std::uint64_t behind = 0; b.begin == 0 || !checked_add(b.begin, b.size, behind))
        fail("an allocation at NULL or past the end of memory");
      else if (i > 0 && blocks_[i - 1].begin + blocks_[i - 1].size > b.begin)
        fail("two allocations overlap");
      else if (!checked_add(total, b.size, total) || total > kMaxAllocated)
        fail(fmt::format("allocations of more than {} GiB together, one of them {} bytes",
                         kMaxAllocated >> 30, b.size));
      else if (!is_memory(b))
        fail(fmt::format("an allocation of {} bytes, not all of which are memory", b.size));
    }
  }

  Read<Buffer> run(const void* root, std::uint32_t subgraph) {
    if (problem_.empty()) visit(reinterpret_cast<Address>(root), Kind::kbin, 1, "kbin_t");
    if (problem_.empty()) copy_out();
    if (!problem_.empty()) return tl::unexpected<std::string>(problem_);
    image_.target = load<std::uint32_t>(image_.records[0].bytes.data() + offsetof(kbin_t, target));
    image_.subgraph = subgraph;
    return image_.write();
  }

 private:
  bool fail(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
    return false;
  }

  // The allocation that an address lies in.
  Block* block_of(Address at) {
    const auto behind =
        std::upper_bound(blocks_.begin(), blocks_.end(), at, [](Address a, const Block& b) { return a < b.begin; });
    if (behind == blocks_.begin()) return nullptr;
    Block& b = *std::prev(behind);
    return at - b.begin < b.size ? &b : nullptr;
  }

  bool inside(const Found& f, std::uint64_t bytes) {
    if (bytes <= f.block->behind(f.at)) return true;
    return fail(fmt::format("{}: {} bytes of {} are read there, {} lie in the allocation", f.path, bytes,
                            kind_row(f.kind).title, f.block->behind(f.at)));
  }

  // Bytes that are read of a record, each part checked before a count in it is.
  bool measure(Found& f) {
    const auto* const p = reinterpret_cast<const std::uint8_t*>(f.at);
    const KindRow& row = kind_row(f.kind);
    if (f.kind == Kind::string) {
      const std::uint64_t most = f.block->behind(f.at);
      const void* const nul = std::memchr(p, 0, most);
      if (nul == nullptr) return fail(f.path + ": a string without a NUL in its allocation");
      f.need = f.count = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(nul) - p) + 1;
      return true;
    }
    std::uint64_t tail = 0;
    if (row.null_when_empty) {
      if (!checked_mul(f.count, row.bytes, f.need)) f.need = ~std::uint64_t{0};
      return inside(f, f.need);
    }
    f.need = row.bytes;
    if (!inside(f, f.need)) return false;
    const image::RecordPlan& plan = image::plan_of(row.record);
    const Tail& t = plan.record->tail;
    if (t.type != TailType::records && t.type != TailType::pointers) return true;
    const std::uint64_t width = t.type == TailType::pointers ? 8 : record(t.record).bytes;
    if (!checked_mul(plan.tail_count.read(p), width, tail) || !checked_add(f.need, tail, f.need))
      f.need = ~std::uint64_t{0};
    return inside(f, f.need);
  }

  // Takes what a pointer leads to, and what hangs on it: in the image's emission order. Its index.
  std::optional<std::size_t> visit(Address at, Kind kind, std::uint64_t count, const std::string& path) {
    if (const auto known = index_.find({at, kind}); known != index_.end()) return known->second;
    Found f{at, kind, count, 0, block_of(at), path};
    // No byte of an empty array is read: that there is a pointer at all is the image's to show.
    const bool nothing = f.block == nullptr && count == 0 && kind_row(kind).null_when_empty;
    if (f.block == nullptr && !nothing) return fail(path + ": leads outside every allocation"), std::nullopt;
    if (!nothing && !measure(f)) return std::nullopt;
    if (!nothing && (total_ += std::max(f.need, f.at == f.block->begin ? f.block->size : 0)) > kMaxNativeBytes)
      return fail(fmt::format("{}: the tree comes to more than {} MiB here", path, kMaxNativeBytes >> 20)),
             std::nullopt;
    if (!nothing) ++f.block->records;
    const std::size_t index = found_.size();
    index_.emplace(std::pair(at, kind), index);
    found_.push_back(f);
    image_.records.emplace_back();
    if (kind_row(kind).record == RecordId::none) return index;

    const ByteView bytes(reinterpret_cast<const std::uint8_t*>(at), f.need);
    image::for_each_pointer(
        bytes, kind, 0, f.need, [&](const image::PointerSlot& s, const image::RecordPlan& plan, std::uint64_t base) {
          const std::uint64_t slot = base + s.offset;
          const auto to = load<Address>(bytes.data() + slot);
          if (to == 0 || !problem_.empty()) return;
          const std::uint64_t n = s.counter ? s.counter.read(bytes.data() + base) : 1;
          const auto child = visit(to, s.to, counted(s, plan, bytes.data() + base, n), path_of(f, s, plan, base));
          if (child) image_.records[index].pointers.push_back({slot, *child, 0, 1});
        });
    return index;
  }

  // A variable's buffer has `size` bytes only where its type says so.
  static std::uint64_t counted(const image::PointerSlot& s, const image::RecordPlan& plan, const std::uint8_t* p,
                               std::uint64_t n) {
    if (s.null != Nullability::counted_buffer || plan.record->id != RecordId::kbin_mem_ref) return n;
    const auto type = static_cast<std::int32_t>(load<std::uint32_t>(p + offsetof(kbin_mem_ref, mr_type)));
    return type == code(MrType::MR_BUFFER) ? n : 0;
  }

  static std::string path_of(const Found& f, const image::PointerSlot& s, const image::RecordPlan& plan,
                             std::uint64_t base) {
    const KindRow& row = kind_row(f.kind);
    std::string path = f.kind == Kind::kbin ? "" : f.path;
    const Record& holder = record(row.record);
    if (row.null_when_empty) path += fmt::format("[{}]", base / row.bytes);
    else if (plan.record->id != row.record)
      path += fmt::format(".{}[{}]", holder.tail.name, (base - row.bytes) / plan.record->bytes);
    if (!path.empty()) path += '.';
    path += s.name;
    if (holder.tail.type == TailType::pointers && plan.record->id == row.record && s.offset >= row.bytes)
      path += fmt::format("[{}]", base / 8);
    return path;
  }

  // Only now is it known which records are alone in their allocations.
  void copy_out() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      Found& f = found_[i];
      const auto* const p = reinterpret_cast<const std::uint8_t*>(f.at);
      const bool alone = f.block != nullptr && f.block->records == 1 && f.at == f.block->begin;
      if (alone) {
        f.need = f.block->size;
      } else if (f.kind == Kind::engine) {
        f.need += std::uint64_t{64} * load<std::uint32_t>(p + offsetof(kbin_engine_t, ninstr));
        if (!inside(f, f.need)) return;
      }
      RawRecord& r = image_.records[i];
      r.kind = f.kind;
      r.count = 1;
      if (kind_row(f.kind).null_when_empty || f.kind == Kind::string) r.count = static_cast<std::uint32_t>(f.count);
      r.bytes.assign(p, p + f.need);
      for (const RawRecord::Pointer& pointer : r.pointers) std::memset(r.bytes.data() + pointer.slot, 0, 8);
    }
  }

  std::vector<Block> blocks_;
  std::vector<Found> found_;
  std::map<std::pair<Address, Kind>, std::size_t> index_;
  std::uint64_t total_ = 0;
  RawImage image_;
  std::string problem_;
};

}  // namespace

Read<Buffer> image_of_native(const void* root, std::span<const assay_allocation> allocations,
                             std::uint32_t subgraph) {
  return Walk(allocations).run(root, subgraph);
}

}  // namespace assay::conformance
