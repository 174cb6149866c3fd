// SPDX-License-Identifier: Apache-2.0
// Minimisers: smaller candidates of a model or an image, one at a time, for whoever decides which of
// them still fail. A cursor remembers where the search stands, so that the step after an accepted
// candidate goes on instead of starting over. Nothing here runs a property or knows a verdict.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/gen/model.h"
#include "oracle/base/bytes.h"

namespace assay::harness {

// Where a search for something smaller stands. A default one is the beginning.
struct Cursor {
  std::uint32_t pass = 0;      // which way of making it smaller
  std::uint64_t chunk = 0;     // how much is taken away at once; 0: as the pass begins
  std::uint64_t position = 0;  // what the next candidate touches
  bool accepted = false;       // whether anything was, since the first pass began

  // The candidate just made became the value: go on from here.
  void accept() { accepted = true; }
};

// One edit of a model that makes it smaller or simpler, by names and pointers, so that the same edit
// can be made to a model that differs from it by one defect.
struct ModelEdit {
  enum class Kind : std::uint8_t {
    drop_members,      // `names`: paths
    drop_graphs,       // `names`: graphs of the KELF descriptor, with the members only they name
    drop_variables,    // `names` of definition `member`, with what refers to them; ids renumbered
    merge_variables,   // `names`: one that goes, the one named instead, the next that goes ...
    drop_queues,       // `names` of definition `member`, with the blocks that go to them
    drop_value,        // at `pointer`: the keys `names` of an object, or elements [first, first+count)
                       // of an array; what only goes with them (steps with sizes) goes too
    replace_value,     // the value at `pointer` by `value`; a raw member by the string in `value`
    shorten_bytes,     // raw member to its first `count` bytes
    drop_bytes,        // [first, first+count) of a raw member
    rename_members,    // `names`: old, new, old, new ... with every reference
    rename_variables,  // the same in definition `member`
    rename_queues,     // the same; of queue instances too
    rename_act_sets,   // the same; of activation function sets
  };
  Kind kind = Kind::drop_value;
  std::string member, pointer;
  std::vector<std::string> names;
  std::uint64_t first = 0, count = 0;
  Json value;
};
// The next edit to try, or none when a whole round brought nothing more. Moves the cursor past it.
std::optional<ModelEdit> next_edit(const Model& model, Cursor& cursor);
// False, and the model as it was, when it has no such part.
bool apply(const ModelEdit& edit, Model& model);

// The next smaller image, or none. Candidates are valid images but for what is wrong with `image`
// itself, the checksum among it: repaired unless it was wrong.
std::optional<Buffer> next_smaller(ByteView image, Cursor& cursor);

struct ReduceLimits {
  std::uint64_t checks = 100000;               // calls of the predicate
  const std::atomic<bool>* stop = nullptr;     // ends it before the next call once it is true
};
struct ReduceStats {
  std::uint64_t checks = 0, accepted = 0;
  bool exhausted = false;  // ended by a limit, or stopped
};
// The greedy loop: `still` says whether a candidate is interesting, and may write it down.
ReduceStats reduce_model(Model& model, const std::function<bool(const Model&)>& still,
                         const ReduceLimits& limits = {});
ReduceStats reduce_image(Buffer& image, const std::function<bool(ByteView)>& still,
                         const ReduceLimits& limits = {});
// Bytes without a structure: chunks left out, then single bytes made plain.
ReduceStats reduce_bytes(std::string& bytes, const std::function<bool(const std::string&)>& still,
                         const ReduceLimits& limits = {});

}  // namespace assay::harness
