// SPDX-License-Identifier: Apache-2.0
#include "conformance/suite/model_requests.h"

#include "conformance/protocol/requests.h"
#include "conformance/suite/leanings.h"

namespace assay::conformance {

using harness::Json;

bool make_plain(harness::NearMiss& miss) {
  harness::Model plain = miss.twin;
  make_plain(plain);
  for (const auto& [path, member] : plain.members) {
    if (!member.is_json()) continue;
    const Json patch = Json::diff(miss.twin.members.at(path).doc, member.doc);
    if (patch.empty()) continue;
    const auto it = miss.broken.members.find(path);
    if (it == miss.broken.members.end() || !it->second.is_json()) return false;
    try {
      it->second.doc = it->second.doc.patch(patch);
    } catch (const Json::exception&) {  // the defect stands where the edit would
      return false;
    }
  }
  miss.twin = std::move(plain);
  return true;
}

std::optional<std::string> request_for(Op op, const harness::Model& model, const harness::Model& valid,
                                       std::size_t graph) {
  if (op == Op::lower_neff) {
    const auto file = to_neff(model, 1);
    if (!file) return std::nullopt;
    harness::LowerNeffRequest q;
    q.neff = file->view();
    if (model.options.arch) q.arch = static_cast<std::uint32_t>(code(*model.options.arch));
    q.allow_legacy = model.options.allow_legacy;
    q.verify_digest = model.options.verify_digest;
    return request_of(q);
  }
  const auto manifest = read_manifest(to_members(valid), valid.options);
  if (op != Op::lower || !manifest || graph >= manifest->graphs.size()) return std::nullopt;
  Members members = to_members(model);
  members.erase(kNeffJson);
  members.erase(manifest->kelf);
  harness::LowerRequest q;
  q.members = &members;
  q.definition = manifest->graphs[graph].definition;
  q.target = static_cast<std::uint32_t>(code(manifest->target));
  q.allow_legacy = model.options.allow_legacy;
  q.fp8 = model.options.fp8;
  q.subgraph = static_cast<std::uint32_t>(graph);
  auto text = request_of(q);
  if (!text) return std::nullopt;
  return std::move(*text);
}

}  // namespace assay::conformance
