// SPDX-License-Identifier: Apache-2.0
// neff.json and the KELF descriptor.
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

// Beside the matcher's eleven: strings that are UNKNOWN, and no error (DT-003).
constexpr const char* kIoDtypes[] = {"float32", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                     "uint32", "uint64", "float16", "bfloat16", "", "float32r", "float8e4",
                                     "Float32", "float32 ", "float8_e4m3fn", "int", "float32x", "bool"};
const std::string kNulDtype("float32\0", 8);  // unknown as well

// 0..32 dimensions whose product times 8 stays in 64 bits, unless one of them is 0 (DT-005).
Json io_shape(Choices& c) {
  Json shape = Json::array();
  const std::uint32_t n = rarely(c, 4) ? 32 : few(c, 0, 6);
  const bool empty = n > 0 && rarely(c, 8);
  std::uint64_t left = (std::uint64_t{1} << 61) - 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t dim = rarely(c, 15) ? any_u64(c) : 1 + c.below(64);
    if (!empty) {
      dim = std::clamp<std::uint64_t>(dim, 1, left);
      left /= dim;
    }
    shape.push_back(dim);
  }
  if (empty) shape[c.below(n)] = 0;
  return shape;
}

// The graph while nodes are added: each entry of dltype and shape belongs to one output of one node.
struct Io {
  Json nodes = Json::array(), rows = Json::array(), dtypes = Json::array(), shapes = Json::array();

  // Adds a node with `outputs` entries; returns its index.
  std::size_t add(Choices& c, Json node, std::uint64_t outputs) {
    nodes.push_back(std::move(node));
    rows.push_back(dtypes.size());
    for (; outputs > 0; --outputs) {
      if (rarely(c, 2)) dtypes.push_back(kNulDtype);
      else dtypes.push_back(c.pick(kIoDtypes));
      shapes.push_back(io_shape(c));
    }
    return nodes.size() - 1;
  }
};

Json output_names(Choices& c, std::uint64_t n) {
  Json names = Json::array();
  for (std::uint64_t i = 0; i < n; ++i) names.push_back(any_text(c, 24));
  return names;
}

// The __kelf node: its outputs are named by itself, by its attrs, or not at all (IO-006).
Json kelf_node(Choices& c, const std::string& kelf, std::uint64_t outputs) {
  Json node = Json::object();
  Json attrs = Json::object();
  attrs["func_name"] = "__kelf";
  attrs["kelf"] = kelf;
  node["name"] = any_text(c, 24);
  // One that is no array counts as absent.
  if (rarely(c, 5)) node["output_names"] = "no array";
  else if (rarely(c, 40)) node["output_names"] = output_names(c, c.below(outputs + 2));
  if (rarely(c, 50)) attrs["output_names"] = output_names(c, c.below(outputs + 2));
  add_noise(c, attrs);
  add_noise(c, node);
  node["attrs"] = std::move(attrs);
  return node;
}

Json list_of(const char* kind, Json entries) {
  Json pair = Json::array();
  pair.push_back(kind);
  pair.push_back(std::move(entries));
  return pair;
}

void add_neff_json(Choices& c, const std::string& kelf, Model& model) {
  Io io;
  Json args = Json::array(), heads = Json::array();
  for (auto n = c.below(4); n > 0; --n) {
    Json node = Json::object();
    node["name"] = any_text(c, 24);
    node["op"] = "null";
    if (rarely(c, 10)) node["attrs"] = Json::object();
    add_noise(c, node);
    const std::size_t at = io.add(c, std::move(node), 1);
    if (!rarely(c, 5)) args.push_back(at);
  }
  const auto outputs = 1 + c.below(3);
  const std::size_t at = io.add(c, kelf_node(c, kelf, outputs), outputs);
  for (std::uint64_t i = 0; i < outputs; ++i) {
    Json head = Json::array();
    head.push_back(at);
    head.push_back(i);
    if (rarely(c, 50)) head.push_back(0);
    heads.push_back(std::move(head));
  }
  if (!args.empty() && rarely(c, 5)) {  // an input that is an output as well
    Json head = Json::array();
    head.push_back(args[0]);
    head.push_back(0);
    heads.push_back(std::move(head));
  }
  if (rarely(c, 50)) io.rows.push_back(io.dtypes.size());
  if (rarely(c, 5)) {  // what is not used is not looked at
    io.nodes.push_back(any_value(c));
    io.dtypes.push_back(any_value(c));
    io.shapes.push_back(any_value(c));
  }
  Json attrs = Json::object();
  attrs["dltype"] = list_of("list_str", std::move(io.dtypes));
  attrs["shape"] = list_of("list_shape", std::move(io.shapes));
  add_noise(c, attrs);
  Json neff = Json::object();
  neff["nodes"] = std::move(io.nodes);
  neff["arg_nodes"] = std::move(args);
  neff["heads"] = std::move(heads);
  neff["node_row_ptr"] = std::move(io.rows);
  neff["attrs"] = std::move(attrs);
  add_noise(c, neff);
  model.put("neff.json", std::move(neff));
}

const char* target_name(Choices& c, ArchType target, bool open) {
  static constexpr const char* kSunda[] = {"sunda", "v2", ""};
  static constexpr const char* kCayman[] = {"cayman", "v3"};
  static constexpr const char* kMariana[] = {"mariana", "v4"};
  if (open) return "*";
  if (target == ArchType::SUNDA) return c.pick(kSunda);
  return target == ArchType::CAYMAN ? c.pick(kCayman) : c.pick(kMariana);
}

}  // namespace

void choose_options(Choices& c, ArchType target, Model& model) {
  static constexpr ArchType kTargets[] = {ArchType::SUNDA, ArchType::CAYMAN, ArchType::MARIANA};
  Options& o = model.options;
  o.allow_legacy = rarely(c, 25);
  switch (c.below(3)) {
    case 0: o.arch = target; break;
    case 1: break;  // none given
    default: o.arch = o.allow_legacy ? c.pick(kTargets) : target;
  }
  o.verify_digest = rarely(c, 20);
  if (!rarely(c, 20)) return;
  if (rarely(c, 40)) o.fp8.fp8_range_extension = rarely(c, 50);
  if (rarely(c, 40)) o.fp8.emax_fp8_e4m3 = any_u32(c);
  if (rarely(c, 40)) o.fp8.emax_fp8_e5m2 = any_u32(c);
  if (rarely(c, 40)) o.fp8.ocp_sat = rarely(c, 50);
  if (rarely(c, 40)) o.fp8.fp8_sis = rarely(c, 50);
  if (rarely(c, 40)) o.fp8.fp8_sns = rarely(c, 50);
}

void add_manifests(Choices& c, ArchType target, const std::vector<GraphEntry>& graphs, Model& model) {
  static constexpr const char* kVersions[] = {"1.0", ".", "0.9.1", "version 2.x"};
  Json list = Json::array();
  for (const GraphEntry& g : graphs) {
    Json entry = Json::object();
    entry["name"] = g.name;
    entry["definition"] = g.definition;
    add_noise(c, entry);
    list.push_back(std::move(entry));
  }
  Json kelf = Json::object();
  kelf["version"] = c.pick(kVersions);
  kelf["target"] = target_name(c, target, model.options.arch == target && rarely(c, 30));
  kelf["graphs"] = std::move(list);
  add_noise(c, kelf);

  static constexpr const char* kNames[] = {"kelf-0.json", "kelf-a.json"};
  std::string path = c.pick(kNames);
  if (!rarely(c, 25)) {
    if (rarely(c, 10)) path = "kelf/kelf \xC3\xBC.json";
    add_neff_json(c, path, model);
  } else if (path == "kelf-0.json" && rarely(c, 10)) {
    model.put("kelf-a.json", any_value(c));  // the other one comes first (CON-018)
  }
  model.put(path, std::move(kelf));
}

}  // namespace assay::harness::models
