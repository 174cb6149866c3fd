// SPDX-License-Identifier: Apache-2.0
#include "harness/scratch/scratch.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace assay::harness {

namespace fs = std::filesystem;

tl::expected<ScratchDirectory, std::string> ScratchDirectory::make() {
  std::error_code error;
  const fs::path top = fs::temp_directory_path(error);
  if (error) return tl::unexpected<std::string>("$TMPDIR: " + error.message());
  const fs::path whole = fs::absolute(top, error) / "assay-XXXXXX";
  ScratchDirectory made;
  made.path_ = whole.string();
  if (!error && ::mkdtemp(made.path_.data()) != nullptr) return made;
  const std::string what = (error ? error : std::error_code(errno, std::generic_category())).message();
  made.path_.clear();
  return tl::unexpected<std::string>(whole.string() + ": " + what);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}
ScratchDirectory::ScratchDirectory(ScratchDirectory&& o) noexcept : path_(std::exchange(o.path_, {})) {}
ScratchDirectory& ScratchDirectory::operator=(ScratchDirectory&& o) noexcept {
  std::swap(path_, o.path_);
  return *this;
}

}  // namespace assay::harness
