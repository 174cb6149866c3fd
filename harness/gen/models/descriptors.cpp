// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::models {
namespace {

struct SideKeys {
  const char *variable, *off, *sizes, *steps, *dtype;
};
constexpr SideKeys kFrom{"from", "from_off", "from_sizes", "from_steps", "from_dtype"};
constexpr SideKeys kTo{"to", "to_off", "to_sizes", "to_steps", "to_dtype"};

// One side's keys. Returns whether it leaves its shape to the descriptor's `size`.
bool add_side(Graph& g, Json& d, const SideKeys& k, bool dtype_required) {
  Choices& c = g.c;
  d[k.variable] = g.vars[c.below(g.vars.size())].name;
  if (rarely(c, 50)) d[k.off] = any_u64(c);
  if (dtype_required || rarely(c, 25)) d[k.dtype] = any_dtype(c);
  if (!rarely(c, 55)) return true;
  const std::uint32_t n = rarely(c, 8) ? 5 + static_cast<std::uint32_t>(c.below(4)) : few(c, 1, 4);
  Json& sizes = d[k.sizes] = Json::array();
  Json& steps = d[k.steps] = Json::array();
  for (std::uint32_t i = 0; i < n; ++i) {
    sizes.push_back(at_least_1(c));
    steps.push_back(any_i64(c));
  }
  return false;
}

void add_size(Choices& c, Json& d, bool needed) {
  if (needed) d["size"] = at_least_1(c);
  else add_unread(c, d, {"size"}, 5);  // beside arrays on every side it decides nothing
}

std::uint32_t source_count(Graph& g, bool fma) {
  const std::uint32_t limit = fma ? max_fma_sources(code(g.target)) : std::uint32_t{KBIN_MAX_SOURCES};
  if (!rarely(g.c, 4)) return few(g.c, 1, 4);
  return rarely(g.c, 50) ? limit : 1 + static_cast<std::uint32_t>(g.c.below(limit));
}

// Sources, destination and scales of an FMA, ADD, MIN or MAX.
void add_compute(Graph& g, Json& d, bool fma) {
  Choices& c = g.c;
  bool size = false, default_scale = false, default_dtype = false;
  Json& sources = d["from_arr"] = Json::array();
  for (std::uint32_t n = source_count(g, fma); n > 0; --n) {
    Json s = Json::object();
    size |= add_side(g, s, kFrom, true);
    if (fma) {
      if (rarely(c, 45)) s["scale"] = any_scale_number(c);
      else default_scale = true;
      if (rarely(c, 30)) s["scale_dtype"] = "float32";
      else default_dtype = true;
    } else {
      add_unread(c, s, {"scale", "scale_dtype"});
    }
    add_unread(c, s, {"size", "to", "op"}, 1);  // no keys of a source
    add_noise(c, s);
    sources.push_back(std::move(s));
  }
  size |= add_side(g, d, kTo, true);
  add_size(c, d, size);
  if (fma && default_scale) {
    if (rarely(c, 15)) d["scale"] = any_scale_number(c);
  } else {
    add_unread(c, d, {"scale"});
  }
  if (fma && default_dtype) {
    if (rarely(c, 15)) d["scale_dtype"] = "float32";
  } else {
    add_unread(c, d, {"scale_dtype"});
  }
  add_unread(c, d, {"from", "from_off", "from_sizes", "from_steps", "from_dtype"}, 1);
}

void add_constant(Choices& c, Json& d) {
  static constexpr std::int64_t kInts[] = {0, 1, -1, 2147483647, -2147483648, 16777217};
  switch (c.below(5)) {
    case 0: add_unread(c, d, {"constant"}, 10); return;  // without constant_dtype it is ignored
    case 1:
    case 2:
      d["constant_dtype"] = "float32";
      d["constant"] = any_scale_number(c);
      return;
    case 3:
      d["constant_dtype"] = "int32";
      d["constant"] = c.pick(kInts);
      return;
    default:
      d["constant_dtype"] = "uint32";
      d["constant"] = any_u32(c);
  }
}

void add_transpose(Choices& c, Json& d) {
  if (rarely(c, 75)) {
    std::string order = "WXYZ";
    for (std::size_t i = 3; i > 0; --i) std::swap(order[i], order[c.below(i + 1)]);
    d["transpose_op"] = order;
  }
  if (rarely(c, 75)) d["transpose_element_size"] = any_u32(c);
  if (!rarely(c, 75)) return;
  Json& shape = d["transpose_shape"] = Json::array();
  for (int i = 0; i < 4; ++i) shape.push_back(any_u32(c));
}

}  // namespace

Json make_descriptor(Graph& g) {
  static constexpr const char* kOps[] = {"",    "copy", "cast", "", "fma", "fma",       "fma",
                                         "add", "add",  "min",  "min", "max", "max", "transpose", "transpose"};
  Choices& c = g.c;
  const std::string_view op = c.pick(kOps);
  const bool fma = op == "fma", min_max = op == "min" || op == "max", transpose = op == "transpose";
  Json d = Json::object();
  if (!op.empty()) d["op"] = op;
  if (fma || min_max || op == "add") {
    add_compute(g, d, fma);
  } else {
    bool size = add_side(g, d, kFrom, false);
    size |= add_side(g, d, kTo, false);
    add_size(c, d, size);
    add_unread(c, d, {"from_arr", "scale", "scale_dtype"}, 1);
  }
  if (min_max) add_constant(c, d);
  else add_unread(c, d, {"constant", "constant_dtype"}, 1);
  if (transpose) add_transpose(c, d);
  else add_unread(c, d, {"transpose_op", "transpose_element_size", "transpose_shape"}, 1);
  if (rarely(c, 15)) d["num_tiling_dimensions"] = any_u32(c);
  add_noise(c, d);
  return d;
}

}  // namespace assay::harness::models
