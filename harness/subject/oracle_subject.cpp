// SPDX-License-Identifier: Apache-2.0
#include "harness/subject/subject.h"
#include "oracle/dtype/dtype.h"
#include "oracle/image/dump.h"
#include "oracle/image/image.h"
#include "oracle/lower/lower.h"

namespace assay::harness {
namespace {

class OracleSubject final : public Subject {
 public:
  std::string name() const override { return "oracle"; }

  Reply<DtypeAnswer> dtype(const DtypeRequest& q) const override {
    DtypeAnswer a;
    for (const auto& m : q.match) {
      if (m.neff_io) a.match.push_back(code(match_NeffIoDtype(m.text).value_or(NrtDtype::UNKNOWN)));
      else if (const auto d = match_DefJsonDtype(m.text)) a.match.push_back(code(*d));
      else a.match.push_back(std::nullopt);
    }
    for (const auto d : q.to_sdma) a.to_sdma.push_back(kbin_dtype_to_sdma_dtype(d));
    for (const auto o : q.cce_op) a.cce_op.push_back(kbin_cce_op_to_sdma_cce_op(o));
    for (const auto d : q.size) a.size.push_back(kbin_get_dtype_size(d));
    return Reply<DtypeAnswer>::of(std::move(a));
  }

  Reply<Buffer> lower(const LowerRequest& q) const override {
    Options o;
    o.allow_legacy = q.allow_legacy;
    o.fp8 = q.fp8;
    const auto tree = lower_definition(*q.members, q.definition,
                                       static_cast<ArchType>(q.target), q.subgraph, o);
    if (!tree) return Reply<Buffer>::of(tree.error());
    auto image = encode(*tree);
    if (!image) return Reply<Buffer>::of(image.error());
    return Reply<Buffer>::of(std::move(*image));
  }

  Reply<LowerNeffAnswer> lower_neff(const LowerNeffRequest& q) const override {
    Options o;
    if (q.arch) o.arch = static_cast<ArchType>(*q.arch);
    o.allow_legacy = q.allow_legacy;
    o.verify_digest = q.verify_digest;
    auto lowered = assay::lower_neff(q.neff, o);
    if (!lowered) return Reply<LowerNeffAnswer>::of(lowered.error());
    LowerNeffAnswer a;
    a.io = std::move(lowered->io);
    for (const LoweredGraph& g : lowered->graphs) {
      auto image = encode(g.tree);
      if (!image) return Reply<LowerNeffAnswer>::of(image.error());
      a.images.push_back(std::move(*image));
    }
    return Reply<LowerNeffAnswer>::of(std::move(a));
  }

  Reply<std::string> decode(ByteView image) const override {
    const auto view = assay::decode(image);
    if (!view) return Reply<std::string>::of(view.error());
    return Reply<std::string>::of(fields_json(*view));
  }
};

}  // namespace

const Subject& oracle_subject() {
  static const OracleSubject subject;
  return subject;
}

}  // namespace assay::harness
