// SPDX-License-Identifier: Apache-2.0
// What a lowering mostly refuses: values of another type, keys left out, names of nothing.
#include <algorithm>

#include "harness/gen/models/parts.h"
#include "harness/mutate/models/structure.h"

namespace assay::harness::mutating {
namespace {

// A key that the object reads and has; or any that it has.
const std::string* a_key(Edit& e, const Place& place) {
  const auto rules = rules_of(place.object);
  if (!rules.empty() && e.c.chance(70)) {
    const auto it = place.value->find(std::string(e.c.pick(rules).key));
    if (it != place.value->end()) return &it.key();
  }
  return any_key(e.c, place.value);
}

Json wrong_number(Choices& c) {
  switch (c.below(10)) {
    case 0: return -1;
    case 1: return 256;
    case 2: return 65536;
    case 3: return 4294967296;
    case 4: return 2147483648;
    case 5: return 5.0;
    case 6: return ~std::uint64_t{0};
    case 7: return std::numeric_limits<std::int64_t>::min();
    case 8: return 1e300;
    default: return 0;
  }
}

bool retype(Json& value, Json to) {
  if (value == to) return false;
  value = std::move(to);
  return true;
}

// A value inside the one given, itself included.
Json& inside(Choices& c, Json& value) {
  Json* at = &value;
  while (at->is_structured() && !at->empty() && c.chance(70))
    at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(c.below(at->size())));
  return *at;
}

}  // namespace

bool fault(Edit& e) {
  Choices& c = e.c;
  if (c.chance(5) && !e.model.members.empty()) {  // a member that is missing
    auto it = std::next(e.model.members.begin(), static_cast<std::ptrdiff_t>(c.below(e.model.members.size())));
    e.model.members.erase(it);
    return true;
  }
  if (e.places.all.empty()) return false;
  const Place& place = e.places.all[c.below(e.places.all.size())];
  const std::string* found = a_key(e, place);
  if (found == nullptr) return false;
  const std::string key = *found;
  Json& value = inside(c, (*place.value)[key]);
  switch (c.below(8)) {
    case 0:
    case 1: return retype(value, models::any_value(c));
    case 2:
    case 3:
      if (!value.is_number()) return false;
      return retype(value, wrong_number(c));
    case 4:
      if (!value.is_string()) return false;
      return retype(value, c.chance(50) ? Json("no such name") : Json(value.get_ref<const std::string&>() + " "));
    case 5: return place.value->erase(key) != 0;
    case 6: {  // another spelling of the key
      Json moved = std::move((*place.value)[key]);
      place.value->erase(key);
      (*place.value)[key + (c.below(2) == 0 ? " " : "_")] = std::move(moved);
      return true;
    }
    default: {  // more than there may be
      if (!value.is_array() || value.empty()) return false;
      static constexpr std::size_t kMost[] = {5, 9, 17, 26, 33, 256};
      const std::size_t n = c.pick(kMost);
      while (value.size() < n) value.push_back(Json(value.front()));
      return true;
    }
  }
}

}  // namespace assay::harness::mutating
