// SPDX-License-Identifier: Apache-2.0
#include "oracle/test/images.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace assay::test {

std::string read_corpus(const std::string& name) {
  const std::string path = std::string(ASSAY_CORPUS_DIR) + "/" + name;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Bytes load_hex(const std::string& name) {
  std::istringstream lines(read_corpus("images/" + name));
  Bytes out;
  std::string line, token;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream tokens(line.substr(0, line.find('#')));
    while (tokens >> token) {
      if (token[0] == '@') {
        if (std::stoul(token.substr(1)) != out.size())
          throw std::runtime_error(name + ":" + std::to_string(number) + ": at " +
                                   std::to_string(out.size()) + ", not " + token);
        continue;
      }
      const auto star = token.find('*');
      const std::size_t times = star == std::string::npos ? 1 : std::stoul(token.substr(star + 1));
      out.insert(out.end(), times,
                 static_cast<std::uint8_t>(std::stoul(token.substr(0, star), nullptr, 16)));
    }
  }
  return out;
}

std::uint32_t plain_crc32(const Bytes& bytes, std::size_t from) {
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = from; i < bytes.size(); ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

void repair(Bytes& image) { set_u32(image, image::kCrcAt, plain_crc32(image, image::kHeaderSize)); }

Bytes encoded(const Tree& tree) {
  const auto image = encode(tree);
  if (!image) throw std::runtime_error(image.error().text());
  return {image->data(), image->data() + image->size()};
}

Inspected look_at(const Bytes& image, std::size_t max_findings) {
  Inspected i{Buffer(ByteView(image)), {}};
  i.result = inspect(i.bytes.view(), max_findings);
  return i;
}

std::string findings_text(const Inspection& inspection) {
  std::string s;
  for (const Finding& f : inspection.findings)
    s += std::string(row_of(f.reason).requirement) + " " + f.path + "+" +
         std::to_string(f.offset) + ": " + f.detail + "\n";
  return s.empty() ? "no finding\n" : s;
}

::testing::AssertionResult sound(const Bytes& image) {
  const Inspected i = look_at(image);
  if (!i.result.findings.empty() || !i.result.view)
    return ::testing::AssertionFailure() << "not accepted: " << findings_text(i.result);
  if (const auto strict = decode(i.bytes.view()); !strict)
    return ::testing::AssertionFailure() << "decode: " << strict.error().text();
  const auto tree = to_tree(*i.result.view);
  if (!tree) return ::testing::AssertionFailure() << tree.error().text();
  const Bytes again = encoded(*tree);
  if (again == image) return ::testing::AssertionSuccess();
  const auto at = std::mismatch(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                   again.size(), image.size())),
                                image.begin());
  return ::testing::AssertionFailure()
         << "re-encodes to " << again.size() << " bytes, differing at " << at.first - again.begin();
}

::testing::AssertionResult refused_as(const Bytes& image, const std::string& row) {
  const Inspected i = look_at(image);
  if (i.result.findings.empty()) return ::testing::AssertionFailure() << "accepted";
  if (row_of(i.result.findings[0].reason).requirement != row)
    return ::testing::AssertionFailure() << "expected " << row << ", got\n"
                                         << findings_text(i.result);
  const auto strict = decode(i.bytes.view());
  if (strict) return ::testing::AssertionFailure() << "decode accepts";
  if (strict.error().reason != i.result.findings[0].reason)
    return ::testing::AssertionFailure() << "decode: " << strict.error().text();
  return ::testing::AssertionSuccess();
}

std::map<std::string, std::uint64_t> offsets_of(const Bytes& image) {
  const Inspected i = look_at(image);
  if (!i.result.view) throw std::runtime_error(findings_text(i.result));
  std::map<std::string, std::uint64_t> out;
  walk(*i.result.view, [&out](const FieldVisit& v) { out[v.path] = v.offset; });
  return out;
}

std::uint32_t u32_at(const Bytes& b, std::uint64_t at) {
  return load<std::uint32_t>(b.data() + at);
}
std::uint64_t u64_at(const Bytes& b, std::uint64_t at) {
  return load<std::uint64_t>(b.data() + at);
}
void set_u32(Bytes& b, std::uint64_t at, std::uint32_t v) { store(b.data() + at, v); }
void set_u64(Bytes& b, std::uint64_t at, std::uint64_t v) { store(b.data() + at, v); }

std::uint64_t entry_at(const Bytes& image, std::size_t index) {
  return u64_at(image, image::kDirOffsetAt) + index * image::kDirEntryBytes;
}

std::size_t record_of_slot(const Bytes& image, std::uint64_t slot) {
  const std::uint32_t n = u32_at(image, image::kDirCountAt);
  for (std::size_t i = 0; i < n; ++i)
    if (u64_at(image, entry_at(image, i)) == u64_at(image, slot)) return i;
  throw std::runtime_error("no record behind the slot");
}

Parts::Parts(const Bytes& image)
    : header(image.begin(), image.begin() + image::kHeaderSize) {
  const std::uint32_t n = u32_at(image, image::kDirCountAt);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t e = entry_at(image, i);
    const auto from = image.begin() + static_cast<std::ptrdiff_t>(u64_at(image, e));
    Rec r;
    r.bytes.assign(from, from + static_cast<std::ptrdiff_t>(u64_at(image, e + 8)));
    r.kind = u32_at(image, e + 16);
    r.count = u32_at(image, e + 20);
    records.push_back(std::move(r));
  }
  const std::uint64_t list = u64_at(image, image::kRelocOffsetAt);
  for (std::uint32_t k = 0; k < u32_at(image, image::kRelocCountAt); ++k) {
    const std::uint64_t slot = u64_at(image, list + 8 * k);
    std::size_t holder = 0;
    while (holder + 1 < n && u64_at(image, entry_at(image, holder + 1)) <= slot) ++holder;
    records[holder].links.push_back(
        {slot - u64_at(image, entry_at(image, holder)), record_of_slot(image, slot)});
  }
}

Bytes Parts::build(const std::vector<std::size_t>& order) const {
  std::vector<std::size_t> turn = order;
  for (std::size_t i = turn.size(); order.empty() && i < records.size(); ++i) turn.push_back(i);
  std::vector<std::uint64_t> at(records.size(), 0);
  Bytes out = header;
  for (const std::size_t i : turn) {
    out.resize(align_up(out.size(), 16) + records[i].gap, 0);
    at[i] = out.size();
    out.insert(out.end(), records[i].bytes.begin(), records[i].bytes.end());
  }
  out.resize(align_up(out.size(), 16) + gap_before_directory, 0);
  const std::uint64_t directory = out.size();
  std::vector<std::uint64_t> slots;
  for (const std::size_t i : turn) {
    const std::uint64_t e = out.size();
    out.resize(e + 24);
    set_u64(out, e, at[i]), set_u64(out, e + 8, records[i].bytes.size());
    set_u32(out, e + 16, records[i].kind), set_u32(out, e + 20, records[i].count);
    for (const Link& l : records[i].links) {
      set_u64(out, at[i] + l.slot, at[l.to]);
      slots.push_back(at[i] + l.slot);
    }
  }
  std::sort(slots.begin(), slots.end());
  const std::uint64_t relocs = out.size();
  for (const std::uint64_t s : slots) {
    out.resize(out.size() + 8);
    set_u64(out, out.size() - 8, s);
  }
  set_u64(out, image::kImageSizeAt, out.size());
  set_u64(out, image::kDirOffsetAt, directory), set_u64(out, image::kRelocOffsetAt, relocs);
  set_u32(out, image::kDirCountAt, static_cast<std::uint32_t>(turn.size()));
  set_u32(out, image::kRelocCountAt, static_cast<std::uint32_t>(slots.size()));
  repair(out);
  return out;
}

}  // namespace assay::test
