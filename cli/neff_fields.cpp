// SPDX-License-Identifier: Apache-2.0
#include "cli/neff_fields.h"

#include "oracle/base/bytes.h"
#include "oracle/records/fields.h"

namespace assay::cli {

void for_each_field(const neff_header_t& header, const std::function<void(const HeaderField&)>& f) {
  const auto* const base = reinterpret_cast<const std::uint8_t*>(&header);
  for (const Field& field : record(RecordId::neff_header_t).fields) {
    const std::uint8_t* const at = base + field.offset;
    HeaderField out{field.name, field.offset, false, false, 0, {}};
    if (field.count == 1 && field.type == FieldType::u64) {
      out.is_integer = true;
      out.integer = load<std::uint64_t>(at);
    } else if (field.count == 1 && field.type == FieldType::u32) {
      out.is_integer = true;
      out.integer = load<std::uint32_t>(at);
    } else {
      const std::uint64_t bytes = std::uint64_t{field.count} * width_of(field.type);
      out.bytes = {reinterpret_cast<const char*>(at), static_cast<std::size_t>(bytes)};
      // The compiler's version is text, though its bytes are declared unsigned.
      out.is_text = field.type == FieldType::chars || field.name == "neff_build_version";
      if (out.is_text) out.bytes = out.bytes.substr(0, out.bytes.find('\0'));
    }
    f(out);
  }
}

std::string_view arch_name(ArchType arch) {
  switch (arch) {
    case ArchType::SUNDA: return "sunda";
    case ArchType::CAYMAN: return "cayman";
    case ArchType::MARIANA: return "mariana";
    default: return "?";
  }
}

}  // namespace assay::cli
