// SPDX-License-Identifier: Apache-2.0
#include "harness/gen/neffs/tar.h"

#include <algorithm>

namespace assay::harness::neffs {
namespace {

constexpr std::size_t kNameBytes = 100, kPrefixBytes = 155;

struct Field {
  std::size_t at, bytes;
};
constexpr Field kName{0, 100}, kMode{100, 8}, kUid{108, 8}, kGid{116, 8}, kSize{124, 12}, kTime{136, 12},
    kSum{148, 8}, kLink{157, 100}, kMagic{257, 8}, kOwner{265, 32}, kPrefix{345, 167};

// Where a path may be cut for the prefix field; npos: nowhere.
std::size_t cut_for_prefix(const std::string& path) {
  const auto slash = path.rfind('/', kPrefixBytes);
  const bool fits = slash != std::string::npos && slash != 0 && path.size() - slash - 1 <= kNameBytes &&
                    slash + 1 < path.size() && path.find('\0') == std::string::npos;
  return fits ? slash : std::string::npos;
}

void write_path(Choices& c, const std::string& path, PathForm form, Entry& e) {
  if (form == PathForm::any) {
    static constexpr PathForm kForms[] = {PathForm::plain, PathForm::plain,  PathForm::plain,
                                          PathForm::gnu,   PathForm::prefix, PathForm::pax};
    form = c.pick(kForms);
  }
  const bool no_nul = path.find('\0') == std::string::npos, plain = no_nul && path.size() <= kNameBytes;
  const std::size_t cut = e.header.magic == kUstar ? cut_for_prefix(path) : std::string::npos;
  if ((form == PathForm::plain && !plain) || (form == PathForm::prefix && cut == std::string::npos) || !no_nul)
    form = PathForm::pax;
  switch (form) {
    case PathForm::prefix:
      e.header.prefix = path.substr(0, cut);
      e.header.name = path.substr(cut + 1);
      return;
    case PathForm::plain: e.header.name = path; return;
    case PathForm::gnu: e.before.push_back(special('L', c.chance(70) ? path + '\0' : path)); break;
    default: {
      std::string records = pax_record("path", path);
      if (c.chance(30)) records.insert(0, pax_record("mtime", "1700000000.5"));
      if (c.chance(20)) records.insert(0, pax_record("path", "taken back by the next record"));
      e.before.push_back(special('x', records));
      break;
    }
  }
  // What an archiver without such headers would show.
  e.header.name = "cut/" + std::to_string(path.size());
  if (form == PathForm::pax && c.chance(20)) e.before.push_back(special('L', "pax comes first"));
}

void write_size(Choices& c, std::uint64_t size, SizeForm form, Entry& e) {
  if (form == SizeForm::any) {
    static constexpr SizeForm kForms[] = {SizeForm::octal,  SizeForm::octal,  SizeForm::octal,   SizeForm::octal,
                                          SizeForm::spaces, SizeForm::octal,  SizeForm::digits12, SizeForm::base256,
                                          SizeForm::pax};
    form = c.pick(kForms);
  }
  std::string& field = e.header.size;
  switch (form) {
    case SizeForm::digits12: field = octal(size, 12); return;
    case SizeForm::spaces: {
      const std::string digits = octal(size, 0);
      const std::size_t lead = c.below(12 - digits.size());
      field = std::string(lead, ' ') + digits + (c.chance(50) ? " " : "");
      if (size == 0 && c.chance(50)) field = std::string(c.below(13), ' ');
      return;
    }
    case SizeForm::base256: field = base256(size, 12); return;
    case SizeForm::pax: {
      const std::string zeros(c.below(4), '0');
      e.before.push_back(special('x', pax_record("size", zeros + std::to_string(size))));
      field = c.chance(50) ? octal(0, 11) : octal(c.below(1 << 20), 11);  // which says nothing then
      return;
    }
    default: field = octal(size, 11); return;
  }
}

}  // namespace

std::string octal(std::uint64_t value, int digits) {
  std::string s;
  for (; value != 0 || s.empty(); value >>= 3) s.insert(s.begin(), static_cast<char>('0' + (value & 7)));
  if (s.size() < static_cast<std::size_t>(digits)) s.insert(0, static_cast<std::size_t>(digits) - s.size(), '0');
  return s;
}

std::string base256(std::uint64_t value, int bytes) {
  std::string s(static_cast<std::size_t>(bytes), '\0');
  for (std::size_t i = s.size(); i-- > 0; value >>= 8) s[i] = static_cast<char>(value & 0xFF);
  s[0] = static_cast<char>(s[0] | 0x80);
  return s;
}

std::string to_block(std::string bytes) {
  bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, '\0');
  return bytes;
}

std::string noise(Choices& c, std::size_t bytes) {
  std::string s(bytes, '\0');
  for (char& b : s) b = static_cast<char>(c.below(256));
  return s;
}

std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t length = rest.size();
  for (std::size_t before = 0; before != length;) {
    before = length;
    length = rest.size() + std::to_string(before).size();
  }
  return std::to_string(length) + rest;
}

std::string Header::bytes() const {
  std::string h(kBlock, '\0');
  const auto put = [&](const Field& f, const std::string& s) {
    h.replace(f.at, std::min(s.size(), f.bytes), s, 0, f.bytes);
  };
  put(kName, name);
  put(kMode, octal(0644, 7));
  put(kUid, octal(0, 7));
  put(kGid, octal(0, 7));
  put(kSize, size);
  put(kTime, octal(0, 11));
  put(kSum, std::string(kSum.bytes, ' '));
  h[kLink.at - 1] = type;
  put(kLink, link);
  put(kMagic, magic);
  put(kOwner, owner);
  put(kPrefix, prefix);
  int sum = sum_off;
  for (const char b : h) sum += signed_sum ? static_cast<signed char>(b) : static_cast<unsigned char>(b);
  const std::string end = spaced_sum ? std::string(" \0", 2) : std::string("\0 ", 2);
  put(kSum, checksum.empty() ? octal(static_cast<std::uint64_t>(sum), 6) + end : checksum);
  return h + map + to_block(data);
}

std::string Entry::bytes() const {
  std::string s;
  for (const Header& h : before) s += h.bytes();
  return s + header.bytes();
}

std::uint64_t Entry::header_at() const {
  std::uint64_t at = 0;
  for (const Header& h : before) at += h.bytes().size();
  return at;
}

Header special(char type, const std::string& data) {
  Header h;
  h.name = type == 'L' || type == 'K' ? "././@LongLink" : "PaxHeaders/0";
  h.magic = type == 'L' || type == 'K' ? kGnu : kUstar;
  h.type = type;
  h.size = octal(data.size(), 11);
  h.data = data;
  return h;
}

Entry file_entry(Choices& c, const std::string& path, const std::string& data, Form form) {
  Entry e;
  if (form.dialect == Dialect::any) {
    static constexpr Dialect kDialects[] = {Dialect::ustar, Dialect::ustar, Dialect::gnu, Dialect::v7};
    form.dialect = c.pick(kDialects);
  }
  static constexpr char kTypes[] = {'0', '0', '\0', '7'};
  e.header.type = kTypes[c.below(form.dialect == Dialect::v7 ? 3 : 4)];
  if (form.dialect != Dialect::ustar) {
    e.header.magic = form.dialect == Dialect::gnu ? kGnu : "";
    // GNU keeps times where POSIX has the prefix; v7 nothing that counts.
    if (c.chance(30)) e.header.prefix = octal(c.below(1 << 30), 11);
  }
  e.header.data = data;
  write_path(c, path, form.path, e);
  write_size(c, data.size(), form.size, e);
  if (c.chance(10)) {
    e.header.owner = "\xE9\xFF\x80";
    e.header.signed_sum = c.chance(70);
  }
  e.header.spaced_sum = c.chance(20);
  return e;
}

}  // namespace assay::harness::neffs
