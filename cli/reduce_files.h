// SPDX-License-Identifier: Apache-2.0
// Where candidates of a reduction lie and where its best result goes. Each is a file, or a
// directory of members; a result appears whole or not at all.
#pragma once

#include <optional>
#include <string>

#include "cli/io.h"
#include "harness/scratch/scratch.h"
#include "oracle/container/members.h"

namespace assay::cli {

// Bytes of a file, or members of a directory.
struct Artefact {
  const Members* members = nullptr;  // of a directory
  ByteView file;

  std::uint64_t size() const;  // of all members together
};

// A fresh directory below $TMPDIR, removed at the end, which holds the candidate of the moment.
class CaseDirectory {
 public:
  explicit CaseDirectory(const std::string& name) : name_(name) {}  // of the case, a plain file name
  Io<> open();
  // Its path; none where its members' names cannot all be files of one directory.
  Io<std::optional<std::string>> put(const Artefact& artefact);

 private:
  std::string name_;
  std::optional<harness::ScratchDirectory> directory_;  // once opened
};

// Whether a result of this kind may be put at `path`: a new directory, or an empty one; no file
// in the place of a directory.
Io<> may_write(const Artefact& artefact, const std::string& path);
// Puts it there, in the place of what is there.
Io<> write_result(const Artefact& artefact, const std::string& path);

}  // namespace assay::cli
