// SPDX-License-Identifier: Apache-2.0
// The NEFF header's fields by name, for print and JSON, from the table of records.
#pragma once

#include <functional>
#include <string_view>

#include "oracle/dtype/enums.h"
#include "oracle/records/kbin.h"

namespace assay::cli {

struct HeaderField {
  std::string_view name;
  std::uint32_t offset;   // bytes from the start of the file
  bool is_integer;        // then `integer`, else `bytes`
  bool is_text;           // bytes up to the NUL; else all of them
  std::uint64_t integer;
  std::string_view bytes;
};
void for_each_field(const neff_header_t& header, const std::function<void(const HeaderField&)>& f);

// "cayman"; "?" for a code that is none.
std::string_view arch_name(ArchType arch);

}  // namespace assay::cli
