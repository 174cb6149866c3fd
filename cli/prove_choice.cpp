// SPDX-License-Identifier: Apache-2.0
#include "cli/prove_choice.h"

#include <algorithm>
#include <set>

#include "cli/nearest.h"

namespace assay::cli {
namespace {

using harness::Property;

// "VAR,DMB" is two.
std::vector<std::string> parts_of(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists)
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      out.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  return out;
}

char lower(char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch + ('a' - 'A')) : ch; }

bool begins(std::string_view id, std::string_view prefix) {
  return !prefix.empty() && id.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), id.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

// The areas (VAR) of a prefix without a number, else whole ids: what a mistyped one is likened to.
std::vector<std::string_view> names_like(std::string_view prefix) {
  const bool whole = prefix.find('-') != std::string_view::npos;
  std::set<std::string_view> out;
  for (const Property& p : harness::properties())
    for (const std::string_view id : p.requirements) out.insert(whole ? id : id.substr(0, id.find_first_of("-:")));
  return {out.begin(), out.end()};
}

Io<std::set<const Property*>> by_name(const std::vector<std::string>& names) {
  std::set<const Property*> out;
  for (const std::string& name : names) {
    const Property* const p = harness::find_property(name);
    if (p == nullptr) {
      std::vector<std::string_view> all;
      for (const Property& other : harness::properties()) all.push_back(other.name);
      return io_error("prove: there is no property \"" + name + "\"" + did_you_mean(name, all) +
                      " (see assay prove --list)");
    }
    out.insert(p);
  }
  return out;
}

}  // namespace

Io<std::vector<ChosenProperty>> chosen_properties(const ProveArgs& args) {
  const auto named = by_name(args.properties);
  if (!named) return tl::unexpected(named.error());
  const std::vector<std::string> prefixes = parts_of(args.areas);
  std::set<std::string_view> in_areas;
  for (const std::string& prefix : prefixes) {
    bool any = false;
    for (const Property& p : harness::properties())
      for (const std::string_view id : p.requirements)
        if (begins(id, prefix)) {
          in_areas.insert(id);
          any = true;
        }
    if (!any)
      return io_error("prove: no property can name a requirement that begins with \"" + prefix + "\"" +
                      did_you_mean(prefix, names_like(prefix)) + " (areas look like VAR or DMB-02)");
  }
  const bool all = args.properties.empty() && args.areas.empty();
  std::vector<ChosenProperty> out;
  for (const Property& p : harness::properties()) {
    ChosenProperty chosen{&p, {}};
    for (const std::string_view id : p.requirements)
      if (all || named->count(&p) != 0 || in_areas.count(id) != 0) chosen.requirements.push_back(id);
    if (!chosen.requirements.empty()) out.push_back(std::move(chosen));
  }
  return out;
}

}  // namespace assay::cli
