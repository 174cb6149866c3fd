// SPDX-License-Identifier: Apache-2.0
#include "harness/mutants/source.h"

#include "oracle/container/container.h"
#include "oracle/manifest/definition/definition.h"

namespace assay::harness::wrong {

std::optional<LowerRequest> File::graph(std::size_t index) const {
  if (!read_) {
    read_ = true;
    Options o;
    if (request_.arch) o.arch = static_cast<ArchType>(*request_.arch);
    o.allow_legacy = request_.allow_legacy;
    if (auto members = read_neff(request_.neff, o)) {
      members_ = std::move(*members);
      if (auto manifest = read_manifest(members_, o)) manifest_ = std::move(*manifest);
    }
  }
  if (!manifest_ || index >= manifest_->graphs.size()) return std::nullopt;
  LowerRequest q;
  q.members = &members_;
  q.definition = manifest_->graphs[index].definition;
  q.target = static_cast<std::uint32_t>(manifest_->target);
  q.allow_legacy = request_.allow_legacy;
  q.subgraph = static_cast<std::uint32_t>(index);
  return q;
}

const LowerRequest* Source::request() const {
  if (!request_ && file_ != nullptr) request_ = file_->graph(index_);
  return request_ ? &*request_ : nullptr;
}

const Resources* Source::resources() const {
  if (resources_) return resources_.get();
  const LowerRequest* q = request();
  if (q == nullptr) return nullptr;
  Options o;
  o.allow_legacy = q->allow_legacy;
  o.fp8 = q->fp8;
  auto r = read_definition(*q->members, q->definition, static_cast<ArchType>(q->target), o);
  if (!r) return nullptr;
  resources_ = std::make_unique<Resources>(std::move(*r));
  return resources_.get();
}

}  // namespace assay::harness::wrong
