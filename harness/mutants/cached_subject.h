// SPDX-License-Identifier: Apache-2.0
// A subject that remembers its last few answers, so that many mutants of one case cost one call of
// the subject behind it. Exact: an answer is given again only for a request equal in every byte. It
// is for subjects that answer the same to the same; what differs from call to call is frozen.
#pragma once

#include <cstddef>
#include <memory>

#include "harness/subject/subject.h"

namespace assay::harness {

class CachedSubject final : public Subject {
 public:
  // `base` must outlive it. `answers` is how many of each operation are kept.
  explicit CachedSubject(const Subject& base, std::size_t answers = 4);
  ~CachedSubject() override;

  std::string name() const override;
  Reply<DtypeAnswer> dtype(const DtypeRequest& request) const override;
  Reply<Buffer> lower(const LowerRequest& request) const override;
  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& request) const override;
  Reply<std::string> decode(ByteView image) const override;

  struct Stats {
    std::uint64_t asked = 0, passed_on = 0;
  };
  Stats stats() const;

 private:
  struct Memory;
  const Subject& base_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace assay::harness
