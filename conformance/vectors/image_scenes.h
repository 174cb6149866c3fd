// SPDX-License-Identifier: Apache-2.0
// Small images, each with one part of a tree in it, made record by record: what the tables of image cases take
// places from. Internal to the generator of the vector files.
#pragma once

#include <string>
#include <vector>

#include "oracle/base/bytes.h"

namespace assay::conformance::vectors {

struct Scene {
  std::string name;  // "queue"; stands in ids
  Buffer image;      // valid
};

// Together they hold every record that a must row lays out, every mr_type and every op but TRANSPOSE (LAY-008).
std::vector<Scene> image_scenes();

}  // namespace assay::conformance::vectors
