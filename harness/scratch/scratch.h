// SPDX-License-Identifier: Apache-2.0
// A directory for the time of a job: fresh, below the system's place for temporary files, gone with
// all that is in it at the end. What is put there is its holder's business.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace assay::harness {

class ScratchDirectory {
 public:
  // Errors are one line, "path: what happened".
  static tl::expected<ScratchDirectory, std::string> make();
  ~ScratchDirectory();
  ScratchDirectory(ScratchDirectory&& o) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&& o) noexcept;

  const std::string& path() const { return path_; }  // absolute

 private:
  ScratchDirectory() = default;
  std::string path_;
};

}  // namespace assay::harness
