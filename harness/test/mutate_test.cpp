// SPDX-License-Identifier: Apache-2.0
// Mutants of bytes: the byte form of models, JSON text, dictionaries, and images.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/gen/gen.h"
#include "harness/gen/json_read.h"
#include "harness/mutate/dictionary.h"
#include "harness/mutate/model_bytes.h"
#include "harness/mutate/model_mutator.h"
#include "harness/mutate/models/key_rules.h"
#include "harness/mutate/record_mutator.h"
#include "harness/mutate/text_mutator.h"
#include "oracle/image/image.h"

namespace assay::harness {
namespace {

std::string noise(Choices& c, std::size_t most) {
  std::string s(c.below(most), '\0');
  for (char& ch : s) ch = static_cast<char>(c.below(256));
  return s;
}

// ---- models as bytes ----

TEST(ModelBytes, ComeBackAsTheyWent) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomChoices c(seed);
    Model model = gen_model(c);
    for (std::uint64_t step = c.below(4); step > 0; --step) mutate(c, model, 1 << 16);
    const std::string bytes = to_bytes(model);
    ASSERT_EQ(bytes.size(), size_of(model));
    const auto back = from_bytes(as_bytes(bytes));
    ASSERT_TRUE(back.has_value()) << seed;
    EXPECT_EQ(to_bytes(*back), bytes);
    ASSERT_EQ(back->members.size(), model.members.size());
    for (const auto& [path, member] : model.members) {
      EXPECT_EQ(back->members.at(path).is_json(), member.is_json());
      EXPECT_EQ(back->members.at(path).text(), member.text());
    }
    EXPECT_EQ(lower_model(*back).has_value(), lower_model(model).has_value());
  }
}

TEST(ModelBytes, HoldEveryOption) {
  for (int arch = -1; arch <= 4; ++arch)
    for (int bits = 0; bits < 512; ++bits) {
      Model m;
      if (arch >= 0) m.options.arch = static_cast<ArchType>(arch);
      m.options.allow_legacy = (bits & 1) != 0;
      m.options.verify_digest = (bits & 2) != 0;
      m.options.assume_no_signals = (bits & 4) != 0;
      Fp8Overrides& f = m.options.fp8;
      if ((bits & 8) != 0) f.fp8_range_extension = arch > 1;
      if ((bits & 16) != 0) f.emax_fp8_e4m3 = 0x80000001u + static_cast<unsigned>(bits);
      if ((bits & 32) != 0) f.emax_fp8_e5m2 = 7;
      if ((bits & 64) != 0) f.ocp_sat = arch < 1;
      if ((bits & 128) != 0) f.fp8_sis = true;
      if ((bits & 256) != 0) f.fp8_sns = false;
      const std::string bytes = to_bytes(m);
      EXPECT_EQ(size_of(m), bytes.size());
      const auto back = from_bytes(as_bytes(bytes));
      ASSERT_TRUE(back.has_value());
      const Options &a = m.options, &b = back->options;
      EXPECT_TRUE(a.arch == b.arch && a.allow_legacy == b.allow_legacy && a.verify_digest == b.verify_digest &&
                  a.assume_no_signals == b.assume_no_signals);
      EXPECT_TRUE(f.fp8_range_extension == b.fp8.fp8_range_extension && f.emax_fp8_e4m3 == b.fp8.emax_fp8_e4m3 &&
                  f.emax_fp8_e5m2 == b.fp8.emax_fp8_e5m2 && f.ocp_sat == b.fp8.ocp_sat && f.fp8_sis == b.fp8.fp8_sis &&
                  f.fp8_sns == b.fp8.fp8_sns);
    }
}

TEST(ModelBytes, RefuseWhatIsNoModel) {
  using namespace std::string_view_literals;
  const auto reads = [](std::string_view s) { return from_bytes(as_bytes(s)).has_value(); };
  EXPECT_TRUE(reads("\0"sv));
  EXPECT_TRUE(reads("\0\x03""a\x02{}"sv));
  EXPECT_TRUE(reads("\0\x02""a\x02{}\x02""b\0"sv));
  EXPECT_FALSE(reads(""sv));
  EXPECT_FALSE(reads("\x80"sv));                       // a reserved bit
  EXPECT_FALSE(reads("\6"sv));                         // no such target
  EXPECT_FALSE(reads("\x40\0\0"sv));                   // fp8 of nothing
  EXPECT_FALSE(reads("\x40\1\2"sv));                   // a flag that is not there
  EXPECT_FALSE(reads("\x40\2\0abc"sv));                // a number cut short
  EXPECT_FALSE(reads("\0\x03""a\x02{"sv));             // bytes cut short
  EXPECT_FALSE(reads("\0\x03""a\x02{]"sv));            // no document
  EXPECT_FALSE(reads("\0\x03""a\x03{}"sv));
  EXPECT_FALSE(reads("\0\x02""b\0\x02""a\0"sv));       // out of order
  EXPECT_FALSE(reads("\0\x02""a\0\x02""a\0"sv));       // twice
  EXPECT_FALSE(reads("\0\x82\0""a\0"sv));              // a number in a longer form
  EXPECT_FALSE(reads("\0\xff\xff\xff\xff\x01"sv));
  const auto deep = [](std::size_t n) {
    const std::string doc = std::string(n, '[') + std::string(n, ']');
    std::string s("\0\x03""a", 3);
    s += static_cast<char>((doc.size() & 0x7f) | 0x80);
    s += static_cast<char>(doc.size() >> 7);
    return s + doc;
  };
  EXPECT_TRUE(reads(deep(kMostJsonDepth)));
  EXPECT_FALSE(reads(deep(kMostJsonDepth + 1)));
  EXPECT_FALSE(reads(std::string(kMostModelBytes + 1, '\0')));
}

TEST(ModelBytes, AreTotal) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomChoices c(seed);
    (void)from_bytes(as_bytes(noise(c, 200)));
    std::string bytes = to_bytes(gen_model(c));
    for (int i = 0; i < 8; ++i) {
      std::string hurt = bytes.substr(0, c.chance(50) ? bytes.size() : c.below(bytes.size()));
      if (!hurt.empty()) hurt[c.below(hurt.size())] = static_cast<char>(c.below(256));
      const auto model = from_bytes(as_bytes(hurt));
      if (model) {
        ASSERT_TRUE(from_bytes(as_bytes(to_bytes(*model))).has_value());
      }
    }
  }
}

// ---- text ----

TEST(MutateText, MakesEveryKindOfEditOnADocument) {
  const std::string text = R"({"var":{"a":{"type":"input","size":12,"x":[1,2.5,-3]}},"b/c":"d","e":true})";
  for (const TextMutation& m : text_mutations()) {
    std::set<std::string> made;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      RandomChoices c(seed);
      std::string t = text;
      if (m.edit(c, t) && t != text) made.insert(t);
    }
    EXPECT_GE(made.size(), 4u) << m.name;
  }
}

TEST(MutateText, WritesWhatNoDocumentHolds) {
  const std::string text = R"({"var":{"a":{"type":"input","size":12}},"dma_queue":{}})";
  std::map<std::string, int> seen;
  int parses = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    RandomChoices c(seed);
    std::string t = text;
    mutate_text(c, t, 1 << 16);
    const auto has = [&](std::string_view s) { return t.find(s) != t.npos; };
    seen["duplicate"] += has(R"("size":12,"size":12)");
    seen["1e2"] += has(":1e2");
    seen["12.0"] += has("12.0");
    seen["-0"] += has(":-0}");
    seen["zero before"] += has(":012");
    seen["2^64"] += has("18446744073709551616");
    seen["30 digits"] += has("123456789012345678901234567890");
    seen["mark"] += t.starts_with("\xEF\xBB\xBF");
    seen["behind"] += t == text + "}";
    seen["depth"] += has(std::string(1024, '['));
    seen["escape"] += has("\\u00");
    seen["bad UTF-8"] += has("\xED\xA0\x80");
    seen["cut"] += t.size() < text.size() && text.starts_with(t);
    seen["space"] += has("\f");
    parses += Json::accept(t);
  }
  for (const auto& [what, n] : seen) EXPECT_GE(n, 1) << what;
  EXPECT_GE(parses, 800);  // and much is read
}

TEST(MutateText, IsTotalAndKeepsItsSize) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomChoices c(seed);
    std::string t = c.chance(30) ? std::string() : c.chance(20) ? "{\"\\" : noise(c, 120), u = t;
    const std::size_t most = c.below(150);
    RandomChoices again = c;
    mutate_text(c, t, most);
    mutate_text(again, u, most);
    ASSERT_GE(t.size(), 1u);
    ASSERT_LE(t.size(), std::max<std::size_t>(most, 1));
    ASSERT_EQ(t, u);
  }
}

// ---- dictionaries ----

TEST(Dictionary, HoldsTheTablesInQuotedLines) {
  const std::string doc = dictionary_for("def_json"), image = dictionary_for("image_decode"), all = dictionary_for("x");
  const auto has = [](const std::string& in, std::string_view line) { return in.find(line) != in.npos; };
  for (const mutating::KeyRule& r : mutating::key_rules())
    EXPECT_TRUE(has(doc, "\\\"" + std::string(r.key) + "\\\":")) << r.key;
  for (const MatcherRow& row : matcher_rows())
    for (const MatcherEntry& e : row.entries)
      EXPECT_TRUE(has(doc, "\"\\\"" + std::string(e.text) + "\\\"\"\n")) << e.text;
  EXPECT_TRUE(has(image, "\"KBINIMG1\"\n"));
  EXPECT_TRUE(has(image, "\"\\x13\\x00\\x00\\x00\"\n"));  // the last kind
  EXPECT_FALSE(has(image, "var_id"));
  EXPECT_TRUE(has(all, "ustar") && has(all, "KBINIMG1") && has(all, "var_id"));
  std::size_t lines = 0;
  for (std::size_t at = 0; at < all.size(); ++lines) {
    const std::size_t end = all.find('\n', at);
    ASSERT_NE(end, all.npos);
    const std::string line = all.substr(at, end - at);
    EXPECT_TRUE(line[0] == '#' || (line.size() > 2 && line.front() == '"' && line.back() == '"')) << line;
    for (const char ch : line) EXPECT_TRUE(ch >= 0x20 && ch < 0x7F) << line;
    at = end + 1;
  }
  EXPECT_GE(lines, 300u);
}

// ---- images ----

ImageBytes image_of(Choices& c) {
  const Buffer b = gen_image(c);
  return {b.data(), b.data() + b.size()};
}
ByteView view(const ImageBytes& b) { return {b.data(), b.size()}; }

TEST(MutateImage, MakesEveryKindOfEdit) {
  std::map<std::string_view, int> made;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomChoices c(seed);
    const ImageBytes image = image_of(c);
    const auto raw = read_raw(view(image));
    ASSERT_TRUE(raw.has_value());
    const Buffer whole = raw->write();
    for (int i = 0; i < 4; ++i) {
      for (const PlaceEdit& e : place_edits()) {
        ImageBytes copy = image;
        if (e.edit(c, copy)) made[e.name] += copy != image;
      }
      for (const RecordEdit& e : record_edits()) {
        RawImage copy = *raw;
        if (e.edit(c, copy)) made[e.name] += copy.write().text() != whole.text();
      }
    }
  }
  for (const PlaceEdit& e : place_edits()) EXPECT_GE(made[e.name], 3) << e.name;
  for (const RecordEdit& e : record_edits()) EXPECT_GE(made[e.name], 3) << e.name;
}

TEST(MutateImage, LeavesSomeValidAndMostWithTheirChecksum) {
  constexpr int kImages = 150;
  int valid = 0, summed = 0, edits = 0, crossed = 0, both = 0;
  std::set<std::string_view> reasons;
  for (std::uint64_t seed = 0; seed < kImages; ++seed) {
    RandomChoices c(seed);
    const ImageBytes image = image_of(c), other = image_of(c);
    for (int i = 0; i < 3; ++i) {
      ImageBytes mutant = image;
      if (!mutate_image(c, mutant, 1 << 20)) continue;
      ++edits;
      const auto read = decode(view(mutant));
      valid += read.has_value();
      summed += read.has_value() || read.error().reason != Reason::image_checksum;
      if (!read) reasons.insert(read.error().row().id);
    }
    ImageBytes cross = image;
    if (!cross_over_images(c, cross, view(other), 1 << 20)) continue;
    ++crossed;
    both += decode(view(cross)).has_value();
  }
  std::printf("%d edits: %.1f %% valid, %.1f %% with a right checksum, %zu reasons; crosses: %d of %d valid\n", edits,
              100.0 * valid / edits, 100.0 * summed / edits, reasons.size(), both, crossed);
  EXPECT_GE(edits, kImages * 3 * 95 / 100);
  EXPECT_GE(valid, edits * 20 / 100);
  EXPECT_LE(valid, edits * 80 / 100);
  EXPECT_GE(summed, edits * 85 / 100);
  EXPECT_GE(reasons.size(), 12u);
  EXPECT_GE(crossed, kImages * 80 / 100);
  EXPECT_GE(both, kImages * 40 / 100);
}

TEST(MutateImage, GetsAnywhereFromNothing) {
  int images = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomChoices c(seed);
    const std::string start = noise(c, 100);
    ImageBytes image(start.begin(), start.end());
    for (int i = 0; i < 6 && !images; ++i) mutate_image(c, image, 1 << 20);
    images += read_raw(view(image)).has_value();
  }
  EXPECT_GE(images, 1);
}

TEST(MutateImage, IsTotalDeterministicAndKeepsItsSize) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomChoices c(seed), again(seed);
    const auto run = [&](RandomChoices& x) {
      ImageBytes image = image_of(x), other = image_of(x);
      const std::size_t most = x.chance(30) ? 1 + x.below(200) : x.chance(50) ? image.size() + x.below(100) : 1 << 18;
      for (int i = 0; i < 12; ++i) {
        if (x.chance(20) && !other.empty()) other[x.below(other.size())] ^= 1;
        if (x.chance(70)) mutate_image(x, image, most);
        else cross_over_images(x, image, view(other), most);
        EXPECT_GE(image.size(), 1u);
        if (i > 0) {
          EXPECT_LE(image.size(), most);
        }
      }
      (void)inspect(view(image));
      return image;
    };
    ASSERT_EQ(run(c), run(again)) << seed;
  }
}

TEST(MutateImage, TakesAnyBytesBehindAHeader) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomChoices c(seed);
    ImageBytes image = image_of(c);
    image.resize(std::min<std::size_t>(image.size(), 600 + c.below(2000)));
    for (std::uint64_t n = c.below(40); n > 0; --n)
      image[c.below(image.size())] = static_cast<std::uint8_t>(c.below(256));
    store(image.data() + image::kDirOffsetAt, c.edge(0, image.size()));
    store(image.data() + image::kDirCountAt, static_cast<std::uint32_t>(c.edge(0, 0xFFFFFFFF)));
    store(image.data() + image::kRelocOffsetAt, c.edge(0, image.size()));
    store(image.data() + image::kRelocCountAt, static_cast<std::uint32_t>(c.edge(0, 0xFFFFFFFF)));
    std::memcpy(image.data(), image::kMagic, 8);
    for (const PlaceEdit& e : place_edits()) (void)e.edit(c, image);
    for (int i = 0; i < 6; ++i) mutate_image(c, image, 1 << 16);
  }
}

}  // namespace
}  // namespace assay::harness
