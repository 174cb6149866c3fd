// SPDX-License-Identifier: Apache-2.0
#include "oracle/dtype/enums.h"

namespace assay {
namespace {

#define ENUM_BEGIN(cpp, spec) constexpr Enumerator k##cpp[] = {
#define ENUM_VALUE(cpp, name, code) {#name, code},
#define ENUM_END(cpp) \
  }                   \
  ;
#include "oracle/dtype/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END

constexpr EnumRow kEnums[] = {
#define ENUM_BEGIN(cpp, spec) {#cpp, spec, k##cpp},
#define ENUM_VALUE(cpp, name, code)
#define ENUM_END(cpp)
#include "oracle/dtype/enums.def"
#undef ENUM_BEGIN
#undef ENUM_VALUE
#undef ENUM_END
};

#define MATCHER_BEGIN(cpp, result, spec) constexpr MatcherEntry kMatch##cpp[] = {
#define MATCH(cpp, result, text, name) {text, static_cast<std::int32_t>(result::name)},
#define MATCHER_END(cpp) \
  }                      \
  ;
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCH
#undef MATCHER_END

constexpr MatcherRow kMatchers[] = {
#define MATCHER_BEGIN(cpp, result, spec) {spec, kMatch##cpp},
#define MATCH(cpp, result, text, name)
#define MATCHER_END(cpp)
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCH
#undef MATCHER_END
};

std::optional<std::int32_t> find(std::span<const MatcherEntry> entries, std::string_view text) {
  for (const MatcherEntry& e : entries)
    if (e.text == text) return e.code;
  return std::nullopt;
}

}  // namespace

std::span<const EnumRow> enum_rows() { return kEnums; }
std::span<const MatcherRow> matcher_rows() { return kMatchers; }
const EnumRow& enum_row(EnumId id) { return kEnums[static_cast<std::size_t>(id) - 1]; }

std::string_view enum_name(EnumId id, std::int64_t code) {
  if (id == EnumId::none) return {};
  for (const Enumerator& e : enum_row(id).values)
    if (e.code == code) return e.name;
  return {};
}

#define MATCHER_BEGIN(cpp, result, spec)                               \
  std::optional<result> match_##cpp(std::string_view text) {           \
    if (auto code = find(kMatch##cpp, text)) return result{*code};     \
    return std::nullopt;                                               \
  }
#define MATCH(cpp, result, text, name)
#define MATCHER_END(cpp)
#include "oracle/dtype/matchers.def"
#undef MATCHER_BEGIN
#undef MATCH
#undef MATCHER_END

}  // namespace assay
