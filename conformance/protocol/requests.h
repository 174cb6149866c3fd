// SPDX-License-Identifier: Apache-2.0
// Requests of the protocol's ops as JSON text and as the harness's values, both ways. Text to values is what a
// server does, values to text what a maker of cases does; a client sends text as it stands (messages.h).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "conformance/protocol/answers.h"

namespace assay::conformance {

// JSON objects without "id" and "op", canonical. Refuses only what JSON cannot say: a path that is not UTF-8.
// `members` is not nullptr.
std::string request_of(const harness::DtypeRequest& request);
Read<std::string> request_of(const harness::LowerRequest& request);
std::string request_of(const harness::LowerNeffRequest& request);
std::string request_of_decode(ByteView image);

// A request with the bytes it speaks of.
struct OwnedLower {
  std::unique_ptr<Members> members;  // request.members
  harness::LowerRequest request;
};
struct OwnedLowerNeff {
  Buffer neff;  // request.neff
  harness::LowerNeffRequest request;
};

// Strict on the keys of conformance.md: one that is missing ("allow_legacy", "verify_digest", "subgraph", "fp8",
// "arch" and dtype's four may be) or of another type is an error; other keys are passed over.
Read<harness::DtypeRequest> dtype_request(std::string_view object);
Read<OwnedLower> lower_request(std::string_view object);
Read<OwnedLowerNeff> lower_neff_request(std::string_view object);
Read<Buffer> decode_request(std::string_view object);

// The same of parsed JSON: internal to this room.
namespace wire {
Read<harness::DtypeRequest> dtype_request(const nlohmann::json& object);
Read<OwnedLower> lower_request(const nlohmann::json& object);
Read<OwnedLowerNeff> lower_neff_request(const nlohmann::json& object);
Read<Buffer> decode_request(const nlohmann::json& object);
}  // namespace wire

}  // namespace assay::conformance
