// SPDX-License-Identifier: Apache-2.0
// What an image of an answer was lowered from, read only when an edit asks: the request for one
// sub-graph, also where the answer was a whole file's.
#pragma once

#include <memory>
#include <optional>

#include "harness/subject/subject.h"
#include "oracle/container/members.h"
#include "oracle/manifest/definition/resources.h"
#include "oracle/manifest/kelf.h"

namespace assay::harness::wrong {

// A file's members and manifest, read once for all its graphs.
class File {
 public:
  explicit File(const LowerNeffRequest& request) : request_(request) {}
  // The request that lowers graph `index` alone; nullopt when the file cannot be read.
  std::optional<LowerRequest> graph(std::size_t index) const;

 private:
  const LowerNeffRequest& request_;
  mutable bool read_ = false;
  mutable Members members_;
  mutable std::optional<Manifest> manifest_;
};

class Source {
 public:
  explicit Source(const LowerRequest& request) : request_(request) {}
  Source(const File& file, std::size_t index) : file_(&file), index_(index) {}

  const LowerRequest* request() const;   // nullptr when there is none
  const Resources* resources() const;    // of the request; nullptr when it is refused

 private:
  const File* file_ = nullptr;
  std::size_t index_ = 0;
  mutable std::optional<LowerRequest> request_;
  mutable std::unique_ptr<Resources> resources_;
};

}  // namespace assay::harness::wrong
