// SPDX-License-Identifier: Apache-2.0
#include "oracle/manifest/definition/definition.h"

#include <fmt/format.h>

#include "oracle/manifest/definition/name_index.h"

namespace assay {
namespace definition {

Result<const Buffer*> Context::member_at(const Node& name, Reason missing) const {
  ASSAY_TRY_LET(text, name.string());
  const Buffer* found = member(text);
  if (found == nullptr) return name.refuse(missing, fmt::format("\"{}{}\"", directory, text));
  return found;
}

Result<Document> Context::document_at(const Node& name, Reason missing) const {
  ASSAY_TRY_LET(bytes, member_at(name, missing));
  ASSAY_TRY_LET(text, name.string());
  return Document::parse(std::string(directory) + std::string(text), *bytes);
}

Result<> Context::charge(std::uint64_t bytes, const Node& node) {
  if (!checked_add(charged_bytes, bytes, charged_bytes) || charged_bytes > options.limits.image_bytes)
    return node.refuse(Reason::limit_image_bytes,
                       fmt::format("allowed are {} bytes", options.limits.image_bytes));
  return {};
}

}  // namespace definition

Result<Resources> read_definition(const Members& members, std::string_view definition,
                                  ArchType target, const Options& options) {
  using namespace assay::definition;
  const Buffer* bytes = members.find(definition);
  if (bytes == nullptr) return refuse(Reason::definition_missing, {std::string(definition), {}, {}, {}});
  ASSAY_TRY_LET(doc, Document::parse(definition, *bytes));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));

  Resources out;
  NameIndex index;
  Context c{members, directory_of(definition), target, options, out, &index, {}, {}, {}, {}, 0};
  const Def def(root);
  ASSAY_TRY(read_variables(c, def, index));
  ASSAY_TRY(read_queues(c, def));
  ASSAY_TRY(read_replica_groups(c, def));
  ASSAY_TRY(read_src_target_pairs(c, def));
  ASSAY_TRY(read_ucode(c, def));
  ASSAY_TRY(read_carveouts(c, def));
  ASSAY_TRY(read_streams(c, def));
  if (def.has(DefKey::dma_)) ASSAY_TRY(read_blocks(c, def[DefKey::dma_]));
  ASSAY_TRY(read_fp8(c, def));
  for (const EngineType e : {EngineType::PE, EngineType::ACT, EngineType::POOL, EngineType::DVE, EngineType::SP})
    ASSAY_TRY(read_engine(c, def, e));
  return out;
}

}  // namespace assay
