// SPDX-License-Identifier: Apache-2.0
// All kinds as one catalogue, and the making of one: a sound package of a generated model in the
// kind's form, and where the kind is a defect, a copy that is spoilt.
#include <vector>

#include "harness/gen/neffs/package.h"

namespace assay::harness {
namespace {

using neffs::Kind;
using neffs::Package;

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> v;
    for (const auto part : {neffs::tar_forms(), neffs::file_forms(), neffs::header_faults(), neffs::tar_faults(),
                            neffs::gzip_faults(), neffs::limit_faults()})
      v.insert(v.end(), part.begin(), part.end());
    return v;
  }();
  return all;
}

const std::vector<NeffKind>& rows() {
  static const std::vector<NeffKind> all = [] {
    std::vector<NeffKind> v;
    for (const Kind& k : kinds()) v.push_back(k.row);
    return v;
  }();
  return all;
}

}  // namespace

std::span<const NeffKind> neff_kinds() { return rows(); }

Neff gen_neff(Choices& c, const NeffKind& kind) {
  const Kind& k = kinds()[static_cast<std::size_t>(&kind - rows().data())];
  Package sound = neffs::gen_package(c);
  if (k.prepare != nullptr) k.prepare(c, sound);

  Neff out;
  out.kind = &kind;
  out.options = sound.options;
  for (const auto& [path, data] : sound.files) out.members.put(path, Buffer(std::string_view(data)));
  out.offset = neffs::kUnchecked;
  if (k.defect == nullptr) {
    out.file = Buffer(sound.file());
    return out;
  }
  out.twin = Buffer(sound.file());
  Package broken = std::move(sound);
  out.offset = k.defect(c, broken);
  out.file = Buffer(broken.file());
  return out;
}

}  // namespace assay::harness
