// SPDX-License-Identifier: Apache-2.0
// NEFF files whose members are edited: as a model, or one of them as text or bytes. What comes out is
// a valid container again, of the package version that it had.
#include "fuzzers/common/mutators.h"
#include "harness/mutate/model_mutator.h"
#include "oracle/container/container.h"

using namespace assay;

namespace {

struct Opened {
  std::uint64_t pkg_version = 2;
  harness::Model model;
};

std::optional<Opened> open(const std::string& input) {
  Options options;
  options.limits.expanded_bytes = std::uint64_t{4} << 20;
  options.limits.members = 4096;
  const auto header = read_header(as_bytes(input));
  const auto members = read_neff(as_bytes(input), options);
  if (!header || !members) return std::nullopt;
  return Opened{header->pkg_version, harness::from_members(*members, {})};
}

bool close(const Opened& opened, std::string& edited) {
  const auto neff = harness::to_neff(opened.model, opened.pkg_version);
  if (!neff) return false;
  edited = std::string(neff->text());
  return true;
}

// The size of a container is no sum of its members': what comes out too long is left to the caller.
// A model's options are in no container: an edit of those alone is followed by another.
bool edit(harness::Choices& c, const std::string& input, std::size_t max, std::string& edited) {
  auto opened = open(input);
  if (!opened) return false;
  const bool shrink = input.size() > max;
  for (int n = 0; n < 4; ++n) {
    const bool changed = shrink         ? harness::smaller(c, opened->model)
                         : c.chance(20) ? harness::mutate_member_text(c, opened->model)
                                        : harness::mutate(c, opened->model);
    if (changed && close(*opened, edited) && edited != input) return true;
  }
  return false;
}

bool cross(harness::Choices& c, const std::string& a, const std::string& b, std::size_t, std::string& edited) {
  auto opened = open(a);
  const auto other = open(b);
  return opened && other && harness::cross_over(c, opened->model, other->model) && close(*opened, edited);
}

}  // namespace

ASSAY_MUTATORS(97, 0, edit, cross)
