// SPDX-License-Identifier: Apache-2.0
// A case before the oracle was asked: requests and what they are to show. Sources make drafts, finish() makes
// cases of them. Internal to the generator of the vector files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/suite/case.h"
#include "harness/gen/model.h"

namespace assay::conformance::vectors {

using harness::Json;

struct Draft {
  std::string id;
  std::vector<std::string> rows;  // the first is the one it is made for
  std::string say;                // one line
  std::vector<std::string> flags;
  Op op = Op::lower;
  Json request;
  std::optional<Json> twin;   // of one that must be refused
  std::string twin_of;        // the draft whose twin it is, where another one has the same
  std::optional<Json> other;  // of a pair that must be answered differently
};

// Requests of the protocol.
Json lower_request(const Members& members, const std::string& definition, std::uint32_t target, bool allow_legacy,
                   const Fp8Overrides& fp8, std::uint32_t subgraph = 0);
Json neff_request(ByteView file, const Options& options);
Json decode_request(ByteView image);

// Drafts by hand: every file of `directory` ("sources"), in order of name. An error is one line.
tl::expected<std::vector<Draft>, std::string> written_drafts(const std::string& directory);

// Drafts out of the harness's generators. All depend on names and fixed seeds alone.
std::vector<Draft> near_miss_drafts();
std::vector<Draft> misspelling_drafts();
std::vector<Draft> corruption_drafts();
std::vector<Draft> layout_drafts();
std::vector<Draft> container_drafts();
std::vector<Draft> image_fault_drafts();
std::vector<Draft> image_value_drafts();
// Of the real models in `data`; an error is one line.
tl::expected<std::vector<Draft>, std::string> real_model_drafts(const std::string& data);

}  // namespace assay::conformance::vectors
