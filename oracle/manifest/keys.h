// SPDX-License-Identifier: Apache-2.0
// The consumed keys as enum classes, one per kind of object, from keys.def: VarKey::type_ is the
// key "type". Enumerators carry a trailing underscore, because some keys are C++ keywords.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace assay {

#define KEYS_BEGIN(object) enum class object##Key : std::uint8_t {
#define KEY(object, key) key##_,
#define KEYS_END(object) \
  count_                 \
  }                      \
  ;
#include "oracle/manifest/keys.def"
#undef KEYS_BEGIN
#undef KEY
#undef KEYS_END

#define KEYS_BEGIN(object) inline constexpr std::string_view k##object##Keys[] = {
#define KEY(object, key) #key,
#define KEYS_END(object)                                                      \
  }                                                                           \
  ;                                                                           \
  inline std::span<const std::string_view> keys_of(object##Key) { return k##object##Keys; }
#include "oracle/manifest/keys.def"
#undef KEYS_BEGIN
#undef KEY
#undef KEYS_END

}  // namespace assay
