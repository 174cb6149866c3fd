// SPDX-License-Identifier: Apache-2.0
// Images both ways, and what the tool says of them.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/compare/compare.h"
#include "harness/mutate/raw_image.h"
#include "harness/properties/ask.h"
#include "harness/properties/checks.h"
#include "oracle/image/dump.h"

namespace assay::harness::checks {
namespace {

Verdict wrong(std::string_view row, std::string place, std::string expected, std::string actual) {
  return Verdict::violated({std::string(row), std::move(place), std::move(expected), std::move(actual), {}});
}

const Buffer& image_of(const Case& c) { return std::get<ImageCase>(c).image; }

}  // namespace

// The oracle's own two sides, which share a table and no code.
Verdict image_round_trip(const Subject&, const Case& c) {
  const Buffer& image = image_of(c);
  const auto view = decode(image.view());
  if (!view) return wrong(view.error().row().requirement, view.error().place.text(), "a valid image", view.error().text());
  const auto tree = to_tree(*view);
  if (!tree) return wrong("IMG-002", "tree", "a tree", tree.error().text());
  const auto again = encode(*tree);
  if (!again) return wrong("IMG-002", "encode", "an image", again.error().text());
  if (!equal(again->view(), image.view())) return wrong("IMG-002", "encode", "the same bytes", "others");
  const auto second = decode(again->view());
  if (!second) return wrong("IMG-002", "decode", "a view", second.error().text());
  const DiffReport report = diff(*view, *second);
  if (!report.high.empty() || !report.lower.empty()) return wrong("IMG-002", "diff", "no difference", "some");
  // Taken apart and put together as records: the lists, the gaps and the checksum by another hand.
  const auto raw = read_raw(image.view());
  if (!raw || !equal(raw->write().view(), image.view())) return wrong("IMG-001", "records", "the same bytes", "others");
  return Verdict::ok();
}

Verdict decoded_fields(const Subject& s, const Case& c) {
  const auto expected = reference().decode(image_of(c).view());
  if (!expected.ok()) return Verdict::violated(unwanted(expected, "IMG-002", "image"));
  const auto reply = s.decode(image_of(c).view());
  if (!reply.ok()) return Verdict::violated(unwanted(reply, "IMG-002", "image"));
  return Verdict::of(compare_fields(expected.value, reply.value));
}

// Every value of a walk is in the dump, once, with its offset; the text has a line for each.
Verdict dump_is_whole(const Subject&, const Case& c) {
  const auto view = decode(image_of(c).view());
  if (!view) return Verdict::cannot_say("no valid image");
  std::set<std::string> walked;
  walk(*view, [&](const FieldVisit& v) { walked.insert(v.path); });
  for (const bool hex : {false, true}) {
    DumpOptions options;
    options.hex = hex;
    const auto dump = nlohmann::json::parse(dump_json(*view, options), nullptr, false);
    if (!dump.is_object()) return wrong("LAY-002", "dump", "JSON", "none");
    std::set<std::string> dumped;
    for (const auto& field : dump["fields"]) dumped.insert(field["path"].get<std::string>());
    if (dumped != walked) return wrong("LAY-002", "dump", fmt::format("{} paths", walked.size()), fmt::format("{}", dumped.size()));
    if (dump["records"].size() != view->records()) return wrong("LAY-002", "dump", "every record", "others");
    const std::string text = dump_text(*view, options);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines < walked.size() + view->records()) return wrong("LAY-002", "dump", "a line for each field and record", fmt::format("{} lines", lines));
  }
  // A selection shows what it matches and nothing else.
  DumpOptions some;
  some.select = "mem_ref_set.mem[?].s*";
  const auto dump = nlohmann::json::parse(dump_json(*view, some), nullptr, false);
  std::size_t want = 0;
  for (const std::string& path : walked) want += path_matches(some.select, path) ? 1 : 0;
  if (dump["fields"].size() != want) return wrong("LAY-002", some.select, fmt::format("{} paths", want), fmt::format("{}", dump["fields"].size()));
  later_stage_notes(*view);
  return Verdict::ok();
}

// One number edited is one difference, told from both sides.
Verdict diff_finds_the_edit(const Subject&, const Case& c) {
  const Buffer& image = image_of(c);
  const auto view = decode(image.view());
  if (!view) return Verdict::cannot_say("no valid image");
  std::vector<std::pair<std::string, std::uint64_t>> free;  // numbers that no rule ties
  walk(*view, [&](const FieldVisit& v) {
    const bool plain = v.type == FieldType::u64 || v.type == FieldType::u32 || v.type == FieldType::f32 || v.type == FieldType::i64;
    static const std::set<std::string_view> kFree = {"off", "block_id", "num_tiling_dims", "alignment", "pipe_id", "num_streams", "steps",
                                                     "sizes", "idx", "queue_set_cnt", "flags", "scale", "num_dests", "semaphores", "offset"};
    if (plain && !v.is_null && v.field != nullptr && kFree.count(v.field->name.substr(v.field->name.rfind('.') + 1)) != 0 &&
        v.enumeration == EnumId::none && free.size() < 64)
      free.emplace_back(v.path, v.offset);
  });
  if (free.empty()) return Verdict::ok();
  const auto& [path, offset] = free[image.size() % free.size()];
  Buffer edited(image.view());
  edited.data()[offset] ^= 0x15;
  repair_checksum(edited);
  const auto other = decode(edited.view());
  if (!other) return wrong(other.error().row().requirement, path, "a valid image", other.error().text());
  const DiffReport there = diff(*view, *other), back = diff(*other, *view);
  for (const DiffReport* r : {&there, &back}) {
    if (r->high.size() + r->lower.size() != 1) return wrong("LAY-002", path, "one difference", fmt::format("{}", r->high.size() + r->lower.size()));
    const Difference& d = r->high.empty() ? r->lower[0] : r->high[0];
    if (d.path != path || d.offset_a != offset) return wrong("LAY-002", path, fmt::format("at {}", offset), fmt::format("{} at {}", d.path, d.offset_a));
  }
  return Verdict::ok();
}

}  // namespace assay::harness::checks
