// SPDX-License-Identifier: Apache-2.0
// Keys of descriptors and their sources (DMB-015 to DMB-040).
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/key_rules.h"
#include "oracle/dtype/dtype.h"
#include "oracle/records/kbin.h"

namespace assay::harness::mutating::rules {
namespace {

using models::rarely;
using reduce::array_at;
using reduce::at;
using reduce::text_at;

enum class Class : std::uint8_t { plain, transpose, fma, add, min_max };
Class class_of(const Json* descriptor) {
  const std::string* op = text_at(descriptor, "op");
  if (op == nullptr) return Class::plain;
  if (*op == "fma") return Class::fma;
  if (*op == "add") return Class::add;
  if (*op == "min" || *op == "max") return Class::min_max;
  return *op == "transpose" ? Class::transpose : Class::plain;
}
bool computes(Class k) { return k != Class::plain && k != Class::transpose; }

bool is_source(Spot& s) { return s.place.object == Object::Source; }
// On an op with sources the descriptor's own from-keys are not read.
bool reads_side(Spot& s) {
  return is_source(s) || !s.key.starts_with("from") || !computes(class_of(&s.object()));
}

std::uint32_t most_sources(Spot& s, Class k) {
  return k == Class::fma ? max_fma_sources(code(target_of(s.edit.model))) : std::uint32_t{KBIN_MAX_SOURCES};
}

Json& descriptor(Spot& s) { return is_source(s) ? *s.place.up : s.object(); }

// A side without arrays takes its shape from the descriptor's size.
void need_size(Spot& s) {
  Json& d = descriptor(s);
  const auto size = reduce::number_at(&d, "size");
  if (!size || *size == 0) d["size"] = models::at_least_1(s.c());
}

Json numbers_of(Choices& c, std::size_t n, bool sizes) {
  Json out = Json::array();
  for (; n > 0; --n) {
    if (sizes) out.push_back(models::at_least_1(c));
    else out.push_back(models::any_i64(c));
  }
  return out;
}

}  // namespace

bool desc_op(Spot& s, const KeyRule&) {
  static constexpr std::string_view kPlain[] = {"copy", "cast", ""};
  Class k = class_of(&s.object());
  std::string_view to;
  if (k == Class::plain || k == Class::transpose) {
    to = rarely(s.c(), 25) ? "transpose" : s.c().pick(kPlain);
    if (to == "transpose" && k != Class::transpose)
      for (const char* key : {"transpose_op", "transpose_element_size", "transpose_shape"}) s.erase(key);
    return to.empty() ? s.erase(s.key) : s.put(to);
  }
  static constexpr std::string_view kCompute[] = {"add", "min", "max", "fma"};
  to = s.c().pick(kCompute);
  const Json* sources = array_at(&s.object(), "from_arr");
  if (to == "fma" && (sources == nullptr || sources->size() > most_sources(s, Class::fma))) return false;
  if (!s.put(to)) return false;
  // What the op before did not read.
  if (to == "fma" && k != Class::fma) {
    s.erase("scale"), s.erase("scale_dtype");
    for (Json& source : *array_at(&s.object(), "from_arr"))
      if (source.is_object()) source.erase("scale"), source.erase("scale_dtype");
  }
  if ((to == "min" || to == "max") && k != Class::min_max) s.erase("constant"), s.erase("constant_dtype");
  return true;
}

bool desc_side(Spot& s, const KeyRule&) {
  if (!reads_side(s)) return s.unread();
  if (s.key.ends_with("_off")) return s.put(models::any_u64(s.c()));
  const std::string* name = any_key(s.c(), at(s.def(), "var"));
  return name != nullptr && s.put(*name);
}

bool desc_pattern(Spot& s, const KeyRule&) {
  Choices& c = s.c();
  if (!reads_side(s)) return s.unread();
  const bool from = s.key.starts_with("from");
  const char *sizes_key = from ? "from_sizes" : "to_sizes", *steps_key = from ? "from_steps" : "to_steps";
  Json *sizes = array_at(&s.object(), sizes_key), *steps = array_at(&s.object(), steps_key);
  if (sizes == nullptr || steps == nullptr || sizes->empty() || sizes->size() != steps->size()) {
    const std::size_t n = rarely(c, 10) ? 5 + c.below(4) : models::few(c, 1, 4);
    s.put(steps_key, numbers_of(c, n, false));
    return s.put(sizes_key, numbers_of(c, n, true));
  }
  const std::size_t i = c.below(sizes->size());
  switch (c.below(6)) {
    case 0:  // no pattern at all
      if (c.chance(60)) return false;
      s.erase(sizes_key), s.erase(steps_key);
      need_size(s);
      return true;
    case 1:
      if (sizes->size() >= 8) return false;
      sizes->insert(sizes->begin() + static_cast<std::ptrdiff_t>(i), models::at_least_1(c));
      steps->insert(steps->begin() + static_cast<std::ptrdiff_t>(i), models::any_i64(c));
      return true;
    case 2:
      if (sizes->size() < 2) return false;
      sizes->erase(i), steps->erase(i);
      return true;
    case 3: {
      const std::size_t j = c.below(sizes->size());
      std::swap((*sizes)[i], (*sizes)[j]);
      std::swap((*steps)[i], (*steps)[j]);
      return i != j;
    }
    default:
      if (s.key.ends_with("sizes")) (*sizes)[i] = models::at_least_1(c);
      else (*steps)[i] = models::any_i64(c);
      return true;
  }
}

bool desc_size(Spot& s, const KeyRule&) { return s.put(models::at_least_1(s.c())); }

bool desc_sources(Spot& s, const KeyRule&) {
  const Class k = class_of(&s.object());
  Json* sources = array_at(&s.object(), "from_arr");
  if (!computes(k) || sources == nullptr) return computes(k) ? false : s.unread();
  return edit_list(s.c(), *sources, 1, most_sources(s, k));
}

bool desc_dtype(Spot& s, const KeyRule&) {
  if (!reads_side(s)) return s.unread();
  const bool needed = is_source(s) || computes(class_of(&s.object()));
  if (!needed && rarely(s.c(), 20)) return s.erase(s.key);
  return s.put(models::any_dtype(s.c()));
}

bool desc_scale(Spot& s, const KeyRule&) {
  if (class_of(&descriptor(s)) != Class::fma) return s.unread();
  if (rarely(s.c(), 20)) return s.erase(s.key);
  return s.key == "scale" ? s.put(models::any_scale_number(s.c())) : s.put("float32");
}

bool desc_constant(Spot& s, const KeyRule&) {
  Choices& c = s.c();
  if (class_of(&s.object()) != Class::min_max) return s.unread();
  static constexpr std::int32_t kInts[] = {0, 1, -1, 2147483647, -2147483647 - 1, 16777217};
  if (c.below(5) == 0) return s.erase("constant_dtype");  // DMB-034
  Json constant;
  std::string_view dtype = "float32";
  switch (c.below(4)) {
    case 0: constant = models::any_u32(c), dtype = "uint32"; break;
    case 1: constant = c.pick(kInts), dtype = "int32"; break;
    default: constant = models::any_scale_number(c);
  }
  const bool changed = s.put("constant", std::move(constant));
  return s.put("constant_dtype", dtype) || changed;
}

bool desc_transpose(Spot& s, const KeyRule&) {
  Choices& c = s.c();
  if (class_of(&s.object()) != Class::transpose) return s.unread();
  if (s.key == "transpose_element_size") return s.put(c.edge(0, 0xFFFFFFFF));
  if (s.key == "transpose_op") {
    std::string order = "WXYZ";
    for (std::size_t i = 3; i > 0; --i) std::swap(order[i], order[c.below(i + 1)]);
    return s.put(order);
  }
  Json* shape = array_at(&s.object(), "transpose_shape");
  if (shape == nullptr || shape->size() != 4)
    return s.put(Json::array({models::any_u32(c), models::any_u32(c), models::any_u32(c), models::any_u32(c)}));
  (*shape)[c.below(4)] = models::any_u32(c);
  return true;
}

}  // namespace assay::harness::mutating::rules
