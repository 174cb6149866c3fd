// SPDX-License-Identifier: Apache-2.0
// Images edited in records.
#include "fuzzers/common/mutators.h"
#include "harness/mutate/record_mutator.h"

using namespace assay;

namespace {

harness::ImageBytes image_in(const std::string& s) { return {s.begin(), s.end()}; }

bool edit(harness::Choices& c, const std::string& input, std::size_t max, std::string& edited) {
  harness::ImageBytes image = image_in(input);
  if (!harness::mutate_image(c, image, max)) return false;
  edited.assign(image.begin(), image.end());
  return true;
}

bool cross(harness::Choices& c, const std::string& a, const std::string& b, std::size_t max, std::string& edited) {
  harness::ImageBytes image = image_in(a);
  if (!harness::cross_over_images(c, image, as_bytes(b), max)) return false;
  edited.assign(image.begin(), image.end());
  return true;
}

}  // namespace

ASSAY_MUTATORS(85, 0, edit, cross)
