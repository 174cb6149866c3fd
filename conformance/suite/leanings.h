// SPDX-License-Identifier: Apache-2.0
// What the answer to a request owes to should and info rows: the paths whose value rests on one, and the
// inputs whose very acceptance does. A must case has no input of the second sort and lists the first in
// `ignore` (conformance.md, Cases). Fields that layout.json grades below high are not repeated here: a
// comparison knows them by their grade. It reads documents as written and judges no answer.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "harness/gen/model.h"
#include "harness/subject/subject.h"

namespace assay::conformance {

struct Leaning {
  std::string path;         // pattern over paths (path_matches in oracle/image/dump.h); "": the acceptance itself
  std::string requirement;  // the should or info row
  bool operator==(const Leaning&) const = default;
};

// Of a request that the oracle lowers to `image`. Sorted, each once.
std::vector<Leaning> leanings_of(const harness::LowerRequest& request, ByteView image);
// Of an image that decodes, as an input: records whose size is a should row's (LAY-021), bytes that only the layout of
// a transpose names (LAY-008).
std::vector<Leaning> leanings_of_image(ByteView image);
// Of graph I/O in an answer to lower_neff: an output's name (IO-006), the size of a shape with a 0 (DT-005).
std::vector<Leaning> leanings_of(const GraphIo& io);

// The six keys of fp8_conversion_config (FP8-001): the path of each one's field, and whether an option replaces it
// (FP8-004).
struct Fp8Field {
  const char* key;
  std::string_view path;
  bool overridden;
};
std::array<Fp8Field, 6> fp8_fields(const Fp8Overrides& overrides);

// Takes out of a model's documents what leanings_of would find without a path, and gives what is best
// given: offsets, an instance name in place of two keys and the like. The same edit is made to two models that
// differ elsewhere. Most models still lower; whoever calls it looks.
void make_plain(harness::Model& model);

}  // namespace assay::conformance
