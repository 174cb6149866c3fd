// SPDX-License-Identifier: Apache-2.0
// The mutants by family, one table each, and what their edits read. Internal to this room.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "conformance/mutants/wrong.h"

namespace assay::conformance {

using Json = nlohmann::json;

class Documents {
 public:
  explicit Documents(const harness::LowerRequest& request) : request_(request) {}

  const harness::LowerRequest& request() const { return request_; }
  const Json& definition() const;                // null where it is no JSON
  const Json& engine(const char* key) const;     // of "act" ...; null where there is none
  bool has_member(const std::string& name) const;  // in the sub-graph's directory
  // The value of a key of a document, nullptr: none.
  static const Json* in(const Json& document, const char* key);

 private:
  const Json& document(const std::string& path) const;
  const harness::LowerRequest& request_;
  mutable std::map<std::string, Json> read_;
};

std::span<const SuiteMutant> lax_rows();     // accept what a row refuses
std::span<const SuiteMutant> strict_rows();  // refuse what a row accepts
std::span<const SuiteMutant> value_rows();   // wrong values of a lowering
std::span<const SuiteMutant> layout_rows();  // wrong in a record's layout

}  // namespace assay::conformance
