// SPDX-License-Identifier: Apache-2.0
// Defects of the compression (CON-015), and archives that go beyond the project's own bounds.
#include <algorithm>

#include "harness/gen/neffs/package.h"

namespace assay::harness::neffs {
namespace {

using namespace std::string_literals;

constexpr Reason kDamaged = Reason::gzip_damaged;

// Puts the spoilt stream in the archive's place. `at` is where a refusal must stand.
std::uint64_t spoilt(Package& p, std::string bytes, std::uint64_t at = kUnchecked) {
  p.archive_bytes = std::move(bytes);
  return at;
}
const GzipPlace& some(Choices& c, const GzipStream& s) { return s.members[c.below(s.members.size())]; }

std::uint64_t flip(Choices& c, Package& p, GzipStream s, std::size_t from, std::size_t bytes) {
  char& b = s.bytes[from + c.below(bytes)];
  b = static_cast<char>(b ^ 1 << c.below(8));
  return spoilt(p, std::move(s.bytes));
}

// Cut there, whatever follows: all that is left has been read when the end is missed.
std::uint64_t cut(Package& p, const GzipStream& s, std::size_t from, std::size_t to, Choices& c) {
  const std::size_t at = std::max<std::size_t>(c.edge(from, to), 2);
  return spoilt(p, s.bytes.substr(0, at), at);
}

// One member's deflate data, replaced.
std::uint64_t body(Choices& c, Package& p, const std::string& data) {
  GzipStream s = p.stream();
  const GzipPlace& m = some(c, s);
  return spoilt(p, s.bytes.replace(m.body, m.trailer - m.body, data));
}

std::uint64_t behind(Package& p, const std::string& garbage, std::uint64_t into) {
  const std::string bytes = p.stream().bytes;
  return spoilt(p, bytes + garbage, bytes.size() + into);
}

void with_header_crc(Choices& c, Package& p) {
  compress(c, p);
  for (GzipMember& m : p.compression) m.flags |= kHeaderCrc;
}
void all_stored(Choices& c, Package& p) {
  compress(c, p);
  for (GzipMember& m : p.compression) m.method = Deflate::stored;
}

const Kind kKinds[] = {
    {{"gzip-cut-in-header", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       const GzipPlace& m = some(c, s);
       return cut(p, s, m.start + 1, m.body - 1, c);
     }},
    {{"gzip-cut-in-data", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       const GzipPlace& m = some(c, s);
       return cut(p, s, m.body, m.trailer - 1, c);
     }},
    {{"gzip-cut-in-trailer", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       const GzipPlace& m = some(c, s);
       return cut(p, s, m.trailer, m.end - 1, c);
     }},
    {{"gzip-wrong-crc", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       return flip(c, p, s, some(c, s).trailer, 4);
     }},
    {{"gzip-wrong-length", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       return flip(c, p, s, some(c, s).trailer + 4, 4);
     }},
    {{"gzip-wrong-header-crc", kDamaged}, with_header_crc,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       return flip(c, p, s, some(c, s).body - 2, 2);
     }},
    {{"gzip-reserved-flags", kDamaged}, compress,
     [](Choices& c, Package& p) {
       GzipStream s = p.stream();
       const GzipPlace& m = some(c, s);
       s.bytes[m.start + 3] = static_cast<char>(s.bytes[m.start + 3] | 0x20 << c.below(3));
       return spoilt(p, s.bytes, m.start);
     }},
    {{"gzip-method-not-8", kDamaged}, compress,
     [](Choices& c, Package& p) {
       GzipStream s = p.stream();
       s.bytes[some(c, s).start + 2] = static_cast<char>(c.below(8));
       return spoilt(p, s.bytes);
     }},
    {{"gzip-block-type-3", kDamaged}, compress,
     [](Choices& c, Package& p) { return body(c, p, c.chance(50) ? "\7\0\0"s : "\6\0\0"s); }},
    {{"gzip-stored-length", kDamaged}, all_stored,
     [](Choices& c, Package& p) {
       const GzipStream s = p.stream();
       return flip(c, p, s, some(c, s).body + 3, 2);  // the length's complement
     }},
    {{"gzip-dynamic-code-bad", kDamaged}, compress,
     [](Choices& c, Package& p) {
       // 288 literal codes where 286 are the most; and a code for lengths that is no code.
       return body(c, p, (c.chance(50) ? "\xFD"s : "\5\xE0"s) + std::string(40, '\xFF'));
     }},
    {{"gzip-symbol-bad", kDamaged}, compress,
     [](Choices& c, Package& p) { return body(c, p, "\x1B\3\0\0\0\0\0\0"s); }},  // literal code 286
    {{"gzip-distance-too-far", kDamaged}, compress,
     [](Choices&, Package& p) {
       GzipStream s = p.stream();
       const GzipPlace& m = s.members.front();
       return spoilt(p, s.bytes.replace(m.body, m.trailer - m.body, "\3\2\0\0\0"s));  // 3 bytes from 1 back
     }},
    {{"gzip-garbage-behind", kDamaged}, compress,
     [](Choices& c, Package& p) {
       static const std::string kGarbage[] = {"x", "\x1F\x8C", "\x8B\x1F", "garbage", "\x01"};
       return behind(p, c.pick(kGarbage), 0);
     }},
    {{"gzip-garbage-behind-zeros", kDamaged}, compress,
     [](Choices& c, Package& p) {
       const std::size_t zeros = c.edge(1, 600);
       return behind(p, std::string(zeros, '\0') + "x", zeros);
     }},
    {{"gzip-garbage-between", kDamaged},
     [](Choices& c, Package& p) {
       compress(c, p);
       p.compression.insert(p.compression.begin(), p.compression.front());
     },
     [](Choices&, Package& p) {
       GzipStream s = p.stream();
       const std::size_t at = s.members.front().end;
       return spoilt(p, s.bytes.insert(at, "x"), at);
     }},
    {{"gzip-half-a-magic-behind", kDamaged}, compress, [](Choices&, Package& p) { return behind(p, "\x1F", 1); }},
    {{"gzip-second-member-damaged", kDamaged}, compress,
     [](Choices& c, Package& p) {
       // Behind the archive's end it still counts: the stream is read to its own end.
       const std::string sound = p.stream().bytes + gzip(gen_gzip(c), "more").bytes;
       GzipStream s = gzip({GzipMember{}}, noise(c, 40));
       s.bytes.insert(0, sound);
       return flip(c, p, s, sound.size() + s.members[0].trailer, 8);
     }},
    {{"gzip-of-damaged-tar", Reason::archive_damaged}, compress,
     [](Choices& c, Package& p) {
       const std::size_t at = pick_entry(c, p, false);
       p.entries[at].header.sum_off = 1;
       return p.header_at(at);
     }},
};

// ---- bounds ----

std::uint64_t bytes_of(const Package& p) {
  std::uint64_t n = 0;
  for (const auto& [path, data] : p.files) n += data.size();
  return n;
}
// Last of all, so that it is the one too many.
std::uint64_t append(Choices& c, Package& p, const std::string& data) {
  p.unpadded = 0;
  p.entries.push_back(file_entry(c, "one too many", data));
  return p.header_at(p.entries.size() - 1);
}
void no_more_bytes(Choices&, Package& p) { p.options.limits.expanded_bytes = bytes_of(p); }

const Kind kLimits[] = {
    {{"limit-members", Reason::limit_members},
     [](Choices&, Package& p) { p.options.limits.members = p.files.size(); },
     [](Choices& c, Package& p) { return append(c, p, ""); }},
    {{"limit-expanded-bytes", Reason::limit_expanded_bytes}, no_more_bytes,
     [](Choices& c, Package& p) { return append(c, p, noise(c, c.edge(1, 700))); }},
    {{"limit-expanded-bytes-of-one-path", Reason::limit_expanded_bytes}, no_more_bytes,
     [](Choices& c, Package& p) {
       // What is replaced was expanded too.
       const auto& [path, data] = *p.files.begin();
       p.unpadded = 0;
       p.entries.push_back(file_entry(c, path, data + "x"));
       return p.header_at(p.entries.size() - 1);
     }},
    {{"limit-skipped-bytes", Reason::limit_expanded_bytes},
     [](Choices& c, Package& p) {
       no_more_bytes(c, p);
       GzipMember m;
       m.level = 1;
       p.compression = {m};  // a raw one would be as long as it says
     },
     [](Choices& c, Package& p) {
       // 4 MiB beyond the bound are allowed, of what takes no memory.
       const std::size_t size = (std::size_t{4} << 20) + bytes_of(p) + 1;
       switch (c.below(3)) {
         case 0: add_entry(c, p, file_entry(c, "wavegraph-bin.json", std::string(size, '\0'))); break;
         case 1: p.tail.assign(size, '\0'); break;
         default: add_entry(c, p, Entry{{}, special('x', std::string(size, '\0'))}); break;
       }
       return kUnchecked;
     }},
};

}  // namespace

std::span<const Kind> gzip_faults() { return kKinds; }
std::span<const Kind> limit_faults() { return kLimits; }

}  // namespace assay::harness::neffs
