// SPDX-License-Identifier: Apache-2.0
// Wrong in what a key of a document, or its absence, means: told by another document.
#include <algorithm>
#include <cmath>

#include "harness/mutants/tables.h"

namespace assay::harness::wrong {
namespace {

// The value of a key that has the type, or nullptr.
Json* at(Json& object, const char* key, Json::value_t type) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(key);
  return it == object.end() || it->type() != type ? nullptr : &*it;
}
bool is_op(const Json& d, std::initializer_list<const char*> ops) {
  if (!d.is_object() || !d.contains("op")) return false;
  for (const char* op : ops)
    if (d["op"] == op) return true;
  return false;
}
template <class F>
bool each_descriptor(Json& document, F f) {
  bool any = false;
  Json* blocks = at(document, "dma", Json::value_t::array);
  if (blocks == nullptr) return false;
  for (Json& b : *blocks)
    if (Json* list = at(b, "desc", Json::value_t::array))
      for (Json& d : *list) any = f(d) || any;
  return any;
}

template <class F>
bool each_queue(Json& document, F f) {
  bool any = false;
  if (Json* queues = at(document, "dma_queue", Json::value_t::object))
    for (Json& q : *queues) any = f(q) || any;
  return any;
}

bool no_queues_by_default(Json& document) {
  return each_queue(document, [](Json& q) {
    // The types that may have any number.
    if (!q.is_object() || q.contains("num_queues") || !q.contains("type")) return false;
    if (q["type"] != "data" && q["type"] != "dynamic") return false;
    q["num_queues"] = 0;
    return true;
  });
}

bool instances_backwards(Json& document) {
  return each_queue(document, [](Json& q) {
    Json* list = at(q, "queue_instances", Json::value_t::array);
    if (list == nullptr) return false;
    std::reverse(list->begin(), list->end());
    return list->size() > 1;
  });
}

// The float32 towards zero in place of the nearest.
bool truncate_scale(Json& holder) {
  if (!holder.is_object() || !holder.contains("scale") || !holder["scale"].is_number()) return false;
  const double exact = holder["scale"].get<double>();
  if (!(std::fabs(exact) < 0x1.ffffffp127)) return false;
  const auto nearest = static_cast<float>(exact);
  if (std::fabs(static_cast<double>(nearest)) <= std::fabs(exact)) return false;
  holder["scale"] = static_cast<double>(std::nextafter(nearest, 0.0F));
  return true;
}
bool truncated_scales(Json& document) {
  return each_descriptor(document, [](Json& d) {
    if (!is_op(d, {"fma"})) return false;
    // The descriptor's own scale is a default of its sources, another row's (DMB-033).
    bool any = false;
    if (Json* sources = at(d, "from_arr", Json::value_t::array))
      for (Json& s : *sources) any = truncate_scale(s) || any;
    return any;
  });
}

bool constant_alone(Json& document) {
  return each_descriptor(document, [](Json& d) {
    if (!is_op(d, {"min", "max"}) || d.contains("constant_dtype") || !d.contains("constant")) return false;
    const Json& constant = d["constant"];
    // Whatever is no float32 has no meaning even to this one.
    if (!constant.is_number() || !(std::fabs(constant.get<double>()) < 0x1.ffffffp127)) return false;
    d["constant_dtype"] = "float32";
    return true;
  });
}

const Mutant kMutants[] = {
    {"DMQ-008-none", "DMQ-008", "absent, num_queues is 0", DocumentEdit{"dma_queue", &no_queues_by_default}},
    {"DMQ-020-backwards", "DMQ-020", "queue_instances is read from its end",
     DocumentEdit{"queue_instances", &instances_backwards}},
    {"DMB-032-truncated", "DMB-032", "a source's scale is rounded towards zero",
     DocumentEdit{"scale", &truncated_scales}},
    {"DMB-034-constant-alone", "DMB-034", "a constant without constant_dtype is float32",
     DocumentEdit{"constant", &constant_alone}},
};

}  // namespace

std::span<const Mutant> document_mutants() { return kMutants; }

}  // namespace assay::harness::wrong
