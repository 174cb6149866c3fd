// SPDX-License-Identifier: Apache-2.0
// Files the tool writes: each to a temporary name in its directory, all renamed at the end. What
// was not committed is removed again, with the directories made for it.
#pragma once

#include <string>
#include <vector>

#include "cli/io.h"
#include "oracle/base/bytes.h"

namespace assay::cli {

// Makes a directory and its missing parents, and remembers which it made.
class MadeDirectories {
 public:
  ~MadeDirectories();  // removes those made, unless kept or no longer empty
  Io<> make(const std::string& path);
  void keep() { made_.clear(); }

 private:
  std::vector<std::string> made_;  // outermost first
};

// Whether files and directories could be made in `directory` ("" is the current one), now or once it
// and its missing parents are made. Nothing is left behind.
Io<> can_write_below(const std::string& directory);
// Whether OutputFiles could write that file there.
Io<> can_write_file(const std::string& directory, const std::string& name);

class OutputFiles {
 public:
  // Files go to `directory` ("" is the current one), which is made with its parents on first use.
  explicit OutputFiles(std::string directory) : directory_(std::move(directory)) {}
  ~OutputFiles();  // removes temporary files that were not committed
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  // Writes a file that commit() will call `name`, a plain file name.
  Io<> add(const std::string& name, ByteView bytes);
  Io<> commit();
  std::string path_of(const std::string& name) const;

 private:
  struct Pending {
    std::string temporary, path;
  };
  std::string directory_;
  MadeDirectories made_;  // outlives the files in it
  std::vector<Pending> pending_;
};

}  // namespace assay::cli
