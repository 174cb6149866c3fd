// SPDX-License-Identifier: Apache-2.0
// JSON text: half the calls edit it as text, the others go to the engine and its dictionary. The
// first ASSAY_FUZZ_PREFIX bytes are no text (text_equiv's choice of a spelling).
#include "fuzzers/common/mutators.h"

#ifndef ASSAY_FUZZ_PREFIX
#define ASSAY_FUZZ_PREFIX 0
#endif

using namespace assay;

namespace {

constexpr std::size_t kPrefix = ASSAY_FUZZ_PREFIX;

bool edit(harness::Choices& c, const std::string& input, std::size_t max, std::string& edited) {
  if (input.size() < kPrefix || max <= kPrefix) return false;
  edited = input.substr(0, kPrefix);
  if (kPrefix > 0 && c.chance(20)) {  // another spelling of the same text
    for (char& b : edited) b = static_cast<char>(c.below(256));
    edited += input.substr(kPrefix);
    return edited.size() <= max;
  }
  std::string text = input.substr(kPrefix);
  if (!harness::mutate_text(c, text, max - kPrefix)) return false;
  edited += text;
  return true;
}

}  // namespace

ASSAY_MUTATORS(50, 0, edit, fuzz::splice)
