// SPDX-License-Identifier: Apache-2.0
// Keys of variables (VAR).
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/key_rules.h"

namespace assay::harness::mutating::rules {
namespace {

using models::any_u64;
using models::rarely;
using reduce::at;
using reduce::number_of;

// What a variable reads, by its type.
struct TypeRow {
  std::string_view type;
  bool size, alignment, dtype, debug;
};
constexpr TypeRow kTypes[] = {
    {"state-buffer", false, false, true, false}, {"input", true, true, true, false},
    {"output", true, true, true, false},         {"tmp-buf", true, true, true, true},
    {"virtual", true, true, true, true},         {"pointer", true, false, false, false},
    {"list", false, false, false, false},        {"dge-table", false, false, false, false},
    {"file", true, true, true, true},            {"remote", false, false, false, false},
};
const TypeRow& row_of(Spot& s) {
  for (const TypeRow& row : kTypes)
    if (s.is("type", row.type)) return row;
  return kTypes[0];
}

Json* variables(Spot& s) { return at(s.def(), "var"); }
std::size_t count(Spot& s) {
  const Json* var = variables(s);
  return var == nullptr ? 1 : std::max<std::size_t>(var->size(), 1);
}

bool is_last_output(Spot& s) {
  if (!s.is("type", "output")) return false;
  std::size_t outputs = 0;
  for (const Json& v : *variables(s)) {
    const std::string* type = reduce::text_at(&v, "type");
    outputs += type != nullptr && *type == "output";
  }
  return outputs < 2;
}

// A variable's number for a table; rarely the first that is none's.
std::uint64_t table_entry(Spot& s) { return s.c().chance(10) ? count(s) : s.c().below(count(s)); }

Json id_list(Spot& s, bool of_variables) {
  Json list = Json::array();
  for (auto n = models::few(s.c(), 0, 6); n > 0; --n)
    list.push_back(of_variables ? table_entry(s) : std::uint64_t{models::any_u32(s.c())});
  return list;
}

}  // namespace

bool var_type(Spot& s, const KeyRule&) {
  if (is_last_output(s)) return false;
  const TypeRow& to = s.c().pick(kTypes);
  if (s.is("type", to.type) || to.type == "file") return false;
  // What the other type did not read may be anything.
  const TypeRow& from = row_of(s);
  if (to.debug && !from.debug) s.erase("prefix"), s.erase("pipe");
  if (to.dtype && !from.dtype) s.erase("dtype"), s.erase("shape");
  if (to.alignment && !from.alignment) s.erase("alignment");
  if (to.type == "virtual") {
    s.erase("backing_buf");
    s.put("backing_variable_off", s.c().below(4096) * 64);
    s.put("size", s.c().below(4096));
  } else if (to.type == "pointer") {
    s.put("size", 8);
    s.put("referenced_var_id", s.c().below(count(s)));
  } else if (to.size && !from.size) {
    s.put("size", any_u64(s.c()));
  }
  if (to.type == "list" || to.type == "dge-table") s.put("list", id_list(s, to.type == "dge-table"));
  return s.put("type", to.type);
}

bool var_id(Spot& s, const KeyRule&) {
  const std::string* other = any_key(s.c(), variables(s));
  if (other == nullptr) return false;
  Json *a = at(&s.object(), "var_id"), *b = at(&(*variables(s))[*other], "var_id");
  if (a == nullptr || b == nullptr || *a == *b) return false;
  std::swap(*a, *b);
  return true;
}

bool var_size(Spot& s, const KeyRule&) {
  if (!row_of(s).size) return s.unread();
  if (s.is("type", "pointer")) return rarely(s.c(), 5) && s.put(any_u64(s.c()));
  if (s.is("type", "file")) {  // what is there, or nothing
    if (s.erase("size")) return true;
    const std::string* name = reduce::text_at(&s.object(), "file_name");
    const auto it = name == nullptr ? s.edit.model.members.end() : s.edit.model.members.find(s.directory() + *name);
    if (it == s.edit.model.members.end() || it->second.is_json()) return false;
    const auto payload = payload_of(*name, as_bytes(it->second.bytes));
    return payload && s.put(payload->size());
  }
  const auto size = any_u64(s.c());
  if (!s.is("type", "virtual")) return s.put(size);
  const auto off = number_of(s.value("backing_variable_off"));
  return s.put(off ? std::min(size, ~std::uint64_t{0} - *off) : size);
}

bool var_offset(Spot& s, const KeyRule&) {
  if (!s.is("type", "virtual")) return s.unread();
  const auto size = number_of(s.value("size"));
  const auto off = any_u64(s.c());
  return s.put(size ? std::min(off, ~std::uint64_t{0} - *size) : off);
}

bool var_alignment(Spot& s, const KeyRule&) {
  if (!row_of(s).alignment) return s.unread();
  return s.put(rarely(s.c(), 10) ? 0 : std::uint64_t{1} << (rarely(s.c(), 15) ? 31 : s.c().below(32)));
}

bool var_dtype(Spot& s, const KeyRule&) {
  if (!row_of(s).dtype) return s.unread();
  const std::string_view dtype = models::any_dtype(s.c());
  return s.put(dtype.size() > 15 ? std::string_view("float8_e4m3fn") : dtype);  // VAR-015
}

bool var_shape(Spot& s, const KeyRule&) {
  if (!row_of(s).dtype) return s.unread();
  Json* shape = reduce::array_at(&s.object(), "shape");
  if (shape == nullptr) return s.put(Json::array({any_u64(s.c())}));
  if (shape->size() < 8 && s.c().chance(40)) {
    shape->push_back(any_u64(s.c()));
    return true;
  }
  if (shape->empty() || s.c().chance(40)) return edit_list(s.c(), *shape, 0, 8);
  (*shape)[s.c().below(shape->size())] = any_u64(s.c());
  return true;
}

bool var_reference(Spot& s, const KeyRule&) {
  return s.is("type", "pointer") ? s.put(s.c().below(count(s))) : s.unread();
}

bool var_list(Spot& s, const KeyRule&) {
  const bool table = s.is("type", "dge-table");
  if (!table && !s.is("type", "list")) return s.unread();
  Json* list = reduce::array_at(&s.object(), "list");
  if (list == nullptr || s.c().chance(30)) return s.put(id_list(s, table));
  if (list->empty() || s.c().chance(40)) {
    list->push_back(table ? table_entry(s) : s.c().edge(0, 0xFFFFFFFF));
    return true;
  }
  return edit_list(s.c(), *list, 0, 64);
}

bool var_file(Spot& s, const KeyRule&) {
  if (!s.is("type", "file")) return s.unread();
  const auto names = blobs_in(s.edit.model, s.directory());
  if (names.empty()) return false;
  const std::string& name = names[s.c().below(names.size())];
  const auto payload = payload_of(name, as_bytes(s.edit.model.members.at(s.directory() + name).bytes));
  if (!payload || !s.put(name)) return false;
  if (s.has("size")) s.put("size", payload->size());
  return true;
}

bool var_backing(Spot& s, const KeyRule&) {
  return s.is("type", "virtual") ? s.put(s.c().pick(matcher("backing_buf")).text) : s.unread();
}

bool var_debug(Spot& s, const KeyRule& rule) {
  if (!row_of(s).debug) return s.unread();
  if (rule.hi == 0) return s.put(models::any_u32(s.c()));
  const auto most = static_cast<std::uint32_t>(rule.hi);
  return s.put(rarely(s.c(), 5) ? models::text_of(s.c(), most) : models::any_text(s.c(), 24));
}

}  // namespace assay::harness::mutating::rules
