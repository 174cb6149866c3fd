// SPDX-License-Identifier: Apache-2.0
// An implementation under test, seen through the operations of the conformance protocol. The
// oracle is one subject, a mutant another, a foreign implementation behind a protocol a third.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/base/bytes.h"
#include "oracle/base/options.h"
#include "oracle/base/result.h"
#include "oracle/container/members.h"
#include "oracle/manifest/kelf.h"

namespace assay::harness {

enum class ReplyStatus : std::uint8_t { ok, refused, trapped, unspecified, unsupported, error };

// An answer: a value when ok, else how it ended. `reason` and `at` are for people and never
// compared; `code` is an NRT_STATUS where the implementation gave one. The oracle and its mutants
// also fill `refusal`, by which near-misses check requirement and place.
template <class T>
struct Reply {
  ReplyStatus status = ReplyStatus::error;
  T value{};
  std::optional<std::uint32_t> code;
  std::string reason, at;
  std::optional<Refusal> refusal;

  bool ok() const { return status == ReplyStatus::ok; }
  // refused and trapped are one verdict.
  bool refused() const { return status == ReplyStatus::refused || status == ReplyStatus::trapped; }
  static Reply of(T v) { return {ReplyStatus::ok, std::move(v), {}, {}, {}, {}}; }
  static Reply of(const Refusal& r) {
    const Outcome o = r.row().outcome;
    return {o == Outcome::refused   ? ReplyStatus::refused
            : o == Outcome::trapped ? ReplyStatus::trapped
                                    : ReplyStatus::unspecified,
            T{}, static_cast<std::uint32_t>(r.row().status), std::string(r.row().id), r.place.text(), r};
  }
};

// nullopt in an answer stands for "refused".
struct DtypeRequest {
  struct Match {
    bool neff_io;  // else defjson
    std::string text;
  };
  std::vector<Match> match;
  std::vector<std::int64_t> to_sdma, cce_op, size;
};
struct DtypeAnswer {
  std::vector<std::optional<std::int64_t>> match, to_sdma, cce_op, size;
};

struct LowerRequest {
  const Members* members = nullptr;
  std::string definition;
  std::uint32_t target = 0;  // final
  bool allow_legacy = false;
  std::uint32_t subgraph = 0;
  Fp8Overrides fp8;
};

struct LowerNeffRequest {
  ByteView neff;
  std::optional<std::uint32_t> arch;
  bool allow_legacy = false, verify_digest = false;
};
struct LowerNeffAnswer {
  std::vector<Buffer> images;
  GraphIo io;
};

class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string name() const = 0;
  virtual Reply<DtypeAnswer> dtype(const DtypeRequest& request) const = 0;
  virtual Reply<Buffer> lower(const LowerRequest& request) const = 0;
  virtual Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& request) const = 0;
  // The fields of an image as the JSON object of the protocol's decode answer, in text.
  virtual Reply<std::string> decode(ByteView image) const = 0;
};

// The oracle itself. Lives as long as the program.
const Subject& oracle_subject();

}  // namespace assay::harness
