// SPDX-License-Identifier: Apache-2.0
// What the tool says of two images that have little in common, and of one that is damaged.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/image/dump.h"

namespace assay::harness::checks {
namespace {

Verdict wrong(std::string place, std::string expected, std::string actual) {
  return Verdict::violated({"LAY-002", std::move(place), std::move(expected), std::move(actual), {}});
}

// A walk's values by path, and the paths of its NULL pointers.
struct Walked {
  std::map<std::string, std::string> values;
  std::set<std::string> nulls;

  explicit Walked(const View& view) {
    walk(view, [&](const FieldVisit& v) {
      if (v.is_null) nulls.insert(v.path);
      else values.emplace(v.path, v.type == FieldType::pointer ? "" : std::string(as_text(v.raw)));
    });
  }
  // The NULL that a path stands at or below, or the path itself where none is.
  std::string told_at(const std::string& path) const {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path.find_first_of(".[", end + 1);
      std::string head = path.substr(0, end);
      if (nulls.count(head) != 0) return head;
    }
    return path;
  }
};

// Every path that a comparison must name: values that differ, and those that one side alone has; a
// record where the other side has NULL is one difference.
std::set<std::string> differing(const Walked& a, const Walked& b) {
  std::set<std::string> paths;
  for (const auto& [path, value] : a.values) {
    const auto at = b.values.find(path);
    if (at == b.values.end()) paths.insert(b.told_at(path));
    else if (at->second != value) paths.insert(path);
  }
  for (const auto& [path, value] : b.values)
    if (a.values.count(path) == 0) paths.insert(a.told_at(path));
  return paths;
}

// The image's neighbour: another one, from the same bytes every time.
Buffer neighbour(ByteView image) {
  RandomChoices c(crc32_of(image));
  return gen_image(c);
}

}  // namespace

// From both sides the same paths differ, each side's text where the other's was, and those are the
// paths at which two walks differ.
Verdict diff_of_two(const Subject&, const Case& c) {
  const Buffer& image = std::get<ImageCase>(c).image;
  const Buffer second = neighbour(image.view());
  const auto a = decode(image.view()), b = decode(second.view());
  if (!a || !b) return wrong("decode", "two valid images", (!a ? a : b).error().text());
  const DiffReport there = diff(*a, *b), back = diff(*b, *a);
  if (there.compared != back.compared) return wrong("diff", "as many paths", "others");
  for (const auto& [x, y] : {std::pair{&there.high, &back.high}, std::pair{&there.lower, &back.lower}}) {
    std::map<std::string, const Difference*> by_path;
    for (const Difference& d : *y) by_path[d.path] = &d;
    if (x->size() != y->size() || by_path.size() != y->size())
      return wrong("diff", fmt::format("{} differences", x->size()), "others");
    for (const Difference& d : *x) {
      const auto at = by_path.find(d.path);
      if (at == by_path.end()) return wrong(d.path, "a difference from both sides", "from one");
      const Difference& o = *at->second;
      if (d.a != o.b || d.b != o.a || d.offset_a != o.offset_b || d.offset_b != o.offset_a)
        return wrong(d.path, d.a + " | " + d.b, o.b + " | " + o.a);
    }
  }
  std::set<std::string> told;
  for (const auto* list : {&there.high, &there.lower})
    for (const Difference& d : *list) told.insert(d.path);
  const std::set<std::string> want = differing(Walked(*a), Walked(*b));
  if (told != want) {
    const auto [x, y] = std::mismatch(told.begin(), told.end(), want.begin(), want.end());
    return wrong("diff", y == want.end() ? "no more" : *y, x == told.end() ? "no more" : *x);
  }
  return Verdict::ok();
}

// An image that can be walked can be shown, whatever is wrong with its values.
Verdict damaged_can_be_shown(const Subject&, const Case& c) {
  const CorruptionCase& k = std::get<CorruptionCase>(c);
  const Inspection found = inspect(k.corruption.image.view());
  if (found.findings.empty()) return wrong("inspect", "a finding", "none");
  if (!found.view) return Verdict::ok();
  std::size_t walked = 0;
  walk(*found.view, [&](const FieldVisit& v) { walked += value_text(v).empty() ? 0 : 1; });
  DumpOptions options;
  options.hex = true;
  const auto dump = nlohmann::json::parse(dump_json(*found.view, options), nullptr, false);
  if (!dump.is_object() || dump["fields"].size() != walked)
    return wrong("dump", fmt::format("{} fields", walked), "others");
  const auto fields = nlohmann::json::parse(fields_json(*found.view), nullptr, false);
  if (!fields.is_object()) return wrong("fields", "JSON", "none");
  // A selection is a part of the whole, in text too.
  const std::string whole = dump_text(*found.view, options);
  for (const char* pattern : {"mem_ref_set*", "*[0]*", "target", "back\\slash"}) {
    options.select = pattern;
    if (dump_text(*found.view, options).size() > whole.size()) return wrong(pattern, "part of the dump", "more");
  }
  return Verdict::ok();
}

}  // namespace assay::harness::checks
