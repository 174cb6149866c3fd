// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "oracle/container/container.h"
#include "oracle/manifest/definition/definition.h"
#include "oracle/manifest/definition/name_index.h"

namespace assay::definition {
namespace {

// Which optional keys a type reads beyond type and var_id.
struct Reads {
  bool size, alignment, dtype_shape, debug;
};

Reads reads_of(MrType type) {
  switch (type) {
    case MrType::MR_INPUT:
    case MrType::MR_OUTPUT: return {true, true, true, false};
    case MrType::MR_TMP_BUF:
    case MrType::MR_VIRTUAL_TMP_BUF: return {true, true, true, true};
    case MrType::MR_BUFFER: return {false, true, true, true};  // its size is the payload's
    case MrType::MR_SB: return {false, false, true, false};
    default: return {false, false, false, false};
  }
}

Result<> read_alignment(const Keys<VarKey>& k, Variable& v) {
  ASSAY_TRY_LET(a, k.integer_or<std::uint64_t>(VarKey::alignment_, 0));
  const bool power = (a & (a - 1)) == 0;  // 0 included (VAR-013)
  if (!power || a > std::numeric_limits<std::uint32_t>::max())
    return k[VarKey::alignment_].refuse(Reason::alignment, fmt::format("is {}", a));
  // A virtual variable's alignment is checked and not stored (VAR-014).
  if (v.type != MrType::MR_VIRTUAL_TMP_BUF) v.alignment = static_cast<std::uint32_t>(a);
  return {};
}

Result<> read_dtype_shape(const Keys<VarKey>& k, Variable& v) {
  if (k.has(VarKey::dtype_)) {
    const Node node = k[VarKey::dtype_];
    ASSAY_TRY_LET(text, node.string());
    if (text.size() >= KBIN_DTYPE_BYTES)
      return node.refuse(Reason::dtype_too_long, fmt::format("\"{}\" is {} bytes", text, text.size()));
    if (!match_DefJsonDtype(text))
      return node.refuse(Reason::var_dtype_unknown, fmt::format("\"{}\"", text));
    std::memcpy(v.make_rest().dtype.data(), text.data(), text.size());
  }
  if (k.has(VarKey::shape_)) {
    const Node node = k[VarKey::shape_];
    ASSAY_TRY(node.expect(JsonType::array));
    auto& shape = v.make_rest().shape;
    std::size_t rank = 0;
    ASSAY_TRY(for_each_element(node, [&](const Node& dim) -> Result<> {
      if (rank == shape.size())
        return node.refuse(Reason::shape_too_long, fmt::format("{} dimensions", count_of(node.value())));
      ASSAY_TRY_LET(n, dim.integer<std::uint64_t>());
      shape[rank++] = n;
      return {};
    }));
  }
  return {};
}

Result<> read_debug(const Keys<VarKey>& k, Variable& v) {
  if (!k.has(VarKey::prefix_) && !k.has(VarKey::pipe_)) return {};
  auto& debug = v.make_rest().debug;
  debug = std::make_unique<DebugMd>();
  if (k.has(VarKey::prefix_)) {
    ASSAY_TRY_LET(prefix, k[VarKey::prefix_].string());
    if (prefix.size() >= KBIN_PREFIX_BYTES)
      return k[VarKey::prefix_].refuse(Reason::prefix_too_long, fmt::format("{} bytes", prefix.size()));
    debug->prefix = prefix;
  }
  ASSAY_TRY_LET(pipe, k.integer_or<std::uint32_t>(VarKey::pipe_, 0));
  debug->pipe = pipe;
  return {};
}

Result<> read_list(const Keys<VarKey>& k, Variable& v) {
  ASSAY_TRY(require(k, {VarKey::list_}, Reason::list_missing));
  const Node node = k[VarKey::list_];
  ASSAY_TRY(node.expect(JsonType::array));
  auto& list = v.make_rest().list;
  return for_each_element(node, [&](const Node& id) -> Result<> {
    ASSAY_TRY_LET(n, id.integer<std::uint32_t>());
    list.push_back(n);
    return {};
  });
}

Result<> read_pointer(const Keys<VarKey>& k, Variable& v) {
  ASSAY_TRY(require(k, {VarKey::referenced_var_id_}, Reason::pointer_reference));
  ASSAY_TRY_LET(id, k[VarKey::referenced_var_id_].integer<std::uint32_t>());
  v.referenced_var_id = id;
  ASSAY_TRY(require(k, {VarKey::size_}, Reason::pointer_size));
  ASSAY_TRY_LET(size, k[VarKey::size_].integer<std::uint64_t>());
  if (size != 8) return k[VarKey::size_].refuse(Reason::pointer_size, fmt::format("is {}", size));
  v.size = size;
  return {};
}

Result<> read_file(const Context& c, const Keys<VarKey>& k, Variable& v) {
  ASSAY_TRY(require(k, {VarKey::file_name_}, Reason::file_name_missing));
  const Node name_node = k[VarKey::file_name_];
  ASSAY_TRY_LET(member, c.member_at(name_node, Reason::file_member_missing));
  ASSAY_TRY_LET(name, name_node.string());
  ASSAY_TRY_LET(payload, payload_of(std::string(c.directory) + std::string(name), member->view()));
  v.make_rest().payload = payload;
  v.size = payload.size();
  ASSAY_TRY_LET(declared, k.integer_or<std::uint64_t>(VarKey::size_, v.size));
  if (declared != v.size)
    return k[VarKey::size_].refuse(Reason::file_size,
                                   fmt::format("declared {}, payload {}", declared, v.size));
  return {};
}

Result<> read_virtual(Context& c, const Keys<VarKey>& k, Variable& v) {
  ASSAY_TRY(require(k, {VarKey::backing_variable_off_}, Reason::backing_off_missing));
  ASSAY_TRY_LET(off, k[VarKey::backing_variable_off_].integer<std::uint64_t>());
  v.backing_off = off;
  if (k.has(VarKey::backing_buf_)) {
    const Node node = k[VarKey::backing_buf_];
    ASSAY_TRY_LET(text, node.string());
    const auto backing = match_BackingBufName(text);
    if (!backing) return node.refuse(Reason::backing_buf_unknown, fmt::format("\"{}\"", text));
    v.backing = *backing;
  }
  std::uint64_t end = 0;
  if (!checked_add(v.backing_off, v.size, end))
    return k.node().refuse(Reason::scratchpad_overflow, fmt::format("{} + {}", off, v.size));
  const bool shared = v.backing == BackingBuf::SHARED || v.backing == BackingBuf::SHARDED;
  std::uint64_t& pad = shared ? c.out.shared_scratchpad_size : c.out.local_scratchpad_size;
  pad = std::max(pad, end);
  return {};
}

Result<> read_variable(Context& c, const Node& node, Variable& v) {
  ASSAY_TRY(node.expect(JsonType::object));
  const Keys<VarKey> k(node);
  ASSAY_TRY(require(k, {VarKey::type_, VarKey::var_id_}, Reason::var_key_missing));
  ASSAY_TRY_LET(type_text, k[VarKey::type_].string());
  const auto type = match_VarType(type_text);
  if (!type) return k[VarKey::type_].refuse(Reason::var_type_unknown, fmt::format("\"{}\"", type_text));
  v.type = *type;
  ASSAY_TRY_LET(id, k[VarKey::var_id_].integer<std::uint32_t>());
  v.var_id = id;

  const Reads reads = reads_of(v.type);
  if (reads.size) {
    ASSAY_TRY(require(k, {VarKey::size_}, Reason::var_size_missing));
    ASSAY_TRY_LET(size, k[VarKey::size_].integer<std::uint64_t>());
    v.size = size;
  }
  if (reads.alignment) ASSAY_TRY(read_alignment(k, v));
  if (reads.dtype_shape) ASSAY_TRY(read_dtype_shape(k, v));
  if (reads.debug) ASSAY_TRY(read_debug(k, v));
  switch (v.type) {
    case MrType::MR_PTR: return read_pointer(k, v);
    case MrType::MR_LIST:
    case MrType::MR_PTR_TABLE: return read_list(k, v);
    case MrType::MR_BUFFER: return read_file(c, k, v);
    case MrType::MR_VIRTUAL_TMP_BUF: return read_virtual(c, k, v);
    default: return {};
  }
}

// The rules over all variables; afterwards variables[i].var_id == i, and so in the index.
Result<> check_variables(const Node& var, std::vector<Variable>& vars, NameIndex& index) {
  std::uint64_t max_plus_1 = 0;
  bool output = false;
  for (const Variable& v : vars) {
    max_plus_1 = std::max<std::uint64_t>(max_plus_1, std::uint64_t{v.var_id} + 1);
    output |= v.type == MrType::MR_OUTPUT;
  }
  if (max_plus_1 != vars.size())
    return var.refuse(Reason::var_ids_not_dense,
                      fmt::format("largest var_id + 1 is {}, variables are {}", max_plus_1, vars.size()));
  if (!output) return var.refuse(Reason::no_output);

  const auto at = [&](const Variable& v, const char* key) {
    Place p = Node(var, v.name, var.value()).place();
    p.pointer += std::string("/") + key;
    return p;
  };
  std::vector<bool> seen(vars.size());
  for (const Variable& v : vars) {
    if (seen[v.var_id])
      return refuse(Reason::var_id_twice, at(v, "var_id"), fmt::format("{}", v.var_id));
    seen[v.var_id] = true;
  }
  bool moved = false;
  for (std::size_t i = 0; i < vars.size(); ++i)
    for (; vars[i].var_id != i; moved = true) std::swap(vars[i], vars[vars[i].var_id]);
  if (moved) {
    index.begin(vars, vars.size());
    for (const Variable& v : vars) index.add(v.var_id);
  }

  for (Variable& v : vars) {
    if (v.type == MrType::MR_PTR) {
      if (v.referenced_var_id >= vars.size())
        return refuse(Reason::pointer_reference, at(v, "referenced_var_id"),
                      fmt::format("no variable {}", v.referenced_var_id));
      const MrType target = vars[v.referenced_var_id].type;
      v.io_ref = target == MrType::MR_INPUT || target == MrType::MR_OUTPUT;
    }
    if (v.type == MrType::MR_PTR_TABLE)
      for (const std::uint32_t id : v.rest->list)
        if (id >= vars.size())
          return refuse(Reason::table_entry_unknown, at(v, "list"), fmt::format("no variable {}", id));
  }
  return {};
}

}  // namespace

Result<> read_variables(Context& c, const Def& def, NameIndex& index) {
  if (!def.has(DefKey::var_)) return def.node().refuse(Reason::var_missing);
  const Node var = def[DefKey::var_];
  ASSAY_TRY(var.expect(JsonType::object));
  std::size_t n = 0, name_bytes = 0;
  std::string_view name;
  JsonValue value;
  for (ObjectCursor cursor(var.value()); cursor.next(name, value); ++n) name_bytes += name.size();
  std::vector<Variable>& variables = c.out.variables;
  reserve_large(variables, n);
  c.out.variable_names = Buffer(name_bytes);
  index.begin(variables, n);

  char* to = reinterpret_cast<char*>(c.out.variable_names.data());
  ObjectCursor cursor(var.value());
  while (cursor.next(name, value)) {
    const Node node(var, name, value);
    if (name.find('\0') != std::string_view::npos) return node.refuse(Reason::nul_in_string);
    const auto position = static_cast<std::uint32_t>(variables.size());
    Variable& v = variables.emplace_back();
    std::copy(name.begin(), name.end(), to);
    v.name = {to, name.size()};
    to += name.size();
    ASSAY_TRY(read_variable(c, node, v));
    if (!index.add(position)) return node.refuse(Reason::var_name_twice);
  }
  return check_variables(var, variables, index);
}

}  // namespace assay::definition
