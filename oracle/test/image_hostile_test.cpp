// SPDX-License-Identifier: Apache-2.0
// Hostile images: whatever is done to the bytes of a sound one, the verifier reads nothing outside
// them, and says of each that it is refused, or that it is sound and re-encodes to itself. Run
// under AddressSanitizer and UndefinedBehaviorSanitizer this is the proof of IMG-026.
#include <cstdlib>
#include <random>

#include "oracle/image/dump.h"
#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

// The checksum as the code under test has it; plain_crc32 vouches for it elsewhere.
void repair_fast(Bytes& b) {
  if (b.size() >= image::kHeaderSize)
    set_u32(b, image::kCrcAt, crc32_of(ByteView(b).subspan(image::kHeaderSize)));
}

struct Tally {
  std::size_t refused = 0, accepted = 0, walked = 0;
};

// The strict decoder stops early, at what a whole inspection finds first.
bool decodes_as_inspected(ByteView image, const Inspection& i) {
  const auto view = decode(image);
  if (i.findings.empty()) return view.has_value();
  const Finding& first = i.findings.front();
  return !view && view.error().reason == first.reason && view.error().place.offset == first.offset &&
         view.error().place.field == first.path && view.error().detail == first.detail;
}

// One verdict: false when it contradicts itself.
bool judge(const Bytes& b, Tally& tally, bool visit = true) {
  const Buffer exact{ByteView(b)};
  const Inspection i = inspect(exact.view(), 4);
  if (i.findings.empty() && !i.view) return false;
  if (visit && !decodes_as_inspected(exact.view(), i)) return false;
  if (i.view && visit) {  // whatever else was found: every path can be visited
    std::uint64_t bytes = 0;
    walk(*i.view, [&bytes](const FieldVisit& v) {
      for (const std::uint8_t c : v.raw) bytes += c;
    });
    ++tally.walked;
  }
  if (!i.findings.empty()) {
    ++tally.refused;
    return true;
  }
  ++tally.accepted;
  const auto tree = to_tree(*i.view);
  if (!tree) return false;
  const auto again = encode(*tree);
  return again && again->size() == b.size() &&
         std::equal(b.begin(), b.end(), again->data());
}

void flip_every_bit(const Bytes& image, bool repaired, Tally& tally) {
  Bytes b = image;
  const std::uint32_t crc = u32_at(image, image::kCrcAt);
  for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
    const auto mask = static_cast<std::uint8_t>(1 << bit % 8);
    b[bit / 8] ^= mask;
    if (repaired) repair_fast(b);
    ASSERT_TRUE(judge(b, tally, bit % 8 == 0)) << "bit " << bit;
    b[bit / 8] ^= mask;
    set_u32(b, image::kCrcAt, crc);
  }
}

TEST(ImageHostile, EveryBitOfTheHandWrittenImage) {
  ASSAY_COVERS("IMG-002", "IMG-007", "IMG-026");
  const Bytes image = load_hex("all_kinds.hex");
  Tally plain, repaired;
  flip_every_bit(image, false, plain);
  flip_every_bit(image, true, repaired);
  EXPECT_EQ(plain.accepted, 32u);  // the subgraph's index alone is free and under no checksum
  EXPECT_GT(repaired.accepted, 32u + 64u);
  EXPECT_GT(repaired.refused, image.size() * 6);
}

TEST(ImageHostile, EveryTruncation) {
  ASSAY_COVERS("IMG-003", "IMG-004", "IMG-026");
  const Bytes image = load_hex("all_kinds.hex");
  for (std::size_t n = 0; n < image.size(); ++n) {
    Bytes cut(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(n));
    Tally tally;
    ASSERT_TRUE(judge(cut, tally)) << n;
    EXPECT_EQ(tally.refused, 1u) << n;
    if (n < image::kHeaderSize) continue;
    set_u64(cut, image::kImageSizeAt, n);  // cut, and proud of it
    repair_fast(cut);
    ASSERT_TRUE(judge(cut, tally)) << n;
    EXPECT_EQ(tally.refused, 2u) << n;
  }
}

class Editor {
 public:
  explicit Editor(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void edit(Bytes& b) {
    if (b.empty()) return;
    const std::size_t at = below(b.size());
    switch (below(10)) {
      case 0: b[at] ^= static_cast<std::uint8_t>(1 << below(8)); break;
      case 1: b[at] = static_cast<std::uint8_t>(random_()); break;
      case 2: put32(b, at & ~std::size_t{3}); break;
      case 3: put64(b, at & ~std::size_t{7}); break;
      case 4: put64(b, 8 * below(10)); break;                     // a header field
      case 5: put32(b, 8 * below(10) + 4 * below(2)); break;
      case 6: put64(b, list(b, image::kDirOffsetAt, 8)); break;   // a directory entry or relocation
      case 7: put32(b, list(b, image::kDirOffsetAt, 4)); break;
      case 8: {                                                   // a pointer slot
        const std::size_t reloc = list(b, image::kRelocOffsetAt, 8);
        if (reloc + 8 <= b.size()) put64(b, u64_at(b, reloc));
        break;
      }
      default: move(b, at); break;
    }
  }

 private:
  std::size_t list(const Bytes& b, std::uint64_t field, std::size_t width) {
    if (b.size() < image::kHeaderSize) return 0;
    const std::uint64_t from = u64_at(b, field);
    return from >= b.size() ? 0 : from + width * below((b.size() - from) / width);
  }
  std::uint64_t value(const Bytes& b) {
    switch (below(8)) {
      case 0: return below(40);
      case 1: return ~std::uint64_t{0} - below(100);
      case 2: return std::uint64_t{1} << below(64);
      case 3: return b.size() - below(64);
      case 4: return 16 * below(b.size() / 16 + 2);
      case 5: {
        const std::size_t entry = list(b, image::kDirOffsetAt, 24);
        return entry + 8 <= b.size() ? u64_at(b, entry) : 0;
      }
      case 6: return (std::uint64_t{random_()} << 32) | random_();
      default: return random_();
    }
  }
  void put32(Bytes& b, std::uint64_t at) {
    if (at + 4 <= b.size()) set_u32(b, at, static_cast<std::uint32_t>(value(b)));
  }
  void put64(Bytes& b, std::uint64_t at) {
    if (at < b.size() && b.size() - at >= 8) set_u64(b, at, value(b));
  }
  // Cuts, grows, copies or clears a range.
  void move(Bytes& b, std::size_t at) {
    const std::size_t n = std::min(below(64) + 1, b.size() - at);
    const auto from = b.begin() + static_cast<std::ptrdiff_t>(at);
    const auto to = from + static_cast<std::ptrdiff_t>(n);
    switch (below(5)) {
      case 0: b.erase(from, to); break;
      case 1: b.insert(from, n, 0); break;
      case 2: std::fill(from, to, 0); break;
      case 3: {
        const Bytes copy(from, to);
        const std::size_t other = below(b.size() - n + 1);
        std::copy(copy.begin(), copy.end(), b.begin() + static_cast<std::ptrdiff_t>(other));
        break;
      }
      default: b.resize(below(4) == 0 ? at : b.size()); break;
    }
    if (below(2) == 0 && b.size() >= image::kHeaderSize) set_u64(b, image::kImageSizeAt, b.size());
  }

  std::mt19937 random_;
};

std::size_t edits_wanted() {
  const char* text = std::getenv("ASSAY_EDITS");
  return text == nullptr ? 50000 : std::strtoull(text, nullptr, 10);
}

TEST(ImageHostile, RandomEdits) {
  ASSAY_COVERS("IMG-002", "IMG-026");
  const Bytes bases[] = {load_hex("all_kinds.hex"), encoded(minimal_tree()), encoded(small_tree())};
  const std::size_t wanted = edits_wanted();
  constexpr std::uint32_t kSeed = 20240229;
  Tally tally;
  for (std::size_t k = 0; k < wanted; ++k) {
    Editor editor(kSeed + static_cast<std::uint32_t>(k));
    Bytes b = bases[k % 16 == 0 ? 2 : k % 4 == 0 ? 1 : 0];
    for (std::size_t n = editor.below(3) + 1; n > 0; --n) editor.edit(b);
    if (k % 2 == 0) repair_fast(b);
    ASSERT_TRUE(judge(b, tally)) << "edit " << k;
  }
  EXPECT_EQ(tally.refused + tally.accepted, wanted);
  if (wanted >= 1000) {
    EXPECT_GT(tally.refused, wanted / 2);
    EXPECT_GT(tally.accepted, wanted / 100);
    EXPECT_GT(tally.walked, tally.accepted);
  }
}

// A refused image that can be walked is dumped and compared without a fault as well.
TEST(ImageHostile, DumpsOfDamagedImages) {
  ASSAY_COVERS("IMG-026");
  const Bytes base = load_hex("all_kinds.hex");
  const Inspected good = look_at(base);
  std::size_t dumped = 0;
  for (std::uint32_t k = 0; k < 3000; ++k) {
    Editor editor(k);
    Bytes b = base;
    editor.edit(b);
    const Inspected i = look_at(b);
    if (!i.result.view) continue;
    ++dumped;
    EXPECT_FALSE(dump_text(*i.result.view).empty());
    if (k % 8 != 0) continue;
    EXPECT_FALSE(dump_json(*i.result.view, {"", true}).empty());
    EXPECT_FALSE(fields_json(*i.result.view).empty());
    diff(*i.result.view, *good.result.view);
    later_stage_notes(*i.result.view);
  }
  EXPECT_GT(dumped, 500u);
}

}  // namespace
}  // namespace assay::test
