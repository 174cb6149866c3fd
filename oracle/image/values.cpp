// SPDX-License-Identifier: Apache-2.0
// Values as people read them.
#include <algorithm>

#include <fmt/format.h>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay {
namespace {

std::string quoted(ByteView text) {
  std::string s = "\"";
  for (const std::uint8_t c : text) {
    if (c == '"' || c == '\\') {
      s += '\\';
      s += static_cast<char>(c);
    } else if (c >= 0x20 && c < 0x7f) {
      s += static_cast<char>(c);
    } else {
      s += fmt::format("\\x{:02x}", c);
    }
  }
  return s + '"';
}

std::string bytes_text(ByteView raw) {
  constexpr std::size_t kShown = 16;
  std::string s = fmt::format("{} bytes", raw.size());
  if (raw.empty()) return s;
  s += ' ';
  for (const std::uint8_t c : raw.first(std::min(raw.size(), kShown)))
    s += fmt::format("{:02x}", c);
  if (raw.size() > kShown) s += "...";
  return s;
}

}  // namespace

std::string value_text(const FieldVisit& v) {
  if (v.is_null) return "NULL";
  if (v.is_bytes) return bytes_text(v.raw);
  const std::uint8_t* p = v.raw.data();
  switch (v.type) {
    case FieldType::chars: return quoted(v.raw);
    case FieldType::pointer:
      return fmt::format("a {}", v.field != nullptr ? kind_row(v.field->to).title : "record");
    case FieldType::f32:
      return fmt::format("{} (0x{:08x})", load<float>(p), load<std::uint32_t>(p));
    case FieldType::boolean:
      if (*p <= 1) return *p == 1 ? "true" : "false";
      return fmt::format("{} (no boolean)", *p);
    case FieldType::i64: return fmt::format("{}", load<std::int64_t>(p));
    case FieldType::record: return "a record";
    default: break;
  }
  if (v.type == FieldType::u64) return fmt::format("{}", load<std::uint64_t>(p));
  const std::int64_t value = image::load_int(v.type, p);
  if (v.enumeration == EnumId::none) return fmt::format("{}", value);
  const std::string_view name = enum_name(v.enumeration, value);
  return name.empty() ? fmt::format("{} (no enumerator)", value)
                      : fmt::format("{} ({})", name, value);
}

}  // namespace assay
