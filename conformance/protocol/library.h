// SPDX-License-Identifier: Apache-2.0
// The host of an implementation that is a shared library (assay_impl.h): it loads one and makes it a subject, which
// serve() puts behind the process protocol. It belongs into a child process: whatever the library does to memory
// happens here.
#pragma once

#include <memory>
#include <string>

#include "conformance/protocol/messages.h"
#include "harness/subject/subject.h"

namespace assay::conformance {

// Answers whose value cannot be used (an access outside the allocations, a status that is none, an image beside a
// tree ...) are replies with the status `error` and the problem as reason. An op whose bit is not set is
// `unsupported`. Not for several threads; the library stays loaded to the end of the process.
class Library final : public harness::Subject {
 public:
  // Loads it and checks version, ops and that each op's functions are there; an error says what is missing.
  static Read<std::unique_ptr<Library>> load(const std::string& path);
  ~Library() override;

  const Identity& identity() const;
  std::string name() const override;
  harness::Reply<harness::DtypeAnswer> dtype(const harness::DtypeRequest& request) const override;
  harness::Reply<Buffer> lower(const harness::LowerRequest& request) const override;
  harness::Reply<harness::LowerNeffAnswer> lower_neff(const harness::LowerNeffRequest& request) const override;
  harness::Reply<std::string> decode(ByteView image) const override;

 private:
  struct Functions;
  explicit Library(std::unique_ptr<Functions> functions);
  std::unique_ptr<Functions> functions_;
};

// Loads the library and serves it until `in` ends; what it prints on standard output goes to standard error. 0, or 2
// and a line on standard error when it cannot be loaded. For a process of its own: `in` or `out` may be the standard
// streams.
int serve_library(const std::string& path, int in, int out);

}  // namespace assay::conformance
