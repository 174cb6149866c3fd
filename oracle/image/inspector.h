// SPDX-License-Identifier: Apache-2.0
// The verifier's state, shared by the files inspect*.cpp and by nothing else. Every read goes
// through an extent that was checked before: the header, the directory, or a record whose place
// and size hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay {

// Where a check stands inside a record: names from the innermost outwards, on the stack.
struct Frame {
  const Frame* up;
  std::string_view name;
  std::int64_t index;  // array slot, or -1
};

struct Inspector {
  Inspector(ByteView image, std::size_t max) : bytes(image), max_findings(max) {}

  Inspection run(bool first_only);

  // inspect.cpp: header, checksum, directory, what lies between records. False: go no further.
  bool header();
  bool directory();
  void gaps();
  bool lists_hold() const;

  // inspect_records.cpp: the records as one tree, in emission order, with its relocations.
  void tree();
  void visit(std::size_t index, int depth);
  void follow(std::size_t owner, std::uint64_t slot, const image::PointerSlot& p,
              std::uint64_t base, int depth);
  bool extent(std::size_t index, std::uint64_t count);
  bool string(std::size_t index);
  void relocations();
  std::size_t find(std::uint64_t offset);  // index, or records() where no record starts there

  // inspect_fields.cpp: values and unused bytes of every record whose size holds.
  void values();
  void element(const image::RecordPlan& p, std::uint64_t base, When outer, const Frame* at,
               std::uint64_t index);
  void field(const image::RecordPlan& p, const image::FieldPlan& f, std::uint64_t base,
             When variant, bool known, const Frame* at, std::uint64_t index);
  void enumeration(const Field& f, std::uint64_t at_byte, const Frame* at, std::int64_t slot);
  void array(const image::FieldPlan& f, std::uint64_t base, When variant, const Frame* at);
  void chars(const Field& f, std::uint64_t base, const Frame* at);
  void sources(const image::FieldPlan& f, std::uint64_t base, bool known, const Frame* at);
  void info(const Field& f, std::uint64_t base, bool known, const Frame* at);
  bool zero(std::uint64_t begin, std::uint64_t end, const Frame* at, std::string_view what);
  std::string path(const Frame* at) const;

  // inspect_paths.cpp
  std::string record_path(std::size_t index) const;
  std::string shown(std::size_t index) const;  // record_path, the root's by its type
  std::string slot_path(std::size_t owner, std::uint64_t slot) const;

  // Adds a finding; `detail` and `path` are functions, so that a full list costs no text.
  template <class Path, class Detail>
  void report(Reason reason, std::uint64_t offset, const Path& where, const Detail& detail) {
    seen |= bit(reason);
    if (out.findings.size() >= max_findings) {
      out.truncated = true;
      return;
    }
    out.findings.push_back({reason, where(), offset, detail()});
  }
  static std::uint64_t bit(Reason r) {
    return std::uint64_t{1} << (static_cast<unsigned>(r) -
                                static_cast<unsigned>(Reason::image_header));
  }
  bool saw(std::initializer_list<Reason> reasons) const {
    std::uint64_t any = 0;
    for (const Reason r : reasons) any |= bit(r);
    return (seen & any) != 0;
  }

  // What the walk learns of a directory entry.
  struct Info {
    std::uint64_t slot = 0;   // image offset of the pointer to it
    std::uint32_t owner = 0;  // index of the record that holds the slot
    bool reached = false;
    bool sized = false;       // its size is what kind and counts give
  };

  ByteView bytes;
  std::size_t max_findings;
  View view;
  Inspection out;
  std::uint64_t seen = 0;   // bits of reported reasons
  std::vector<Info> infos;  // as the directory
  std::size_t next = 0;     // index the emission order wants next
  std::size_t disorder = 0, disorder_turn = 0;  // first record out of turn, and whose it was
  std::size_t current = 0;  // record whose values are checked
};

static_assert(static_cast<unsigned>(Reason::image_desc_type) -
                  static_cast<unsigned>(Reason::image_header) < 64);

}  // namespace assay
