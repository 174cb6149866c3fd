// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/models/parts.h"

#include <algorithm>

namespace assay::harness::models {
namespace {

constexpr std::uint64_t kEdges[] = {0,
                                    1,
                                    8,
                                    64,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF,
                                    0x100000000,
                                    0x100000001,
                                    0x7FFFFFFFFFFFFFFF,
                                    0x8000000000000000,
                                    0xFFFFFFFFFFFFFFFF};

// Pieces of texts: plain ones first, then what readers and writers stumble over.
constexpr std::string_view kPieces[] = {
    "a", "buf", "x1", "_", "Q", "q10", "q2", "Z", "-", ".", ":", "0", " ", "/", "\\", "\"", "~1", "~",
    "#", "%s", "\t", "\n", "\x01", "\x1f", "\x7f", "<&>", "\xC3\xA9", "\xE2\x82\xAC",
    "\xEF\xBF\xBF", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xC2\x80", "\xE2\x80\xA8", "\xF4\x8F\xBF\xBF"};
constexpr std::size_t kPlainPieces = 12;

// Keys that no object of any document consumes.
constexpr const char* kNoiseKeys[] = {"#comment", "ops",   "fabric_path", "element_size", "comment",
                                      "Type",     "type ", "VAR_ID",      "",             "num queues",
                                      "\xC3\xA9", "a/b~c", "#",           "pe_instr",     "debug_info"};

Json nested(std::uint32_t depth) {
  Json j = Json::array();
  for (; depth > 1; --depth) {
    Json outer = Json::array();
    outer.push_back(std::move(j));
    j = std::move(outer);
  }
  return j;
}

}  // namespace

std::uint32_t few(Choices& c, std::uint32_t lo, std::uint32_t hi) {
  const std::uint64_t a = c.below(hi - lo + 1);
  const std::uint64_t b = c.below(hi - lo + 1);
  return lo + static_cast<std::uint32_t>(std::min(a, b));
}

std::uint64_t any_u64(Choices& c) {
  switch (c.below(4)) {
    case 0: return c.below(64) * 64;
    case 1: return c.pick(kEdges);
    case 2: return c.edge(0, ~std::uint64_t{0});
    default: return c.below(256);
  }
}

std::uint32_t any_u32(Choices& c) {
  return c.below(3) == 2 ? static_cast<std::uint32_t>(c.edge(0, 0xFFFFFFFF))
                         : static_cast<std::uint32_t>(c.below(256));
}

std::int64_t any_i64(Choices& c) {
  const std::uint64_t v = any_u64(c);
  return static_cast<std::int64_t>(rarely(c, 15) ? ~v : v);
}

std::uint64_t at_least_1(Choices& c) {
  const std::uint64_t v = any_u64(c);
  return v == 0 ? 1 : v;
}

double any_scale(Choices& c) {
  static constexpr double kScales[] = {
      1.0, 0.5, -1.0, 0.0, -0.0, 2.0, 0.1, -0.1,
      0x1.000001p0,            // halfway between 1 and the next float: to even, down
      0x1.000003p0,            // halfway: to even, up
      0x1.0000010000001p0,     // just above halfway
      0x1.fffffep127,          // the largest float
      -0x1.fffffep127,
      0x1.fffffefffffffp127,   // the last double that rounds to it
      0x1p-126, 0x1p-149,      // the smallest normal and denormal
      0x1p-150,                // halfway to the smallest denormal: to even, 0
      -0x1p-150, 0x1.0000000000001p-150, 0x1p-1074, 0x1.8p-149, 0x1.fffffcp-127,
      16777217.0, 9007199254740993.0, 3.141592653589793, 1e-30, 1e30};
  return c.below(8) == 7 ? (static_cast<double>(c.below(1 << 20)) - 524288.0) / 1024.0 : c.pick(kScales);
}

Json any_scale_number(Choices& c) {
  static constexpr std::int64_t kIntegers[] = {
      1,  0, -1, 2, 16777216, 16777217, 16777219, -16777217, 9007199254740993,
      9007199791611905,  // rounds twice: to a double, then half to even
      std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  if (!rarely(c, 25)) return any_scale(c);
  if (rarely(c, 10)) return ~std::uint64_t{0};
  return c.pick(kIntegers);
}

std::string text_of(Choices& c, std::uint32_t bytes) {
  std::string s;
  // One piece over and over, so that a cut may fall into the middle of a character.
  const std::string_view piece = c.pick(kPieces);
  const auto shift = static_cast<std::uint32_t>(c.below(4));
  s.append(std::min(shift, bytes), 'a');
  while (s.size() + piece.size() <= bytes) s += piece;
  s.append(bytes - s.size(), 'z');
  return s;
}

std::string any_text(Choices& c, std::uint32_t max) {
  std::string s;
  const auto pieces = 1 + c.below(3);
  const std::size_t from = rarely(c, 15) ? std::size(kPieces) : kPlainPieces;
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::string_view piece = kPieces[c.below(from)];
    if (s.size() + piece.size() <= max) s += piece;
  }
  return s;
}

std::string new_name(Choices& c, std::uint32_t max, const std::vector<std::string>& taken) {
  const auto is_taken = [&](const std::string& s) {
    return std::find(taken.begin(), taken.end(), s) != taken.end();
  };
  std::string s = rarely(c, 1) ? std::string() : any_text(c, max);
  for (std::size_t n = taken.size(); is_taken(s); ++n) s += std::to_string(n);
  return s;
}

std::string_view any_dtype(Choices& c) {
  static const std::span<const MatcherEntry> all = [] {
    for (const MatcherRow& row : matcher_rows())
      if (row.spec_name == "defjson_dtype") return row.entries;
    return std::span<const MatcherEntry>();
  }();
  return c.pick(all).text;
}

Json any_value(Choices& c) {
  switch (c.below(16)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -1;
    case 3: return 5.0;
    case 4: return ~std::uint64_t{0};
    case 5: return std::numeric_limits<std::int64_t>::min();
    case 6: return 1e300;
    case 7: return "";
    case 8: return any_text(c, 24);
    case 9: return Json::array();
    case 10: return Json::object();
    case 11: return std::string("a\0b", 3);
    case 12: {
      Json j = Json::object();
      j["type"] = nullptr;
      j["var"] = Json::array();
      return j;
    }
    case 13: {
      Json j = Json::array();
      j.push_back(-0.0);
      j.push_back(false);
      return j;
    }
    case 14: return c.below(200) == 199 ? nested(900) : nested(3);
    default: return 4294967296;
  }
}

void add_noise(Choices& c, Json& object) {
  if (!rarely(c, 6)) return;
  object[c.pick(kNoiseKeys)] = any_value(c);
}

void add_unread(Choices& c, Json& object, std::initializer_list<const char*> keys, std::uint32_t percent) {
  // One draw decides for the whole list: most objects hold nothing unread.
  if (!rarely(c, std::min<std::uint32_t>(100, percent * static_cast<std::uint32_t>(keys.size())))) return;
  object[keys.begin()[c.below(keys.size())]] = any_value(c);
  if (rarely(c, 30)) object[keys.begin()[c.below(keys.size())]] = any_value(c);
}

std::string any_bytes(Choices& c, std::uint32_t max) {
  static constexpr std::uint32_t kLengths[] = {64, 0, 1, 63, 65, 127, 128, 129, 192, 255, 256, 257};
  std::uint32_t n = c.below(3) == 2 ? static_cast<std::uint32_t>(c.below(std::uint64_t{max} + 1)) : c.pick(kLengths);
  n = std::min(n, max);
  std::string s(n, '\0');
  const auto seed = static_cast<std::uint32_t>(c.below(256));
  for (std::uint32_t i = 0; i < n; ++i) s[i] = static_cast<char>(seed + i * 7 + (i >> 6));
  return s;
}

std::string new_member(Graph& g, std::string_view extension) {
  static constexpr std::string_view kStems[] = {"m", "blob", "bin/x", "with space", "\xC3\xBC",
                                                "a,b;c", "deep/er/y", "q\"uote", "back\\slash"};
  std::string name(rarely(g.c, 20) ? g.c.pick(kStems) : kStems[0]);
  if (rarely(g.c, 1)) name += std::string(120, 'n');  // longer than a ustar name
  // Members are only ever added, so their number makes the name unique.
  name += std::to_string(g.model.members.size());
  name += extension;
  return name;
}

std::string raw_member(Graph& g, std::string_view extension) {
  if (!g.blobs.empty() && rarely(g.c, 20)) return g.blobs[g.c.below(g.blobs.size())];
  std::string name = new_member(g, extension);
  g.model.put_bytes(g.dir + name, any_bytes(g.c, g.size.blob_bytes));
  g.blobs.push_back(name);
  return name;
}

}  // namespace assay::harness::models
