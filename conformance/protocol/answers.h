// SPDX-License-Identifier: Apache-2.0
// Answers of the protocol as plain values: how one ended, and the body of one that ended well as canonical JSON
// text, with conversions between such a body and the harness's values. It knows no line, no id and no process,
// and it never judges: whether an answer is right is the certificate's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "conformance/suite/case.h"
#include "harness/subject/subject.h"
#include "oracle/base/bytes.h"

namespace assay::conformance {

// What an implementation answered to one request. The reply to a hello is none.
struct Answer {
  harness::ReplyStatus status = harness::ReplyStatus::error;  // ok, refused, trapped or unsupported, once read
  std::optional<std::uint32_t> code;                          // NRT_STATUS, where a refusal gives one
  std::string reason, at;                                     // for people, never compared
  // When ok: the op's answer keys alone, as canonical JSON (sorted keys, no spaces). "" otherwise, and where
  // `problem` is not "".
  std::string body;
  // When ok: why the value cannot be used all the same, such as an access outside the allocations of a native
  // tree (conformance.md, Shared library). An answer with a problem never passes.
  std::string problem;

  bool ok() const { return status == harness::ReplyStatus::ok && problem.empty(); }
};

// A value, or one line on what is wrong with the text.
template <class T>
using Read = tl::expected<T, std::string>;

// Bodies of answers, by op. Writing and reading again gives the same value; reading any text gives a value
// or an error and nothing else. They throw std::bad_alloc at most.
std::string body_of(const harness::DtypeAnswer& answer);  // all four keys, whatever was asked
std::string body_of_image(ByteView image);                // lower: {"image":...}
std::string body_of(const harness::LowerNeffAnswer& answer);
Read<std::string> body_of_fields(const std::string& fields);  // decode: {"fields":...} of an object's JSON text
// `body` was made by one of the above, or read from an answer line by messages.h.
Read<harness::DtypeAnswer> dtype_of(std::string_view body);
Read<Buffer> image_of(std::string_view body);  // of lower
Read<harness::LowerNeffAnswer> lower_neff_of(std::string_view body);
// The "fields" object as JSON text: of decode, and of lower where the implementation gave it; nullopt: it did not.
Read<std::optional<std::string>> fields_of(std::string_view body);

// Checks the keys and types of a JSON object that holds an op's answer (other keys are passed over) and gives the
// canonical body. `request` is the JSON object that was asked, for the lengths of a dtype answer.
// Ops beyond decode: each answer key of conformance.md must be there in its type.
Read<std::string> canonical_body(Op op, std::string_view request, std::string_view object);

// What counts of an answer as one text, for digests: status, code, body and problem; never reason or at.
std::string canonical(const Answer& answer);

}  // namespace assay::conformance
