// SPDX-License-Identifier: Apache-2.0
// The parts of case.json: options, places, reasons and kinds. Internal to this room.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "harness/cases/cases.h"

namespace assay::harness::case_json {

inline std::string print(const Json& j) { return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

inline std::string print_line(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

// The member of that type, or none.
template <class T>
std::optional<T> value_at(const Json& j, const char* key) {
  const auto it = j.find(key);
  if (it == j.end()) return std::nullopt;
  if constexpr (std::is_same_v<T, std::string>) {
    if (it->is_string()) return it->template get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (it->is_boolean()) return it->template get<bool>();
  } else {
    static_assert(std::is_unsigned_v<T>);
    if (it->is_number_unsigned() && it->template get<std::uint64_t>() <= std::numeric_limits<T>::max())
      return it->template get<T>();
  }
  return std::nullopt;
}

// f(key, override) for each of the six (FP8-004).
template <class Overrides, class F>
void each_fp8(Overrides& o, F f) {
  f("fp8_range_extension", o.fp8_range_extension);
  f("emax_fp8_e4m3", o.emax_fp8_e4m3);
  f("emax_fp8_e5m2", o.emax_fp8_e5m2);
  f("ocp_sat", o.ocp_sat);
  f("fp8_sis", o.fp8_sis);
  f("fp8_sns", o.fp8_sns);
}

Json options_json(const Options& options);
Stored<Options> options_of(const Json& head, const char* key = "options");
Json place_json(const Place& place);
Place place_of(const Json& head);
void put_reason(Json& head, Reason reason);
std::optional<Reason> reason_of(const Json& head);
// The row of that id, or nullptr.
const ReasonRow* reason_named(std::string_view id);
// "sunda"; "" for none of the three.
std::string_view arch_name(ArchType arch);

// The row of that name in a table of kinds.
template <class Kind>
Stored<const Kind*> kind_named(std::span<const Kind> kinds, const Json& head, const char* key) {
  const std::string name = value_at<std::string>(head, key).value_or("");
  for (const Kind& k : kinds)
    if (k.name == name) return &k;
  return tl::unexpected<std::string>(fmt::format("case.json: {}: there is no kind \"{}\"", key, name));
}

}  // namespace assay::harness::case_json
