// SPDX-License-Identifier: Apache-2.0
// The rows on values: enumerators, booleans, names, unused bytes, ninstr, var_id, desc_type. Where
// padding lies is read off layout.json, not off the verifier's own tables.
#include <nlohmann/json.hpp>
#include <set>

#include "oracle/test/covers.h"
#include "oracle/test/images.h"
#include "oracle/test/trees.h"

namespace assay::test {
namespace {

const Bytes& small() {
  static const Bytes image = encoded(small_tree());
  return image;
}

// Every value in use of the small image, copied out of the walk.
struct Value {
  std::string path, record;
  const Field* field;
  FieldType type;
  EnumId enumeration;
  std::uint64_t offset;
  std::size_t bytes;
};
std::vector<Value> values_of(const Bytes& image) {
  const Inspected i = look_at(image);
  std::vector<Value> out;
  walk(i.result.view.value(), [&out](const FieldVisit& v) {
    out.push_back(
        {v.path, std::string(v.in.name), v.field, v.type, v.enumeration, v.offset, v.raw.size()});
  });
  return out;
}

Bytes with_u32(std::uint64_t at, std::uint32_t v) {
  Bytes b = small();
  set_u32(b, at, v);
  repair(b);
  return b;
}

// Offsets where records start, inline and in tails included, by record name.
std::multimap<std::string, std::uint64_t> starts_of(const Bytes& image) {
  std::multimap<std::string, std::uint64_t> out;
  for (const Value& v : values_of(image))
    if (v.field != nullptr && v.field->offset == 0) out.emplace(v.record, v.offset);
  // These begin with a pointer that is not NULL, whose value stands elsewhere.
  out.emplace("kbin_t", 80);
  out.emplace("kbin_ucode_lib_t", offsets_of(image).at("ucode_lib_set.libs[0].content_size") - 8);
  return out;
}

TEST(ImageFields, EveryEnumField) {
  ASSAY_COVERS("IMG-019");
  ASSERT_TRUE(sound(small()));
  std::set<std::string> fields;
  for (const Value& v : values_of(small())) {
    if (v.enumeration == EnumId::none || v.path == "target") continue;
    for (const std::uint32_t bad : {77U, 0x80000000U, 0xffffff00U})
      EXPECT_TRUE(refused_as(with_u32(v.offset, bad), "IMG-019")) << v.path << " " << bad;
    if (v.enumeration == EnumId::EngineType) {  // the not-an-engine sentinel
      EXPECT_TRUE(refused_as(with_u32(v.offset, 5), "IMG-019")) << v.path;
    }
    fields.insert(v.record + "." + std::string(v.field->name));
  }
  EXPECT_EQ(fields.size(), 11u);  // all of layout.json's but target: see the next test
}

TEST(ImageFields, EnumFieldsAreThoseOfTheLayout) {
  ASSAY_COVERS("IMG-019");
  const auto layout = nlohmann::json::parse(read_corpus("spec/layout.json"));
  std::size_t n = 0;
  for (const auto& s : layout["structs"])
    for (const auto& f : s["fields"])
      n += f.contains("enum") && s["name"] != "kbin_patch_location_t";
  EXPECT_EQ(n, 12u);
}

// Each enumerator of a field that nothing depends on is accepted.
TEST(ImageFields, EnumeratorsAreAccepted) {
  ASSAY_COVERS("IMG-019");
  const auto offsets = offsets_of(small());
  for (std::uint32_t v = 0; v <= 18; ++v)
    EXPECT_TRUE(sound(with_u32(offsets.at("dma[1].ring_type"), v)));
  EXPECT_TRUE(refused_as(with_u32(offsets.at("dma[1].ring_type"), 19), "IMG-019"));
  for (std::uint32_t v = 0; v <= 4; ++v)
    EXPECT_TRUE(sound(with_u32(offsets.at("dma[1].owner"), v)));
  const std::uint64_t dtype = offsets.at("dma[0].ring_instances[0].desc[0].u.to.dtype");
  for (std::uint32_t v = 0; v <= 15; ++v) EXPECT_TRUE(sound(with_u32(dtype, v)));
  EXPECT_TRUE(refused_as(with_u32(dtype, 16), "IMG-019"));
  const std::uint64_t carveout = offsets.at("sb_carveouts.carveouts[0].type");
  for (std::uint32_t v = 0; v <= 1; ++v) EXPECT_TRUE(sound(with_u32(carveout, v)));
  EXPECT_TRUE(refused_as(with_u32(carveout, 2), "IMG-019"));
  // Types without a union member of their own, MR_INVALID among them.
  for (const std::uint32_t v : {0U, 1U, 2U, 4U, 5U, 6U})
    EXPECT_TRUE(sound(with_u32(offsets.at("mem_ref_set.mem[0].mr_type"), v)));
  EXPECT_TRUE(refused_as(with_u32(offsets.at("mem_ref_set.mem[0].mr_type"), 12), "IMG-019"));
  const std::uint64_t op = offsets.at("dma[0].ring_instances[0].desc[0].op");
  EXPECT_TRUE(sound(with_u32(op, 0xffffffff)));  // INVALID is -1
  EXPECT_TRUE(refused_as(with_u32(op, 0xfffffffe), "IMG-019"));
  EXPECT_TRUE(refused_as(with_u32(op, 6), "IMG-019"));
  const std::uint64_t backing = offsets.at("mem_ref_set.mem[6].u.virtual.backing_buf");
  for (std::uint32_t v = 0; v <= 3; ++v) EXPECT_TRUE(sound(with_u32(backing, v)));
  EXPECT_TRUE(refused_as(with_u32(backing, 4), "IMG-019"));
}

TEST(ImageFields, Booleans) {
  ASSAY_COVERS("IMG-019");
  std::set<std::string> fields;
  for (const Value& v : values_of(small())) {
    if (v.type != FieldType::boolean) continue;
    for (const std::uint8_t value : {0, 1, 2, 255}) {
      Bytes b = small();
      b[v.offset] = value;
      repair(b);
      if (value < 2) EXPECT_TRUE(sound(b)) << v.path;
      else EXPECT_TRUE(refused_as(b, "IMG-019")) << v.path;
    }
    fields.insert(v.record + "." + std::string(v.field->name));
  }
  EXPECT_EQ(fields.size(), 8u);
}

TEST(ImageFields, CharArrays) {
  ASSAY_COVERS("IMG-018", "IMG-020");
  ASSERT_TRUE(sound(small()));
  std::set<std::string> fields;
  for (const Value& v : values_of(small())) {
    if (v.type != FieldType::chars || v.field == nullptr) continue;
    Bytes b = small();  // no NUL in the whole width
    std::fill_n(b.begin() + static_cast<std::ptrdiff_t>(v.offset), v.field->count, 'a');
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-018")) << v.path;
    b[v.offset + v.field->count - 1] = 0;  // the longest name
    repair(b);
    EXPECT_TRUE(sound(b)) << v.path;
    for (const std::uint64_t at : {v.bytes + 1, std::size_t{v.field->count} - 1}) {
      b = small();
      b[v.offset + at] = 'a';
      repair(b);
      EXPECT_TRUE(refused_as(b, "IMG-020")) << v.path << " " << at;
    }
    fields.insert(v.record + "." + std::string(v.field->name));
  }
  EXPECT_EQ(fields.size(), 6u);
}

// Every padding byte that layout.json lists, in every record of the image.
TEST(ImageFields, PaddingOfTheLayout) {
  ASSAY_COVERS("IMG-020", "LOW-009");
  ASSERT_TRUE(sound(small()));
  const auto layout = nlohmann::json::parse(read_corpus("spec/layout.json"));
  const auto starts = starts_of(small());
  std::set<std::string> seen;
  std::size_t bytes = 0;
  for (const auto& s : layout["structs"]) {
    const auto range = starts.equal_range(s["name"].get<std::string>());
    for (auto it = range.first; it != range.second; ++it)
      for (const auto& p : s.value("padding", nlohmann::json::array()))
        for (std::uint64_t k = p[0]; k < p[1]; ++k, ++bytes) {
          Bytes b = small();
          b[it->second + k] = 1;
          repair(b);
          EXPECT_TRUE(refused_as(b, "IMG-020")) << s["name"] << " +" << k;
          seen.insert(s["name"]);
        }
  }
  EXPECT_EQ(seen.size(), 13u);  // all that have padding, save neff_header_t
  EXPECT_GT(bytes, 500u);
}

// Slots of arrays beyond their counter, patterns and profiles included.
TEST(ImageFields, UnusedSlots) {
  ASSAY_COVERS("IMG-020", "IMG-021");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  const std::string desc = "dma[0].ring_instances[0].desc[";
  const std::vector<std::pair<std::string, std::uint64_t>> unused = {
      {"dma[0].semaphores[0]", 4 * 2}, {"dma[0].semaphores[0]", 4 * 31},
      {"dma[0].pseudo_serialization_semaphores[0]", 4},
      {desc + "0].u.to.steps[0]", 8 * 2}, {desc + "0].u.to.steps[0]", 8 * 7},
      {desc + "0].u.to.sizes[0]", 8 * 2}, {desc + "0].u.from[0].sizes[0]", 8 * 7 + 7},
      {desc + "0].u.from[0].idx", 160}, {desc + "0].u.from[0].idx", 32 * 160 - 1},
      {desc + "1].u.from[0].idx", 2 * 160}, {desc + "1].u.info.u.fma.scale[0]", 4 * 2},
      {desc + "1].u.info.u.fma.scale[0]", 4 * 31}, {desc + "4].u.from[0].idx", 160},
      {"act_function_sets.sets[0].profile_data[0].func_id", 2 * 76},
      {"act_function_sets.sets[0].profile_data[0].func_id", 25 * 76 - 1}};
  for (const auto& [path, beyond] : unused) {
    Bytes b = small();
    b[offsets.at(path) + beyond] = 1;
    repair(b);
    EXPECT_TRUE(refused_as(b, "IMG-020")) << path << " +" << beyond;
  }
}

// Bytes of a union outside its active member.
TEST(ImageFields, InactiveUnionMembers) {
  ASSAY_COVERS("IMG-020", "LOW-009");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  const auto expect_zero = [](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end; ++at) {
      Bytes b = small();
      b[at] = 1;
      repair(b);
      EXPECT_TRUE(refused_as(b, "IMG-020")) << at;
    }
  };
  const auto mem = [&offsets](int i) {
    return offsets.at("mem_ref_set.mem[" + std::to_string(i) + "].mr_type");
  };
  for (const int i : {0, 1, 2, 3, 4, 10}) expect_zero(mem(i) + 136, mem(i) + 152);
  expect_zero(mem(5) + 141, mem(5) + 152);  // ptr
  expect_zero(mem(6) + 148, mem(6) + 152);  // virtual
  expect_zero(mem(7) + 140, mem(7) + 144);  // list
  expect_zero(mem(8) + 140, mem(8) + 144);  // list, empty
  expect_zero(mem(9) + 144, mem(9) + 152);  // remote
  const std::string desc = "dma[0].ring_instances[0].desc[";
  const std::uint64_t copy = offsets.at(desc + "0].u.num_tiling_dims") + 4;
  expect_zero(copy, copy + 140);
  const std::uint64_t add = offsets.at(desc + "2].u.info.num_sources") + 4;
  expect_zero(add, add + 132);
  const std::uint64_t min = offsets.at(desc + "3].u.info.num_sources") + 4;
  expect_zero(min + 1, min + 4);
  expect_zero(min + 12, min + 132);
}

TEST(ImageFields, Ninstr) {
  ASSAY_COVERS("IMG-022", "LOW-003");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t at = offsets.at("engine[" + std::to_string(i) + "].ninstr");
    const std::uint32_t n = u32_at(small(), at);  // 0, 0 of 3 bytes, 2 of 130, 0, 0
    for (const std::uint32_t v : {n + 1, n - 1, n * 64 + 64}) {
      const Bytes b = with_u32(at, v);
      EXPECT_TRUE(refused_as(b, "IMG-022")) << i;
      EXPECT_TRUE(look_at(b).result.view.has_value());
    }
  }
}

TEST(ImageFields, VarId) {
  ASSAY_COVERS("IMG-023");
  ASSERT_TRUE(sound(small()));
  const auto offsets = offsets_of(small());
  for (std::uint32_t i = 0; i < 11; ++i) {
    const std::uint64_t at = offsets.at("mem_ref_set.mem[" + std::to_string(i) + "].var_id");
    for (const std::uint32_t v : {i + 1, i - 1, 0xffffffffU})
      EXPECT_TRUE(refused_as(with_u32(at, v), "IMG-023")) << i;
  }
}

TEST(ImageFields, DescType) {
  ASSAY_COVERS("IMG-025", "DMB-018");
  ASSERT_TRUE(sound(small()));
  const std::uint64_t at = offsets_of(small()).at("dma[0].ring_instances[0].desc[1].desc_type");
  for (const std::uint32_t v : {1U, 2U}) {  // EVENT and INC_SEMA are enumerators, and not DATA
    const Bytes b = with_u32(at, v);
    EXPECT_TRUE(refused_as(b, "IMG-025"));
    EXPECT_EQ(look_at(b).result.findings.size(), 1u);
  }
  EXPECT_TRUE(refused_as(with_u32(at, 3), "IMG-019"));
}

}  // namespace
}  // namespace assay::test
