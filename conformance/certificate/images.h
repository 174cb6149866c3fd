// SPDX-License-Identifier: Apache-2.0
// What an image or a set of fields says beside the expected one, split into what decides and what is only
// reported. Internal to this room.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/certificate/rows.h"
#include "harness/subject/subject.h"
#include "oracle/base/bytes.h"

namespace assay::conformance {

struct Findings {
  std::vector<harness::Violation> must, reported;

  // By the row's level; `lowered`: by the evidence of its path or an `ignore`.
  void add(Catalogue catalogue, harness::Violation v, bool lowered = false);
};

// The entry of `ignore` that covers a path, or nullptr.
const Ignored* ignored(std::span<const Ignored> ignore, std::string_view path);

// An answered image. `prefix` stands before each place ("images[1]."); ignore patterns match with and without it.
// `request` may be nullptr (compare.h).
void compare_image(ByteView expected, ByteView actual, const harness::LowerRequest* request,
                   std::span<const Ignored> ignore, std::string_view prefix, Catalogue catalogue, Findings& out);

// A fields object (JSON text) beside the expected one, both of `image`; paths the image grades lower are reported.
void compare_decoded(const std::string& expected, const std::string& actual, ByteView image,
                     std::span<const Ignored> ignore, Catalogue catalogue, Findings& out);

// The images of an answer's body, in order; none where there are none.
std::vector<Buffer> images_of(Op op, const std::string& body);

// Bytes around `place`: a path of the image, "image+N", or what the verifier found at a place of that name.
std::optional<Window> window_at(ByteView image, const std::string& place);

}  // namespace assay::conformance
