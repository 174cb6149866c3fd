// SPDX-License-Identifier: Apache-2.0
// One table-driven walk over one or two views at once, path by path in tree order. With two, a
// value that only one side has comes with the other side absent. Internal to this room.
#pragma once

#include <string>

#include "oracle/image/image.h"
#include "oracle/image/plan.h"

namespace assay::image {

// A null pointer is an absent side. A pointer that leads to a record where the other side has
// NULL comes as itself (type pointer, not null), and nothing below it is visited.
using PairVisitor = std::function<void(const FieldVisit* a, const FieldVisit* b)>;

class PairWalk {
 public:
  explicit PairWalk(const PairVisitor& visit) : visit_(visit) {}
  void run(const View* a, const View* b);

 private:
  static constexpr int kSides = 2;
  // One side's place: a record's extent in an image, or nothing.
  struct Side {
    const View* view = nullptr;  // nullptr: absent
    std::uint64_t at = 0;        // of the record
    When variant = When::always;
    const std::uint8_t* byte(std::uint64_t offset = 0) const {
      return view->bytes().data() + at + offset;
    }
  };
  struct Sides {
    Side side[kSides];
  };
  // What a visit says apart from where its bytes lie.
  struct What {
    const Record& in;
    const Field* field;
    FieldType type;
    bool is_bytes;
    EnumId enumeration;
    Grade grade;
  };
  struct Extent {
    bool present = false, null = false;
    std::uint64_t offset = 0, size = 0;
  };

  void record_fields(const RecordPlan& p, Sides sides);
  void field(const RecordPlan& p, const FieldPlan& f, const Sides& sides, const bool (&on)[kSides]);
  void info(const Sides& sides, const bool (&on)[kSides], const Field& f);
  void pointer(const Record& in, const Field* f, Kind to, Grade grade, std::uint64_t offset,
               const Sides& sides);
  void target(const Record& in, Kind to, Grade grade, const DirEntry* const (&entry)[kSides],
              const Sides& sides);
  void tail(const RecordPlan& p, const DirEntry* const (&entry)[kSides], const Sides& sides);
  void emit(const What& what, const Sides& sides, const Extent (&extent)[kSides]);

  std::size_t push(std::string_view name);
  std::size_t push(std::uint64_t index);
  void pop(std::size_t mark) { path_.resize(mark); }

  const PairVisitor& visit_;
  std::string path_;
};

}  // namespace assay::image
