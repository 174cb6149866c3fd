// SPDX-License-Identifier: Apache-2.0
#include "oracle/image/dump.h"

#include <fnmatch.h>

#include <fmt/format.h>

#include "oracle/image/plan.h"

namespace assay {
namespace {

void append_hex(std::string& out, ByteView raw) {
  constexpr std::size_t kRow = 32;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (i % kRow == 0) out += i == 0 ? "            " : "\n            ";
    fmt::format_to(std::back_inserter(out), "{:02x}", raw[i]);
  }
  if (!raw.empty()) out += '\n';
}

void records_below(const View& view, const DirEntry& e, const std::string& path,
                   const std::function<void(const DirEntry&, const std::string&)>& visit) {
  visit(e, path);
  const KindRow& row = kind_row(e.kind);
  if (row.record == RecordId::none) return;
  const std::string_view tail = record(row.record).tail.name;
  image::for_each_pointer(view.bytes(), e.kind, e.offset, e.size,
                          [&](const image::PointerSlot& s, const image::RecordPlan& p,
                              std::uint64_t base) {
    const DirEntry* to = view.follow(base + s.offset);
    if (to == nullptr) return;
    const std::uint64_t within = base + s.offset - e.offset;
    std::string inner = path;
    if (row.null_when_empty) inner += fmt::format("[{}]", within / row.bytes);
    if (!inner.empty()) inner += '.';
    if (within < row.bytes || row.null_when_empty) {
      inner += s.name;
    } else if (record(row.record).tail.type == TailType::pointers) {
      inner += fmt::format("{}[{}]", tail, (within - row.bytes) / 8);
    } else {
      inner += fmt::format("{}[{}].{}", tail, (within - row.bytes) / p.record->bytes, s.name);
    }
    records_below(view, *to, inner, visit);
  });
}

}  // namespace

void each_record(const View& view,
                 const std::function<void(const DirEntry&, const std::string&)>& visit) {
  records_below(view, view.record_at(0), "", visit);
}

bool path_matches(const std::string& pattern, const std::string& path) {
  if (pattern.empty()) return true;
  // Brackets in a path are its own: "mem[3]" means that slot and no character class.
  std::string literal;
  for (const char c : pattern) {
    if (c == '[' || c == ']' || c == '\\') literal += '\\';
    literal += c;
  }
  return fnmatch(literal.c_str(), path.c_str(), 0) == 0;
}

const DirEntry& record_holding(const View& view, const FieldVisit& visit) {
  // An empty blob stands at its record's very end, where the next record may start.
  const std::uint64_t offset = visit.offset - (visit.is_bytes && visit.raw.empty() ? 1 : 0);
  std::size_t low = 0, high = view.records();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (view.record_at(middle).offset <= offset ? low : high) = middle;
  }
  return view.record_at(low);
}

std::string_view type_text(const FieldVisit& v) {
  if (v.is_bytes) return "bytes";
  switch (v.type) {
    case FieldType::u8: return "u8";
    case FieldType::u16: return "u16";
    case FieldType::u32: return "u32";
    case FieldType::u64: return "u64";
    case FieldType::i32: return "i32";
    case FieldType::i64: return "i64";
    case FieldType::f32: return "f32";
    case FieldType::boolean: return "bool";
    case FieldType::chars: return "char[]";
    case FieldType::pointer: return "pointer";
    case FieldType::record: return "record";
  }
  return "?";
}

std::string dump_text(const View& view, const DumpOptions& options) {
  const ImageHeader& h = view.header();
  std::string out = fmt::format(
      "image {} bytes, target {} ({}), subgraph {}, crc32 {:08x}\n"
      "directory {} records at {}, {} relocations at {}\n",
      h.image_size, enum_name(EnumId::ArchType, h.target), h.target, h.subgraph, h.crc32,
      h.dir_count, h.dir_offset, h.reloc_count, h.reloc_offset);
  out += "\nrecords: offset, bytes, count, type, path\n";
  each_record(view, [&](const DirEntry& e, const std::string& path) {
    if (!path_matches(options.select, path)) return;
    fmt::format_to(std::back_inserter(out), "{:>10} {:>10} {:>8}  {}{}{}\n", e.offset, e.size,
                   e.count, kind_row(e.kind).title, path.empty() ? "" : "  ", path);
  });
  out += "\nfields: offset, in record, type, path = value\n";
  walk(view, [&](const FieldVisit& v) {
    if (!path_matches(options.select, v.path)) return;
    fmt::format_to(std::back_inserter(out), "{:>10} {:>7}  {:<7}  {} = {}\n", v.offset,
                   fmt::format("+{}", v.offset - record_holding(view, v).offset),
                   type_text(v), v.path, value_text(v));
    if (options.hex) append_hex(out, v.raw);
  });
  return out;
}

}  // namespace assay
