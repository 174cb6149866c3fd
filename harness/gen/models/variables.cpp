// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"

namespace assay::harness::models {
namespace {

constexpr std::uint64_t kMax64 = ~std::uint64_t{0};
constexpr std::uint32_t kMaxPrefix = 511;

const char* name_of_type(MrType t) {
  switch (t) {
    case MrType::MR_SB: return "state-buffer";
    case MrType::MR_INPUT: return "input";
    case MrType::MR_OUTPUT: return "output";
    case MrType::MR_TMP_BUF: return "tmp-buf";
    case MrType::MR_VIRTUAL_TMP_BUF: return "virtual";
    case MrType::MR_PTR: return "pointer";
    case MrType::MR_LIST: return "list";
    case MrType::MR_PTR_TABLE: return "dge-table";
    case MrType::MR_BUFFER: return "file";
    default: return "remote";
  }
}

void add_alignment(Choices& c, Json& v) {
  if (rarely(c, 30)) v["alignment"] = rarely(c, 15) ? 0 : std::uint64_t{1} << (rarely(c, 15) ? 31 : c.below(32));
}

void add_dtype_shape(Choices& c, Json& v) {
  if (rarely(c, 35)) {
    const std::string_view dtype = any_dtype(c);
    v["dtype"] = dtype.size() > 15 ? std::string_view("float8_e5m2_x4") : dtype;  // VAR-015
  }
  if (!rarely(c, 35)) return;
  Json& shape = v["shape"] = Json::array();
  for (std::uint32_t n = rarely(c, 10) ? 8 : few(c, 0, 8); n > 0; --n) shape.push_back(any_u64(c));
}

void add_debug(Choices& c, Json& v) {
  if (rarely(c, 15))
    v["prefix"] = rarely(c, 10) ? text_of(c, kMaxPrefix - static_cast<std::uint32_t>(c.below(2))) : any_text(c, 40);
  if (rarely(c, 15)) v["pipe"] = any_u32(c);
}

void add_list(Graph& g, Json& v, bool of_variables) {
  Json& list = v["list"] = Json::array();
  for (std::uint32_t n = few(g.c, 0, 6); n > 0; --n)
    list.push_back(of_variables ? static_cast<std::uint32_t>(g.c.below(g.vars.size())) : any_u32(g.c));
}

// A .npy member around `payload` (CON-016): what stands between the magic and the payload is free.
std::string npy(Choices& c, std::string_view payload) {
  const auto header = static_cast<std::uint32_t>(c.below(80));
  std::string s("\x93NUMPY\x01\x00", 8);
  s += static_cast<char>(header & 0xFF);
  s += static_cast<char>(header >> 8);
  s.append(header, ' ');
  s += payload;
  return s;
}

void add_file(Graph& g, Json& v) {
  std::string name;
  std::size_t payload = 0;
  if (rarely(g.c, 40)) {
    const std::string bytes = any_bytes(g.c, g.size.blob_bytes);
    payload = bytes.size();
    name = new_member(g, ".npy");
    g.model.put_bytes(g.dir + name, npy(g.c, bytes));
  } else {
    name = raw_member(g, rarely(g.c, 10) ? ".npy.bin" : rarely(g.c, 10) ? "" : ".w");  // no ending: "m7"
    payload = g.model.members.at(g.dir + name).bytes.size();
  }
  v["file_name"] = name;
  if (rarely(g.c, 50)) v["size"] = payload;
}

void add_virtual(Choices& c, Json& v) {
  static constexpr const char* kBacking[] = {"main", "local", "shared", "sharded"};
  const std::uint64_t off = any_u64(c);
  const std::uint64_t size = any_u64(c);
  v["backing_variable_off"] = off;
  v["size"] = std::min(size, kMax64 - off);  // their sum stays below 2^64 (VAR-027)
  if (rarely(c, 70)) v["backing_buf"] = c.pick(kBacking);
}

Json variable(Graph& g, std::uint32_t id) {
  Choices& c = g.c;
  const MrType type = g.vars[id].type;
  Json v = Json::object();
  v["type"] = name_of_type(type);
  v["var_id"] = id;
  switch (type) {
    case MrType::MR_INPUT:
    case MrType::MR_OUTPUT:
      v["size"] = any_u64(c);
      add_alignment(c, v);
      add_dtype_shape(c, v);
      add_unread(c, v, {"prefix", "pipe", "list", "file_name", "referenced_var_id", "backing_buf"});
      break;
    case MrType::MR_TMP_BUF:
      v["size"] = any_u64(c);
      add_alignment(c, v);
      add_dtype_shape(c, v);
      add_debug(c, v);
      add_unread(c, v, {"list", "file_name", "backing_variable_off", "backing_buf", "referenced_var_id"});
      break;
    case MrType::MR_VIRTUAL_TMP_BUF:
      add_virtual(c, v);
      add_alignment(c, v);
      add_dtype_shape(c, v);
      add_debug(c, v);
      add_unread(c, v, {"list", "file_name", "fabric_path", "referenced_var_id"});
      break;
    case MrType::MR_BUFFER:
      add_file(g, v);
      add_alignment(c, v);
      add_dtype_shape(c, v);
      add_debug(c, v);
      add_unread(c, v, {"list", "backing_variable_off", "backing_buf", "referenced_var_id"});
      break;
    case MrType::MR_PTR:
      v["size"] = 8;
      v["referenced_var_id"] = static_cast<std::uint32_t>(c.below(g.vars.size()));
      add_unread(c, v, {"dtype", "shape", "alignment", "prefix", "pipe", "list", "file_name"});
      break;
    case MrType::MR_LIST:
    case MrType::MR_PTR_TABLE:
      add_list(g, v, type == MrType::MR_PTR_TABLE);
      add_unread(c, v, {"dtype", "shape", "size", "alignment", "prefix", "pipe", "referenced_var_id"});
      break;
    case MrType::MR_SB:
      add_dtype_shape(c, v);
      add_unread(c, v, {"size", "alignment", "prefix", "pipe", "list", "backing_buf"});
      break;
    default:
      add_unread(c, v, {"dtype", "shape", "size", "alignment", "prefix", "pipe", "list", "remote_id"});
  }
  add_noise(c, v);
  return v;
}

}  // namespace

void add_variables(Graph& g) {
  static constexpr MrType kTypes[] = {
      MrType::MR_SB,  MrType::MR_INPUT, MrType::MR_OUTPUT,    MrType::MR_TMP_BUF, MrType::MR_BUFFER,
      MrType::MR_PTR, MrType::MR_LIST,  MrType::MR_PTR_TABLE, MrType::MR_REMOTE,  MrType::MR_VIRTUAL_TMP_BUF};
  Choices& c = g.c;
  const std::uint32_t most = std::max<std::uint32_t>(g.size.variables, 1);
  const std::uint64_t a = c.below(most), b = c.below(most);
  const auto n = static_cast<std::uint32_t>(1 + std::max(a, b));
  const auto output = c.below(n);  // at least one (VAR-005)
  std::vector<std::string> names;
  g.vars.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    g.vars[i].type = i == output ? MrType::MR_OUTPUT : c.pick(kTypes);
    names.push_back(rarely(c, 1) ? text_of(c, 300) : new_name(c, g.size.text_bytes, names));
    if (std::count(names.begin(), names.end(), names.back()) > 1) names.back() += std::to_string(i);
    g.vars[i].name = names.back();
  }
  Json& var = g.def["var"] = Json::object();
  for (std::uint32_t i = 0; i < n; ++i) var[g.vars[i].name] = variable(g, i);
}

}  // namespace assay::harness::models
