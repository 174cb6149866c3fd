// SPDX-License-Identifier: Apache-2.0
#include "oracle/manifest/kelf.h"

#include <fmt/format.h>

#include <set>

#include "oracle/manifest/definition/definition.h"

namespace assay {
namespace {

using definition::require;

// The first node whose attrs.func_name is __kelf names the descriptor (CON-017).
Result<std::string> find_kelf(const Members& members) {
  const Buffer* bytes = members.find(kNeffJson);
  if (bytes == nullptr) {  // CON-018
    for (const char* name : {"kelf-0.json", "kelf-a.json"})
      if (members.find(name) != nullptr) return std::string(name);
    return refuse(Reason::kelf_missing, {"kelf-0.json", {}, {}, {}});
  }
  ASSAY_TRY_LET(doc, Document::parse(kNeffJson, *bytes));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<NeffKey> k(root);
  ASSAY_TRY(require(k, {NeffKey::nodes_}, Reason::io_key_missing));
  const Node nodes = k[NeffKey::nodes_];
  if (nodes.type() != JsonType::array) return nodes.refuse(Reason::io_key_missing, "no array");

  ArrayCursor cursor(nodes.value());
  JsonValue value;
  for (std::size_t i = 0; cursor.next(value); ++i) {
    const Node node(nodes, i, value);
    // ruling: a node on the way to the one meant is used, so its types count (IO-005).
    if (node.type() != JsonType::object) return node.refuse(Reason::io_value, "no object");
    const Keys<NeffNodeKey> n(node);
    if (!n.has(NeffNodeKey::attrs_)) continue;
    const Node attrs_node = n[NeffNodeKey::attrs_];
    if (attrs_node.type() != JsonType::object) return attrs_node.refuse(Reason::io_value, "no object");
    const Keys<NeffNodeAttrsKey> attrs(attrs_node);
    if (!attrs.has(NeffNodeAttrsKey::func_name_)) continue;
    const Node func_name = attrs[NeffNodeAttrsKey::func_name_];
    if (func_name.type() != JsonType::string) return func_name.refuse(Reason::io_value, "no string");
    ASSAY_TRY_LET(name, func_name.string());
    if (name != "__kelf") continue;
    if (!attrs.has(NeffNodeAttrsKey::kelf_) || attrs[NeffNodeAttrsKey::kelf_].type() != JsonType::string)
      return attrs_node.refuse(Reason::kelf_name);
    const Node kelf = attrs[NeffNodeAttrsKey::kelf_];
    ASSAY_TRY_LET(member, kelf.string());
    if (members.find(member) == nullptr)
      return kelf.refuse(Reason::kelf_member_missing, fmt::format("\"{}\"", member));
    return std::string(member);
  }
  return nodes.refuse(Reason::kelf_node_missing);
}

Result<ArchType> read_target(const Node& node, const Options& options) {
  ASSAY_TRY_LET(text, node.string());
  if (text == "*") {
    if (!options.arch) return node.refuse(Reason::target_open);
    return *options.arch;
  }
  const auto target = match_TargetName(text);
  if (!target) return node.refuse(Reason::target_unknown, fmt::format("\"{}\"", text));
  if (options.arch && *options.arch != *target && !options.allow_legacy)
    return node.refuse(Reason::target_differs,
                       fmt::format("\"{}\", the instance is {}", text,
                                   enum_name(EnumId::ArchType, code(*options.arch))));
  return *target;
}

Result<> read_graphs(const Members& members, const Node& graphs, Manifest& out) {
  ASSAY_TRY(graphs.expect(JsonType::array));
  std::set<std::string, std::less<>> names;
  ASSAY_TRY(for_each_element(graphs, [&](const Node& item) -> Result<> {
    ASSAY_TRY(item.expect(JsonType::object));
    const Keys<KelfGraphKey> k(item);
    ASSAY_TRY(require(k, {KelfGraphKey::name_, KelfGraphKey::definition_}, Reason::kelf_key_missing));
    ASSAY_TRY_LET(name, k[KelfGraphKey::name_].string());
    ASSAY_TRY_LET(def, k[KelfGraphKey::definition_].string());
    if (!names.emplace(name).second)
      return k[KelfGraphKey::name_].refuse(Reason::graph_name_twice, fmt::format("\"{}\"", name));
    if (members.find(def) == nullptr)
      return k[KelfGraphKey::definition_].refuse(Reason::definition_missing, fmt::format("\"{}\"", def));
    out.graphs.push_back({std::string(name), std::string(def)});
    return {};
  }));
  if (out.graphs.empty()) return graphs.refuse(Reason::no_graphs);
  return {};
}

}  // namespace

Result<Manifest> read_manifest(const Members& members, const Options& options) {
  Manifest out;
  if (members.find(kNeffJson) != nullptr) {
    ASSAY_TRY_LET(io, read_graph_io(members, options.limits));
    out.io = std::move(io);
  }
  ASSAY_TRY_LET(kelf, find_kelf(members));
  out.kelf = kelf;
  ASSAY_TRY_LET(doc, Document::parse(kelf, *members.find(kelf)));
  const Node root = doc.root();
  ASSAY_TRY(root.expect(JsonType::object));
  const Keys<KelfKey> k(root);
  ASSAY_TRY(require(k, {KelfKey::version_, KelfKey::target_, KelfKey::graphs_}, Reason::kelf_key_missing));
  ASSAY_TRY_LET(version, k[KelfKey::version_].string());
  if (version.find('.') == std::string_view::npos)
    return k[KelfKey::version_].refuse(Reason::kelf_version, fmt::format("\"{}\"", version));
  ASSAY_TRY_LET(target, read_target(k[KelfKey::target_], options));
  out.target = target;
  ASSAY_TRY(read_graphs(members, k[KelfKey::graphs_], out));
  return out;
}

}  // namespace assay
