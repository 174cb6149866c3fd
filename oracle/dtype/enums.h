// SPDX-License-Identifier: Apache-2.0
// Every enum of the format, from enums.def, and look-ups over them. Numbers and names only: what
// a code means is said where it is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay {

#define ENUM_BEGIN(cpp, spec) enum class cpp : std::int32_t {
#define ENUM_VALUE(cpp, name, code) name = code,
#define ENUM_END(cpp) \
  }                   \
  ;
#include "oracle/dtype/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END

// Names an enum at run time; `none` where a field has no enum.
enum class EnumId : std::uint8_t {
  none,
#define ENUM_BEGIN(cpp, spec) cpp,
#define ENUM_VALUE(cpp, name, code)
#define ENUM_END(cpp)
#include "oracle/dtype/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
};

struct Enumerator {
  std::string_view name;
  std::int32_t code;
};

struct EnumRow {
  std::string_view cpp_name;
  std::string_view spec_name;  // as in enums.json
  std::span<const Enumerator> values;
};

// Rows in the order of EnumId, `none` left out.
std::span<const EnumRow> enum_rows();
const EnumRow& enum_row(EnumId id);  // id is not none

// The enumerator's name, or an empty view where the code is none.
std::string_view enum_name(EnumId id, std::int64_t code);

template <class E>
constexpr std::int32_t code(E e) {
  return static_cast<std::int32_t>(e);
}

// String matchers: exact bytes, no folding, no trimming. nullopt is a miss; what a miss means
// differs from matcher to matcher (enums.json, "miss").
#define MATCHER_BEGIN(cpp, result, spec) std::optional<result> match_##cpp(std::string_view text);
#define MATCH(cpp, result, text, name)
#define MATCHER_END(cpp)
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCH
#undef MATCHER_END

struct MatcherEntry {
  std::string_view text;
  std::int32_t code;
};
struct MatcherRow {
  std::string_view spec_name;  // as in enums.json
  std::span<const MatcherEntry> entries;
};
std::span<const MatcherRow> matcher_rows();

}  // namespace assay
