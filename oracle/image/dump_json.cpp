// SPDX-License-Identifier: Apache-2.0
// The JSON forms. Entries are made and written one by one: a large image never becomes one
// document in memory.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "oracle/image/dump.h"
#include "oracle/image/plan.h"

namespace assay {
namespace {

using Json = nlohmann::ordered_json;

std::string base64(ByteView in) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((in.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < in.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(in.size() - i, 3);
    std::uint32_t group = static_cast<std::uint32_t>(in[i]) << 16;
    if (left > 1) group |= static_cast<std::uint32_t>(in[i + 1]) << 8;
    if (left > 2) group |= in[i + 2];
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += left > 1 ? kDigits[group >> 6 & 63] : '=';
    out += left > 2 ? kDigits[group & 63] : '=';
  }
  return out;
}

std::string hex(ByteView in) {
  std::string out;
  out.reserve(in.size() * 2);
  for (const std::uint8_t c : in) fmt::format_to(std::back_inserter(out), "{:02x}", c);
  return out;
}

// Integers beyond what a double holds exactly are decimal strings.
constexpr std::int64_t kExact = std::int64_t{1} << 53;

Json signed_json(std::int64_t v) {
  if (v > kExact || v < -kExact) return std::to_string(v);
  return v;
}

Json value_json(const FieldVisit& v) {
  if (v.is_null) return nullptr;
  if (v.is_bytes || v.type == FieldType::chars) return base64(v.raw);
  const std::uint8_t* p = v.raw.data();
  switch (v.type) {
    case FieldType::boolean:
      if (*p <= 1) return *p == 1;
      return *p;  // no boolean: shown as what it is
    case FieldType::u64: {
      const auto u = load<std::uint64_t>(p);
      if (u > static_cast<std::uint64_t>(kExact)) return std::to_string(u);
      return u;
    }
    case FieldType::f32: return load<std::uint32_t>(p);
    default: return signed_json(image::load_int(v.type, p));
  }
}

bool is_plain_text(ByteView raw) {
  return std::all_of(raw.begin(), raw.end(), [](std::uint8_t c) { return c >= 0x20 && c < 0x7f; });
}

Json header_json(const ImageHeader& h) {
  return {{"image_size", h.image_size},     {"root", h.root},
          {"dir_offset", h.dir_offset},     {"reloc_offset", h.reloc_offset},
          {"dir_count", h.dir_count},       {"reloc_count", h.reloc_count},
          {"target", h.target},             {"target_name", enum_name(EnumId::ArchType, h.target)},
          {"subgraph", h.subgraph},         {"crc32", fmt::format("{:08x}", h.crc32)}};
}

Json field_json(const View& view, const FieldVisit& v, const DumpOptions& options) {
  Json j = {{"path", v.path},
            {"offset", v.offset},
            {"record", record_holding(view, v).offset},
            {"type", type_text(v)},
            {"value", value_json(v)}};
  if (v.enumeration != EnumId::none)
    j["name"] = enum_name(v.enumeration, image::load_int(v.type, v.raw.data()));
  if (v.type == FieldType::chars && !v.is_null && is_plain_text(v.raw)) j["text"] = as_text(v.raw);
  if (v.type == FieldType::f32) j["float"] = value_text(v);
  if (v.grade != Grade::high) j["evidence"] = v.grade == Grade::medium ? "medium" : "ruling";
  if (options.hex) j["bytes"] = hex(v.raw);
  return j;
}

}  // namespace

std::string dump_json(const View& view, const DumpOptions& options) {
  std::string out = "{\"header\":" + header_json(view.header()).dump() + ",\n\"records\":[";
  const char* separator = "\n";
  each_record(view, [&](const DirEntry& e, const std::string& path) {
    if (!path_matches(options.select, path)) return;
    const Json j = {{"offset", e.offset}, {"size", e.size},
                    {"kind", static_cast<std::uint32_t>(e.kind)},
                    {"title", kind_row(e.kind).title}, {"count", e.count}, {"path", path}};
    out += separator + j.dump();
    separator = ",\n";
  });
  out += "],\n\"fields\":[";
  separator = "\n";
  walk(view, [&](const FieldVisit& v) {
    if (!path_matches(options.select, v.path)) return;
    out += separator + field_json(view, v, options).dump();
    separator = ",\n";
  });
  return out + "]}\n";
}

std::string fields_json(const View& view) {
  std::string out = "{";
  walk(view, [&out](const FieldVisit& v) {
    if (out.size() > 1) out += ',';
    out += '"';
    out += v.path;  // ASCII without quotes or backslashes
    out += "\":";
    out += value_json(v).dump();
  });
  return out + "}";
}

}  // namespace assay
