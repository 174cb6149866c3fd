// SPDX-License-Identifier: Apache-2.0
// Defects of the archive: paths (CON-014), and damage of tar itself (CON-015).
#include "harness/gen/neffs/package.h"

namespace assay::harness::neffs {
namespace {

using namespace std::string_literals;

constexpr Reason kUnsafe = Reason::unsafe_path, kDamaged = Reason::archive_damaged;

void plain(Choices& c, Package& p) { write_all(c, p, {Dialect::any, PathForm::any, SizeForm::octal}); }

// One more member whose path may not be; a refusal stands at its own header.
std::uint64_t unsafe(Choices& c, Package& p, const std::string& path) {
  return p.header_at(add_file(c, p, path, noise(c, c.below(40))));
}

// A member's size field, unreadable.
std::uint64_t bad_size(Choices& c, Package& p, const std::string& field) {
  const std::size_t at = pick_entry(c, p, false);
  p.entries[at].header.size = field;
  return p.header_at(at);
}

// An extended header before some member; returns where that stands.
std::uint64_t before_some(Choices& c, Package& p, const Header& h) {
  const std::size_t at = pick_entry(c, p, false);
  Entry& e = p.entries[at];
  const std::uint64_t offset = p.header_at(at) - e.header_at();
  e.before.insert(e.before.begin(), h);
  return offset;
}
std::uint64_t bad_records(Choices& c, Package& p, const std::string& records) {
  return before_some(c, p, special(c.chance(70) ? 'x' : 'g', records));
}

// Cuts inside the data of an entry that has some, padding not counted.
std::uint64_t cut_in_data(Choices& c, Package& p, std::size_t entry) {
  const std::uint64_t at = p.header_at(entry);
  p.cut = at + kBlock + p.entries[entry].header.map.size() +
          c.edge(0, p.entries[entry].header.data.size() - 1);
  return at;
}

// The last entry is an extended header and no member follows.
std::uint64_t lonely(Choices& c, Package& p, const Header& h) {
  // An end that is there: its block, or what there is of it, is where the member is missed.
  const std::uint64_t at = p.end_at() + h.bytes().size();
  Entry e;
  e.header = h;
  p.entries.push_back(std::move(e));
  p.unpadded = 0;
  if (c.chance(50)) p.tail.clear();
  return at;
}

// Sizes that are numbers, of data that cannot be there.
std::string huge(Choices& c) {
  switch (c.below(5)) {
    case 0: return "77777777777";
    case 1: return base256(~std::uint64_t{0}, 12);
    case 2: return base256(std::uint64_t{1} << 63, 12);
    case 3: return base256(std::uint64_t{1} << 33, 12);
    default: return "777777777777";
  }
}

const Kind kKinds[] = {
    // CON-014
    {{"path-absolute", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, "/a"); }},
    {{"path-absolute-behind-dot-slash", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, ".//a"); }},
    {{"path-of-two-dots", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, ".."); }},
    {{"path-up-first", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, "../a"); }},
    {{"path-up-inside", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, "sg00/../def.json"); }},
    {{"path-up-last", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, "a/b/.."); }},
    {{"path-up-behind-dot-slash", kUnsafe}, nullptr, [](Choices& c, Package& p) { return unsafe(c, p, "./../a"); }},
    {{"path-up-though-dropped", kUnsafe}, nullptr,
     [](Choices& c, Package& p) { return unsafe(c, p, "../wavegraph-bin.json"); }},

    // Header blocks
    {{"checksum-off", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       static constexpr int kOff[] = {1, -1, 8, -128, 255};
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].header.sum_off = c.pick(kOff);
       return p.header_at(at);
     }},
    {{"checksum-no-number", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       static const std::string kSums[] = {"12345678", "xxxxxxxx", "-0012345", std::string(8, '\xFF'), "0x3039 "};
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].header.checksum = c.pick(kSums);
       return p.header_at(at);
     }},
    {{"checksum-none", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].header.checksum = std::string(8, c.chance(50) ? ' ' : '\0');
       return p.header_at(at);
     }},
    {{"header-bit-flipped", kDamaged},
     [](Choices&, Package& p) { p.compression.clear(); },
     [](Choices& c, Package& p) {
       const std::uint64_t at = p.header_at(pick_entry(c, p, false));
       std::string tar = p.tar();
       const std::uint64_t byte = c.chance(50) ? c.below(148) : c.between(156, 511);
       tar[at + byte] = static_cast<char>(tar[at + byte] ^ 1 << c.below(8));
       p.archive_bytes = tar;
       return at;
     }},
    {{"extended-header-checksum-off", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       Header h = special("xgLK"[c.below(4)], pax_record("comment", "c"));
       h.sum_off = 1;
       return before_some(c, p, h);
     }},
    {{"header-block-cut", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       const std::uint64_t at = p.header_at(pick_entry(c, p, false));
       p.cut = at + c.edge(1, kBlock - 1);
       return at;
     }},
    {{"garbage-for-end-block", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       const std::uint64_t at = p.end_at();
       p.unpadded = 0;
       p.tail = std::string(c.below(kBlock), '\0') + 'x' + noise(c, c.below(600));
       return at;
     }},

    // Data
    {{"member-cut", kDamaged}, nullptr,
     [](Choices& c, Package& p) { return cut_in_data(c, p, pick_entry(c, p, true)); }},
    {{"skipped-member-cut", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       Entry e = file_entry(c, "unread", noise(c, c.edge(1, 1200)));
       e.header.type = "DZS"[c.below(3)];
       if (e.header.type == 'S') e.header.prefix.clear();
       add_entry(c, p, std::move(e));
       for (std::size_t i = 0; i < p.entries.size(); ++i) {
         const char type = p.entries[i].header.type;
         if (type == 'D' || type == 'Z' || type == 'S') return cut_in_data(c, p, i);
       }
       return kUnchecked;
     }},
    {{"extended-header-cut", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       const Header h = special("xgLK"[c.below(4)], pax_record("comment", noise(c, c.edge(0, 1200))));
       const std::uint64_t at = before_some(c, p, h);
       p.cut = at + kBlock + c.edge(0, h.data.size() - 1);
       return at;
     }},
    {{"sparse-map-cut", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       Entry e;
       e.header.name = "sparse";
       e.header.type = 'S';
       e.header.magic = kGnu;
       e.header.prefix = std::string(137, '\0') + '\1';
       std::string more(kBlock, '\0');
       more[504] = '\1';
       for (std::uint64_t n = c.below(3); n-- > 0;) e.header.map += more;
       const std::size_t whole = e.header.bytes().size();
       p.entries.push_back(std::move(e));
       const std::uint64_t at = p.header_at(p.entries.size() - 1);
       p.tail = std::string(kBlock, '\0');
       p.cut = at + whole + c.edge(0, kBlock - 1);
       return at;
     }},

    // Numbers
    {{"size-no-octal-number", kDamaged}, plain,
     [](Choices& c, Package& p) {
       static const std::string kSizes[] = {"00000000008", "5x", "-5", "0x5", "\t5", "5.0", "        9 "};
       return bad_size(c, p, c.pick(kSizes));
     }},
    {{"size-negative", kDamaged}, plain,
     [](Choices& c, Package& p) {
       return bad_size(c, p, c.chance(50) ? std::string(12, '\xFF') : "\xC0"s + std::string(10, '\0') + "\5");
     }},
    {{"size-over-64-bits", kDamaged}, plain,
     [](Choices& c, Package& p) {
       std::string field = base256(c.below(600), 12);
       const std::size_t byte = c.below(4);  // the high ones
       field[byte] = static_cast<char>(field[byte] | (byte == 0 ? 1 << c.below(6) : 1 << c.below(8)));
       return bad_size(c, p, field);
     }},
    {{"size-of-data-not-there", kDamaged}, plain, [](Choices& c, Package& p) { return bad_size(c, p, huge(c)); }},
    {{"extended-header-size-no-number", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       Header h = special("xgLK"[c.below(4)], pax_record("comment", "c"));
       h.size = c.chance(50) ? "0000000001x" : std::string(12, '\xFF');
       return before_some(c, p, h);
     }},
    {{"extended-header-size-not-there", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       Header h = special("xgLK"[c.below(4)], pax_record("comment", "c"));
       h.size = huge(c);
       return before_some(c, p, h);
     }},
    {{"pax-size-no-number", kDamaged}, plain,
     [](Choices& c, Package& p) {
       static constexpr const char* kSizes[] = {"-5", "5.0", "+5", "18446744073709551616", "0x5", " 5", "5 ", "x"};
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].before.push_back(special('x', pax_record("size", c.pick(kSizes))));
       return p.header_at(at);
     }},
    {{"pax-size-not-there", kDamaged}, plain,
     [](Choices& c, Package& p) {
       static constexpr const char* kSizes[] = {"18446744073709551615", "9223372036854775808", "8589934592"};
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].before.push_back(special('x', pax_record("size", c.pick(kSizes))));
       return p.header_at(at);
     }},

    // Records
    {{"pax-record-without-length", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       static const std::string kRecords[] = {"x", "comment=c\n", std::string(1, '\0'), " 6 k=v\n", "6\tk=v\n", "\n",
                                              "-6 k=v\n", "00000000000000000000006 k=v\n", "x k=v\n"};
       return bad_records(c, p, c.pick(kRecords));
     }},
    {{"pax-record-length-wrong", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       static constexpr const char* kRecords[] = {"7 k=v\n", "5 k=v\n", "0 k=v\n", "1 ", "2 ", "99 k=v\n",
                                                  "18446744073709551615 k=v\n", "99999999999999999999 k=v\n"};
       return bad_records(c, p, c.pick(kRecords));
     }},
    {{"pax-record-without-equals", kDamaged}, nullptr,
     [](Choices& c, Package& p) { return bad_records(c, p, c.chance(50) ? "6 kkv\n" : "3 \n"); }},
    {{"pax-record-without-newline", kDamaged}, nullptr,
     [](Choices& c, Package& p) { return bad_records(c, p, c.chance(50) ? "5 k=v" : "6 k=vv"); }},
    {{"pax-second-record-bad", kDamaged}, nullptr,
     [](Choices& c, Package& p) {
       return bad_records(c, p, pax_record("path", "a") + (c.chance(50) ? "x" : "6 k=v"));
     }},
    {{"pax-header-without-member", kDamaged}, nullptr,
     [](Choices& c, Package& p) { return lonely(c, p, special('x', pax_record("path", "nobody"))); }},
    {{"gnu-long-name-without-member", kDamaged}, nullptr,
     [](Choices& c, Package& p) { return lonely(c, p, special("LK"[c.below(2)], std::string(300, 'n'))); }},
};

}  // namespace

std::span<const Kind> tar_faults() { return kKinds; }

}  // namespace assay::harness::neffs
