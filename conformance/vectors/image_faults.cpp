// SPDX-License-Identifier: Apache-2.0
// Drafts of decode out of the table of records: for each place of each record the faults that a reader may miss
// there, one an image.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/vectors/draft.h"
#include "conformance/vectors/image_scenes.h"
#include "harness/compare/paths.h"
#include "harness/mutate/raw_image.h"
#include "harness/mutate/sites.h"
#include "oracle/image/image.h"

namespace assay::conformance::vectors {
namespace {

// "dma[2].owner" as "dma.owner".
std::string named(std::string_view path) {
  std::string out = harness::compare::Path(path).shape;
  for (std::size_t at; (at = out.find("[]")) != std::string::npos;) out.erase(at, 2);
  return out;
}

struct Byte {
  std::uint64_t at;
  std::uint8_t value;
};

class Table {
 public:
  Table(const Scene& scene, std::set<std::string>& seen, std::vector<Draft>& out)
      : scene_(scene), view_(std::move(*decode(scene.image.view()))), seen_(seen), out_(out) {
    for (std::size_t i = 0; i < view_.records(); ++i) {
      const DirEntry& e = view_.record_at(i);
      harness::each_site(view_.bytes(), e.kind, e.offset, e.size, [&](const harness::Site& s) { sites_.push_back(s); });
    }
    walk(view_, [&](const FieldVisit& v) {
      visits_.push_back({v.path, v.field, v.type, v.enumeration, v.offset, v.raw});
    });
  }

  void all() {
    unused_bytes();
    char_arrays();
    strings();
    values();
    directory_counts();
    counters();
    record_sizes();
    unreferenced();
    gaps();
  }

 private:
  struct Visit {
    std::string path;
    const Field* field;
    FieldType type;
    EnumId enumeration;
    std::uint64_t offset;
    ByteView raw;
  };

  // One fault; the same one of another scene or record of the kind, told by `key`, is left out.
  void fault(const std::string& row, const std::string& key, const std::string& say, const std::vector<Byte>& bytes) {
    Buffer image(scene_.image.view());
    for (const Byte& b : bytes) image.data()[b.at] = b.value;
    harness::repair_checksum(image);
    fault(row, key, say, image);
  }

  void fault(const std::string& row, const std::string& key, const std::string& say, const Buffer& image) {
    if (!seen_.insert(row + "/" + key).second) return;
    Draft d;
    d.id = row + "/" + key;
    d.rows = {row};
    d.say = say;
    d.op = Op::decode;
    d.request = decode_request(image.view());
    d.twin = decode_request(scene_.image.view());
    const auto [first, is_new] = twins_.emplace(row, d.id);
    if (!is_new) d.twin_of = first->second;
    out_.push_back(std::move(d));
  }

  // A number of the bytes of `raw` in its place.
  std::vector<Byte> number(std::uint64_t at, std::size_t width, std::uint64_t value) const {
    std::vector<Byte> out;
    for (std::size_t i = 0; i < width; ++i) out.push_back({at + i, static_cast<std::uint8_t>(value >> (8 * i))});
    return out;
  }

  // IMG-020: every run of bytes that no value, pointer or record inside covers, its first and its last byte.
  void unused_bytes() {
    constexpr int kUsed = -1, kNone = -2;
    std::vector<int> owner(view_.bytes().size(), kNone);
    for (std::size_t i = 0; i < sites_.size(); ++i)
      std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(sites_[i].base), record(sites_[i].id).bytes,
                  static_cast<int>(i));
    const auto use = [&](std::uint64_t at, std::uint64_t n) {
      std::fill_n(owner.begin() + static_cast<std::ptrdiff_t>(at), n, kUsed);
    };
    for (const Visit& v : visits_)
      if (v.field != nullptr) use(v.offset, v.raw.size() + (v.type == FieldType::chars ? 1 : 0));
    const ImageHeader& h = view_.header();
    for (std::uint64_t i = 0; i < h.reloc_count; ++i)
      use(load<std::uint64_t>(view_.bytes().data() + h.reloc_offset + image::kRelocBytes * i), 8);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      const harness::Site& s = sites_[i];
      const Record& r = record(s.id);
      std::set<std::uint64_t> edges = {r.bytes};
      for (const Padding& p : r.padding) edges.insert({p.begin, p.end});
      for (const Field& f : r.fields)
        if (image::is_active(f.when, s.variant))
          edges.insert({f.offset, f.offset + f.count * (f.type == FieldType::record ? record(f.record).bytes
                                                                                     : width_of(f.type))});
      const auto mine = [&](std::uint64_t at) { return at < r.bytes && owner[s.base + at] == static_cast<int>(i); };
      for (std::uint64_t at = 0; at < r.bytes; ++at) {
        if (!mine(at)) continue;
        std::uint64_t end = at + 1;
        while (mine(end) && edges.count(end) == 0) ++end;
        unused(s, at, 0x01);
        if (end - at > 1) unused(s, end - 1, 0x80);
        at = end - 1;
      }
    }
  }

  void unused(const harness::Site& s, std::uint64_t at, std::uint8_t value) {
    // What is active in a union decides there, and nowhere else.
    std::string where(record(s.id).name);
    if (s.id == RecordId::kbin_dma_desc_cce_info_t) where += "-" + scene_.name;
    if (s.id == RecordId::kbin_mem_ref && at >= 136)
      where += fmt::format("-mr_type-{}", load<std::uint32_t>(view_.bytes().data() + s.base));
    fault("IMG-020", fmt::format("{}-byte-{}", where, at),
          fmt::format("Byte {} of this {} is no value's and must be zero.", at, record(s.id).name),
          {{s.base + at, value}});
  }

  // IMG-018: char arrays without a NUL.
  void char_arrays() {
    for (const Visit& v : visits_) {
      if (v.type != FieldType::chars || v.field == nullptr) continue;
      std::vector<Byte> bytes;
      for (std::uint64_t i = 0; i < v.field->count; ++i) bytes.push_back({v.offset + i, 'x'});
      const std::string name = named(v.path);
      fault("IMG-018", "without-nul-" + name, fmt::format("{} is {} bytes without a NUL.", name, v.field->count),
            bytes);
    }
  }

  // IMG-018: string records.
  void strings() {
    for (const Visit& v : visits_) {
      if (v.type != FieldType::chars || v.field != nullptr || v.raw.size() < 2) continue;
      const std::string name = named(v.path);
      fault("IMG-018", "without-nul-" + name, "The string of " + name + " ends without a NUL.",
            {{v.offset + v.raw.size(), 'x'}});
      fault("IMG-018", "nul-inside-" + name, "The string of " + name + " has a NUL inside.", {{v.offset + 1, 0}});
      fault("IMG-018", "nul-first-" + name, "The string of " + name + " begins with a NUL.", {{v.offset, 0}});
    }
  }

  // IMG-019: booleans and enumerators, of every field.
  void values() {
    for (const Visit& v : visits_) {
      if (v.field == nullptr) continue;
      const std::string name = named(v.path);
      if (v.type == FieldType::boolean) {
        for (const std::uint8_t value : {2, 128, 255})
          fault("IMG-019", fmt::format("{}-{}", name, value), fmt::format("{} is neither 0 nor 1.", value),
                {{v.offset, value}});
      } else if (v.enumeration != EnumId::none && v.enumeration != EnumId::ArchType) {  // target: IMG-008
        fault("IMG-019", name + "-256-more", "An enum field is all of its bytes.", {{v.offset + 1, 1}});
        fault("IMG-019", name + "-top-bit", "An enum field is all of its bytes.", {{v.offset + 3, 0x80}});
        const auto& all = enum_row(v.enumeration).values;
        const auto most = std::max_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.code < b.code; });
        fault("IMG-019", name + "-one-beyond", fmt::format("{} is no enumerator.", most->code + 1),
              {{v.offset, static_cast<std::uint8_t>(most->code + 1)}});
      }
    }
  }

  // IMG-012: of every kind that the scene has, one entry's count one off either way.
  void directory_counts() {
    for (std::size_t i = 0; i < view_.records(); ++i) {
      const DirEntry& e = view_.record_at(i);
      const std::uint64_t at = view_.header().dir_offset + image::kDirEntryBytes * i + 20;
      for (const auto& [name, value] : {std::pair("more", e.count + 1), std::pair("less", e.count - 1)})
        fault("IMG-012", fmt::format("kind-{}-one-{}", static_cast<std::uint32_t>(e.kind), name),
              fmt::format("The directory's count of a record of kind {} is {}.", static_cast<std::uint32_t>(e.kind),
                          value),
              number(at, 4, value));
    }
  }

  // IMG-011, IMG-015: counters that their record, or the one pointed to, does not agree with.
  void counters() {
    for (const harness::Site& s : sites_) {
      const Record& r = record(s.id);
      std::set<std::string_view> tails = {r.tail.count_field};
      std::set<std::string_view> counted;
      for (const Field& f : r.fields)
        if (f.null == Nullability::counted && image::is_active(f.when, s.variant)) counted.insert(f.count_field);
      for (const Field& f : r.fields) {
        const bool tail = tails.count(f.name) != 0, pointer = counted.count(f.name) != 0;
        if (!tail && !pointer) continue;
        const std::uint64_t at = s.base + f.offset;
        const std::size_t width = width_of(f.type);
        const std::uint64_t now = view_.bytes()[at];
        const std::string key = fmt::format("{}.{}", r.name, f.name);
        const bool null = pointer && now == 0;
        fault(null ? "IMG-015" : "IMG-011", key + (null ? "-of-null" : "-one-more"),
              fmt::format("{} is {}, and so many are not there.", f.name, now + 1), number(at, width, now + 1));
        if (now != 0)
          fault(pointer ? "IMG-015" : "IMG-011", key + "-zero",
                fmt::format("{} is 0 beside {}.", f.name, pointer ? "a pointer" : "elements"), number(at, width, 0));
      }
    }
  }

  // IMG-011: a record longer than its kind and its counts give, by a byte and by an element.
  void record_sizes() {
    for (std::size_t i = 0; i < view_.records(); ++i) {
      const Kind kind = view_.record_at(i).kind;
      if (kind == Kind::engine || kind == Kind::string) continue;  // their sizes are their own: IMG-022, IMG-018
      const KindRow& row = kind_row(kind);
      const bool array = row.null_when_empty;
      for (const std::size_t more : {std::size_t{1}, static_cast<std::size_t>(array ? row.bytes : 16)}) {
        auto raw = harness::read_raw(view_.bytes());
        harness::RawRecord& r = raw->records[i];
        r.bytes.resize(r.bytes.size() + more);
        if (array) r.count = static_cast<std::uint32_t>(r.bytes.size() / row.bytes);
        fault("IMG-011", fmt::format("kind-{}-bytes-more-{}", static_cast<std::uint32_t>(kind), more),
              fmt::format("A record of kind {} is {} bytes longer than its counts give.",
                          static_cast<std::uint32_t>(kind), more),
              raw->write());
      }
    }
  }

  // IMG-013: a last record that nothing points to, of the kinds that point to nothing themselves.
  void unreferenced() {
    using Of = std::pair<Kind, std::uint32_t>;
    for (const auto& [kind, count] : {Of(Kind::string, 4), Of(Kind::bytes, 4), Of(Kind::u32s, 1)}) {
      auto raw = harness::read_raw(view_.bytes());
      harness::RawRecord r;
      r.kind = kind;
      r.count = count;
      r.bytes = {'e', 'n', 'd', 0};
      raw->records.push_back(r);
      fault("IMG-013", fmt::format("nobody-s-kind-{}", static_cast<std::uint32_t>(kind)),
            "Nothing points to the last record.", raw->write());
    }
  }

  // IMG-010: the first and the last byte of a gap between two records, and of the one before the directory.
  void gaps() {
    for (std::size_t i = 0; i < view_.records(); ++i) {
      const bool last = i + 1 == view_.records();
      const std::uint64_t from = view_.record_at(i).offset + view_.record_at(i).size;
      const std::uint64_t to = last ? view_.header().dir_offset : view_.record_at(i + 1).offset;
      if (to - from < 2) continue;
      const std::string where = last ? "before-the-directory" : "between-records";
      fault("IMG-010", where + "-first", "The first byte of a gap is not zero.", {{from, 1}});
      fault("IMG-010", where + "-last", "The last byte of a gap is not zero.", {{to - 1, 0x80}});
    }
  }

  const Scene& scene_;
  View view_;
  std::set<std::string>& seen_;
  std::vector<Draft>& out_;
  std::vector<harness::Site> sites_;
  std::vector<Visit> visits_;
  std::map<std::string, std::string> twins_;  // row to the first draft with this scene for a twin
};

}  // namespace

std::vector<Draft> image_fault_drafts() {
  std::vector<Draft> out;
  std::set<std::string> seen;
  for (const Scene& scene : image_scenes()) Table(scene, seen, out).all();
  return out;
}

}  // namespace assay::conformance::vectors
