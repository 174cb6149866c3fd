// SPDX-License-Identifier: Apache-2.0
#include "fuzzers/common/containers.h"

#include <algorithm>

#include "fuzzers/common/accepted.h"

namespace assay::fuzz {
namespace {

bool equal(const Members& a, const Members& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.text() == y.second.text();
  });
}

// Whether the two answers to one file are one: the file's own, and its members'.
bool same(const Result<Lowered>& a, const Result<Lowered>& b) {
  if (!a || !b) return same_refusal(a, b);
  return a->target == b->target && a->graphs.size() == b->graphs.size();
}

// A container made of these members holds them: those that readers drop are gone already.
void pack_again(const Members& members, const Options& options) {
  for (const std::uint64_t version : {1, 2}) {
    PackOptions how;
    how.pkg_version = version;
    const auto packed = pack(members, how);
    if (!packed) return;  // a path that no packer writes
    Options checked = options;
    checked.verify_digest = true;
    const auto again = read_neff(packed->view(), checked);
    if (!again) found("what was packed is not read: " + again.error().text());
    must(equal(members, *again), "what was packed has other members");
  }
}

}  // namespace

bool try_neff(ByteView file) {
  Options options = bounded();
  const auto members = read_neff(file, options);
  if (!members) {
    must_refuse_alike(same_refusal(members, read_neff(file, options)), members.error());
    must(!lower_neff(file, options), "lowered, but not read: " + members.error().text());
    return false;
  }
  pack_again(*members, options);
  auto lowered = lower_members(*members, options);
  if (!lowered && lowered.error().reason == Reason::target_open) {
    options.arch = ArchType::CAYMAN;
    lowered = lower_members(*members, options);
  }
  must(same(lower_neff(file, options), lowered), "the file and its members are told apart");
  count(lowered);
  if (lowered) accepted_members(*members, options, *lowered);
  return lowered.has_value();
}

}  // namespace assay::fuzz
