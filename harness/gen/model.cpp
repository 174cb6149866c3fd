// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/model.h"

namespace assay::harness {

std::string ModelMember::text() const {
  // Strings of a model may be any bytes once it has been edited; a dump never throws.
  return is_json() ? doc.dump(-1, ' ', false, Json::error_handler_t::replace) : bytes;
}

Members to_members(const Model& model) {
  Members out;
  for (const auto& [path, member] : model.members)
    out.put(path, member.is_json() ? Buffer(member.text()) : Buffer(member.bytes));
  return out;
}

Result<Buffer> to_neff(const Model& model, std::uint64_t pkg_version) {
  PackOptions options;
  options.pkg_version = pkg_version;
  return pack(to_members(model), options);
}

Result<Lowered> lower_model(const Model& model) { return lower_members(to_members(model), model.options); }

}  // namespace assay::harness
