// SPDX-License-Identifier: Apache-2.0
// The dtype maps, against the oracle's and against what the names themselves say.
#include <string>

#include <fmt/format.h>

#include "harness/compare/compare.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/dtype/enums.h"

namespace assay::harness::checks {
namespace {

const DtypeRequest& of(const Case& c) { return std::get<DtypeCase>(c).request; }

std::string shown(const std::optional<std::int64_t>& c) { return c ? std::to_string(*c) : "refused"; }

// Bytes of an element by the dtype's name: the digits in it are its bits.
std::int64_t bytes_by_name(std::int64_t kbin) {
  const std::string_view name = kbin > 0 && kbin < 16 ? enum_name(EnumId::Dtype, kbin) : std::string_view{};
  const auto digit = name.find_first_of("0123456789");
  if (digit == std::string_view::npos) return 0;
  switch (name[digit]) {
    case '8': return 1;
    case '1': return 2;
    case '3': return 4;
    default: return 8;
  }
}

}  // namespace

Verdict dtype_maps(const Subject& s, const Case& c) {
  const auto reply = ask_dtype(s, of(c));
  if (!reply->ok()) return Verdict::violated(unwanted(*reply, "DT-001", "dtype"));
  return Verdict::of(compare_dtypes(of(c), ask_dtype(reference(), of(c))->value, reply->value));
}

// DT-013: the size is what the name says, and not the table read with the kbin code.
Verdict sizes_by_name(const Subject& s, const Case& c) {
  const auto reply = ask_dtype(s, of(c));
  if (!reply->ok()) return Verdict::violated(unwanted(*reply, "DT-013", "dtype"));
  for (std::size_t i = 0; i < of(c).size.size() && i < reply->value.size.size(); ++i) {
    const std::int64_t kbin = of(c).size[i], want = bytes_by_name(kbin);
    if (reply->value.size[i] != want)
      return Verdict::violated({kbin == code(Dtype::FP32r) ? "DT-014" : "DT-013", fmt::format("size({})", kbin), fmt::format("{}", want),
                                shown(reply->value.size[i]), {}});
  }
  return Verdict::ok();
}

Verdict x4_containers(const Subject& s, const Case& c) {
  const auto reply = ask_dtype(s, of(c));
  if (!reply->ok()) return Verdict::violated(unwanted(*reply, "DT-009", "dtype"));
  for (std::size_t i = 0; i < of(c).match.size() && i < reply->value.match.size(); ++i) {
    const auto& m = of(c).match[i];
    const bool eight = m.text == "float8_e4m3fn_x4" || m.text == "float8_e5m2_x4";
    if (m.neff_io || (!eight && m.text != "float4_e2m1fn_x4")) continue;
    const std::int64_t want = code(eight ? Dtype::UINT32 : Dtype::UINT16);
    // All strings in another numbering are another fault (DT-001), told by the whole of the maps.
    if (reply->value.match[i] != want && reply->value.match[i] != (eight ? code(NrtDtype::UINT32) : code(NrtDtype::UINT16)))
      return Verdict::violated({"DT-009", "match defjson \"" + m.text + "\"", fmt::format("{}", want), shown(reply->value.match[i]), {}});
  }
  return Verdict::ok();
}

}  // namespace assay::harness::checks
