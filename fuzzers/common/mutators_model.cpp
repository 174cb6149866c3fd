// SPDX-License-Identifier: Apache-2.0
// Whole models in their byte form (harness/mutate/model_bytes.h).
#include "fuzzers/common/mutators.h"
#include "harness/mutate/model_bytes.h"
#include "harness/mutate/model_mutator.h"

using namespace assay;

namespace {

// More than one edit a time now and then, so that two changes that need each other meet.
std::uint64_t edits(harness::Choices& c) { return c.chance(70) ? 1 : 2 + c.below(3); }

// What was handed out last, taken apart. Engines mutate an input several times over, and parsing it
// takes half the time.
struct Last {
  std::string bytes;
  harness::Model model;
};
Last& last() {
  static Last last;
  return last;
}

std::optional<harness::Model> model_in(const std::string& input) {
  if (!input.empty() && last().bytes == input) {
    last().bytes.clear();
    return std::move(last().model);
  }
  return harness::from_bytes(as_bytes(input));
}

// What lowers much of the same takes long and shows little: beyond kAmple a model mostly grows no more.
constexpr std::size_t kAmple = 2560;
std::size_t room_for(harness::Choices& c, std::size_t bytes, std::size_t max) {
  return c.chance(10) ? max : std::min(max, std::max(bytes, kAmple));
}

// Only where there is little room left the model is measured before it is written.
constexpr std::size_t kRoom = 4096;
std::size_t limit_of(std::size_t bytes, std::size_t max) {
  return max >= kRoom && bytes <= max - kRoom ? harness::kNoLimit : max;
}

bool edit(harness::Choices& c, const std::string& input, std::size_t max, std::string& edited) {
  auto model = model_in(input);
  if (!model) return false;
  max = room_for(c, input.size(), max);
  const std::size_t limit = limit_of(input.size(), max);
  bool changed = false;
  if (input.size() + 64 <= max && c.chance(2)) changed = harness::mutate_member_text(c, *model);
  else
    for (std::uint64_t n = edits(c); n > 0; --n) changed |= harness::mutate(c, *model, limit);
  edited = harness::to_bytes(*model);
  if (limit != max && edited.size() > max) {
    changed |= harness::mutate(c, *model, max);  // which is to shrink it
    edited = harness::to_bytes(*model);
  }
  last() = {edited, std::move(*model)};
  return changed;
}

bool cross(harness::Choices& c, const std::string& a, const std::string& b, std::size_t max, std::string& edited) {
  auto model = model_in(a);
  const auto other = harness::from_bytes(as_bytes(b));
  max = room_for(c, a.size(), max);
  if (!model || !other || !harness::cross_over(c, *model, *other, limit_of(a.size(), max))) return false;
  edited = harness::to_bytes(*model);  // if it is too much, the first is mutated instead
  last() = {edited, std::move(*model)};
  return true;
}

}  // namespace

// Bytes of the form itself are of little use: most such inputs are no model.
ASSAY_MUTATORS(99, 0, edit, cross)
