// SPDX-License-Identifier: Apache-2.0
// A foreign implementation as a subject of the harness, so that properties and reducers can judge it like the oracle
// or a mutant. It asks one question at a time; a run over many cases asks a session directly.
#pragma once

#include "conformance/runner/session.h"
#include "harness/subject/subject.h"

namespace assay::conformance {

// A reply is `error` with the reason where there was no answer ("timeout", "crash: SIGSEGV") or one with a problem,
// and `unsupported` for a request that JSON cannot say. Borrows the session; not for several threads.
class ForeignSubject final : public harness::Subject {
 public:
  explicit ForeignSubject(Session& session) : session_(session) {}
  std::string name() const override { return session_.hello().name; }
  harness::Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest& request) const override;
  harness::Reply<Buffer> lower(const harness::LowerRequest& request) const override;
  harness::Reply<harness::LowerNeffAnswer> lower_neff(const harness::LowerNeffRequest& request) const override;
  harness::Reply<std::string> decode(ByteView image) const override;

 private:
  Session& session_;
};

}  // namespace assay::conformance
