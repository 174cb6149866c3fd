// SPDX-License-Identifier: Apache-2.0
// The protocol's JSON: a strict, bounded reader and its scalars (conformance.md, Plugging in). Internal to this room.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/protocol/answers.h"
#include "oracle/base/bytes.h"

namespace assay::conformance::wire {

using Json = nlohmann::json;

// Nothing in the protocol nests deeper than {"match":[{"text":..}]}; a value costs the reader 16 to 100 bytes of
// memory, so that a line of 256 MiB of brackets or commas must not become a document.
inline constexpr std::size_t kMaxDepth = 16, kMaxValues = 16'000'000;

// One JSON value and nothing behind it: UTF-8, no key twice in an object, within the bounds above. An
// integer beyond 64 bits is read as a floating-point number, which no key of the protocol takes.
Read<Json> parse(std::string_view text);
// Compact, keys sorted. The value was parsed, or made from ASCII.
std::string print(const Json& value);
std::string shortened(std::string_view text);  // for messages: at most 60 bytes, printable

std::string to_base64(ByteView bytes);
// Strict: the alphabet of RFC 4648, padded, no space, unused bits zero.
std::optional<Buffer> from_base64(std::string_view text);
bool is_base64(std::string_view text);

// A number up to 2^53, a decimal string beyond (and never the other way round).
Json integer(std::int64_t value);
Json integer(std::uint64_t value);
std::optional<std::int64_t> signed_of(const Json& value);
std::optional<std::uint64_t> unsigned_of(const Json& value);
std::optional<std::uint32_t> u32_of(const Json& value);

// The member, or nullptr; of no object: nullptr.
const Json* member(const Json& object, const char* key);

// The op's answer keys of an answer, checked; of a dtype answer also against the request's lengths (nullptr: any).
Read<Json> body_json(Op op, const Json* request, const Json& answer);
bool holds_a_value(const Json& answer);  // any op's answer key

inline tl::unexpected<std::string> wrong(std::string what) { return tl::unexpected<std::string>(std::move(what)); }

}  // namespace assay::conformance::wire
