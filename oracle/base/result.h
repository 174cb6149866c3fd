// SPDX-License-Identifier: Apache-2.0
// Errors are values: a Result holds what was asked for, or one Refusal that says status,
// reason, requirement and place. No exception crosses a room's door.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "oracle/base/status.h"

namespace assay {

// One enumerator per row of reasons.def.
enum class Reason : std::uint16_t {
#define REASON(e, id, req, outcome, status, text) e,
#include "oracle/base/reasons.def"
#undef REASON
};

struct ReasonRow {
  Reason reason;
  std::string_view id;           // stable, kebab-case
  std::string_view requirement;  // row of the catalogue, or "limit:<name>"
  Outcome outcome;
  NrtStatus status;
  std::string_view text;
};

inline constexpr ReasonRow kReasons[] = {
#define REASON(e, id, req, outcome, status, text) \
  {Reason::e, id, req, Outcome::outcome, NrtStatus::status, text},
#include "oracle/base/reasons.def"
#undef REASON
};

constexpr const ReasonRow& row_of(Reason r) { return kReasons[static_cast<std::size_t>(r)]; }

// Where in the input a refusal stands. Unused parts are empty.
struct Place {
  std::string member;                   // archive path of the member, or the input's own name
  std::string pointer;                  // RFC 6901 JSON pointer inside the member
  std::optional<std::uint64_t> offset;  // bytes from the start of member, file or image
  std::string field;                    // record path, as in mem_ref_set.mem[3].size

  std::string text() const;  // "sg00/def.json/var/x", "header+24", "image+80 (target)"
};

struct Refusal {
  Reason reason;
  Place place;
  std::string detail;  // expected and actual, one line; may be empty

  const ReasonRow& row() const { return row_of(reason); }
  // `refused: <reason> at <place> (<requirement>)`, reason being text and detail.
  std::string text() const;
};

template <class T = void>
using Result = tl::expected<T, Refusal>;

inline tl::unexpected<Refusal> refuse(Reason reason, Place place = {}, std::string detail = {}) {
  return tl::unexpected<Refusal>(Refusal{reason, std::move(place), std::move(detail)});
}

}  // namespace assay

#define ASSAY_CAT_(a, b) a##b
#define ASSAY_CAT(a, b) ASSAY_CAT_(a, b)
#define ASSAY_TRY_(name, expr)                                               \
  do {                                                                       \
    if (auto name = (expr); !name)                                           \
      return ::tl::unexpected<::assay::Refusal>(std::move(name).error());    \
  } while (0)

// Leaves the function with the refusal of an expression that has no value to keep.
#define ASSAY_TRY(expr) ASSAY_TRY_(ASSAY_CAT(assay_try_, __COUNTER__), expr)

// Declares `var` with the value of an expression, or leaves with its refusal.
#define ASSAY_TRY_LET(var, expr)                                                 \
  auto var##_result_ = (expr);                                                   \
  if (!var##_result_)                                                            \
    return ::tl::unexpected<::assay::Refusal>(std::move(var##_result_).error()); \
  auto& var = *var##_result_
